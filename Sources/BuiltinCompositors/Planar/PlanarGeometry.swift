import CompositorAPI
import CompositorKernels

/// The geometry of one plane of a layer on one plane of the output.
struct PlanarGeometry {
  let map: PlanarMap
  let footprint: SIMD2<Double>
  /// The visible part, in the source plane's coordinates.
  let cropLow, cropHigh: SIMD2<Double>
  /// Size of the source plane.
  let source: PixelSize
  /// Size after reduction; the source's own if nothing is reduced.
  let picture: PixelSize
  /// Position of destination sample (0, 0) in the (reduced) plane; an integer is the center of a sample.
  let position: SIMD2<Double>
  let positionByColumn, positionByRow: SIMD2<Double>
  /// Destination rows and columns that the layer may touch.
  let rows, columns: PlanarInterval
  /// The filter of the layer; `nil` if it is sampled as ``SamplingQuality/fast``.
  let filter: LayerFilter?

  /// Tolerance of coverage, in footprints, for rounding of a transform computed in doubles.
  private static let slack = 1e-6

  /// - Parameters:
  ///   - crop: In the source's stored pixels.
  ///   - frameSize: The source's stored pixels.
  ///   - source: Size of the plane to read.
  ///   - reduction: For a plane reduced by a power of two: the exponent, and the size before.
  /// - Returns: `nil` if the layer touches nothing of the plane, or its transform flattens it.
  init?(
    map: PlanarMap, crop: Rect, frameSize: PixelSize, source: PixelSize,
    reduction: (level: Int, plane: PixelSize)? = nil, scale: SIMD2<Double>, destination: PixelSize,
    filter: LayerFilter? = nil
  ) {
    let map = map.reduced(reduction?.level ?? 0).settled(over: destination)
    let footprint = map.footprint
    guard map.isFinite, footprint.x > 0, footprint.y > 0 else { return nil }
    let frame = SIMD2(Double(frameSize.width), Double(frameSize.height))
    let part = 1 / Double(1 << (reduction?.level ?? 0))
    let whole = reduction?.plane ?? source
    let plane = SIMD2(Double(whole.width), Double(whole.height)) * part
    let low = SIMD2(crop.minX, crop.minY).clamped(lowerBound: .zero, upperBound: frame)
    let high = SIMD2(crop.maxX, crop.maxY).clamped(lowerBound: .zero, upperBound: frame)
    guard low.x < high.x, low.y < high.y else { return nil }
    self.map = map
    self.footprint = footprint
    self.source = source
    cropLow = low / scale * part
    // The last chroma sample of an odd-sized frame represents one luma pixel, and is covered where that is.
    cropHigh = (high / scale * part).replacing(with: plane, where: high .>= frame)
    let isUpright = map.byColumn.y == 0 && map.byRow.x == 0
    self.filter = filter.flatMap { LayerFilter.reaches(footprint) && (isUpright || $0.takesTurned) ? $0 : nil }
    // Upright layers are filtered straight to the destination.
    picture =
      self.filter != nil && isUpright
      ? source
      : PixelSize(
        width: PlanarGeometry.reduced(source.width, by: footprint.x),
        height: PlanarGeometry.reduced(source.height, by: footprint.y))
    // A plane of one sample is uniform; its steps could have any size.
    let isSingle = SIMDMask<SIMD2<Int64>>(arrayLiteral: picture.width == 1, picture.height == 1)
    let ratio = SIMD2(Double(picture.width), Double(picture.height)) / SIMD2(Double(source.width), Double(source.height))
    position = PlanarGeometry.snapped(map.origin * ratio - 0.5).replacing(with: 0, where: isSingle)
    positionByColumn = (map.byColumn * ratio).replacing(with: 0, where: isSingle)
    positionByRow = (map.byRow * ratio).replacing(with: 0, where: isSingle)
    let touched = PlanarGeometry.touched(map: map, low: cropLow, high: cropHigh, footprint: footprint, in: destination)
    (columns, rows) = (touched.columns, touched.rows)
    guard !rows.isEmpty, !columns.isEmpty else { return nil }
  }

  private static func reduced(_ count: Int, by footprint: Double) -> Int {
    guard footprint > 1 + 1e-9 else { return count }
    return clampedInt((Double(count) / footprint).rounded(), in: 1...count)
  }

  /// Snaps positions that differ from an integer only by the rounding errors of a transform computed in doubles.
  private static func snapped(_ value: SIMD2<Double>) -> SIMD2<Double> {
    let whole = value.rounded(.toNearestOrEven)
    let distance = value - whole
    return value.replacing(with: whole, where: (distance .< 1e-7) .& (distance .> -1e-7))
  }

