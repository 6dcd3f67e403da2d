extension LayerTiming: Codable {
  private enum CodingKeys: CodingKey, CaseIterable {
    case beginTime, duration, speed, timeOffset, repeatCount, repeatDuration, autoreverses, fillMode
  }

  /// Reads a timing; missing keys have their defaults. A `duration`, `repeatCount` or `repeatDuration` without end is `"forever"`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func length(_ key: CodingKeys, or standard: Double) throws -> Double {
      try values.decodeIfPresent(LengthNotation.self, forKey: key)?.value ?? standard
    }
    self.init()
    beginTime = try values.read(.beginTime, or: beginTime)
    duration = try length(.duration, or: duration)
    speed = try values.read(.speed, or: speed)
    timeOffset = try values.read(.timeOffset, or: timeOffset)
    repeatCount = try length(.repeatCount, or: repeatCount)
    repeatDuration = try length(.repeatDuration, or: repeatDuration)
    autoreverses = try values.read(.autoreverses, or: autoreverses)
    fillMode = try values.read(.fillMode, or: fillMode)
    try requireUsable()
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(beginTime, forKey: .beginTime)
    try values.encode(LengthNotation(value: duration), forKey: .duration)
    try values.encode(speed, forKey: .speed)
    try values.encode(timeOffset, forKey: .timeOffset)
    try values.encode(LengthNotation(value: repeatCount), forKey: .repeatCount)
    try values.encode(LengthNotation(value: repeatDuration), forKey: .repeatDuration)
    try values.encode(autoreverses, forKey: .autoreverses)
    try values.encode(fillMode, forKey: .fillMode)
  }
}

/// A number that may have no end: JSON has no word for infinity.
private struct LengthNotation: Codable {
  var value: Double

  init(value: Double) { self.value = value }

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let number = try? single.decode(Double.self) {
      value = number
    } else if let word = try? single.decode(String.self), word == "forever" {
      value = .infinity
    } else {
      throw DecodingError.dataCorruptedError(in: single, debugDescription: "here stands a number, or \"forever\"")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    if value == .infinity { try single.encode("forever") } else { try single.encode(value) }
  }
}
