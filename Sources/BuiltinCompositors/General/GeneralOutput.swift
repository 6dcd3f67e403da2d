import CCompositorKernels
import CompositorAPI

/// Writes rows of the mixing signal as rows of the output: curves, matrix, halved chroma, rounded codes.
///
/// Chroma is halved along the rows by (1, 2, 1) / 4 about the sample's column (left siting) or by the mean of both columns
/// (centred), down the columns alike; edges hold. Codes are limited to what the format stores, nothing else is. Where a layer
/// is deeper than the output, codes are dithered if the policy says so.
struct GeneralOutput {
  private let format: PixelFormat
  private let size: PixelSize
  private let color: ColorTags
  private let keepsAlpha: Bool
  private let isStraight: Bool
  private let encoding: ColorConversion
  private let storing: ColorConversion
  private let samples: SampleWriter

  init(
    _ planes: MutablePlanes, layers: [ResolvedLayer], signal: GeneralSignal, context: RenderContext, curves: CurveTables
  ) throws(CompositorError) {
    format = context.outputFormat
    size = context.size
    color = signal.color
    keepsAlpha = context.keepsAlpha
    isStraight = context.outputAttributes.alphaMode == .straight
    encoding = try ColorConversion(encoding: signal, curves: curves)
    storing = try ColorConversion(storing: signal, format: format)
    samples = SampleWriter(
      planes: planes, format: format, quantization: format.quantization(color: signal.color),
      dithers: context.dithers(layers))
  }

  /// Writes row `y` from the `picture` rows, which are used up. Rows come in order.
  func write(row y: Int, from rows: GeneralRows) {
    let picture = rows.components(.picture)
    let alpha = rows.alpha(.picture)
    finish(picture, alpha: alpha)
    samples.write(picture.0, component: 0, row: y)
    if format.subsampling == .s444 {
      samples.write(picture.1, component: 1, row: y)
      samples.write(picture.2, component: 2, row: y)
    } else {
      writeChroma(picture.1, component: 1, row: y, rows)
      writeChroma(picture.2, component: 2, row: y, rows)
    }
    if format.hasAlpha { samples.write(keepsAlpha ? alpha : rows.row(.ones), component: 3, row: y) }
  }

  private func finish(_ picture: ComponentRows, alpha: UnsafeMutablePointer<Float>) {
    let count = size.width
    let all = [picture.0, picture.1, picture.2]
    if keepsAlpha, isStraight || encoding.hasCurve { for row in all { cpk_convert_divide(row, alpha, count) } }
    encoding.apply(picture, count: count)
    if keepsAlpha, !isStraight, encoding.hasCurve { for row in all { cpk_convert_multiply(row, alpha, count) } }
    storing.apply(picture, count: count)
  }

  /// Halves a chroma row, which waits among the last three until the chroma row it belongs to is complete.
  private func writeChroma(_ row: UnsafeMutablePointer<Float>, component: Int, row y: Int, _ rows: GeneralRows) {
    let count = (size.width + 1) / 2
    func halved(_ y: Int) -> UnsafeMutablePointer<Float> { rows.row(.outputChroma, 3 * (component - 1) + y % 3) }
    let half = halved(y)
    cpk_convert_downsample(row, size.width, color.chromaLocation.horizontalOffset > 0 ? 1 : 0, half)
    guard format.subsampling == .s420 else { return samples.write(half, component: component, row: y) }
    let isOdd = y & 1 == 1
    guard isOdd || y == size.height - 1 else { return }
    let mixed = rows.row(.outputChroma, 6)
    if color.chromaLocation.verticalOffset > 0 {
      // The mean of rows 2j and 2j + 1.
      cpk_convert_mix(isOdd ? halved(y - 1) : half, half, 0.5, mixed, count)
    } else {
      // (1, 2, 1) / 4 over rows 2j − 1, 2j, 2j + 1.
      let middle = isOdd ? y - 1 : y
      cpk_convert_smooth(halved(max(middle - 1, 0)), halved(middle), half, mixed, count)
    }
    samples.write(mixed, component: component, row: y / 2)
  }
}

/// Writes rows of single components of a frame.
private struct SampleWriter {
  let planes: MutablePlanes
  let format: PixelFormat
  let quantization: [Quantization]
  let dithers: Bool

  func write(_ row: UnsafeMutablePointer<Float>, component: Int, row y: Int) {
    let (planeIndex, index) = format.place(of: component)
    let plane = planes[planeIndex]
    let step = format.samplesPerPosition(plane: planeIndex)
    let start = plane.base + y * plane.stride + index * format.bytesPerSample
    let codes = quantization[component]
    let (scale, offset) = (Float(codes.scale), Float(codes.offset))
    if dithers, component < 3 { cpk_convert_dither(row, plane.width, y, 1 / scale) }
    switch format.sample {
    case .unsigned where format.bitDepth == 8:
      cpk_convert_store_u8(row, start.assumingMemoryBound(to: UInt8.self), step, plane.width, scale, offset)
    case .unsigned:
      cpk_convert_store_u16(
        row, start.assumingMemoryBound(to: UInt16.self), step, Int32(format.lowPadding), plane.width, scale, offset,
        Float(codes.maximumCode))
    case .half: cpk_convert_store_f16(row, start.assumingMemoryBound(to: UInt16.self), step, plane.width)
    case .float: cpk_convert_store_f32(row, start.assumingMemoryBound(to: Float.self), step, plane.width)
    }
  }
}

extension RenderContext {
  /// Whether codes of a composition of these layers are dithered: one of them has more bits than the output.
  fileprivate func dithers(_ layers: [ResolvedLayer]) -> Bool {
    guard colorConversion.dithering == .ordered else { return false }
    return layers.contains { $0.opacity > 0 && $0.frame.format.isDeeper(than: outputFormat) }
  }
}
