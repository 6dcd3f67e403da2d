import CCompositorKernels
import CompositorAPI
import CompositorConversion
import CompositorPlatform

/// A frame in planes of Y′CbCr 4:4:4 with straight alpha (ProRes 4444) at an integer offset, composited over planes of the
/// same color. Codes are mixed as they are stored, without an intermediate row of the mixing signal.
///
/// Color and alpha are halved together, as in ``SignalOverlay``; rows whose alpha is all 0 are skipped.
struct AlphaSprite {
  private let frame: Frame
  private let opacity: Double
  private let context: RenderContext
  /// From the frame's columns and rows to the output's.
  private let offset: (x: Int, y: Int)
  /// The part of the output that is covered.
  private let box: OutputBox
  private let dithers: Bool
  private let source, target: SampleLayout

  /// - Returns: `nil` for other layers, which go through the mixing signal.
  init?(_ layer: ResolvedLayer, context: RenderContext) {
    let (format, matrix) = (layer.frame.format, layer.sourceToOutput)
    guard layer.decoration == nil, layer.moments.isEmpty, format.layout == .planar, format.subsampling == .s444,
      format.hasAlpha,
      layer.frame.attributes.alphaMode == .straight, format.sample == .unsigned, context.outputFormat.layout == .planar,
      layer.description.color.isEquivalent(to: context.outputColor, in: format, policy: context.colorConversion),
      matrix == .translation(x: matrix.tx, y: matrix.ty), let x = Int(exactly: matrix.tx), let y = Int(exactly: matrix.ty),
      max(abs(x), abs(y)) < 1 << 24, let columns = AlphaSprite.whole(layer.crop.minX, layer.crop.maxX),
      let rows = AlphaSprite.whole(layer.crop.minY, layer.crop.maxY)
    else { return nil }
    frame = layer.frame
    opacity = layer.opacity
    self.context = context
    offset = (x, y)
    box = OutputBox(
      columns: (columns.lowerBound + x..<columns.upperBound + x).clamped(to: 0..<context.size.width),
      rows: (rows.lowerBound + y..<rows.upperBound + y).clamped(to: 0..<context.size.height))
    dithers = context.colorConversion.dithering == .ordered && format.bitDepth > context.outputFormat.bitDepth
    source = SampleLayout(format, color: context.outputColor)
    target = SampleLayout(context.outputFormat, color: context.outputColor)
  }

  private static func whole(_ low: Double, _ high: Double) -> Range<Int>? {
    guard let low = Int(exactly: low), let high = Int(exactly: high), low <= high else { return nil }
    return low..<high
  }

  private var isWide: Bool { source.storage == .words }
  private var weight: Float { Float(opacity / source.components[3].quantization.maximumCode) }

  /// - Parameter rows: Working rows.
  func draw(over planes: MutablePlanes, _ rows: SignalRows) {
    guard !box.isEmpty else { return }
    rows.row(.noise).update(repeating: 0, count: context.size.width)
    frame.withUnsafePlanes { sources in
      let isSubsampled = target.components[1].isSubsampled
      for component in 0..<(isSubsampled ? 1 : 3) { drawWhole(component, sources, planes, rows) }
      if isSubsampled { drawHalved(sources, planes, rows) }
    }
  }

  /// The linear map from codes of a component to the output's codes.
  private func terms(_ component: Int) -> (scale: Float, offset: Float) {
    let (from, to) = (source.components[component].quantization, target.components[component].quantization)
    let scale = to.scale / from.scale
    return (Float(scale), Float(to.offset - from.offset * scale))
  }

  /// A component's samples of an output row, from the first covered column; `nil` outside the frame and if alpha is 0.
  private func samples(_ sources: Planes, _ component: Int, _ y: Int) -> UnsafeRawPointer? {
    guard box.rows.contains(y), !isClear(sources, y) else { return nil }
    return place(sources, component, y)
  }

  private func place(_ sources: Planes, _ component: Int, _ y: Int) -> UnsafeRawPointer {
    let plane = sources[component]
    return plane.base + (y - offset.y) * plane.stride + (box.columns.lowerBound - offset.x) * frame.format.bytesPerSample
  }

  private func isClear(_ sources: Planes, _ y: Int) -> Bool {
    let (alpha, count) = (place(sources, 3, y), box.columns.count * frame.format.bytesPerSample)
    // A row is all zeros if its first byte is and each byte equals the one before.
    return alpha.load(as: UInt8.self) == 0 && memcmp(alpha, alpha + 1, count - 1) == 0
  }

