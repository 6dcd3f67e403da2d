import CCompositorKernels

/// A row of positions in a plane, for bilinear sampling. An integer is the center of a sample; edge samples repeat outside
/// the plane.
public struct SampleRow {
  var row: cpk_sample_row

  /// Creates a row of positions.
  ///
  /// - Parameters:
  ///   - base: Sample (0, 0) of the plane.
  ///   - stride: Bytes from row to row of the plane.
  ///   - width: Samples per row, 1 … 2³¹ − 1.
  ///   - height: Rows of the plane, 1 … 2³¹ − 1.
  ///   - x: Column of the first output sample, 32.32 fixed point; likewise `y`.
  ///   - dx: Step from one output sample to the next, 32.32 fixed point; likewise `dy`.
  public init(
    base: UnsafeRawPointer, stride: Int, width: Int, height: Int, x: Int64, y: Int64, dx: Int64, dy: Int64
  ) {
    row = cpk_sample_row(
      src: base, src_stride: stride, width: Int32(clamping: width), height: Int32(clamping: height), x: x, y: y, dx: dx,
      dy: dy)
  }
}

/// The part of each output sample's footprint that lies inside an interval, along one axis of the source.
public struct CoverageAxis {
  var axis: cpk_coverage_axis

  /// Creates an axis.
  ///
  /// - Parameters:
  ///   - position: Source coordinate of the first output sample's center.
  ///   - step: Distance from one output sample to the next.
  ///   - footprint: Width of an output sample in the source, > 0.
  ///   - low: Start of the interval.
  ///   - high: End of the interval.
  public init(position: Double, step: Double, footprint: Double, low: Double, high: Double) {
    axis = cpk_coverage_axis(position: position, step: step, footprint: footprint, low: low, high: high)
  }
}

extension PlaneKernels {
  /// Interpolates bilinearly along a row of positions in a plane of bytes.
  public func sampleBytes(_ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, count: Int) {
    withUnsafePointer(to: row.row) { table.pointee.sample8(destination, $0, count) }
  }

  /// Interpolates bilinearly along a row of positions in a plane of 16-bit samples.
  public func sampleWords(_ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, count: Int) {
    withUnsafePointer(to: row.row) { table.pointee.sample16(destination, $0, count) }
  }

  /// Writes `coverage along x · coverage along y · scale`.
  public func coverage(
    _ destination: UnsafeMutablePointer<Float>, count: Int, x: CoverageAxis, y: CoverageAxis, scale: Double
  ) {
    table.pointee.coverage(destination, count, x.axis, y.axis, scale)
  }
}
