import CCompositorKernels
package import CompositorAPI

/// Lays rows of the mixing signal, with alpha, over planes that hold a picture already: Porter-Duff over, in the output's own codes.
///
/// What ``SignalWriter`` is for rows that are the whole picture. Color comes multiplied by alpha; color and alpha are halved together, as
/// the ``ChromaSiting`` says, so each plane is mixed on its own grid and what is under an alpha of 0 keeps its codes bit by bit. Codes are
/// dithered as far as alpha covers, if the policy says so and one of the sources is deeper than the output.
package struct SignalOverlay {
  private let rows: SignalRows
  private let columns: Range<Int>
  private let height: Int
  private let dithers: Bool
  private let storing: ColorConversion
  private let chroma: ChromaSiting
  private let targets: [SampleTarget]
  /// Bit i is set if nothing was in the last row whose number is i modulo 3.
  private var clearRows = 0b111

  /// - Parameters:
  ///   - rows: Working rows; what is laid are their `picture` rows.
  ///   - columns: What is laid over: from an even column on, up to an even one or the frame's width. The two outermost columns on each side
  ///     must be clear unless they are the frame's.
  ///   - sources: Formats of what the rows are made of.
  ///   - signal: Encoded: Y′CbCr or R′G′B′.
  /// - Throws: `.conversionNotPossible` for an output whose matrix is not known.
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

  /// Lays the `picture` rows, which are used up, over row `y`. Rows come in order from an even one on, before which there is nothing, and up
  /// to an even one, after which there is nothing, or to the frame's last.
  ///
  /// - Parameter isClear: Whether nothing is in the row: then it isn't looked at.
  package mutating func lay(row y: Int, isClear: Bool) {
    if isClear { clearRows |= 1 << (y % 3) } else { clearRows &= ~(1 << (y % 3)) }
    let (start, count) = (columns.lowerBound, columns.count)
    let all = rows.components(.picture)
    let picture = (all.0 + start, all.1 + start, all.2 + start)
    let alpha = rows.alpha(.picture) + start
    if !isClear {
      storing.apply(picture, count: count)
      lay(picture.0, alpha, component: 0, x: start, y: y, count: count)
    }
    if targets[1].component.isSubsampled {
      halve(picture.1, to: half(0, y), isClear)
      halve(picture.2, to: half(1, y), isClear)
      halve(alpha, to: half(2, y), isClear)
      layChroma(row: y)
    } else if !isClear {
      lay(picture.1, alpha, component: 1, x: start, y: y, count: count)
      lay(picture.2, alpha, component: 2, x: start, y: y, count: count)
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

  /// Lays a row of chroma that is complete with row `y`, if one is.
  private func layChroma(row y: Int) {
    let (x, count) = (columns.lowerBound / 2, (columns.count + 1) / 2)
    guard chroma.verticalShift == 1 else {
      guard clearRows & 1 << (y % 3) == 0 else { return }
      for component in 1...2 { lay(half(component - 1, y), half(2, y), component: component, x: x, y: y, count: count) }
      return
    }
    guard y & 1 == 1 || y == height - 1, clearRows != 0b111 else { return }
    let (mixed, alpha) = (rows.row(.outputChroma, 6), rows.row(.outputAlpha, 3))
    mix(row: y, 2, into: alpha)
    for component in 1...2 {
      mix(row: y, component - 1, into: mixed)
      lay(mixed, alpha, component: component, x: x, y: y / 2, count: count)
    }
  }

  /// Halves along the columns, as ``SignalWriter`` does.
  private func mix(row y: Int, _ index: Int, into mixed: UnsafeMutablePointer<Float>) {
    let (count, isOdd) = ((columns.count + 1) / 2, y & 1 == 1)
    if chroma.isCenteredVertically {
      cpk_convert_mix(half(index, isOdd ? y - 1 : y), half(index, y), 0.5, mixed, count)
    } else {
      let middle = isOdd ? y - 1 : y
      // Before the first row there is nothing, or the frame's edge, which holds.
      cpk_convert_smooth(half(index, middle == 0 ? 0 : middle + 2), half(index, middle), half(index, y), mixed, count)
    }
  }

  private func lay(
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
    target.lay(values, alpha: alpha, x: x, y: y, count: count)
  }
}
