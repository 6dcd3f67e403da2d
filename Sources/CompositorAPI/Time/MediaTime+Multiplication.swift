extension MediaTime {
  /// Product with a whole number, at the same timescale; a coarser one on overflow.
  ///
  /// An infinity keeps or changes its sign; ∞ × 0 is invalid, indefinite stays indefinite.
  public static func * (time: MediaTime, factor: Int) -> MediaTime {
    guard time.isNumeric else { return time.nonNumericProduct(sign: Double(factor.signum())) }
    return time.exact(negated: (time.value < 0) != (factor < 0), times: UInt128(factor.magnitude))
      .time(timescale: time.timescale)
  }

  /// Product with a number. The timescale is doubled until it is at least 65536 first; the product is exact before it is
  /// rounded into that timescale. NaN gives invalid, ±∞ gives ±∞ (0 × ∞: invalid).
  public static func * (time: MediaTime, factor: Double) -> MediaTime {
    guard time.isNumeric else { return time.nonNumericProduct(sign: factor) }
    let isNegative = (time.value < 0) != (factor < 0)
    guard factor.isFinite else {
      guard time.value != 0, !factor.isNaN else { return .invalid }
      return isNegative ? .negativeInfinity : .positiveInfinity
    }
    var timescale = Int64(time.timescale)
    while timescale < 65536 { timescale *= 2 }
    guard factor != 0, time.value != 0 else {
      return MediaTime(value: 0, timescale: Int32(timescale), flags: time.flags, epoch: time.epoch)
    }
    var exact = time.exact(negated: isNegative)
    // |factor| = right · 2^exponent, with `right` an odd number of at most 53 bits.
    let significand = UInt128(factor.significandBitPattern | (factor.isNormal ? 1 << 52 : 0))
    let shift = significand.trailingZeroBitCount
    let exponent = (factor.isNormal ? Int(factor.exponentBitPattern) : 1) - 1075 + shift
    exact.right = significand >> UInt128(shift)
    if exponent >= 0 {
      // Split over both factors; beyond 106 bits the product fits no timescale, whatever the value.
      exact.right <<= UInt128(min(exponent, 73))
      exact.left <<= UInt128(min(max(exponent - 73, 0), 33))
    } else if exponent >= -95 {
      exact.denominator <<= UInt128(-exponent)
    } else {
      exact.shrink(by: -exponent - 95)
    }
    return exact.time(timescale: Int32(timescale))
  }

  /// Product with a number.
  public static func * (factor: Double, time: MediaTime) -> MediaTime { time * factor }

  /// `time · numerator / denominator`, exactly wherever some timescale holds it; else rounded at the largest timescale.
  ///
  /// x / 0 is ±∞, 0 / 0 invalid. The timescale is kept where it holds the result.
  public func multiplied(by numerator: Int64, over denominator: Int64) -> MediaTime {
    let negativeRatio = (numerator < 0) != (denominator < 0)
    guard denominator != 0 else {
      guard isNumeric, value != 0, numerator != 0 else {
        return isInfinite && numerator != 0 ? nonNumericProduct(sign: negativeRatio ? -1 : 1) : .invalid
      }
      return (value < 0) != negativeRatio ? .negativeInfinity : .positiveInfinity
    }
    guard isNumeric else { return nonNumericProduct(sign: numerator == 0 ? 0 : negativeRatio ? -1 : 1) }
    var product = exact(negated: (value < 0) != negativeRatio, times: UInt128(numerator.magnitude))
    product.denominator *= UInt128(denominator.magnitude)
    return product.time(preferring: timescale)
  }

  private func nonNumericProduct(sign: Double) -> MediaTime {
    switch kind {
    case .finite, .invalid: .invalid
    case .indefinite: sign.isNaN ? .invalid : .indefinite
    case .positiveInfinity, .negativeInfinity:
      if sign > 0 { self } else if sign < 0 { -self } else { .invalid }
    }
  }
}

extension ExactSeconds {
  /// Divides by `2^(bits + 95)`: by 95 in the denominator, the rest by dropping bits. A dropped 1 is kept as the last bit, so
  /// that rounding still sees that the value was not exact.
  mutating func shrink(by bits: Int) {
    let product = left * right
    let kept = bits < 128 ? product >> UInt128(bits) : 0
    let isInexact = bits >= 128 || kept << UInt128(bits) != product
    left = 1
    right = isInexact ? kept | 1 : kept
    denominator <<= 95
  }
}