  /// Destination columns and rows that a rectangle of the source may cover at least partly.
  private static func touched(
    map: PlanarMap, low: SIMD2<Double>, high: SIMD2<Double>, footprint: SIMD2<Double>, in destination: PixelSize
  ) -> (columns: PlanarInterval, rows: PlanarInterval) {
    let half = footprint * (0.5 - slack)
    let box = box(of: map, low: low - half, high: high + half)
    func span(_ axis: Int, _ count: Int) -> PlanarInterval {
      PlanarInterval(
        clampedInt(box.low[axis].rounded(.up), in: 0...count),
        clampedInt(box.high[axis].rounded(.down) + 1, in: 0...count))
    }
    return (span(0, destination.width), span(1, destination.height))
  }

  /// Destination sample indices whose coverage coordinates may lie in a rectangle of the source.
  private static func box(
    of map: PlanarMap, low: SIMD2<Double>, high: SIMD2<Double>
  ) -> (low: SIMD2<Double>, high: SIMD2<Double>) {
    let determinant = map.byColumn.x * map.byRow.y - map.byRow.x * map.byColumn.y
    var least = SIMD2(repeating: Double.infinity)
    var most = -least
    for corner in [low, high, SIMD2(low.x, high.y), SIMD2(high.x, low.y)] {
      let from = corner - map.coverOrigin
      let index = SIMD2(
        (from.x * map.byRow.y - from.y * map.byRow.x) / determinant,
        (from.y * map.byColumn.x - from.x * map.byColumn.y) / determinant)
      least = pointwiseMin(least, index)
      most = pointwiseMax(most, index)
    }
    return (least, most)
  }

  var isReduced: Bool { picture != source }

  /// Whether destination samples step through the plane one by one, upright.
  var isUnit: Bool {
    let away = positionByColumn - SIMD2(1, 0)
    let down = positionByRow - SIMD2(0, 1)
    let drift = abs(away.x) + abs(away.y) + abs(down.x) + abs(down.y)
    return drift * Double(rows.high + columns.high) < 1e-6
  }

  /// Whether samples of the source are shown unchanged.
  var isExactCopy: Bool { isUnit && !isReduced && position == position.rounded(.down) }

  /// Whether coverage depends on row and column separately: source axes parallel to the output's.
  var isUpright: Bool { map.byColumn.y == 0 && map.byRow.x == 0 }

  /// Columns of destination rows `first ... last` that may be covered.
  func touched(rows first: Int, _ last: Int) -> PlanarInterval {
    var span = columns
    for axis in 0..<2 {
      let half = footprint[axis] * (0.5 - PlanarGeometry.slack)
      let (start, row) = (map.coverOrigin[axis], map.byRow[axis])
      let (least, most) = ordered(start + Double(first) * row, start + Double(last) * row)
      span.keep(value: most + half - cropLow[axis], slope: map.byColumn[axis])
      span.keep(value: cropHigh[axis] + half - least, slope: -map.byColumn[axis])
    }
    return span
  }

  /// Columns i for which samples i ..< i + `width` of destination rows `first ... last` are all fully covered.
  func covered(rows first: Int, _ last: Int, width: Int = 1) -> PlanarInterval {
    var span = PlanarInterval(columns.low, columns.high - width + 1)
    for axis in 0..<2 {
      let half = footprint[axis] * (0.5 - PlanarGeometry.slack)
      let (start, row, column) = (map.coverOrigin[axis], map.byRow[axis], map.byColumn[axis])
      let (least, most) = ordered(start + Double(first) * row, start + Double(last) * row)
      let (left, right) = ordered(0, Double(width - 1) * column)
      span.keep(value: least + left - half - cropLow[axis], slope: column)
      span.keep(value: cropHigh[axis] - (most + right) - half, slope: -column)
    }
    return span
  }

  /// Columns and rows that are fully covered, for an upright layer.
  var coveredBox: (columns: PlanarInterval, rows: PlanarInterval) {
    var spans = [columns, rows]
    for (axis, step) in [map.byColumn.x, map.byRow.y].enumerated() {
      let half = footprint[axis] * (0.5 - PlanarGeometry.slack)
      spans[axis].keep(value: map.coverOrigin[axis] - half - cropLow[axis], slope: step)
      spans[axis].keep(value: cropHigh[axis] - map.coverOrigin[axis] - half, slope: -step)
    }
    return (spans[0], spans[1])
  }

  /// Whether every sample of a plane of `size` is fully covered; it is if the corners are.
  func coversAll(of size: PixelSize) -> Bool {
    let whole = PlanarInterval(0, size.width)
    return [0, size.height - 1].allSatisfy { row in
      let span = covered(rows: row, row)
      return span.low <= whole.low && span.high >= whole.high
    }
  }