  /// Composites a component that the output stores at full resolution.
  private func drawWhole(_ component: Int, _ sources: Planes, _ planes: MutablePlanes, _ rows: SignalRows) {
    let samples = SampleTarget(planes, target, component: component)
    let (terms, noise) = (terms(component), rows.row(.noise))
    // Dither noise repeats every eight rows.
    let period = dithers ? AlphaSprite.ditherPeriod : 1
    for phase in 0..<period {
      if dithers { dither(noise, box.rows.lowerBound + phase, count: box.columns.upperBound) }
      for y in stride(from: box.rows.lowerBound + phase, to: box.rows.upperBound, by: period) {
        guard let codes = self.samples(sources, component, y) else { continue }
        samples.compose(
          straight: codes, alpha: place(sources, 3, y), isWide: isWide, noise: noise + box.columns.lowerBound,
          scale: terms.scale, offset: terms.offset, weight: weight, x: box.columns.lowerBound, y: y, count: box.columns.count)
      }
    }
  }

  private static let ditherPeriod = 8

  private func dither(_ noise: UnsafeMutablePointer<Float>, _ y: Int, count: Int) {
    noise.update(repeating: 0, count: count)
    cpk_convert_dither(noise, count, y, 1)
  }
}

extension AlphaSprite {
  /// The three output rows that a chroma row is made of, with their weights.
  private func taps(ofChroma row: Int) -> [(row: Int, weight: Float)] {
    let last = context.size.height - 1
    guard target.chroma.verticalShift == 1 else { return [(row, 1), (row, 0), (row, 0)] }
    if target.chroma.isCenteredVertically { return [(2 * row, 0.5), (min(2 * row + 1, last), 0.5), (row, 0)] }
    return [(max(2 * row - 1, 0), 0.25), (2 * row, 0.5), (min(2 * row + 1, last), 0.25)]
  }

  /// Composites Cb and Cr if the output subsamples them.
  private func drawHalved(_ sources: Planes, _ planes: MutablePlanes, _ rows: SignalRows) {
    let padded = box.padded(in: context.size)
    let shift = target.chroma.verticalShift
    let targets = (1...2).map { (SampleTarget(planes, target, component: $0), terms($0)) }
    let half = (rows.row(.outputChroma), rows.row(.outputAlpha))
    let (first, count) = (padded.columns.lowerBound / 2, (padded.columns.count + 1) / 2)
    // Outside the frame everything is 0.
    for index in 0..<3 { rows.row(.picture, index).update(repeating: 0, count: context.size.width) }
    for row in padded.rows.lowerBound >> shift..<(padded.rows.upperBound + (1 << shift) - 1) >> shift {
      let taps = taps(ofChroma: row).map { tap in
        (row: tap.row, weight: samples(sources, 3, tap.row) == nil ? 0 : tap.weight * weight)
      }
      guard taps.contains(where: { $0.weight > 0 }) else { continue }
      weigh(sources, taps, rows)
      halve(rows.row(.picture), padded, into: half.1)
      let noise = rows.row(.noise) + first
      if dithers {
        dither(rows.row(.noise), row, count: first + count)
        cpk_convert_multiply(noise, half.1, count)
      }
      for (index, (samples, terms)) in targets.enumerated() {
        halve(rows.row(.picture, index + 1), padded, into: half.0)
        if dithers { cpk_general_accumulate(half.0, noise, 1 / terms.scale, count) }
        samples.compose(half.0, alpha: half.1, scale: terms.scale, offset: terms.offset, x: first, y: row, count: count)
      }
    }
  }

  /// Weighted sums of alpha, and of both color components times alpha.
  private func weigh(_ sources: Planes, _ taps: [(row: Int, weight: Float)], _ rows: SignalRows) {
    // A row with weight 0 may be outside the frame; any other row can stand in for it.
    let known = box.rows.lowerBound
    func places(_ component: Int) -> [UnsafeRawPointer?] {
      taps.map { place(sources, component, $0.weight > 0 ? $0.row : known) }
    }
    let start = box.columns.lowerBound
    cpk_general_weigh_rows(
      rows.row(.picture) + start, rows.row(.picture, 1) + start, rows.row(.picture, 2) + start, places(1) + places(2),
      places(3), isWide, taps.map(\.weight), box.columns.count)
  }

  /// Halves the columns of a row.
  private func halve(_ row: UnsafeMutablePointer<Float>, _ padded: OutputBox, into half: UnsafeMutablePointer<Float>) {
    cpk_convert_downsample(
      row + padded.columns.lowerBound, padded.columns.count, target.chroma.isCenteredHorizontally, half)
  }
}
