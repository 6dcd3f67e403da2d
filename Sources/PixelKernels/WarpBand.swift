import CCompositorKernels

/// The constant part of a plane's warp: the source offsets inside a tile of 8 × 8 samples.
public struct WarpPlan {
  var plan = cpk_warp8_plan()

  /// Creates a plan, in one step per sample of a tile.
  ///
  /// - Parameters:
  ///   - byColumn: The step of the source position (32.32 fixed point) from one destination column to the next.
  ///   - byRow: The step of the source position from one destination row to the next.
  ///   - footprintsByColumn: The step of the coverage coordinates, in footprints, from one destination column to the next.
  ///   - footprintsByRow: The step of the coverage coordinates from one destination row to the next.
  /// - Precondition: A tile spans at most 14 source samples in either direction.
  public init(
    byColumn: SIMD2<Int64>, byRow: SIMD2<Int64>, footprintsByColumn: SIMD2<Float>, footprintsByRow: SIMD2<Float>
  ) {
    cpk_make_warp8_plan(
      &plan, byColumn.x, byColumn.y, byRow.x, byRow.y, footprintsByColumn.x, footprintsByColumn.y, footprintsByRow.x,
      footprintsByRow.y)
  }
}

/// A band of up to 8 rows of a warp.
public struct WarpBand {
  /// Edges of the covered part, relative to the band's first sample.
  public struct Edges {
    /// The distances, in footprints, of the first sample from the left, right, top and bottom edges; positive inside.
    public var left, right, top, bottom: Double
    /// The change of the distances from the left and top edges, in footprints, from one destination column to the next.
    public var step: SIMD2<Double>
    /// Creates edges from the distances of the first sample, in footprints.
    public init(left: Double, right: Double, top: Double, bottom: Double, step: SIMD2<Double>) {
      (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
      self.step = step
    }
  }

  var band = cpk_warp8_band()

  /// Creates a band.
  ///
  /// - Parameters:
  ///   - destination: The band's top-left sample, of 8 or 16 bits.
  ///   - stride: The number of bytes from row to row of the destination.
  ///   - columns: The number of samples per row.
  ///   - rows: The number of rows, 1 … 8.
  ///   - picture: The sample at (0, 0) of the source.
  ///   - pictureStride: The number of bytes from row to row of the source.
  ///   - windowX: The columns at which a 16 × 16 window of the source may start, as `windowY` is for rows. Every such window
  ///     must be readable.
  ///   - position: The source position of the first destination sample, in 32.32 fixed point.
  ///   - step: The step of the position from one destination column to the next.
  ///   - weight: The opacity, 0 … 1.
  ///   - edges: The covered part; `nil` if all of the band is covered.
  public init(
    destination: UnsafeMutableRawPointer, stride: Int, columns: Int, rows: Int, picture: UnsafeRawPointer,
    pictureStride: Int, windowX: ClosedRange<Int>, windowY: ClosedRange<Int>, position: SIMD2<Int64>,
    step: SIMD2<Int64>, weight: Double, edges: Edges?
  ) {
    band.dst = destination.assumingMemoryBound(to: UInt8.self)
    band.dst_stride = stride
    band.columns = columns
    band.rows = rows
    band.src = picture.assumingMemoryBound(to: UInt8.self)
    band.src_stride = pictureStride
    (band.x_min, band.x_max) = (Int32(clamping: windowX.lowerBound), Int32(clamping: windowX.upperBound))
    (band.y_min, band.y_max) = (Int32(clamping: windowY.lowerBound), Int32(clamping: windowY.upperBound))
    (band.x, band.y) = (position.x, position.y)
    (band.x_step, band.y_step) = (step.x, step.y)
    band.weight = fixed15(weight)
    band.is_covered = edges == nil ? 1 : 0
    guard let edges else { return }
    (band.left, band.right) = (Float(edges.left + 0.5), Float(edges.right + 0.5))
    (band.top, band.bottom) = (Float(edges.top + 0.5), Float(edges.bottom + 0.5))
    (band.u_step, band.v_step) = (Float(edges.step.x), Float(edges.step.y))
  }
}

extension PlaneKernels {
  /// Warps a band of 8-bit samples bilinearly, with positions to 1/4096 of a sample, and mixes it into the destination.
  public func warp(_ plan: borrowing WarpPlan, _ band: WarpBand) {
    withUnsafePointer(to: plan.plan) { plan in
      withUnsafePointer(to: band.band) { table.pointee.warp8(plan, $0) }
    }
  }

  /// Warps a band of 16-bit samples that use at most 10 bits.
  public func warpWords(_ plan: borrowing WarpPlan, _ band: WarpBand) {
    withUnsafePointer(to: plan.plan) { plan in
      withUnsafePointer(to: band.band) { table.pointee.warp10(plan, $0) }
    }
  }
}
