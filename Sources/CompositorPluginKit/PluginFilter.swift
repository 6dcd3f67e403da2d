public import CompositorAPI

/// A filter in one closure: a frame in, a frame out.
///
/// ```swift
/// @_cdecl("compositor_plugin_v1")
/// public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
///   PluginExport.export(PluginFilter("org.example.flip", name: "Flip") { frame, parameters, context in try flipped(frame, context) })
/// }
/// ```
///
/// The closure runs on any thread, for several frames at a time. It depends on its arguments alone; a filter with a state of its own
/// is a type that conforms to `VideoCompositor`.
public struct PluginFilter: Sendable {
  /// Makes one frame: of the context's size and format, or the source as it is.
  ///
  /// Values of parameters are those at the frame's time; frames are made with the context's `makeFrame()`.
  public typealias Body =
    @Sendable (_ source: Frame, _ parameters: ParameterValues, _ context: RenderContext) throws -> Frame

  /// What the filter can do.
  public let descriptor: CompositorDescriptor
  private let body: Body

  /// Describes a filter.
  ///
  /// - Parameters:
  ///   - id: Its ID in reverse domain order, such as "org.example.flip".
  ///   - name: Its name, for people.
  ///   - version: `major.minor.patch`.
  ///   - summary: What it does, one sentence; its name unless given.
  ///   - formats: Formats that it takes and makes, the preferred one first; all formats unless given.
  ///   - parameters: Its parameters.
  ///   - body: Makes a frame.
  public init(
    _ id: CompositorID, name: String, version: String = "1.0.0", summary: String? = nil, formats: [PixelFormat] = [],
    parameters: [ParameterDescription] = [], _ body: @escaping Body
  ) {
    descriptor = CompositorDescriptor(
      id: id, name: name, version: version, summary: summary ?? "\(name).", sourceFormats: .output, outputFormats: formats,
      parameters: parameters, role: .effect)
    self.body = body
  }

  var composer: any FrameComposer { Composer(body: body) }

  private struct Composer: FrameComposer {
    let body: Body

    func compose(_ request: CompositionRequest) throws -> Frame {
      guard let source = request.instruction.requiredTrackIDs.lazy.compactMap(request.frame).first else {
        return try request.context.makeFrame(filledWith: .black)
      }
      return try body(source, request.instruction.parameters, request.context)
    }
  }
}
