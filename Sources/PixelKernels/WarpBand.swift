import CCompositorKernels

/// What stays the same over a whole warp of a plane: how the source moves inside a tile of 8 × 8 samples.
public struct WarpPlan {
  var plan = cpk_warp8_plan()

  /// Makes a plan; costs 64 steps.
  ///
  /// - Parameters:
  ///   - byColumn: Step of the picture position (32.32 fixed point) from one destination column to the next.
  ///   - byRow: The same from row to row.
  ///   - footprintsByColumn: Step of the coverage coordinates, in footprints, from one destination column to the next.
  ///   - footprintsByRow: The same from row to row.
  /// - Precondition: A tile spans at most 14 samples of the picture in either direction.
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
  /// Edges of the covered part, seen from the band's first sample.
  public struct Edges {
    /// Distance of the first sample inside the left, right, top and bottom edge, in footprints.
    public var left, right, top, bottom: Double
    /// Step of the distance from the left and the top edge from one destination column to the next, in footprints.
    public var step: SIMD2<Double>
    /// Makes edges.
    public init(left: Double, right: Double, top: Double, bottom: Double, step: SIMD2<Double>) {
      (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
      self.step = step
    }
  }

  var band = cpk_warp8_band()

  /// Describes a band.
  ///
  /// - Parameters:
  ///   - destination: Its top-left sample, of bytes or words.
  ///   - stride: Bytes from row to row of the destination.
  ///   - columns: Samples per row; `rows` is 1 … 8.
  ///   - picture: Sample (0, 0) of the source.
  ///   - pictureStride: Bytes from row to row of the source.
  ///   - windowX: Columns at which a 16 × 16 window of the source may start; likewise `windowY` rows. All of such a window
  ///     must be readable.
  ///   - position: Position in the picture of the first destination sample, 32.32 fixed point.
  ///   - step: Its step from one destination column to the next.
  ///   - weight: 0 … 1.
  ///   - edges: What is covered; nil where all of the band is.
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
  /// Warps a band bilinearly, with positions to 1/4096 of a sample, and mixes it into the destination.
  public func warp(_ plan: borrowing WarpPlan, _ band: WarpBand) {
    withUnsafePointer(to: plan.plan) { plan in
      withUnsafePointer(to: band.band) { table.pointee.warp8(plan, $0) }
    }
  }

  /// The same of a band of words of at most 10 bits.
  public func warpWords(_ plan: borrowing WarpPlan, _ band: WarpBand) {
    withUnsafePointer(to: plan.plan) { plan in
      withUnsafePointer(to: band.band) { table.pointee.warp10(plan, $0) }
    }
  }
}
