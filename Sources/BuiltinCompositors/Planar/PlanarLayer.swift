import CompositorAPI
import CompositorConversion
import CompositorKernels

/// One plane of one layer, ready to be painted onto one plane of the output.
struct PlanarLayer<T: PlanarSample> {
  /// Ways to paint a layer, cheapest first.
  enum SamplingMode {
    /// Row by row, each sample once: a translation, possibly by a fraction of a sample, possibly of a reduced plane.
    case unit
    /// By tiles of 8 × 8 samples of up to 10 bits.
    case tiles
    /// Sample by sample in floating point: any transform, any depth.
    case samples
    /// By a separable filter, upright.
    case filtered
    /// Sample by sample with six by six neighbors: any transform.
    case wide
  }

  let geometry: PlanarGeometry
  let opacity: Double
  let samplingMode: SamplingMode
  let plan: WarpPlan
  /// For an upright layer, the fully covered part.
  let covered: (columns: PlanarInterval, rows: PlanarInterval)
  var picture: PlanarPicture<T>
  let top: Int
  /// Destination rows of a filtered layer.
  private(set) var filtered: FilteredRows<T>?

  /// - Parameter kept: The layer's filtered rows, if they were kept from an earlier frame.
  init(
    _ geometry: PlanarGeometry, plane: Plane, kept: Plane?, opacity: Double, isDeep: Bool, bitDepth: Int,
    scratch: inout ScratchArena
  ) {
    self.geometry = geometry
    self.opacity = opacity
    let samplingMode = PlanarLayer.samplingMode(geometry, isDeep: isDeep, bitDepth: bitDepth)
    self.samplingMode = samplingMode
    plan = WarpPlan(
      byColumn: fixedPosition(geometry.positionByColumn), byRow: fixedPosition(geometry.positionByRow),
      footprintsByColumn: SIMD2<Float>(geometry.map.byColumn / geometry.footprint),
      footprintsByRow: SIMD2<Float>(geometry.map.byRow / geometry.footprint))
    covered = geometry.coveredBox
    picture = PlanarPicture(
      plane, geometry: geometry, needsBorder: samplingMode == .tiles, bitDepth: bitDepth, scratch: &scratch)
    top = (1 << bitDepth) - 1
    if samplingMode != .filtered {
      filtered = nil
    } else if let kept {
      filtered = FilteredRows(kept: kept, geometry)
    } else {
      filtered = FilteredRows(plane, geometry, bitDepth: bitDepth, scratch: &scratch)
    }
  }

  static func samplingMode(_ geometry: PlanarGeometry, isDeep: Bool, bitDepth: Int) -> SamplingMode {
    if geometry.filter != nil, !geometry.isExactCopy { return geometry.isUpright ? .filtered : .wide }
    if geometry.takesMeans { return .filtered }
    guard !isDeep else { return .samples }
    if geometry.isUnit && geometry.isUpright { return .unit }
    let spread = SIMD2(
      abs(geometry.positionByColumn.x) + abs(geometry.positionByRow.x),
      abs(geometry.positionByColumn.y) + abs(geometry.positionByRow.y))
    return bitDepth <= 10 && 7 * spread.max() <= 13.5 ? .tiles : .samples
  }

  static func scratchByteCount(_ geometry: PlanarGeometry, isDeep: Bool, bitDepth: Int) -> Int {
    let samplingMode = samplingMode(geometry, isDeep: isDeep, bitDepth: bitDepth)
    return PlanarPicture<T>.scratchByteCount(geometry: geometry, needsBorder: samplingMode == .tiles, bitDepth: bitDepth)
      + (samplingMode == .filtered ? FilteredRows<T>.scratchByteCount(geometry, bitDepth: bitDepth) : 0)
  }

  /// Whether rows `rows` of a plane of `width` samples contain only unresampled samples of this layer, at any opacity.
  func fills(_ rows: PlanarInterval, width: Int) -> Bool {
    samplingMode == .unit && geometry.isExactCopy && covered.columns.low == 0 && covered.columns.high == width
      && covered.rows.low <= rows.low && covered.rows.high >= rows.high
  }

  /// The rows of a plane of `width` samples in which this layer hides those below it, as far as that is known; `nil` for none.
  func hidingRows(width: Int) -> PlanarInterval? {
    guard opacity >= 1, samplingMode == .filtered || (samplingMode == .unit && geometry.isExactCopy), covered.columns.low == 0,
      covered.columns.high == width, !covered.rows.isEmpty
    else { return nil }
    return covered.rows
  }

  /// The source's own samples for a destination row of a layer that ``fills(_:width:)``.
  func sourceRow(_ y: Int) -> UnsafePointer<T> {
    let start = geometry.position(column: 0, row: y)
    return UnsafePointer(picture.row(Int(start.y)) + Int(start.x))
  }

  /// Makes the rows of the plane that `rows` of the destination need.
  mutating func prepare(_ rows: PlanarInterval, kernels: PlaneKernels) {
    guard samplingMode != .filtered else { return }
    picture.prepare(geometry.pictureRows(rows.low, rows.high - 1), kernels: kernels)
  }
}
