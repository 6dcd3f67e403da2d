import CompositorAPI

/// The position of one plane's samples relative to luma: one sample per 2^shift luma samples, the first at `offset` from luma
/// sample 0.
struct PlaneSiting {
  var shiftX = 0
  var shiftY = 0
  var offsetX = 0.0
  var offsetY = 0.0

  static let luma = PlaneSiting()

  static func chroma(of format: PixelFormat, location: ChromaLocation) -> PlaneSiting {
    let (x, y) = (format.subsampling.horizontalShift, format.subsampling.verticalShift)
    return PlaneSiting(
      shiftX: x, shiftY: y, offsetX: x > 0 ? location.horizontalOffset : 0, offsetY: y > 0 ? location.verticalOffset : 0)
  }

  var stepX: Double { Double(1 << shiftX) }
  var stepY: Double { Double(1 << shiftY) }

  /// The luma coordinate (pixel i covers [i, i + 1)) of a sample's center.
  func position(_ x: Int, _ y: Int) -> Point {
    Point(x: Double(x) * stepX + offsetX + 0.5, y: Double(y) * stepY + offsetY + 0.5)
  }

  /// The sample index, with fraction, at a luma coordinate.
  func index(_ point: Point) -> Point {
    Point(x: (point.x - offsetX - 0.5) / stepX, y: (point.y - offsetY - 0.5) / stepY)
  }

  /// The luma coordinate of the center of the luma samples that a sample represents.
  func cellCenter(_ x: Int, _ y: Int) -> Point {
    Point(x: (Double(x) + 0.5) * stepX, y: (Double(y) + 0.5) * stepY)
  }
}

extension PlaneSiting {
  /// The sides of the parallelogram of the source that a destination sample covers, in samples of this plane.
  ///
  /// - Parameter inverse: From the output to the source.
  fileprivate func footprint(of inverse: AffineMatrix) -> (x: Double, y: Double) {
    // The rows of the Jacobian in samples of this plane. A step of one destination sample is `step` luma samples.
    let xx = inverse.a
    let xy = inverse.c * stepY / stepX
    let yx = inverse.b * stepX / stepY
    let yy = inverse.d
    return (max((xx * xx + xy * xy).squareRoot(), 1e-300), max((yx * yx + yy * yy).squareRoot(), 1e-300))
  }

  /// The crop of a frame in samples of its plane.
  fileprivate func samples(
    of crop: Rect, in frame: PixelSize, _ grid: SampleGrid
  ) -> (left: Double, right: Double, top: Double, bottom: Double) {
    // The last chroma column of an odd width represents only one luma column, and has its coverage.
    (
      crop.minX / stepX, crop.maxX >= Double(frame.width) ? Double(grid.width) : crop.maxX / stepX,
      crop.minY / stepY, crop.maxY >= Double(frame.height) ? Double(grid.height) : crop.maxY / stepY
    )
  }
}

/// The geometry of one layer on one plane: values and coverage at destination samples.
struct PlaneSampler {
  private let reduced: SampleGrid
  private let siting: PlaneSiting
  private let inverse: AffineMatrix
  private let footprint: (x: Double, y: Double)
  private let ratio: (x: Double, y: Double)
  private let crop: (left: Double, right: Double, top: Double, bottom: Double)
  /// The values at the destination's samples, for an upright layer that is filtered.
  private let filtered: SampleGrid?
  private let isWide: Bool
  private let limits: ClosedRange<Double>?

  /// Creates a sampler; `nil` if the layer has no area.
  ///
  /// - Parameters:
  ///   - destination: The size of the destination's plane.
  ///   - limits: The limits of values; `nil` for no limits.
  init?(
    _ grid: SampleGrid, siting: PlaneSiting, layer: ReferenceLayer, destination: (width: Int, height: Int),
    limits: ClosedRange<Double>? = nil
  ) {
    guard var inverse = layer.sourceToOutput.inverted, inverse.isFinite, !layer.crop.isEmpty else { return nil }
    self.siting = siting
    self.limits = limits
    let isUpright =
      abs(inverse.b) * Double(destination.width) + abs(inverse.c) * Double(destination.height) < 1e-7
    if isUpright { (inverse.b, inverse.c) = (0, 0) }
    self.inverse = inverse
    footprint = siting.footprint(of: inverse)
    guard footprint.x.isFinite, footprint.y.isFinite else { return nil }
    let width = footprint.x > 1 ? max(1, Int((Double(grid.width) / footprint.x).rounded())) : grid.width
    let height = footprint.y > 1 ? max(1, Int((Double(grid.height) / footprint.y).rounded())) : grid.height
    var filter = ReferenceFilter(layer.sampling)
    if max(footprint.x, footprint.y) > SamplingQuality.largestReduction || (!isUpright && filter?.takesTurned == false) {
      filter = nil
    }
    isWide = filter != nil && !isUpright
    ratio = (Double(grid.width) / Double(width), Double(grid.height) / Double(height))
    crop = siting.samples(of: layer.crop, in: layer.frame.size, grid)
    if let filter, isUpright {
      func position(_ x: Int, _ y: Int) -> Point { siting.index(inverse.apply(to: siting.position(x, y))) }
      reduced = grid
      filtered = grid.filtered(
        filter, columns: (0..<destination.width).map { position($0, 0).x },
        rows: (0..<destination.height).map { position(0, $0).y }, footprint: footprint
      ).limited(to: limits)
    } else {
      filtered = nil
      reduced =
        filter.map { grid.filtered($0, toWidth: width, height: height).limited(to: limits) }
        ?? grid.reduced(toWidth: width, height: height)
    }
  }

  /// Coverage of a destination sample, 0 … 1.
  func coverage(_ x: Int, _ y: Int) -> Double {
    let center = inverse.apply(to: siting.cellCenter(x, y))
    func share(_ u: Double, _ k: Double, _ low: Double, _ high: Double) -> Double {
      min(max((min(u + k / 2, high) - max(u - k / 2, low)) / k, 0), 1)
    }
    return share(center.x / siting.stepX, footprint.x, crop.left, crop.right)
      * share(center.y / siting.stepY, footprint.y, crop.top, crop.bottom)
  }

  /// The value at a destination sample.
  func value(_ x: Int, _ y: Int) -> Double {
    if let filtered { return filtered[x, y] }
    let index = siting.index(inverse.apply(to: siting.position(x, y)))
    if isWide {
      let value = reduced.wide((index.x + 0.5) / ratio.x - 0.5, (index.y + 0.5) / ratio.y - 0.5)
      return limits.map { min(max(value, $0.lowerBound), $0.upperBound) } ?? value
    }
    return reduced.bilinear((index.x + 0.5) / ratio.x - 0.5, (index.y + 0.5) / ratio.y - 0.5)
  }
}

extension SampleGrid {
  /// The grid at another size, each of whose samples covers an equal part of it.
  fileprivate func filtered(_ filter: ReferenceFilter, toWidth newWidth: Int, height newHeight: Int) -> SampleGrid {
    func positions(_ count: Int, of source: Int) -> [Double] {
      (0..<count).map { (Double($0) + 0.5) * Double(source) / Double(count) - 0.5 }
    }
    return filtered(
      filter, columns: positions(newWidth, of: width), rows: positions(newHeight, of: height),
      footprint: (Double(width) / Double(newWidth), Double(height) / Double(newHeight)))
  }
}
