import CCompositorKernels

extension PlaneKernels {
  /// Copies a row that comes from memory: faster than `memcpy` row by row, for it reads ahead. The rows must not overlap.
  public func copy(_ destination: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, byteCount: Int) {
    table.pointee.copy(destination, source, byteCount)
  }

  /// `destination = a + (b − a) · weight` over `count` samples, rounded to nearest.
  ///
  /// - Parameters:
  ///   - destination: May be `a` or `b` itself; must not overlap them otherwise.
  ///   - weight: 0 … 1; kept to 1/65536. The result is within 0.52 of a code value of exact.
  public func mix(
    _ destination: UnsafeMutablePointer<UInt8>, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, count: Int,
    weight: Double
  ) {
    table.pointee.mix8(destination, a, b, count, Int32(clamped(weight) * 65536 + 0.5))
  }

  /// As for bytes, in single precision: within 0.51 of a code value of exact at any depth.
  public func mix(
    _ destination: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt16>, _ b: UnsafePointer<UInt16>, count: Int,
    weight: Double
  ) {
    table.pointee.mix16(destination, a, b, count, Float(clamped(weight)))
  }

  /// Mixes a row that lies between samples: interpolates `row[i]`, `row[i + next]` of two rows at (`fx`, `fy`) and mixes the
  /// result into `destination`.
  ///
  /// - Parameters:
  ///   - next: Distance to the right neighbor: 1, or 0 where there is none.
  ///   - fx: 0 ..< 1 from a sample to its right neighbor; likewise `fy` from `top` to `bottom`.
  ///   - weight: 0 … 1; 1 replaces the destination.
  public func shift(
    _ destination: UnsafeMutablePointer<UInt8>, top: UnsafePointer<UInt8>, bottom: UnsafePointer<UInt8>, count: Int,
    next: Int, fx: Double, fy: Double, weight: Double
  ) {
    table.pointee.shift8(
      destination, top, bottom, count, next, min(fixed15(fx), 32767), min(fixed15(fy), 32767), fixed15(weight))
  }

  /// As for bytes, in single precision.
  public func shift(
    _ destination: UnsafeMutablePointer<UInt16>, top: UnsafePointer<UInt16>, bottom: UnsafePointer<UInt16>, count: Int,
    next: Int, fx: Double, fy: Double, weight: Double
  ) {
    table.pointee.shift16(
      destination, top, bottom, count, next, Float(clamped(fx)), Float(clamped(fy)), Float(clamped(weight)))
  }

  /// `destination += weights · (source − destination)`, sample by sample, rounded to nearest; weights 0 … 1.
  public func blend(
    _ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    count: Int
  ) {
    table.pointee.blend8(destination, source, weights, count)
  }

  /// As for bytes.
  public func blend(
    _ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    count: Int
  ) {
    table.pointee.blend16(destination, source, weights, count)
  }

  /// As for bytes, without rounding.
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

/// `value` within 0 … 1; 0 where it is not a number.
func clamped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }

/// 0 … 1 as 0 … 32768.
func fixed15(_ value: Double) -> Int32 { Int32(clamped(value) * 32768 + 0.5) }