  /// Rows of the (reduced) plane that destination rows first ... last need.
  func pictureRows(_ first: Int, _ last: Int) -> Range<Int> {
    let start = position.y
    let (left, right) = ordered(
      Double(columns.low) * positionByColumn.y, Double(columns.high - 1) * positionByColumn.y)
    let (upper, lower) = ordered(Double(first) * positionByRow.y, Double(last) * positionByRow.y)
    let ratio = Double(picture.height) / Double(source.height)
    let top = max(start + left + upper, (cropLow.y - footprint.y / 2) * ratio - 0.5)
    let bottom = min(start + right + lower, (cropHigh.y + footprint.y / 2) * ratio - 0.5)
    // Neighbors: one on either side, or three for a filter.
    let reach = filter == nil ? 1.0 : 3
    let low = clampedInt(top.rounded(.down) - reach, in: 0...picture.height - 1)
    return low..<clampedInt(bottom.rounded(.down) + reach + 2, in: low + 1...picture.height)
  }

  /// Position in the plane of a destination sample that is covered at least partly.
  func position(column: Int, row: Int) -> SIMD2<Double> {
    position + positionByColumn * Double(column) + positionByRow * Double(row)
  }
}

private func ordered(_ a: Double, _ b: Double) -> (Double, Double) { a < b ? (a, b) : (b, a) }

/// A position or step in 32.32 fixed point, clamped to ±2³⁰.
func fixedPosition(_ value: SIMD2<Double>) -> SIMD2<Int64> {
  let bound = SIMD2(repeating: 1073741824.0)
  let within = value.clamped(lowerBound: -bound, upperBound: bound) * 4_294_967_296
  return SIMD2(Int64(within.x.isNaN ? 0 : within.x.rounded()), Int64(within.y.isNaN ? 0 : within.y.rounded()))
}

extension PlanarGeometry {
  /// Coverage along a row from a destination sample on.
  func axes(column: Int, row: Int) -> (x: CoverageAxis, y: CoverageAxis) {
    let start = map.coverOrigin + map.byColumn * Double(column) + map.byRow * Double(row)
    func axis(_ i: Int) -> CoverageAxis {
      CoverageAxis(
        position: start[i], step: map.byColumn[i], footprint: footprint[i], low: cropLow[i], high: cropHigh[i])
    }
    return (axis(0), axis(1))
  }

  /// Coverage along a row, for tiles.
  func edges(column: Int, row: Int) -> WarpBand.Edges {
    let start = map.coverOrigin + map.byColumn * Double(column) + map.byRow * Double(row)
    let (low, high) = ((start - cropLow) / footprint, (cropHigh - start) / footprint)
    return WarpBand.Edges(
      left: low.x, right: high.x, top: low.y, bottom: high.y, step: map.byColumn / footprint)
  }
}

extension PlanarGeometry {
  /// The largest reduction for which means and interpolation form one filter.
  private static let largestReduction = 8

  /// Whether area means of an upright layer and interpolation between them are made in one step, without a reduced plane. A
  /// reduced plane is cheaper only at exactly half or a quarter of the source, shown sample for sample.
  var takesMeans: Bool {
    guard filter == nil, isUpright, isReduced else { return false }
    let isPower = [2, 4].contains { source.width == $0 * picture.width && source.height == $0 * picture.height }
    let reduction = max(source.width / picture.width, source.height / picture.height)
    return reduction < PlanarGeometry.largestReduction && !(isUnit && isPower)
  }

  /// The axes of a filter from the source to the destination, for an upright layer that has one.
  var uprightFilter: (columns: FilterAxis, rows: FilterAxis)? {
    if takesMeans {
      return (
        FilterAxis(
          meanCount: picture.width, origin: position.x, step: positionByColumn.x, range: columns.low..<columns.high,
          sourceCount: source.width, alignsStarts: true),
        FilterAxis(
          meanCount: picture.height, origin: position.y, step: positionByRow.y, range: rows.low..<rows.high,
          sourceCount: source.height)
      )
    }
    guard let filter, isUpright else { return nil }
    return (
      FilterAxis(
        filter.kernel(footprint: footprint.x), origin: position.x, step: positionByColumn.x, footprint: footprint.x,
        range: columns.low..<columns.high, sourceCount: source.width, alignsStarts: true),
      FilterAxis(
        filter.kernel(footprint: footprint.y), origin: position.y, step: positionByRow.y, footprint: footprint.y,
        range: rows.low..<rows.high, sourceCount: source.height)
    )
  }

  /// The axes of a filter from the source to the reduced plane that a rotated layer is sampled from.
  var reducingFilter: (columns: FilterAxis, rows: FilterAxis)? {
    guard let filter, !isUpright, isReduced else { return nil }
    func axis(_ count: Int, _ reduced: Int, alignsStarts: Bool) -> FilterAxis {
      let ratio = Double(count) / Double(reduced)
      return FilterAxis(
        filter.kernel(footprint: ratio), origin: ratio / 2 - 0.5, step: ratio, footprint: ratio, range: 0..<reduced,
        sourceCount: count, alignsStarts: alignsStarts)
    }
    return (
      axis(source.width, picture.width, alignsStarts: true), axis(source.height, picture.height, alignsStarts: false)
    )
  }
}
