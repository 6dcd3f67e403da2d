public import CompositorAPI

/// A filter given as a closure from one frame to another.
///
/// ```swift
/// @_cdecl("compositor_plugin_v1")
/// public func compositorPlugin(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
///   PluginExport.export(PluginFilter("org.example.flip", name: "Flip") { frame, parameters, context in try flipped(frame, context) })
/// }
/// ```
///
/// The closure may run on any thread, for several frames concurrently. It must depend only on its arguments; implement a
/// filter with state as a type that conforms to `VideoCompositor`.
public struct PluginFilter: Sendable {
  /// Makes one frame of the context's size and format, or returns the source unchanged.
  ///
  /// Parameters have their values at the frame's time; make frames with the context's `makeFrame()`.
  public typealias Body =
    @Sendable (_ source: Frame, _ parameters: ParameterValues, _ context: RenderContext) throws -> Frame

  /// The filter's description.
  public let descriptor: CompositorDescriptor
  private let body: Body

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - id: The ID in reverse domain order, such as "org.example.flip".
  ///   - name: The name for people.
  ///   - version: `major.minor.patch`.
  ///   - summary: A sentence that describes the filter. Default: its name.
  ///   - formats: Supported pixel formats for source and output, preferred one first. Default: all formats.
  ///   - parameters: The descriptions of its parameters.
  ///   - body: The closure that makes a frame.
  public init(
    _ id: CompositorID, name: String, version: String = "1.0.0", summary: String? = nil, formats: [PixelFormat] = [],
    parameters: [ParameterDescription] = [], _ body: @escaping Body
  ) {
    descriptor = CompositorDescriptor(id: id, name: name, version: version, summary: summary ?? "\(name).") {
      $0.outputFormats = formats
      $0.parameters = parameters
      $0.role = .effect
    }
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
