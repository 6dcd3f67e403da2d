/// `± left · right / denominator` seconds, before conversion to a value and a timescale.
///
/// There are two factors rather than one number, because the product of a time and a ratio of durations needs up to 157 bits.
/// These bounds prevent overflow below: `left` < 2⁹⁶, `right` < 2¹²⁷, 0 < `denominator` < 2¹²⁷.
struct ExactSeconds {
  var isNegative: Bool
  var left: UInt128
  var right: UInt128 = 1
  var denominator: UInt128
  /// Whether an operand was rounded.
  var hasBeenRounded = false
  /// The epoch of the result.
  var epoch: Int64 = 0

  /// The time at the coarsest timescale that represents it exactly, a multiple of `preferredTimescale` if possible; rounded at
  /// the largest timescale if none represents it.
  func time(preferring preferredTimescale: Int32) -> MediaTime {
    var reduced = self
    let common = greatestCommonDivisor(left, denominator)
    reduced.left /= common
    reduced.denominator /= common
    let rest = greatestCommonDivisor(right, reduced.denominator)
    reduced.right /= rest
    reduced.denominator /= rest
    let candidates = [
      commonTimescale(reduced.denominator, UInt128(preferredTimescale)), Int32(exactly: reduced.denominator),
    ]
    for timescale in candidates.compactMap(\.self) {
      if let time = reduced.time(timescale: timescale, rounding: .halfAwayFromZero) { return time }
    }
    return reduced.time(timescale: MediaTime.maximumTimescale)
  }

  /// The time at `timescale` (> 0), rounded half away from zero. On overflow the timescale is halved until it fits; if even an
  /// integral number of seconds doesn't fit, the result is ±∞.
  func time(timescale: Int32) -> MediaTime {
    var timescale = timescale
    while true {
      if let time = time(timescale: timescale, rounding: .halfAwayFromZero) { return time }
      guard timescale > 1 else { return isNegative ? .negativeInfinity : .positiveInfinity }
      timescale /= 2
    }
  }

  /// The time at exactly `timescale` (> 0); `nil` if it doesn't fit.
  func time(timescale: Int32, rounding: MediaTime.RoundingMethod) -> MediaTime? {
    let product = (left * UInt128(timescale)).multipliedFullWidth(by: right)
    guard product.high < denominator else { return nil }
    let (quotient, remainder) = denominator.dividingFullWidth(product)
    let away = rounding.roundsAway(
      isNegative: isNegative, quotient: quotient, remainder: remainder, divisor: denominator)
    guard quotient <= UInt128(Int64.max) + 1 else { return nil }
    let magnitude = Int128(quotient) + (away ? 1 : 0)
    guard let value = Int64(exactly: isNegative ? -magnitude : magnitude) else { return nil }
    let flags: MediaTime.Flags = hasBeenRounded || remainder != 0 ? [.valid, .hasBeenRounded] : .valid
    return MediaTime(value: value, timescale: timescale, flags: flags, epoch: epoch)
  }
}

/// The least common multiple of two timescales (> 0); `nil` if it is above the largest timescale.
func commonTimescale(_ left: UInt128, _ right: UInt128) -> Int32? {
  let maximum = UInt128(MediaTime.maximumTimescale)
  guard left <= maximum, right <= maximum else { return nil }
  return Int32(exactly: left / greatestCommonDivisor(left, right) * right)
}

/// The greatest common divisor by Euclid's algorithm; the other number if one is 0, and 1 if both are.
func greatestCommonDivisor<Number: FixedWidthInteger & UnsignedInteger>(_ left: Number, _ right: Number) -> Number {
  var (a, b) = (left, right)
  while b != 0 { (a, b) = (b, a % b) }
  return max(a, 1)
}
