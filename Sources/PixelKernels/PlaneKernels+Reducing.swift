import CCompositorKernels

extension PlaneKernels {
  /// Computes means of 2 × 2 samples, rounded to nearest: reads `2 · count` samples of two rows, `stride` bytes apart.
  public func halve(_ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<UInt8>, stride: Int, count: Int) {
    table.pointee.halve8(destination, source, stride, count)
  }

  /// Computes means of 2 × 2 16-bit samples.
  public func halve(
    _ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<UInt16>, stride: Int, count: Int
  ) {
    table.pointee.halve16(destination, source, stride, count)
  }

  /// Computes means of 4 × 4 samples, rounded to nearest: reads `4 · count` samples of four rows, `stride` bytes apart.
  public func quarter(
    _ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<UInt8>, stride: Int, count: Int
  ) {
    table.pointee.quarter8(destination, source, stride, count)
  }

  /// Computes means of 4 × 4 16-bit samples.
  public func quarter(
    _ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<UInt16>, stride: Int, count: Int
  ) {
    table.pointee.quarter16(destination, source, stride, count)
  }

  /// Adds a weighted row: `sum += source · weight`.
  public func accumulate(_ sum: UnsafeMutablePointer<Float>, _ source: UnsafePointer<UInt8>, count: Int, weight: Float) {
    table.pointee.accumulate8(sum, source, count, weight)
  }

  /// Adds a weighted row of 16-bit samples.
  public func accumulate(
    _ sum: UnsafeMutablePointer<Float>, _ source: UnsafePointer<UInt16>, count: Int, weight: Float
  ) {
    table.pointee.accumulate16(sum, source, count, weight)
  }

  /// Computes weighted sums of neighbors: `destination[j] = Σₜ source[start[j] + t] · weights[t · count + j]`, t in 0 ..<
  /// `taps`.
  public func reduce(
    _ destination: UnsafeMutablePointer<Float>, _ source: UnsafePointer<Float>, count: Int, start: UnsafePointer<Int32>,
    weights: UnsafePointer<Float>, taps: Int
  ) {
    table.pointee.reduce(destination, source, count, start, weights, taps)
  }
}
