extension MediaTime {
  /// The sum of two times.
  ///
  /// Keeps a common timescale; otherwise uses the least common multiple, or ``maximumTimescale`` with rounding if that is
  /// larger. On overflow the timescale is halved until the value fits; if an integral number of seconds doesn't fit, the result
  /// is ±∞. `hasBeenRounded` is sticky. If either operand is invalid, so is the result; `+∞ + −∞` is invalid; otherwise
  /// infinity takes precedence, then indefinite. Different nonzero epochs give an invalid time, equal ones a duration (epoch
  /// 0).
  public static func + (left: MediaTime, right: MediaTime) -> MediaTime { sum(left, right, subtracting: false) }

  /// The difference of two times, by the same rules as the sum. `+∞ − +∞` is invalid.
  public static func - (left: MediaTime, right: MediaTime) -> MediaTime { sum(left, right, subtracting: true) }

  /// Adds in place.
  public static func += (left: inout MediaTime, right: MediaTime) { left = left + right }

  /// Subtracts in place.
  public static func -= (left: inout MediaTime, right: MediaTime) { left = left - right }

  /// The negated time. `−Int64.min` is rounded to a coarser timescale rather than trapping.
  public static prefix func - (time: MediaTime) -> MediaTime {
    switch time.kind {
    case .finite: time.exact(negated: time.value > 0).time(timescale: time.timescale)
    case .positiveInfinity: .negativeInfinity
    case .negativeInfinity: .positiveInfinity
    case .indefinite, .invalid: time
    }
  }

  /// The absolute value.
  public var magnitude: MediaTime { kind == .negativeInfinity || (kind == .finite && value < 0) ? -self : self }

  private static func sum(_ left: MediaTime, _ right: MediaTime, subtracting: Bool) -> MediaTime {
    guard left.isNumeric, right.isNumeric else { return nonNumericSum(left, subtracting ? -right : right) }
    guard left.epoch == right.epoch || left.epoch == 0 || right.epoch == 0 else { return .invalid }
    let epoch = left.epoch == right.epoch ? 0 : left.epoch | right.epoch
    if left.timescale == right.timescale, left.epoch == right.epoch {
      let (value, overflow) =
        subtracting
        ? left.value.subtractingReportingOverflow(right.value) : left.value.addingReportingOverflow(right.value)
      if !overflow {
        let flags = left.flags.union(right.flags).intersection([.valid, .hasBeenRounded])
        return MediaTime(value: value, timescale: left.timescale, flags: flags, epoch: epoch)
      }
    }
    let common = greatestCommonDivisor(UInt32(left.timescale), UInt32(right.timescale))
    if left.epoch == 0, right.epoch == 0, let sum = smallSum(left, right, Int64(common), subtracting: subtracting) {
      return sum
    }
    let (leftScale, rightScale) = (Int128(right.timescale) / Int128(common), Int128(left.timescale) / Int128(common))
    let scaledRight = Int128(right.value) * rightScale
    let numerator = Int128(left.value) * leftScale + (subtracting ? -scaledRight : scaledRight)
    let denominator = UInt128(left.timescale) * UInt128(leftScale)
    let exact = ExactSeconds(
      isNegative: numerator < 0, left: numerator.magnitude, denominator: denominator,
      hasBeenRounded: left.hasBeenRounded || right.hasBeenRounded, epoch: epoch)
    return exact.time(timescale: Int32(exactly: denominator) ?? maximumTimescale)
  }

