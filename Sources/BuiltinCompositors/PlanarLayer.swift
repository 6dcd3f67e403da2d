import CompositorAPI
import PixelKernels

/// One plane of one layer, ready to be painted onto one plane of the output.
struct PlanarLayer<T: PlanarSample> {
  /// A source's alpha plane on the grid of the plane that is painted.
  struct Alpha {
    let geometry: PlanarGeometry
    var picture: PlanarPicture<T>
    /// 1 / the code of full coverage.
    let scale: Float
  }

  /// How a layer is painted, from the cheapest.
  enum Manner {
    /// Row on row, each sample once: a move, perhaps between samples, perhaps of a reduced picture.
    case unit
    /// By tiles of 8 × 8 samples.
    case tiles
    /// Sample by sample in floating point: any transform, depth and alpha.
    case samples
  }

  let geometry: PlanarGeometry
  let opacity: Double
  let manner: Manner
  let plan: WarpPlan
  /// For an upright layer, what is covered fully.
  let covered: (columns: PlanarSpan, rows: PlanarSpan)
  var picture: PlanarPicture<T>
  var alpha: Alpha?

  init(
    _ geometry: PlanarGeometry, alphaGeometry: PlanarGeometry?, frame: Planes, plane index: Int, opacity: Double,
    bitDepth: Int, isDeep: Bool, scratch: inout PlanarScratch
  ) {
    self.geometry = geometry
    self.opacity = opacity
    let manner = PlanarLayer.manner(geometry, hasAlpha: alphaGeometry != nil, isDeep: isDeep)
    self.manner = manner
    plan = WarpPlan(
      byColumn: fixedPosition(geometry.positionByColumn), byRow: fixedPosition(geometry.positionByRow),
      footprintsByColumn: SIMD2<Float>(geometry.map.byColumn / geometry.footprint),
      footprintsByRow: SIMD2<Float>(geometry.map.byRow / geometry.footprint))
    covered = geometry.coveredBox
    picture = PlanarPicture(
      frame[index], geometry: geometry, needsBorder: manner == .tiles, scratch: &scratch)
    guard let alphaGeometry else { return }
    let picture = PlanarPicture<T>(frame[3], geometry: alphaGeometry, needsBorder: false, scratch: &scratch)
    alpha = Alpha(geometry: alphaGeometry, picture: picture, scale: 1 / Float((1 << bitDepth) - 1))
  }

  static func manner(_ geometry: PlanarGeometry, hasAlpha: Bool, isDeep: Bool) -> Manner {
    guard !hasAlpha, !isDeep else { return .samples }
    if geometry.isUnit && geometry.isUpright { return .unit }
    let spread = SIMD2(
      abs(geometry.positionByColumn.x) + abs(geometry.positionByRow.x),
      abs(geometry.positionByColumn.y) + abs(geometry.positionByRow.y))
    return T.bitWidth == 8 && 7 * spread.max() <= 13.5 ? .tiles : .samples
  }

  static func scratchByteCount(
    _ geometry: PlanarGeometry, alphaGeometry: PlanarGeometry?, isDeep: Bool
  ) -> Int {
    let manner = manner(geometry, hasAlpha: alphaGeometry != nil, isDeep: isDeep)
    let alpha = alphaGeometry.map { PlanarPicture<T>.scratchByteCount(geometry: $0, needsBorder: false) } ?? 0
    return alpha + PlanarPicture<T>.scratchByteCount(geometry: geometry, needsBorder: manner == .tiles)
  }

  /// Whether rows `rows` of a plane of `width` samples show nothing but unresampled samples of this layer, whatever its
  /// opacity.
  func fills(_ rows: PlanarSpan, width: Int) -> Bool {
    manner == .unit && geometry.isExactCopy && covered.columns.low == 0 && covered.columns.high == width
      && covered.rows.low <= rows.low && covered.rows.high >= rows.high
  }

  /// The source's own samples for a destination row of a layer that ``fills(_:width:)``.
  func sourceRow(_ y: Int) -> UnsafePointer<T> {
    let start = geometry.position(column: 0, row: y)
    return UnsafePointer(picture.row(Int(start.y)) + Int(start.x))
  }

  /// Makes sure that the picture can be read where `rows` of the destination need it.
  mutating func prepare(_ rows: PlanarSpan, kernels: PixelKernels) {
    picture.prepare(geometry.pictureRows(rows.low, rows.high - 1), kernels: kernels)
    guard let alpha else { return }
    let alphaRows = alpha.geometry.pictureRows(rows.low, rows.high - 1)
    self.alpha?.picture.prepare(alphaRows, kernels: kernels)
  }
}
