import CCompositorKernels
package import CompositorAPI

/// Writes rows of the mixing signal as rows of the output: curves, matrix, halved chroma, rounded codes.
///
/// Chroma is halved along the rows and down the columns according to its ``ChromaSiting``; edge samples repeat. Codes are
/// clamped only to the range of the format. They are dithered if the policy asks for it and one of the sources is deeper than
/// the output.
package struct SignalWriter {
  private let size: PixelSize
  private let keepsAlpha: Bool
  private let isStraight: Bool
  private let dithers: Bool
  private let encoding: ColorConversion
  private let storing: ColorConversion
  private let chroma: ChromaSiting
  private let targets: [SampleTarget]

  /// - Parameter sources: Formats of the rows' sources.
  /// - Throws: `.conversionNotPossible` if the output's matrix or transfer function is unknown.
  package init(
    _ planes: MutablePlanes, sources: [PixelFormat], signal: MixingSignal, context: RenderContext, curves: CurveTables
  ) throws(CompositorError) {
    size = context.size
    keepsAlpha = context.keepsAlpha
    isStraight = context.outputAttributes.alphaMode == .straight
    dithers =
      context.colorConversion.dithering == .ordered && sources.contains { $0.isDeeper(than: context.outputFormat) }
    encoding = try ColorConversion(encoding: signal, curves: curves)
    storing = try ColorConversion(storing: signal, format: context.outputFormat)
    let layout = SampleLayout(context.outputFormat, color: signal.color)
    chroma = layout.chroma
    targets = layout.components.indices.map { SampleTarget(planes, layout, component: $0) }
  }

  /// Writes row `y` from the `picture` rows, which are overwritten. Rows come in order.
  package func write(row y: Int, from rows: SignalRows) {
    let picture = rows.components(.picture)
    let alpha = rows.alpha(.picture)
    finish(picture, alpha: alpha)
    store(picture.0, component: 0, row: y)
    writeColor(picture.1, component: 1, row: y, rows)
    writeColor(picture.2, component: 2, row: y, rows)
    if targets.count > 3 { targets[3].write(keepsAlpha ? alpha : rows.row(.ones), y: y, count: size.width) }
  }

  private func finish(_ picture: ComponentRows, alpha: UnsafeMutablePointer<Float>) {
    let count = size.width
    let all = [picture.0, picture.1, picture.2]
    if keepsAlpha, isStraight || encoding.hasCurve { for row in all { cpk_convert_divide(row, alpha, count) } }
    encoding.apply(picture, count: count)
    if keepsAlpha, !isStraight, encoding.hasCurve { for row in all { cpk_convert_multiply(row, alpha, count) } }
    storing.apply(picture, count: count)
  }

  private func store(_ row: UnsafeMutablePointer<Float>, component: Int, row y: Int) {
    let target = targets[component]
    if dithers { target.dither(row, y: y) }
    target.write(row, y: y, count: target.width)
  }

  /// Writes a component that may be chroma: a halved row is kept among the last three until its chroma row is complete.
  private func writeColor(_ row: UnsafeMutablePointer<Float>, component: Int, row y: Int, _ rows: SignalRows) {
    guard targets[component].component.isSubsampled else { return store(row, component: component, row: y) }
    let count = (size.width + 1) / 2
    func halved(_ y: Int) -> UnsafeMutablePointer<Float> { rows.row(.outputChroma, 3 * (component - 1) + y % 3) }
    let half = halved(y)
    cpk_convert_downsample(row, size.width, chroma.isCenteredHorizontally, half)
    guard chroma.verticalShift == 1 else { return store(half, component: component, row: y) }
    let isOdd = y & 1 == 1
    guard isOdd || y == size.height - 1 else { return }
    let mixed = rows.row(.outputChroma, 6)
    if chroma.isCenteredVertically {
      // The mean of rows 2j and 2j + 1.
      cpk_convert_mix(isOdd ? halved(y - 1) : half, half, 0.5, mixed, count)
    } else {
      // (1, 2, 1) / 4 over rows 2j − 1, 2j, 2j + 1.
      let middle = isOdd ? y - 1 : y
      cpk_convert_smooth(halved(max(middle - 1, 0)), halved(middle), half, mixed, count)
    }
    store(mixed, component: component, row: y / 2)
  }
}
