package import CompositorAPI

/// The duration of a tick in seconds, as a ratio: the unit of a stream's timestamps.
package struct Timebase: Sendable, Hashable {
  /// Numerator, > 0.
  package let numerator: Int32
  /// Denominator, > 0.
  package let denominator: Int32

  /// One tick per frame, at a rate that was checked (`Rational.checkedFrameRate(file:)`).
  package init(frameRate: Rational) {
    self.init(numerator: Int32(clamping: frameRate.denominator), denominator: Int32(clamping: frameRate.numerator))
  }

  /// Damaged files may state anything: an invalid ratio becomes milliseconds.
  package init(numerator: Int32, denominator: Int32) {
    let isUsable = numerator > 0 && denominator > 0
    self.numerator = isUsable ? numerator : 1
    self.denominator = isUsable ? denominator : 1000
  }

  /// The exact time of a number of ticks; the nearest whole second if that cannot be represented, ±∞ beyond.
  package func time(_ ticks: Int64) -> MediaTime {
    let product = ticks.multipliedReportingOverflow(by: Int64(numerator))
    if !product.overflow { return MediaTime(value: product.partialValue, timescale: denominator) }
    let seconds = Int128(ticks) * Int128(numerator) / Int128(denominator)
    guard let value = Int64(exactly: seconds) else { return ticks < 0 ? .negativeInfinity : .positiveInfinity }
    return MediaTime(value: value, timescale: 1)
  }

  /// Ticks are clamped to ± this value: a damaged file may state any time, and differences must not overflow.
  package static let farthestTick: Int64 = 1 << 57

  /// The tick, clamped to ± ``farthestTick``.
  package static func clamped(_ tick: Int64) -> Int64 { min(max(tick, -farthestTick), farthestTick) }

  /// The last tick that is not after `time`, which must be numeric; clamped to ± ``farthestTick``.
  package func lastTick(notAfter time: MediaTime) -> Int64 {
    let dividend = Int128(time.value) * Int128(denominator)
    let divisor = Int128(time.timescale) * Int128(numerator)
    var quotient = dividend / divisor
    if dividend < 0, quotient * divisor != dividend { quotient -= 1 }
    return Self.clamped(Int64(clamping: quotient))
  }

  /// Duration of a tick in seconds.
  package var seconds: Double { Double(numerator) / Double(denominator) }

  /// The rate of `frames` frames in `ticks` ticks, in lowest terms; 0/1 if that isn't a valid rate or doesn't fit.
  package func rate(frames: Int64, ticks: Int64) -> Rational {
    guard frames > 0, ticks > 0 else { return Rational(0, 1) }
    var (a, b) = (Int128(frames) * Int128(denominator), Int128(ticks) * Int128(numerator))
    let (top, bottom) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    guard let rate = Int32(exactly: top / a), let unit = Int32(exactly: bottom / a) else { return Rational(0, 1) }
    return Rational(Int(rate), Int(unit))
  }

  /// The number of ticks in a number of seconds, rounded, at least 1.
  package func ticks(seconds: Double) -> Int64 {
    let count = (seconds * Double(denominator) / Double(numerator)).rounded()
    return count < 1 ? 1 : count > 1e15 ? 1_000_000_000_000_000 : Int64(count)
  }
}

extension Rational {
  /// The number as a frame rate in frames per second.
  ///
  /// - Throws: `.invalidValue` unless both parts are 1 … 2³¹ − 1.
  package func checkedFrameRate(file: String) throws(CompositorError) -> Rational {
    let allowed = 1...Int(Int32.max)
    guard allowed.contains(numerator), allowed.contains(denominator) else {
      throw CompositorError(
        .invalidValue, "\(self) is not a frame rate.", recoverySuggestion: "Give a rate above 0, for example 30000/1001.",
        at: ErrorLocation(file: file))
    }
    return self
  }
}

extension MediaTime {
  /// - Throws: `.invalidValue` for a time that is not numeric.
  package func requireNumeric(file: String) throws(CompositorError) {
    guard isNumeric else {
      throw CompositorError(
        .invalidValue, "A frame was requested at a time that is not a number of seconds.",
        recoverySuggestion: "Request a finite time.", at: ErrorLocation(file: file))
    }
  }
}

extension MediaTime {
  /// The time in units of `unit` seconds, rounded to nearest with halves up and clamped to 64 bits. Must be numeric.
  package func rounded(toUnitsOf unit: Rational) -> Int64 {
    let numerator = Int128(value) * Int128(unit.denominator)
    let denominator = Int128(timescale) * Int128(unit.numerator)
    let (twice, full) = (2 * numerator + denominator, 2 * denominator)
    let quotient = twice >= 0 ? twice / full : -((full - 1 - twice) / full)
    return Int64(clamping: quotient)
  }
}
