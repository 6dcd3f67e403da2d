extension MediaTime {
  /// A number of whole seconds.
  public static func seconds(_ count: Int) -> MediaTime { MediaTime(value: Int64(count), timescale: 1) }

  /// A number of seconds, exact if it has at most nine decimals, else rounded to a nanosecond; invalid for what is not finite or beyond
  /// 9 billion seconds. `.seconds(0.5)` is 1/2, `.seconds(1.001)` is 1001/1000.
  public static func seconds(_ seconds: Double) -> MediaTime {
    var timescale: Int32 = 1
    for _ in 0..<9 {
      let scaled = seconds * Double(timescale)
      // Decimals are never exact in binary: what is nearest to them is what was meant.
      if abs(scaled - scaled.rounded()) <= scaled.magnitude.ulp * 2 { break }
      timescale *= 10
    }
    guard let value = Int64(exactly: (seconds * Double(timescale)).rounded()) else { return .invalid }
    return MediaTime(value: value, timescale: timescale)
  }

  /// A number of frames at a rate, exactly: `.frames(12, at: 25)` is 12/25, `.frames(1, at: Rational(30000, 1001))` is 1001/30000.
  /// Invalid if the rate isn't above 0 or the result does not fit.
  public static func frames(_ count: Int, at rate: Rational) -> MediaTime {
    let (value, overflow) = Int64(count).multipliedReportingOverflow(by: Int64(rate.denominator))
    guard !overflow, rate.denominator > 0, let timescale = Int32(exactly: rate.numerator), timescale > 0 else {
      return .invalid
    }
    return MediaTime(value: value, timescale: timescale)
  }

  /// The range from one time to before another: `.seconds(2) ..< .seconds(5)`.
  public static func ..< (start: MediaTime, end: MediaTime) -> TimeRange { TimeRange(start: start, end: end) }
}

extension Rational: ExpressibleByIntegerLiteral {
  /// A whole number, as in `frameRate: 25`.
  public init(integerLiteral value: Int) { self.init(value, 1) }
}
