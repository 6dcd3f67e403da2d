import BuiltinCompositors
import CompositorAPI
import CompositorConversion

/// What a compositor is given and what it gives back, as its descriptor declares: the host converts in between.
struct SourceConforming: Sendable {
  private let descriptor: CompositorDescriptor
  private let converter: FrameConverter
  /// The surface the compositor renders to: the output's, or its SDR stand-in where the compositor knows no more.
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

  /// The source as the compositor takes it; untouched where it is that already.
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
  /// The format that a compositor is asked for where the output has this one: the same where it can, else the first that loses
  /// no depth and no alpha, else the first.
  fileprivate func outputFormat(nearest format: PixelFormat) -> PixelFormat {
    guard !outputFormats.isEmpty, !outputFormats.contains(format) else { return format }
    let lossless = outputFormats.first { $0.bitDepth >= format.bitDepth && ($0.hasAlpha || !format.hasAlpha) }
    return lossless ?? outputFormats[0]
  }
}

extension CompositorDescriptor.ColorHandling {
  /// The color a compositor works in where the output has another one than it knows.
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

extension ColorTags {
  /// The same color, with matrix and range as a format of the other family (R, G, B or Y′CbCr) has them.
  func described(as format: PixelFormat) -> ColorTags {
    var tags = self
    if format.isRGB {
      (tags.matrix, tags.range) = (.identity, .full)
    } else if tags.matrix == .identity {
      (tags.matrix, tags.range) = (.bt709, .limited)
    }
    return tags
  }
}

/// A request's pictures for compositors that know nothing of layers: each as large as the canvas, as its layer says.
struct SourcePlacing: Sendable {
  private let surface: RenderContext
  private let layers: LayerCompositor

  /// - Parameter surface: Size, format and color of the pictures.
  init(_ surface: RenderContext) throws(CompositorError) {
    self.surface = surface
    layers = try LayerCompositor(parameters: [:], context: surface)
  }

  /// A source on the canvas, as its layer is at a time.
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

  /// The instruction as it is for sources that are placed: with plain layers.
  func plain(_ instruction: Instruction) -> Instruction {
    var result = instruction
    result.layers = instruction.layers.map { LayerInstruction(trackID: $0.trackID) }
    return result
  }

  private func frame(
    _ source: SourceFrame, _ layer: LayerInstruction, _ request: CompositionRequest, at time: MediaTime
  ) throws(CompositorError) -> Frame {
    // An effect's picture, with its alpha.
    if source.frame.size == surface.size, layer == LayerInstruction(trackID: layer.trackID) { return source.frame }
    var single = request
    single.time = time
    single.askedSources = []
    single.instruction.compositor = .layer
    single.instruction.parameters = [:]
    single.instruction.additionalTrackIDs = []
    single.instruction.layers = [layer]
    single.sources = [layer.trackID: source]
    single.context = surface
    single.context.observer = nil
    return try layers.compose(single)
  }
}
