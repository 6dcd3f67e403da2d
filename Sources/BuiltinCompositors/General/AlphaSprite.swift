import CCompositorKernels
import CompositorAPI
import CompositorConversion

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A picture in planes of Y′CbCr 4:4:4 with straight alpha (ProRes 4444) at whole pixels, laid over planes of the same color: codes are
/// mixed as they are stored, without a row of the mixing signal in between.
///
/// Color and alpha are halved together, as in ``SignalOverlay``; rows in which alpha is 0 are not looked at any further.
struct AlphaSprite {
  private let frame: Frame
  private let opacity: Double
  private let context: RenderContext
  /// From the picture's columns and rows to the output's.
  private let offset: (x: Int, y: Int)
  /// What is covered of the output.
  private let box: OutputBox
  private let dithers: Bool
  private let source, target: SampleLayout

  /// - Returns: `nil` for layers of another kind, which go through the mixing signal.
  init?(_ layer: ResolvedLayer, context: RenderContext) {
    let (format, matrix) = (layer.frame.format, layer.sourceToOutput)
    guard layer.decoration == nil, format.layout == .planar, format.subsampling == .s444, format.hasAlpha,
      layer.frame.attributes.alphaMode == .straight, format.sample == .unsigned, context.outputFormat.layout == .planar,
      layer.description.color.isEquivalent(to: context.outputColor, in: format, policy: context.colorConversion),
      matrix == .translation(x: matrix.tx, y: matrix.ty), let x = Int(exactly: matrix.tx), let y = Int(exactly: matrix.ty),
      max(abs(x), abs(y)) < 1 << 24, let columns = AlphaSprite.whole(layer.crop.minX, layer.crop.maxX),
      let rows = AlphaSprite.whole(layer.crop.minY, layer.crop.maxY)
    else { return nil }
    frame = layer.frame
    opacity = min(layer.opacity, 1)
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

  /// What turns codes of a component into those of the output.
  private func terms(_ component: Int) -> (scale: Float, offset: Float) {
    let (from, to) = (source.components[component].quantization, target.components[component].quantization)
    let scale = to.scale / from.scale
    return (Float(scale), Float(to.offset - from.offset * scale))
  }

  /// A component's samples of an output row, from the first covered column on; nil beside the picture and where alpha is 0.
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
    // A row is all zeros if its first byte is and each byte is as the one before.
    return alpha.load(as: UInt8.self) == 0 && memcmp(alpha, alpha + 1, count - 1) == 0
  }

  /// Lays a component that the output has at its own resolution.
  private func drawWhole(_ component: Int, _ sources: Planes, _ planes: MutablePlanes, _ rows: SignalRows) {
    let samples = SampleTarget(planes, target, component: component)
    let (terms, noise) = (terms(component), rows.row(.noise))
    for y in box.rows {
      guard let codes = self.samples(sources, component, y) else { continue }
      if dithers { dither(noise, y, count: context.size.width) }
      samples.lay(
        straight: codes, alpha: place(sources, 3, y), isWide: isWide, noise: noise + box.columns.lowerBound, scale: terms.scale,
        offset: terms.offset, weight: weight, x: box.columns.lowerBound, y: y, count: box.columns.count)
    }
  }

  private func dither(_ noise: UnsafeMutablePointer<Float>, _ y: Int, count: Int) {
    noise.update(repeating: 0, count: count)
    cpk_convert_dither(noise, count, y, 1)
  }
}

extension AlphaSprite {
  /// Rows of the output of which a row of chroma is made, and their weights, three of them.
  private func taps(ofChroma row: Int) -> [(row: Int, weight: Float)] {
    let last = context.size.height - 1
    guard target.chroma.verticalShift == 1 else { return [(row, 1), (row, 0), (row, 0)] }
    if target.chroma.isCenteredVertically { return [(2 * row, 0.5), (min(2 * row + 1, last), 0.5), (row, 0)] }
    return [(max(2 * row - 1, 0), 0.25), (2 * row, 0.5), (min(2 * row + 1, last), 0.25)]
  }

  /// Lays Cb and Cr of which the output has one sample for several pixels.
  private func drawHalved(_ sources: Planes, _ planes: MutablePlanes, _ rows: SignalRows) {
    let padded = box.padded(in: context.size)
    let shift = target.chroma.verticalShift
    let targets = (1...2).map { (SampleTarget(planes, target, component: $0), terms($0)) }
    let half = (rows.row(.outputChroma), rows.row(.outputAlpha))
    let count = (padded.columns.count + 1) / 2
    // Beside the picture there is nothing.
    for index in 0..<2 { rows.row(.picture, index).update(repeating: 0, count: context.size.width) }
    for row in padded.rows.lowerBound >> shift..<(padded.rows.upperBound + (1 << shift) - 1) >> shift {
      let taps = taps(ofChroma: row).map { tap in
        (row: tap.row, weight: samples(sources, 3, tap.row) == nil ? 0 : tap.weight * weight)
      }
      guard taps.contains(where: { $0.weight > 0 }) else { continue }
      halve(nil, sources, taps, padded, rows.row(.picture), into: half.1)
      for (component, (samples, terms)) in zip(1...2, targets) {
        halve(component, sources, taps, padded, rows.row(.picture, 1), into: half.0)
        if dithers {
          let noise = rows.row(.noise)
          dither(noise, row, count: samples.width)
          cpk_convert_multiply(noise + padded.columns.lowerBound / 2, half.1, count)
          cpk_general_accumulate(half.0, noise + padded.columns.lowerBound / 2, 1 / terms.scale, count)
        }
        let x = padded.columns.lowerBound / 2
        samples.lay(half.0, alpha: half.1, scale: terms.scale, offset: terms.offset, x: x, y: row, count: count)
      }
    }
  }

  /// A row of a component times alpha, of alpha alone for `nil`, with half the columns.
  private func halve(
    _ component: Int?, _ sources: Planes, _ taps: [(row: Int, weight: Float)], _ padded: OutputBox,
    _ room: UnsafeMutablePointer<Float>, into half: UnsafeMutablePointer<Float>
  ) {
    // A row without weight may be outside of the picture: another one stands for it.
    let known = box.rows.lowerBound
    func places(_ component: Int) -> [UnsafeRawPointer?] {
      taps.map { place(sources, component, $0.weight > 0 ? $0.row : known) }
    }
    let weights = taps.map(\.weight)
    let out = room + box.columns.lowerBound
    if let component {
      cpk_general_weigh_rows(out, places(component), places(3), isWide, weights, box.columns.count)
    } else {
      cpk_general_weigh_rows(out, nil, places(3), isWide, weights, box.columns.count)
    }
    cpk_convert_downsample(
      room + padded.columns.lowerBound, padded.columns.count, target.chroma.isCenteredHorizontally, half)
  }
}
