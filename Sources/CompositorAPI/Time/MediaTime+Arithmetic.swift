extension MediaTime {
  /// Sum.
  ///
  /// Keeps a common timescale; else takes the least common multiple, or ``maximumTimescale`` with rounding where that is
  /// larger. On overflow the timescale is halved until the value fits; where whole seconds do not fit the result is ±∞.
  /// `hasBeenRounded` is sticky. Invalid poisons; `+∞ + −∞` is invalid; else infinity wins, then indefinite. Different epochs
  /// that are both nonzero give invalid, equal ones a duration (epoch 0).
  public static func + (left: MediaTime, right: MediaTime) -> MediaTime { sum(left, right, subtracting: false) }

  /// Difference, by the same rules as the sum; `+∞ − +∞` is invalid.
  public static func - (left: MediaTime, right: MediaTime) -> MediaTime { sum(left, right, subtracting: true) }

  /// Adds in place.
  public static func += (left: inout MediaTime, right: MediaTime) { left = left + right }

  /// Subtracts in place.
  public static func -= (left: inout MediaTime, right: MediaTime) { left = left - right }

  /// The opposite; `−Int64.min` rounds into a coarser timescale rather than trapping.
  public static prefix func - (time: MediaTime) -> MediaTime {
    switch time.kind {
    case .finite: time.exact(negated: time.value > 0).time(timescale: time.timescale)
    case .positiveInfinity: .negativeInfinity
    case .negativeInfinity: .positiveInfinity
    case .indefinite, .invalid: time
    }
  }

  /// The distance from 0.
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
    let (leftScale, rightScale) = (Int128(right.timescale) / Int128(common), Int128(left.timescale) / Int128(common))
    let scaledRight = Int128(right.value) * rightScale
    let numerator = Int128(left.value) * leftScale + (subtracting ? -scaledRight : scaledRight)
    let denominator = UInt128(left.timescale) * UInt128(leftScale)
    let exact = ExactSeconds(
      isNegative: numerator < 0, left: numerator.magnitude, denominator: denominator,
      hasBeenRounded: left.hasBeenRounded || right.hasBeenRounded, epoch: epoch)
    return exact.time(timescale: Int32(exactly: denominator) ?? maximumTimescale)
  }

  private static func nonNumericSum(_ left: MediaTime, _ right: MediaTime) -> MediaTime {
    let kinds = (left.kind, right.kind)
    if kinds.0 == .invalid || kinds.1 == .invalid { return .invalid }
    if left.isInfinite, right.isInfinite, kinds.0 != kinds.1 { return .invalid }
    if left.isInfinite { return kinds.0 == .positiveInfinity ? .positiveInfinity : .negativeInfinity }
    if right.isInfinite { return kinds.1 == .positiveInfinity ? .positiveInfinity : .negativeInfinity }
    return .indefinite
  }

  /// This finite time's magnitude as an exact fraction, with a sign of its own.
  func exact(negated: Bool? = nil, times factor: UInt128 = 1) -> ExactSeconds {
    ExactSeconds(
      isNegative: negated ?? (value < 0), left: UInt128(value.magnitude), right: factor, denominator: UInt128(timescale),
      hasBeenRounded: hasBeenRounded, epoch: epoch)
  }
}