  /// The exact sum of two finite times if all intermediate values fit in 64 bits, which is nearly always the case.
  private static func smallSum(_ left: MediaTime, _ right: MediaTime, _ common: Int64, subtracting: Bool) -> MediaTime? {
    let (leftScale, rightScale) = (Int64(right.timescale) / common, Int64(left.timescale) / common)
    guard let timescale = Int32(exactly: Int64(left.timescale) * leftScale) else { return nil }
    let (first, second) = (
      left.value.multipliedReportingOverflow(by: leftScale), right.value.multipliedReportingOverflow(by: rightScale)
    )
    guard !first.overflow, !second.overflow else { return nil }
    let (value, overflow) =
      subtracting
      ? first.partialValue.subtractingReportingOverflow(second.partialValue)
      : first.partialValue.addingReportingOverflow(second.partialValue)
    guard !overflow else { return nil }
    let flags = left.flags.union(right.flags).intersection([.valid, .hasBeenRounded])
    return MediaTime(value: value, timescale: timescale, flags: flags)
  }

  private static func nonNumericSum(_ left: MediaTime, _ right: MediaTime) -> MediaTime {
    let kinds = (left.kind, right.kind)
    if kinds.0 == .invalid || kinds.1 == .invalid { return .invalid }
    if left.isInfinite, right.isInfinite, kinds.0 != kinds.1 { return .invalid }
    if left.isInfinite { return kinds.0 == .positiveInfinity ? .positiveInfinity : .negativeInfinity }
    if right.isInfinite { return kinds.1 == .positiveInfinity ? .positiveInfinity : .negativeInfinity }
    return .indefinite
  }

  /// The magnitude of this finite time as an exact fraction with the given sign.
  func exact(negated: Bool? = nil, times factor: UInt128 = 1) -> ExactSeconds {
    ExactSeconds(
      isNegative: negated ?? (value < 0), left: UInt128(value.magnitude), right: factor, denominator: UInt128(timescale),
      hasBeenRounded: hasBeenRounded, epoch: epoch)
  }
}

extension MediaTime {
  /// The product with an integer, at the same timescale, or a coarser one on overflow.
  ///
  /// An infinity keeps or changes its sign; ∞ × 0 is invalid; indefinite stays indefinite.
  public static func * (time: MediaTime, factor: Int) -> MediaTime {
    guard time.isNumeric else { return time.nonNumericProduct(sign: Double(factor.signum())) }
    let (value, overflow) = time.value.multipliedReportingOverflow(by: Int64(factor))
    if !overflow {
      return MediaTime(
        value: value, timescale: time.timescale, flags: time.flags.intersection([.valid, .hasBeenRounded]), epoch: time.epoch)
    }
    return time.exact(negated: (time.value < 0) != (factor < 0), times: UInt128(factor.magnitude))
      .time(timescale: time.timescale)
  }

  /// The product with a number. The timescale is first doubled until it is at least 65,536; the product is exact before it is
  /// rounded to that timescale. NaN gives an invalid time, ±∞ gives ±∞ (0 × ∞ is invalid).
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
      // Split over both factors; beyond 106 bits the product fits no timescale.
      exact.right <<= UInt128(min(exponent, 73))
      exact.left <<= UInt128(min(max(exponent - 73, 0), 33))
    } else if exponent >= -95 {
      exact.denominator <<= UInt128(-exponent)
    } else {
      exact.shrink(by: -exponent - 95)
    }
    return exact.time(timescale: Int32(timescale))
  }

  /// The product with a number.
  public static func * (factor: Double, time: MediaTime) -> MediaTime { time * factor }

  /// `time · numerator / denominator`, exact if some timescale can represent it; otherwise rounded at the largest timescale.
  ///
  /// x / 0 is ±∞, 0 / 0 is invalid. The timescale is kept if it can represent the result.
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
  /// Divides by `2^(bits + 95)`: by 2⁹⁵ in the denominator, the rest by dropping bits. A dropped 1 is kept as the last bit, so
  /// that rounding still detects an inexact value.
  mutating func shrink(by bits: Int) {
    let product = left * right
    let kept = bits < 128 ? product >> UInt128(bits) : 0
    let isInexact = bits >= 128 || kept << UInt128(bits) != product
    left = 1
    right = isInexact ? kept | 1 : kept
    denominator <<= 95
  }
}
