import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import CompositorPlugins
import CompositorValidation

/// Converts the input and output of a compositor as its descriptor declares.
struct SourceConforming: Sendable {
  private let descriptor: CompositorDescriptor
  private let converter: FrameConverter
  /// The context that the compositor renders in: the output's, or an SDR version of it if the compositor supports no more.
  let context: RenderContext

  init(_ descriptor: CompositorDescriptor, output: RenderContext) {
    self.descriptor = descriptor
    converter = FrameConverter(policy: output.colorConversion)
    context = descriptor.context(for: output)
  }

  /// The source in the form that the compositor accepts; unchanged if it already is.
  func conform(_ source: SourceFrame) throws(CompositorError) -> SourceFrame {
    let frame = source.frame
    let format = format(for: frame.format)
    let takesAnyColor = descriptor.colorHandling == .conformsItself
    if takesAnyColor, format == frame.format { return source }
    var attributes = frame.attributes
    if !takesAnyColor { attributes.color = context.outputAttributes.color }
    attributes.color = attributes.color.described(as: format)
    if attributes.color.transfer != frame.attributes.color.transfer { attributes.hdr = nil }
    attributes.alphaMode = format.hasAlpha ? frame.attributes.alphaMode : .opaque
    var conformed = source
    do throws(CompositorError) {
      conformed.frame = try converter.convert(frame, to: format, attributes: attributes, pool: context.pool)
    } catch {
      throw error.locating(ErrorLocation(track: source.trackID))
    }
    return conformed
  }

  private func format(for format: PixelFormat) -> PixelFormat {
    switch descriptor.sourceFormats {
    case .any: format
    case .output: context.outputFormat
    case .oneOf(let formats): formats.contains(format) ? format : formats.first ?? format
    }
  }
}

/// Places the sources of a request for compositors without layers: each becomes as large as the canvas, according to its layer.
struct SourcePlacing: Sendable {
  private let surface: RenderContext
  private let layers: LayerCompositor

  /// - Parameter surface: Size, format and color of the frames.
  init(_ surface: RenderContext) throws(CompositorError) {
    self.surface = surface
    layers = try LayerCompositor(parameters: [:], context: surface)
  }

  /// A source placed on the canvas according to its layer at a given time.
  func placed(
    _ source: SourceFrame, at time: MediaTime, of request: CompositionRequest
  ) throws(CompositorError) -> SourceFrame {
    var result = source
    let layer =
      request.instruction.layers.first { $0.trackID == source.trackID } ?? LayerInstruction(trackID: source.trackID)
    result.frame = try frame(source, layer, request, at: time)
    result.preferredTransform = .identity
    return result
  }

  /// The instruction for placed sources, with plain layers.
  func plain(_ instruction: Instruction) -> Instruction {
    var result = instruction
    result.layers = instruction.layers.map { LayerInstruction(trackID: $0.trackID) }
    return result
  }

  private func frame(
    _ source: SourceFrame, _ layer: LayerInstruction, _ request: CompositionRequest, at time: MediaTime
  ) throws(CompositorError) -> Frame {
    // The result of an effect, with its alpha.
    if source.frame.size == surface.size, layer == LayerInstruction(trackID: layer.trackID) { return source.frame }
    var single = request
    single.time = time
    single.sources = [layer.trackID: source]
    return try layers.draw([layer], of: single, over: request.instruction.backgroundColor, into: surface)
  }
}
