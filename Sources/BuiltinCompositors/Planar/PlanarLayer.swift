import CompositorAPI
import CompositorKernels

/// One plane of one layer, ready to be painted onto one plane of the output.
struct PlanarLayer<T: PlanarSample> {
  /// How a layer is painted, from the cheapest.
  enum SamplingMode {
    /// Row on row, each sample once: a move, perhaps between samples, perhaps of a reduced picture.
    case unit
    /// By tiles of 8 × 8 samples.
    case tiles
    /// Sample by sample in floating point: any transform, any depth.
    case samples
  }

  let geometry: PlanarGeometry
  let opacity: Double
  let manner: SamplingMode
  let plan: WarpPlan
  /// For an upright layer, what is covered fully.
  let covered: (columns: PlanarInterval, rows: PlanarInterval)
  var picture: PlanarPicture<T>

  init(
    _ geometry: PlanarGeometry, plane: Plane, opacity: Double, isDeep: Bool, scratch: inout ScratchArena
  ) {
    self.geometry = geometry
    self.opacity = opacity
    let manner = PlanarLayer.manner(geometry, isDeep: isDeep)
    self.manner = manner
    plan = WarpPlan(
      byColumn: fixedPosition(geometry.positionByColumn), byRow: fixedPosition(geometry.positionByRow),
      footprintsByColumn: SIMD2<Float>(geometry.map.byColumn / geometry.footprint),
      footprintsByRow: SIMD2<Float>(geometry.map.byRow / geometry.footprint))
    covered = geometry.coveredBox
    picture = PlanarPicture(plane, geometry: geometry, needsBorder: manner == .tiles, scratch: &scratch)
  }

  static func manner(_ geometry: PlanarGeometry, isDeep: Bool) -> SamplingMode {
    guard !isDeep else { return .samples }
    if geometry.isUnit && geometry.isUpright { return .unit }
    let spread = SIMD2(
      abs(geometry.positionByColumn.x) + abs(geometry.positionByRow.x),
      abs(geometry.positionByColumn.y) + abs(geometry.positionByRow.y))
    return T.bitWidth == 8 && 7 * spread.max() <= 13.5 ? .tiles : .samples
  }

  static func scratchByteCount(_ geometry: PlanarGeometry, isDeep: Bool) -> Int {
    let needsBorder = manner(geometry, isDeep: isDeep) == .tiles
    return PlanarPicture<T>.scratchByteCount(geometry: geometry, needsBorder: needsBorder)
  }

  /// Whether rows `rows` of a plane of `width` samples show nothing but unresampled samples of this layer, whatever its
  /// opacity.
  func fills(_ rows: PlanarInterval, width: Int) -> Bool {
    manner == .unit && geometry.isExactCopy && covered.columns.low == 0 && covered.columns.high == width
      && covered.rows.low <= rows.low && covered.rows.high >= rows.high
  }

  /// The source's own samples for a destination row of a layer that ``fills(_:width:)``.
  func sourceRow(_ y: Int) -> UnsafePointer<T> {
    let start = geometry.position(column: 0, row: y)
    return UnsafePointer(picture.row(Int(start.y)) + Int(start.x))
  }

  /// Makes sure that the picture can be read where `rows` of the destination need it.
  mutating func prepare(_ rows: PlanarInterval, kernels: PlaneKernels) {
    picture.prepare(geometry.pictureRows(rows.low, rows.high - 1), kernels: kernels)
  }
}
