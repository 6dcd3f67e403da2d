import CompositorAPI

/// The definition on the luma grid, in R′G′B′ or linear light, for everything that isn't planar.
struct RGBDefinition {
  let context: RenderContext
  private var format: PixelFormat { context.outputFormat }
  private var color: ColorTags { context.color }
  private var isLinear: Bool { context.blending == .linear }
  private var alphaMode: AlphaMode { format.hasAlpha ? context.outputAttributes.alphaMode : .opaque }

  func compose(_ layers: [ReferenceLayer], background: Color) throws(CompositorError) -> ReferencePicture {
    try stored(try mixed(layers, over: try mixingComponents(of: background)))
  }

  /// Composes layers over existing code values, each plane on its own grid. Color and alpha are subsampled in the same way.
  func compose(_ layers: [ReferenceLayer], over grids: inout [SampleGrid]) throws(CompositorError) {
    var picture = try mixed(layers, over: [0, 0, 0, 0])
    let toOutput = try matrix(color.matrix.rgbToYCbCr)
    for index in picture[0].values.indices {
      let signal = toOutput * SIMD3(picture[0].values[index], picture[1].values[index], picture[2].values[index])
      for component in 0..<3 { picture[component].values[index] = signal[component] }
    }
    let siting = PlaneSiting.chroma(of: format, location: color.chromaLocation)
    let quantization = format.quantization(color: color)
    for component in 0..<3 {
      let values = component == 0 ? picture[0] : halved(picture[component], siting)
      let alpha = component == 0 ? picture[3] : halved(picture[3], siting)
      let codes = quantization[component]
      for index in grids[component].values.indices {
        let under = grids[component].values[index]
        grids[component].values[index] += alpha.values[index] * (codes.offset - under) + values.values[index] * codes.scale
      }
    }
  }

  /// Blends layers over constant components. The result is in the blending signal, premultiplied.
  private func mixed(_ layers: [ReferenceLayer], over behind: [Double]) throws(CompositorError) -> [SampleGrid] {
    let size = context.size
    var picture = (0..<4).map { SampleGrid(width: size.width, height: size.height, repeating: behind[$0]) }
    for layer in layers.reversed() {
      let source = try mixingGrids(layer.frame)
      let samplers = source.compactMap { PlaneSampler($0, siting: .luma, layer: layer, destination: (size.width, size.height)) }
      guard samplers.count == 4 else { continue }
      for y in 0..<size.height {
        for x in 0..<size.width {
          let weight = samplers[0].coverage(x, y) * layer.opacity
          guard weight > 0 else { continue }
          let sampled = samplers[3].value(x, y)
          // Filter overshoot in alpha is limited, and color is scaled by the same factor.
          let alpha = min(max(sampled, 0), 1)
          let share = sampled > 0 ? alpha / sampled : 0
          let through = 1 - weight * alpha
          for component in 0..<4 {
            let value = component == 3 ? alpha : samplers[component].value(x, y) * share
            picture[component][x, y] = weight * value + through * picture[component][x, y]
          }
        }
      }
    }
    return picture
  }

  /// The background's components as the output stores them, as nominal values.
  func storedComponents(of background: Color) throws(CompositorError) -> SIMD3<Double> {
    let signal = try background.encoded(in: color, policy: context.colorConversion) * background.alpha
    return format.isRGB ? signal : try matrix(color.matrix.rgbToYCbCr) * signal
  }

  private func mixingComponents(of background: Color) throws(CompositorError) -> [Double] {
    var signal = try background.encoded(in: color, policy: context.colorConversion)
    if isLinear { signal = try outputConversion().light(of: signal) }
    signal *= background.alpha
    return [signal.x, signal.y, signal.z, background.alpha]
  }

