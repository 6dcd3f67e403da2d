public import CompositorAPI

/// A layer with its geometry resolved to pixels.
public struct ReferenceLayer: Sendable {
  /// The source's frame.
  public var frame: Frame
  /// Opacity, 0 … 1.
  public var opacity: Double
  /// The transform from stored pixels to output pixels.
  public var sourceToOutput: AffineMatrix
  /// The part to show, in stored pixels, within the frame.
  public var crop: Rect
  /// How the layer is resampled.
  public var sampling: SamplingQuality

  /// Creates a layer.
  public init(
    frame: Frame, opacity: Double, sourceToOutput: AffineMatrix, crop: Rect, sampling: SamplingQuality = .fast
  ) {
    self.frame = frame
    self.opacity = opacity
    self.sourceToOutput = sourceToOutput
    self.crop = crop
    self.sampling = sampling
  }
}

/// The definition of the layer compositor's output, against which its routes are measured. It is computed in double precision,
/// one sample at a time, and shares no code with the routes.
///
/// If sources and output have the same format and color and no alpha, the definition is planar: each plane on its own grid, at
/// its location. Otherwise it is R′G′B′ on the luma grid: chroma is upsampled bilinearly, color is converted, alpha is
/// premultiplied, layers are resampled and blended, and chroma is subsampled by (1, 2, 1) / 4 or by averaging two samples,
/// depending on its location.
///
/// If the lowest layers match the output except for how their samples are stored, and others are in front of them, the layers
/// in front are blended on the luma grid and composed over the planes, with color and alpha subsampled in the same way.
///
/// A front layer that fills the frame unchanged, and has the output's color and subsampled chroma and no alpha, is the output in any
/// storage: each sample is converted alone.
///
/// Layers are resampled as `SamplingQuality` specifies, with separate implementations of the formulas. Results of filtering in
/// a plane are limited to valid code values.
///
/// This is slow: about one second per megapixel and layer. Can be called from any thread.
public enum ReferenceCompositor {
  /// The kinds of definition.
  public enum Definition: Sendable, Hashable {
    /// Each plane on its own grid, in code values.
    case planar
    /// R′G′B′ (or linear light) on the luma grid.
    case rgb
    /// The given number of front layers on the luma grid, over the others in planes.
    case layered(frontCount: Int)
  }

  /// The exact result of a request to the layer compositor.
  ///
  /// - Throws: `.invalidValue` if a layer's numbers aren't finite; `.conversionNotPossible` if colors aren't known.
  public static func compose(_ request: CompositionRequest) throws(CompositorError) -> ReferencePicture {
    var layers: [ReferenceLayer] = []
    for layer in request.instruction.layers {
      guard let frame = request.frame(layer.trackID) else { continue }
      let aspect = frame.attributes.pixelAspectRatio.value
      let full = Rect(x: 0, y: 0, width: Double(frame.size.width), height: Double(frame.size.height))
      let crop = layer.crop.value(at: request.time)
      let stored = Rect(x: crop.minX / aspect, y: crop.minY, width: crop.size.width / aspect, height: crop.size.height)
      let matrix = AffineMatrix.scale(x: aspect, y: 1).concatenating(layer.transform.value(at: request.time))
        .concatenating(request.context.compositionToPixels)
      let opacity = layer.opacity.value(at: request.time)
      guard matrix.isFinite, opacity.isFinite else {
        throw CompositorError(
          .invalidValue, "A layer of track \(layer.trackID) has numbers that are not finite.",
          recoverySuggestion: "Give finite numbers.", at: ErrorLocation(track: layer.trackID, time: request.time))
      }
      layers.append(
        ReferenceLayer(
          frame: frame, opacity: min(max(opacity, 0), 1), sourceToOutput: matrix,
          crop: crop.isInfinite ? full : stored.intersection(full), sampling: sampling(of: layer, in: request)))
    }
    return try compose(layers, background: request.instruction.backgroundColor, context: request.context)
  }

  /// The quality with which a layer is resampled: `.fast` in drafts; otherwise, the specified one. If none is specified,
  /// `.good` if the layer's size and rotation are constant, else `.fast`.
  private static func sampling(of layer: LayerInstruction, in request: CompositionRequest) -> SamplingQuality {
    if request.context.quality == .draft { return .fast }
    if let named = layer.sampling ?? request.context.sampling { return named }
    let range = request.instruction.timeRange
    let held = layer.transform.value(at: range.start)
    let values = layer.transform.ramps.filter { $0.timeRange.end > range.start && $0.timeRange.start < range.end }
    let holds = values.flatMap { [$0.start, $0.end] }.allSatisfy { matrix in
      let differences = [matrix.a - held.a, matrix.b - held.b, matrix.c - held.c, matrix.d - held.d]
      return differences.allSatisfy { abs($0) <= 1e-9 * max(abs(held.a), abs(held.b), abs(held.c), abs(held.d)) }
    }
    return holds ? .good : .fast
  }

