import BuiltinCompositors
package import CompositorAPI
import CompositorConversion
import CompositorMediaIO
import CompositorPlugins

extension CompositorDescriptor {
  /// The context that the compositor renders in: the output's, or one in a format and color that it supports.
  package func context(for output: RenderContext) -> RenderContext {
    let format = outputFormat(nearest: output.outputFormat)
    var context = output
    if format != output.outputFormat {
      context.outputFormat = format
      context.outputAttributes.color = output.outputAttributes.color.described(as: format)
      if !format.hasAlpha { context.outputAttributes.alphaMode = .opaque }
    }
    context.outputAttributes.color = colorHandling.workingColor(for: context)
    if context.outputAttributes.color != output.outputAttributes.color { context.outputAttributes.hdr = nil }
    return context
  }
}

extension SourceDescription {
  /// The description of the frames after effects, before any frame exists. Unknown effects change nothing.
  func after(_ effects: [EffectReference], registry: CompositorRegistry, output: RenderContext) -> SourceDescription {
    effects.reduce(self) { source, effect in
      guard let descriptor = registry[effect.compositor]?.descriptor else { return source }
      let surface = descriptor.context(for: source.surface(for: effect, descriptor, output: output))
      var result = source
      (result.format, result.attributes) = (surface.outputFormat, surface.outputAttributes)
      result.isStill = false
      return result
    }
  }

  /// The context for an effect on a layer: the source's own size, color, bit depth and chroma in planar Y′CbCr, with alpha if
  /// there is any or the effect adds it.
  package func surface(
    for effect: EffectReference, _ descriptor: CompositorDescriptor, output: RenderContext
  ) -> RenderContext {
    let keepsAlpha = usesAlpha || effect.makesAlpha(descriptor)
    let depth = format.sample == .unsigned ? format.bitDepth : 16
    let planar = PixelFormat.planar(format.subsampling, bitDepth: depth, alpha: keepsAlpha)
    var attributes = attributes
    attributes.color = attributes.color.described(as: planar)
    attributes.alphaMode = keepsAlpha ? (usesAlpha ? attributes.alphaMode : .straight) : .opaque
    var surface = output
    surface.size = size
    surface.renderScale = 1
    // From display units to stored pixels.
    surface.compositionToPixels = .scale(x: 1 / attributes.pixelAspectRatio.value, y: 1)
    surface.outputFormat = planar
    surface.outputAttributes = attributes
    return surface
  }
}

extension EffectReference {
  /// Whether the effect may make opaque frames transparent. Filters of libavfilter do depending on their parameters.
  func makesAlpha(_ descriptor: CompositorDescriptor) -> Bool {
    if descriptor.makesAlpha { return true }
    guard let collection = compositor.collection, collection == .avfilter else { return false }
    let filter = collection.name(ofID: compositor.rawValue)
    if case .string(let text)? = parameters["graph"], filter == "graph" { return FilterAlpha.isMade(byGraph: text) }
    return FilterAlpha.isMade(
      by: filter, options: parameters.compactMapValues(\.filterOption), changing: Set(animatedParameters.keys))
  }
}

extension ParameterValue {
  /// The value in libavfilter's notation; `nil` for a list or data, which no option of a filter is.
  fileprivate var filterOption: String? {
    switch self {
    case .bool(let value): value ? "1" : "0"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value
    case .list, .data: nil
    }
  }
}

extension Instruction {
  /// The track ID of a layer's processed frame: its own, or a synthetic one if another layer shows the same track.
  package func trackID(ofChangedLayer index: Int) -> TrackID {
    let trackID = layers[index].trackID
    let isShared = layers.indices.contains { $0 != index && layers[$0].trackID == trackID }
    return isShared ? Instruction.maskTrackID - 1 - TrackID(index) : trackID
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
