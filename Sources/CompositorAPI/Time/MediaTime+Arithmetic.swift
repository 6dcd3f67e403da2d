extension MediaTime {
  /// Whether this is any time at all.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether this is a finite number of seconds.
  public var isNumeric: Bool {
    isValid && flags.isDisjoint(with: [.positiveInfinity, .negativeInfinity, .indefinite])
  }
  /// Seconds as a double: NaN where invalid or indefinite, ±∞ where infinite.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    if flags.contains(.positiveInfinity) { return .infinity }
    if flags.contains(.negativeInfinity) { return -.infinity }
    return .nan
  }
  /// Sum.
  public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(
      value: left.value * Int64(right.timescale) + right.value * Int64(left.timescale),
      timescale: left.timescale * right.timescale)
  }
  /// Difference.
  public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(
      value: left.value * Int64(right.timescale) - right.value * Int64(left.timescale),
      timescale: left.timescale * right.timescale)
  }
}
extension MediaTime: Hashable, Comparable {
  /// Whether both are the same point in time: 1/2 equals 2/4.
  public static func == (left: MediaTime, right: MediaTime) -> Bool {
    left.value * Int64(right.timescale) == right.value * Int64(left.timescale)
  }
  /// The total order.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    left.value * Int64(right.timescale) < right.value * Int64(left.timescale)
  }
  /// Hashes so that equal times hash alike.
  public func hash(into hasher: inout Hasher) { hasher.combine(seconds) }
}
extension MediaTime: Codable {
  /// Reads parts.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(value: try container.decode(Int64.self), timescale: try container.decode(Int32.self))
  }
  /// Writes parts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(value)
    try container.encode(timescale)
  }
}
extension MediaTime: CustomStringConvertible {
  /// `1001/30000`.
  public var description: String { "\(value)/\(timescale)" }
}
