package import CompositorAPI

/// Exact rational time whose arithmetic throws rather than rounds, because the boundaries of an edit must coincide exactly.
package struct ExactTime: Hashable, Comparable, Sendable {
  /// The numerator in lowest terms.
  package let numerator: Int64
  /// The denominator, > 0.
  package let denominator: Int32

  package static let zero = ExactTime(numerator: 0, denominator: 1)

  private init(numerator: Int64, denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates a ratio in lowest terms if it fits.
  private init(_ numerator: Int128, over denominator: Int128) throws(CompositorError) {
    // Nearly all times are small, and a 64-bit division takes a tenth of the time.
    if let small = Int64(exactly: numerator), let under = UInt64(exactly: denominator), under > 0 {
      var (a, b) = (small.magnitude, under)
      while b != 0 { (a, b) = (b, a % b) }
      if let timescale = Int32(exactly: under / a), let divisor = Int64(exactly: a) {
        self.init(numerator: small / divisor, denominator: timescale)
        return
      }
    }
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = max(1, Int128(a))
    guard let value = Int64(exactly: numerator / divisor), let timescale = Int32(exactly: denominator / divisor), timescale > 0
    else {
      throw CompositorError(
        .invalidValue, "The time \(numerator / divisor)/\(denominator / divisor) is too large or has too fine a fraction.",
        recoverySuggestion: "Write times whose denominators have more in common, such as frames.")
    }
    self.init(numerator: value, denominator: timescale)
  }

  /// Creates an exact time from a finite time.
  ///
  /// - Throws: `.invalidValue` if the time isn't numeric.
  package init(_ time: MediaTime) throws(CompositorError) {
    guard time.isNumeric, time.timescale > 0 else {
      throw CompositorError(.invalidValue, "The time \(time) is not a finite number of seconds.")
    }
    try self.init(Int128(time.value), over: Int128(time.timescale))
  }

  /// Creates the start time of frame `number` at a rate.
  package init(frame number: Int64, rate: Rational) throws(CompositorError) {
    try self.init(Int128(number) * Int128(rate.denominator), over: Int128(rate.numerator))
  }

  /// The time as numerator and timescale.
  package var mediaTime: MediaTime { MediaTime(value: numerator, timescale: denominator) }

  /// The number of whole frames at a rate. The last may be a millisecond short, because of coarse timestamps.
  package func wholeFrames(rate: Rational) -> Int64 {
    let thousandths = (Int128(numerator) * 1000 + Int128(denominator)) * Int128(rate.numerator)
    let unit = Int128(denominator) * 1000 * Int128(max(1, rate.denominator))
    return Int64(clamping: max(0, thousandths) / unit)
  }

  /// The start of the first frame at a rate that isn't before this time: the position of a boundary on the output's frame grid.
  package func roundedUpToFrame(rate: Rational) throws(CompositorError) -> ExactTime {
    let (dividend, divisor) = (Int128(numerator) * Int128(rate.numerator), Int128(denominator) * Int128(rate.denominator))
    var frame = dividend / divisor
    if dividend > 0, frame * divisor != dividend { frame += 1 }
    return try ExactTime(frame: Int64(clamping: frame), rate: rate)
  }

  /// The timescale of natural durations: a multiple of the frame rate's and of 1/90000 s, the finest common clock of
  /// containers.
  package static func sharedTimescale(frameRate: Rational) -> Int64 {
    var (a, b) = (Int64(frameRate.numerator), Int64(90000))
    while b != 0 { (a, b) = (b, a % b) }
    let shared = Int64(frameRate.numerator) / max(1, a) * 90000
    return shared <= Int64(Int32.max) ? shared : Int64(frameRate.numerator)
  }

  /// Flicks per second, a multiple of every common frame and sample rate.
  package static let flicks: Int64 = 705_600_000

  /// The timescale of natural durations of audio: flicks, if the frame rate allows sums with them.
  package static func sampleTimescale(frameRate: Rational) -> Int64 {
    frameRate.numerator > 0 && Int(flicks) % frameRate.numerator == 0 ? flicks : sharedTimescale(frameRate: frameRate)
  }

  /// The tick of a timescale that is nearest to this time.
  package func rounded(toTimescale timescale: Int64) throws(CompositorError) -> ExactTime {
    let doubled = Int128(numerator) * Int128(timescale) * 2 + Int128(denominator)
    let (quotient, rest) = doubled.quotientAndRemainder(dividingBy: Int128(denominator) * 2)
    return try ExactTime(rest < 0 ? quotient - 1 : quotient, over: Int128(timescale))
  }

  /// The last tick of a timescale that isn't after this time.
  package func roundedDown(toTimescale timescale: Int64) throws(CompositorError) -> ExactTime {
    let ticks = Int128(numerator) * Int128(timescale) / Int128(denominator)
    return try ExactTime(ticks, over: Int128(timescale))
  }

  package static func + (left: ExactTime, right: ExactTime) throws(CompositorError) -> ExactTime {
    let (a, b) = (Int128(left.denominator), Int128(right.denominator))
    return try ExactTime(Int128(left.numerator) * b + Int128(right.numerator) * a, over: a * b)
  }

  package static func - (left: ExactTime, right: ExactTime) throws(CompositorError) -> ExactTime {
    let (a, b) = (Int128(left.denominator), Int128(right.denominator))
    return try ExactTime(Int128(left.numerator) * b - Int128(right.numerator) * a, over: a * b)
  }

  /// - Parameter ratio: A ratio of 32-bit integers with a denominator > 0.
  package static func * (left: ExactTime, ratio: Rational) throws(CompositorError) -> ExactTime {
    try ExactTime(
      Int128(left.numerator) * Int128(ratio.numerator), over: Int128(left.denominator) * Int128(ratio.denominator))
  }

  package static func < (left: ExactTime, right: ExactTime) -> Bool {
    Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
  }
}

/// A half-open range of exact times.
package struct ExactRange: Hashable, Sendable {
  package var start: ExactTime
  package var end: ExactTime

  package init(_ start: ExactTime, _ end: ExactTime) {
    self.start = start
    self.end = end
  }

  package func timeRange() throws(CompositorError) -> TimeRange {
    TimeRange(start: start.mediaTime, duration: try (end - start).mediaTime)
  }

  package func contains(_ time: ExactTime) -> Bool { time >= start && time < end }
}