  /// The exact result of composing layers, front to back, over a background.
  ///
  /// - Parameter definition: The definition to use; `nil` for the one that applies to these layers.
  /// - Throws: `.conversionNotPossible` if colors aren't known.
  public static func compose(
    _ layers: [ReferenceLayer], background: Color?, context: RenderContext, definition: Definition? = nil
  ) throws(CompositorError) -> ReferencePicture {
    let background = background ?? .black
    if definition == nil, let top = layers.first, isWhole(top, context) {
      return try composePlanes([top], background: background, context: context)
    }
    switch definition ?? holdingDefinition(layers, background: background, context: context) {
    case .planar: return try composePlanes(layers, background: background, context: context)
    case .layered(let count):
      return try composePlanes(
        Array(layers.dropFirst(count)), background: background, context: context, over: Array(layers.prefix(count)))
    case .rgb: return try RGBDefinition(context: context).compose(layers, background: background)
    }
  }

  private static func holdingDefinition(_ layers: [ReferenceLayer], background: Color, context: RenderContext) -> Definition {
    let keepsAlpha = context.outputFormat.hasAlpha && context.outputAttributes.alphaMode != .opaque
    let format = context.outputFormat
    guard !keepsAlpha, !format.isRGB, background.alpha >= 1, context.blending == .encoded else { return .rgb }
    // A fully transparent layer has no effect.
    let shown = layers.filter { $0.opacity > 0 }
    guard let lowest = shown.last, let last = layers.lastIndex(where: { !agrees($0.frame, context) && $0.opacity > 0 }) else {
      return shown.isEmpty && !layers.isEmpty ? .rgb : .planar
    }
    return agrees(lowest.frame, context) ? .layered(frontCount: last + 1) : .rgb
  }

  /// Whether a frame has the output's samples, in any lossless storage.
  private static func agrees(_ frame: Frame, _ context: RenderContext) -> Bool {
    let (from, to) = (frame.format, context.outputFormat)
    return !from.isRGB && from.subsampling == to.subsampling && from.bitDepth <= to.bitDepth
      && !(from.hasAlpha && frame.attributes.alphaMode != .opaque)
      && frame.color.isEquivalent(to: context.color, in: to, policy: context.colorConversion)
  }

  /// Whether a layer is the output, sample for sample, in another storage of the same subsampled chroma.
  private static func isWhole(_ layer: ReferenceLayer, _ context: RenderContext) -> Bool {
    let (frame, from, to) = (layer.frame, layer.frame.format, context.outputFormat)
    let (width, height) = (Double(frame.size.width), Double(frame.size.height))
    return from.subsampling == to.subsampling && to.subsampling != .s444 && frame.size == context.size
      && layer.opacity == 1 && layer.sourceToOutput == .identity
      && layer.crop == Rect(x: 0, y: 0, width: width, height: height)
      && !(from.hasAlpha && frame.attributes.alphaMode != .opaque)
      && frame.color.isEquivalent(to: context.color, in: to, policy: context.colorConversion)
  }

  private static func composePlanes(
    _ layers: [ReferenceLayer], background: Color, context: RenderContext, over front: [ReferenceLayer] = []
  ) throws(CompositorError) -> ReferencePicture {
    let format = context.outputFormat
    let quantization = format.quantization(color: context.color)
    let behind = try RGBDefinition(context: context).storedComponents(of: background)
    let chroma = PlaneSiting.chroma(of: format, location: context.color.chromaLocation)
    var grids: [SampleGrid] = []
    for component in 0..<3 {
      let siting = component == 0 ? .luma : chroma
      var grid = SampleGrid(
        width: (context.size.width + (1 << siting.shiftX) - 1) >> siting.shiftX,
        height: (context.size.height + (1 << siting.shiftY) - 1) >> siting.shiftY,
        repeating: quantization[component].code(behind[component]))
      for layer in layers.reversed() {
        let own = layer.frame.format.quantization(color: layer.frame.color)[component]
        let codes = layer.frame.components[component].map { code in
          own == quantization[component] ? code : quantization[component].code(own.value(code))
        }
        // Filtered values are limited to valid code values, as in a plane.
        let sampler = PlaneSampler(
          codes, siting: siting, layer: layer, destination: (grid.width, grid.height),
          limits: 0...Double((1 << format.bitDepth) - 1))
        if let sampler { compose(sampler, layer.opacity, over: &grid) }
      }
      grids.append(grid)
    }
    if !front.isEmpty { try RGBDefinition(context: context).compose(front, over: &grids) }
    if format.hasAlpha {
      grids.append(
        SampleGrid(width: context.size.width, height: context.size.height, repeating: quantization[3].code(1)))
    }
    return ReferencePicture(format: format, size: context.size, grids: grids)
  }

  /// Mixes a layer's samples into a plane.
  private static func compose(_ sampler: PlaneSampler, _ opacity: Double, over grid: inout SampleGrid) {
    for y in 0..<grid.height {
      for x in 0..<grid.width {
        let weight = sampler.coverage(x, y) * opacity
        guard weight > 0 else { continue }
        grid[x, y] += weight * (sampler.value(x, y) - grid[x, y])
      }
    }
  }
}

extension Frame {
  /// The frame's color with unspecified values resolved.
  var color: ColorTags { attributes.color.standing(for: format, size: size) }
}

extension RenderContext {
  /// The output's color with unspecified values resolved.
  var color: ColorTags { outputAttributes.color.standing(for: outputFormat, size: size) }
}

extension ColorTags {
  fileprivate func standing(for format: PixelFormat, size: PixelSize) -> ColorTags {
    var tags = self
    if format.isRGB { tags.matrix = .identity }
    return tags.resolved(for: size)
  }
}
