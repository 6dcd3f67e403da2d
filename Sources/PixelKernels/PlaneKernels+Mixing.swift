import CCompositorKernels

extension PlaneKernels {
  /// Copies a row that isn't in a cache. Faster than `memcpy` row by row, because it prefetches. The rows must not overlap.
  public func copy(_ destination: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, byteCount: Int) {
    table.pointee.copy(destination, source, byteCount)
  }

  /// Mixes two rows, `destination = a + (b − a) · weight` over `count` samples, rounded to nearest.
  ///
  /// - Parameters:
  ///   - destination: May be equal to `a` or `b`; must not overlap them otherwise.
  ///   - weight: 0 … 1, rounded to 1/65536. The result is within 0.52 code values of exact.
  public func mix(
    _ destination: UnsafeMutablePointer<UInt8>, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, count: Int,
    weight: Double
  ) {
    table.pointee.mix8(destination, a, b, count, Int32(clamped(weight) * 65536 + 0.5))
  }

  /// Mixes two rows of 16-bit samples in single precision, within 0.51 code values of exact at any depth.
  public func mix(
    _ destination: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt16>, _ b: UnsafePointer<UInt16>, count: Int,
    weight: Double
  ) {
    table.pointee.mix16(destination, a, b, count, Float(clamped(weight)))
  }

  /// Mixes rows of nonoverlapping planes with writes that bypass the caches; for results that are not read soon.
  ///
  /// - Parameter rows: The number of rows; strides are in bytes.
  package func mixRows(
    _ destination: UnsafeMutablePointer<UInt8>, stride: Int, _ a: UnsafePointer<UInt8>, _ aStride: Int,
    _ b: UnsafePointer<UInt8>,
    _ bStride: Int, count: Int, rows: Int, weight: Double
  ) {
    table.pointee.mix_rows8(destination, stride, a, aStride, b, bStride, count, rows, Int32(clamped(weight) * 65536 + 0.5))
  }

  /// Mixes rows of planes of 16-bit samples; see the overload for bytes.
  package func mixRows(
    _ destination: UnsafeMutablePointer<UInt16>, stride: Int, _ a: UnsafePointer<UInt16>, _ aStride: Int,
    _ b: UnsafePointer<UInt16>,
    _ bStride: Int, count: Int, rows: Int, weight: Double
  ) {
    table.pointee.mix_rows16(destination, stride, a, aStride, b, bStride, count, rows, Float(clamped(weight)))
  }

  /// Copies rows of nonoverlapping planes with writes that bypass the caches; for whole frames, or most of one. Strides are
  /// in bytes.
  package func copyRows(
    _ destination: UnsafeMutableRawPointer, stride: Int, _ source: UnsafeRawPointer, _ sourceStride: Int, byteCount: Int,
    rows: Int
  ) {
    table.pointee.copy_rows(destination, stride, source, sourceStride, byteCount, rows)
  }

  /// Mixes a row from a fractional position: interpolates between `row[i]` and `row[i + next]` of two rows at (`fx`, `fy`),
  /// and mixes the result into `destination`.
  ///
  /// - Parameters:
  ///   - next: The distance to the right neighbor: 1, or 0 if there is none.
  ///   - fx: 0 ..< 1 from a sample to its right neighbor; likewise `fy` from `top` to `bottom`.
  ///   - weight: 0 … 1; 1 replaces the destination.
  public func shift(
    _ destination: UnsafeMutablePointer<UInt8>, top: UnsafePointer<UInt8>, bottom: UnsafePointer<UInt8>, count: Int,
    next: Int, fx: Double, fy: Double, weight: Double
  ) {
    table.pointee.shift8(
      destination, top, bottom, count, next, min(fixed15(fx), 32767), min(fixed15(fy), 32767), fixed15(weight))
  }

  /// Mixes a row of 16-bit samples from a fractional position, in single precision.
  public func shift(
    _ destination: UnsafeMutablePointer<UInt16>, top: UnsafePointer<UInt16>, bottom: UnsafePointer<UInt16>, count: Int,
    next: Int, fx: Double, fy: Double, weight: Double
  ) {
    table.pointee.shift16(
      destination, top, bottom, count, next, Float(clamped(fx)), Float(clamped(fy)), Float(clamped(weight)))
  }

  /// Blends a row by weights, `destination += weights · (source − destination)`, rounded to nearest; weights 0 … 1.
  public func blend(
    _ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    count: Int
  ) {
    table.pointee.blend8(destination, source, weights, count)
  }

  /// Blends a row of 16-bit samples; see the overload for bytes.
  public func blend(
    _ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    count: Int
  ) {
    table.pointee.blend16(destination, source, weights, count)
  }

  /// Blends a row of floats, without rounding.
  public func blend(
    _ destination: UnsafeMutablePointer<Float>, _ source: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    count: Int
  ) {
    table.pointee.blend_float(destination, source, weights, count)
  }

  /// Rounds values of 0 … 255 to the nearest code.
  public func narrow(_ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<Float>, count: Int) {
    table.pointee.narrow8(destination, source, count)
  }

  /// Rounds values of 0 … 65535 to the nearest code.
  public func narrow(_ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<Float>, count: Int) {
    table.pointee.narrow16(destination, source, count)
  }
}

/// `value` clamped to 0 … 1; NaN gives 0.
func clamped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }

/// Converts 0 … 1 to 0 … 32768.
func fixed15(_ value: Double) -> Int32 { Int32(clamped(value) * 32768 + 0.5) }
