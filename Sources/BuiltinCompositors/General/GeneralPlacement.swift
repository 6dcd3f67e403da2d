import CCompositorKernels
import CompositorAPI

/// The geometry of a layer: the map from output pixels back to source pixels, and the output columns it reaches.
struct GeneralPlacement {
  /// From output pixels to stored source pixels.
  let inverse: AffineMatrix
  /// Source samples per output sample, along the source's columns and rows.
  let footprint: (x: Double, y: Double)
  /// The visible part, in stored pixels.
  let crop: Rect
  /// The integer offset from source to output, if nothing has to be resampled.
  let offset: (x: Int, y: Int)?
  /// Whether rows and columns of the source are parallel to the output's.
  let isUpright: Bool
  /// The filter that resamples the layer; `nil` for area means and bilinear interpolation.
  let filter: LayerFilter?
  private let outputBox: Rect

  /// Returns `nil` if the layer is out of the numeric range.
  init?(_ layer: ResolvedLayer, outputSize: PixelSize) {
    var inverse = layer.outputToSource
    let lean = abs(inverse.b) * Double(outputSize.width) + abs(inverse.c) * Double(outputSize.height)
    isUpright = lean < 1e-7
    if isUpright { (inverse.b, inverse.c) = (0, 0) }
    self.inverse = inverse
    func length(_ p: Double, _ q: Double) -> Double { (p * p + q * q).squareRoot() }
    footprint = (max(length(inverse.a, inverse.c), 1e-300), max(length(inverse.b, inverse.d), 1e-300))
    guard footprint.x.isFinite, footprint.y.isFinite else { return nil }
    crop = layer.crop
    outputBox = layer.sourceToOutput.boundingBox(of: layer.crop)
    let (reach, isUpright) = (SIMD2(footprint.x, footprint.y), isUpright)
    filter = layer.filter.flatMap { LayerFilter.reaches(reach) && (isUpright || $0.takesTurned) ? $0 : nil }
    // A decorated layer may have a shadow beyond the frame's edge.
    offset = layer.decoration == nil ? GeneralPlacement.wholePixels(layer.sourceToOutput) : nil
  }

  private static func wholePixels(_ matrix: AffineMatrix) -> (x: Int, y: Int)? {
    var linear = matrix
    (linear.tx, linear.ty) = (0, 0)
    guard linear == .identity, matrix.tx == matrix.tx.rounded(), matrix.ty == matrix.ty.rounded(),
      abs(matrix.tx) < 1e9, abs(matrix.ty) < 1e9
    else { return nil }
    return (Int(matrix.tx), Int(matrix.ty))
  }

  /// The source coordinate of an output sample's center.
  func source(column: Int, row: Int) -> Point { inverse.apply(to: Point(x: Double(column) + 0.5, y: Double(row) + 0.5)) }

  /// Output columns of a row that the layer may cover, limited to `width` columns.
  func columns(row: Int, width: Int) -> Range<Int> {
    let start = source(column: 0, row: row)
    var low = 0.0
    var high = Double(width)
    func narrow(_ position: Double, _ step: Double, _ from: Double, _ to: Double) {
      guard step != 0 else {
        if !(position > from && position < to) { high = low }
        return
      }
      let (p, q) = ((from - position) / step, (to - position) / step)
      low = max(low, min(p, q))
      high = min(high, max(p, q))
    }
    narrow(start.x, inverse.a, crop.minX - footprint.x / 2, crop.maxX + footprint.x / 2)
    narrow(start.y, inverse.b, crop.minY - footprint.y / 2, crop.maxY + footprint.y / 2)
    guard high > low else { return 0..<0 }
    // Rounding may have moved an end slightly; one extra column on either side has a weight of 0.
    return max(Int(low.rounded(.down)) - 1, 0)..<min(Int(high.rounded(.up)) + 1, width)
  }

  /// Whether the layer covers these columns of a row completely, so that its opacity is the only weight.
  func coversWholly(columns: Range<Int>, row: Int) -> Bool {
    guard let offset else { return false }
    let (left, top) = (Double(columns.lowerBound - offset.x), Double(row - offset.y))
    return left >= crop.minX && left + Double(columns.count) <= crop.maxX && top >= crop.minY && top + 1 <= crop.maxY
  }

  /// Writes coverage × opacity for columns of a row.
  func weights(columns: Range<Int>, row: Int, opacity: Double, into target: UnsafeMutablePointer<Float>) {
    let start = source(column: columns.lowerBound, row: row)
    cpk_general_coverage(
      cpk_coverage_axis(
        position: start.x, step: inverse.a, footprint: footprint.x, low: crop.minX, high: crop.maxX),
      cpk_coverage_axis(
        position: start.y, step: inverse.b, footprint: footprint.y, low: crop.minY, high: crop.maxY),
      opacity, target, columns.count)
  }

  /// The samples of an output of `size` that the layer may cover; `nil` if none.
  func covered(outputSize size: PixelSize) -> (columns: Range<Int>, rows: Range<Int>)? {
    func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
      let first = clampedInt((low - 1).rounded(.down), in: 0...count)
      return first..<clampedInt((high + 1).rounded(.up), in: first...count)
    }
    let columns = range(outputBox.minX, outputBox.maxX, size.width)
    let rows = range(outputBox.minY, outputBox.maxY, size.height)
    return columns.isEmpty || rows.isEmpty ? nil : (columns, rows)
  }

  /// The part of the source, in integer stored pixels, that output samples of `size` may read; `nil` if nothing.
  func visibleSource(outputSize: PixelSize) -> (columns: Range<Int>, rows: Range<Int>)? {
    let output = Rect(x: 0, y: 0, width: Double(outputSize.width), height: Double(outputSize.height))
    let seen = inverse.boundingBox(of: output)
    func range(_ low: Double, _ high: Double, _ from: Double, _ to: Double, _ margin: Double) -> Range<Int>? {
      let start = max(low - margin, from - margin)
      let end = min(high + margin, to + margin)
      guard end > start, start.isFinite, end.isFinite, abs(start) < 1e9, abs(end) < 1e9 else { return nil }
      return Int(start.rounded(.down))..<Int(end.rounded(.up))
    }
    guard let columns = range(seen.minX, seen.maxX, crop.minX, crop.maxX, footprint.x + 2),
      let rows = range(seen.minY, seen.maxY, crop.minY, crop.maxY, footprint.y + 2)
    else { return nil }
    return (columns, rows)
  }
}
