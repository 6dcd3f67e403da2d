import CCompositorKernels
package import CompositorAPI

/// Composites rows of the mixing signal with alpha over finished planes: Porter-Duff over, in the output's own codes.
///
/// The counterpart of ``SignalWriter`` for rows that cover only part of the frame. Color is premultiplied. Color and alpha
/// are halved together according to the ``ChromaSiting``, so each plane is mixed on its own grid, and codes under an alpha of
/// 0 are preserved bit-exactly. Covered codes are dithered if the policy requests it and one of the sources is deeper than
/// the output.
package struct SignalOverlay {
  private let rows: SignalRows
  private let columns: Range<Int>
  private let height: Int
  private let dithers: Bool
  private let storing: ColorConversion
  private let chroma: ChromaSiting
  private let targets: [SampleTarget]
  /// Bit i is set if the last row with index ≡ i modulo 3 was clear.
  private var clearRows = 0b111
  /// Receives everything that is composited; `nil` for no recording.
  package var recording: OverlayRecording?

  /// - Parameters:
  ///   - rows: Working rows; the `picture` rows are composited.
  ///   - columns: The columns to cover: from an even column up to an even one or the frame's width. The two outermost columns
  ///     on each side must be clear unless they are the frame's.
  ///   - sources: Formats of the rows' sources.
  ///   - signal: Encoded: Y′CbCr or R′G′B′.
  /// - Throws: `.conversionNotPossible` if the output's matrix is unknown.
  package init(
    _ planes: MutablePlanes, rows: SignalRows, columns: Range<Int>, sources: [PixelFormat], signal: MixingSignal,
    context: RenderContext
  ) throws(CompositorError) {
    self.rows = rows
    self.columns = columns
    height = context.size.height
    dithers =
      context.colorConversion.dithering == .ordered && sources.contains { $0.isDeeper(than: context.outputFormat) }
    storing = try ColorConversion(storing: signal, format: context.outputFormat)
    let layout = SampleLayout(context.outputFormat, color: signal.color)
    chroma = layout.chroma
    targets = layout.components.indices.map { SampleTarget(planes, layout, component: $0) }
    for index in 0..<3 { for row in 0..<3 { half(index, row).update(repeating: 0, count: (columns.count + 1) / 2) } }
  }

  /// Composites the `picture` rows, which are overwritten, over row `y`. Rows come in order, from an even row with nothing
  /// before it to an even row with nothing after it, or to the frame's last.
  ///
  /// - Parameter isClear: Whether the row is empty; it is then not read.
  package mutating func compose(row y: Int, isClear: Bool) {
    if isClear { clearRows |= 1 << (y % 3) } else { clearRows &= ~(1 << (y % 3)) }
    let (start, count) = (columns.lowerBound, columns.count)
    let all = rows.components(.picture)
    let picture = (all.0 + start, all.1 + start, all.2 + start)
    let alpha = rows.alpha(.picture) + start
    if !isClear {
      storing.apply(picture, count: count)
      compose(picture.0, alpha, component: 0, x: start, y: y, count: count)
    }
    if targets[1].component.isSubsampled {
      halve(picture.1, to: half(0, y), isClear)
      halve(picture.2, to: half(1, y), isClear)
      halve(alpha, to: half(2, y), isClear)
      composeChroma(row: y)
    } else if !isClear {
      compose(picture.1, alpha, component: 1, x: start, y: y, count: count)
      compose(picture.2, alpha, component: 2, x: start, y: y, count: count)
    }
  }

  /// Cb, Cr or alpha of a row at half the columns; the last three rows are kept.
  private func half(_ index: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    index < 2 ? rows.row(.outputChroma, 3 * index + y % 3) : rows.row(.outputAlpha, y % 3)
  }

  private func halve(_ row: UnsafePointer<Float>, to half: UnsafeMutablePointer<Float>, _ isClear: Bool) {
    if isClear {
      half.update(repeating: 0, count: (columns.count + 1) / 2)
    } else {
      cpk_convert_downsample(row, columns.count, chroma.isCenteredHorizontally, half)
    }
  }

  /// Composites the row of chroma that row `y` completes, if any.
  private mutating func composeChroma(row y: Int) {
    let (x, count) = (columns.lowerBound / 2, (columns.count + 1) / 2)
    guard chroma.verticalShift == 1 else {
      guard clearRows & 1 << (y % 3) == 0 else { return }
      for component in 1...2 { compose(half(component - 1, y), half(2, y), component: component, x: x, y: y, count: count) }
      return
    }
    guard y & 1 == 1 || y == height - 1, clearRows != 0b111 else { return }
    let (mixed, alpha) = (rows.row(.outputChroma, 6), rows.row(.outputAlpha, 3))
    mix(row: y, 2, into: alpha)
    for component in 1...2 {
      mix(row: y, component - 1, into: mixed)
      compose(mixed, alpha, component: component, x: x, y: y / 2, count: count)
    }
  }

  /// Halves along the columns, like ``SignalWriter``.
  private func mix(row y: Int, _ index: Int, into mixed: UnsafeMutablePointer<Float>) {
    let (count, isOdd) = ((columns.count + 1) / 2, y & 1 == 1)
    if chroma.isCenteredVertically {
      cpk_convert_mix(half(index, isOdd ? y - 1 : y), half(index, y), 0.5, mixed, count)
    } else {
      let middle = isOdd ? y - 1 : y
      // Before the first row there is nothing, or the frame's edge, which repeats.
      cpk_convert_smooth(half(index, middle == 0 ? 0 : middle + 2), half(index, middle), half(index, y), mixed, count)
    }
  }

  private mutating func compose(
    _ values: UnsafeMutablePointer<Float>, _ alpha: UnsafePointer<Float>, component: Int, x: Int, y: Int, count: Int
  ) {
    let target = targets[component]
    if dithers {
      let noise = rows.row(.noise)
      noise.update(repeating: 0, count: target.width)
      target.dither(noise, y: y)
      cpk_convert_multiply(noise + x, alpha, count)
      cpk_general_accumulate(values, noise + x, 1, count)
    }
    recording?.add(values, alpha: alpha, component: component, x: x, y: y, count: count)
    target.compose(values, alpha: alpha, x: x, y: y, count: count)
  }
}
