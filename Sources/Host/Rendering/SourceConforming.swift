import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import CompositorPlugins

/// Converts the input and output of a compositor as its descriptor declares.
struct SourceConforming: Sendable {
  private let descriptor: CompositorDescriptor
  private let converter: FrameConverter
  /// The context that the compositor renders in: the output's, or an SDR version of it if the compositor supports no more.
  let context: RenderContext

  init(_ descriptor: CompositorDescriptor, output: RenderContext) {
    self.descriptor = descriptor
    converter = FrameConverter(policy: output.colorConversion)
    let format = descriptor.outputFormat(nearest: output.outputFormat)
    var context = output
    if format != output.outputFormat {
      context.outputFormat = format
      context.outputAttributes.color = output.outputAttributes.color.described(as: format)
      if !format.hasAlpha { context.outputAttributes.alphaMode = .opaque }
    }
    context.outputAttributes.color = descriptor.colorHandling.workingColor(for: context)
    if context.outputAttributes.color != output.outputAttributes.color { context.outputAttributes.hdr = nil }
    self.context = context
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

extension CompositorDescriptor {
  /// The format that is requested of a compositor for an output format: the same if it is supported, otherwise the first that
  /// loses no bit depth and no alpha, otherwise the first.
  fileprivate func outputFormat(nearest format: PixelFormat) -> PixelFormat {
    guard !outputFormats.isEmpty, !outputFormats.contains(format) else { return format }
    let lossless = outputFormats.first { $0.bitDepth >= format.bitDepth && ($0.hasAlpha || !format.hasAlpha) }
    return lossless ?? outputFormats[0]
  }
}

extension CompositorDescriptor.ColorHandling {
  /// The color that a compositor works in if it doesn't support that of the output.
  fileprivate func workingColor(for output: RenderContext) -> ColorTags {
    let color = output.outputColor
    switch self {
    case .hdr, .conformsItself: return output.outputAttributes.color
    case .wide:
      guard color.transfer.isHDR else { return output.outputAttributes.color }
      var wide = color
      wide.transfer = .bt709
      return wide
    case .sdrOnly:
      let isHD = color.primaries == .bt709 && !color.transfer.isHDR && [.bt709, .identity].contains(color.matrix)
      guard !isHD else { return output.outputAttributes.color }
      var narrow = ColorTags.bt709
      narrow.range = color.range
      if output.outputFormat.isRGB { narrow.matrix = .identity }
      return narrow
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
