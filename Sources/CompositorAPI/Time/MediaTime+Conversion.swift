extension MediaTime {
  /// How a time that a timescale cannot hold is brought to one that it can.
  public enum RoundingMethod: String, Hashable, Sendable, Codable, CaseIterable {
    /// To the nearest; a half goes away from zero.
    case halfAwayFromZero
    /// Toward zero.
    case towardZero
    /// Away from zero.
    case awayFromZero
    /// Toward zero into a coarser timescale, away from zero into a finer one; a negative time never becomes 0.
    case quickTime
    /// Toward +∞.
    case towardPositiveInfinity
    /// Toward −∞.
    case towardNegativeInfinity

    /// The usual one.
    public static let `default` = RoundingMethod.halfAwayFromZero

    func roundsAway(isNegative: Bool, quotient: UInt128, remainder: UInt128, divisor: UInt128) -> Bool {
      guard remainder > 0 else { return false }
      return switch self {
      case .halfAwayFromZero: remainder >= divisor - remainder
      case .towardZero: false
      case .awayFromZero: true
      case .towardPositiveInfinity: !isNegative
      case .towardNegativeInfinity: isNegative
      // A conversion has already chosen the direction; what is left is the rule for small negative times.
      case .quickTime: isNegative && quotient == 0
      }
    }
  }

  /// The time nearest to a number of seconds at a timescale.
  ///
  /// A timescale ≤ 0 or NaN gives invalid, ±∞ gives ±∞. On overflow the timescale is halved until the value fits, and where
  /// whole seconds do not fit the result is ±∞. `hasBeenRounded` says that ``seconds`` is not the number given.
  public init(seconds: Double, preferredTimescale: Int32) {
    guard preferredTimescale > 0, !seconds.isNaN else {
      self = .invalid
      return
    }
    var timescale = preferredTimescale
    while true {
      let scaled = (seconds * Double(timescale)).rounded(.toNearestOrAwayFromZero)
      if let value = Int64(exactly: scaled) {
        self.init(value: value, timescale: timescale)
        if self.seconds != seconds { flags.insert(.hasBeenRounded) }
        return
      }
      guard timescale > 1 else { break }
      timescale /= 2
    }
    self = seconds < 0 ? .negativeInfinity : .positiveInfinity
  }

  /// Seconds as a double: NaN where invalid or indefinite, ±∞ where infinite.
  public var seconds: Double {
    switch kind {
    case .finite: Double(value) / Double(timescale)
    case .positiveInfinity: .infinity
    case .negativeInfinity: -.infinity
    case .indefinite, .invalid: .nan
    }
  }

  /// The same time at another timescale, rounded where that cannot hold it; `hasBeenRounded` then says so.
  ///
  /// A timescale ≤ 0 gives invalid. A value that does not fit gives ±∞. Times that are not numeric stay as they are.
  public func converted(toTimescale newTimescale: Int32, rounding: RoundingMethod = .default) -> MediaTime {
    guard isNumeric else { return self }
    guard newTimescale > 0 else { return .invalid }
    guard newTimescale != timescale else { return self }
    let finer = newTimescale > timescale
    let method = rounding == .quickTime && finer ? .awayFromZero : rounding
    return exact().time(timescale: newTimescale, rounding: method) ?? (value < 0 ? .negativeInfinity : .positiveInfinity)
  }
}