  /// A source's four grids in the blending signal, premultiplied.
  private func mixingGrids(_ frame: Frame) throws(CompositorError) -> [SampleGrid] {
    let tags = frame.color
    var grids = zip(frame.components, frame.format.quantization(color: tags)).map { grid, codes in
      grid.map { codes.value($0) }
    }
    let usesAlpha = frame.format.hasAlpha && frame.attributes.alphaMode != .opaque
    let opaque = SampleGrid(width: frame.size.width, height: frame.size.height, repeating: 1)
    let alpha = usesAlpha ? grids[3] : opaque
    grids = Array(grids[..<3])
    let siting = PlaneSiting.chroma(of: frame.format, location: tags.chromaLocation)
    for component in 1...2 where siting.shiftX > 0 { grids[component] = enlarged(grids[component], siting, frame.size) }
    let toRGB = frame.format.isRGB ? .identity : try matrix(tags.matrix.yCbCrToRGB)
    // A premultiplied signal is divided by alpha only if a transfer curve must be inverted.
    let conversion = try LightConversion(
      from: tags, metadata: frame.attributes.hdr, to: color, policy: context.colorConversion, mixesLight: isLinear)
    let isDivided =
      usesAlpha && frame.attributes.alphaMode == .premultiplied && (isLinear || !conversion.isIdentity)
    let isMultiplied = isDivided || frame.attributes.alphaMode == .straight
    for index in opaque.values.indices {
      let a = alpha.values[index]
      var signal = toRGB * SIMD3(grids[0].values[index], grids[1].values[index], grids[2].values[index])
      if isDivided { signal = a > 0 ? signal / a : SIMD3() }
      signal = isLinear ? conversion.light(of: signal) : conversion.convert(signal)
      if isMultiplied { signal *= a }
      for component in 0..<3 { grids[component].values[index] = signal[component] }
    }
    return grids + [alpha]
  }

  private func enlarged(_ chroma: SampleGrid, _ siting: PlaneSiting, _ size: PixelSize) -> SampleGrid {
    var grid = SampleGrid(width: size.width, height: size.height)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let index = siting.index(PlaneSiting.luma.position(x, y))
        grid[x, y] = chroma.bilinear(index.x, index.y)
      }
    }
    return grid
  }

  /// The conversion between the output's own signal and light.
  private func outputConversion() throws(CompositorError) -> LightConversion {
    try LightConversion(from: color, to: color, policy: context.colorConversion, mixesLight: true)
  }

  private func matrix(_ matrix: Matrix3?) throws(CompositorError) -> Matrix3 {
    guard let matrix else { throw unknown("A matrix or primaries are not known.") }
    return matrix
  }

  private func unknown(_ what: String) -> CompositorError {
    CompositorError(.conversionNotPossible, what, recoverySuggestion: "Use colors that are defined.")
  }

  /// Converts the blended image to code values.
  private func stored(_ picture: [SampleGrid]) throws(CompositorError) -> ReferencePicture {
    var grids = picture
    let toOutput = format.isRGB ? .identity : try matrix(color.matrix.rgbToYCbCr)
    let conversion = try outputConversion()
    for index in picture[0].values.indices {
      let a = picture[3].values[index]
      var signal = SIMD3(picture[0].values[index], picture[1].values[index], picture[2].values[index])
      let isDivided = alphaMode == .straight || (alphaMode == .premultiplied && isLinear)
      if isDivided { signal = a > 0 ? signal / a : SIMD3() }
      if isLinear { signal = conversion.signal(of: signal) }
      if isDivided, alphaMode == .premultiplied { signal *= a }
      signal = toOutput * signal
      for component in 0..<3 { grids[component].values[index] = signal[component] }
      grids[3].values[index] = alphaMode == .opaque ? 1 : a
    }
    let siting = PlaneSiting.chroma(of: format, location: color.chromaLocation)
    for component in 1...2 { grids[component] = halved(grids[component], siting) }
    let codes = zip(grids, format.quantization(color: color)).map { grid, codes in grid.map { codes.code($0) } }
    return ReferencePicture(format: format, size: context.size, grids: format.hasAlpha ? codes : Array(codes[..<3]))
  }

  /// Chroma at the output's resolution, with filter taps according to its location and edges repeated.
  private func halved(_ grid: SampleGrid, _ siting: PlaneSiting) -> SampleGrid {
    func taps(_ shift: Int, _ offset: Double) -> [(Int, Double)] {
      if shift == 0 { return [(0, 1)] }
      return offset > 0 ? [(0, 0.5), (1, 0.5)] : [(-1, 0.25), (0, 0.5), (1, 0.25)]
    }
    let (columns, rows) = (taps(siting.shiftX, siting.offsetX), taps(siting.shiftY, siting.offsetY))
    var half = SampleGrid(
      width: (grid.width + (1 << siting.shiftX) - 1) >> siting.shiftX,
      height: (grid.height + (1 << siting.shiftY) - 1) >> siting.shiftY)
    for y in 0..<half.height {
      for x in 0..<half.width {
        for (dy, wy) in rows {
          for (dx, wx) in columns {
            half[x, y] += wx * wy * grid.clamped((x << siting.shiftX) + dx, (y << siting.shiftY) + dy)
          }
        }
      }
    }
    return half
  }
}
