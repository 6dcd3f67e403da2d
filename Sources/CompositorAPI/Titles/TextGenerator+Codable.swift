extension TextGenerator: Codable {
  private enum CodingKeys: CodingKey, CaseIterable { case number, duration, timecode }
  private enum NumberKeys: CodingKey, CaseIterable { case fractionDigits, minimumIntegerDigits, grouping, rounding }
  private enum DurationKeys: CodingKey, CaseIterable { case format, rounding }
  private enum TimecodeKeys: CodingKey, CaseIterable { case framesPerSecond, startFrame, dropFrame }

  /// Reads `{ number: { fractionDigits: 2, minimumIntegerDigits: 1, grouping: ",", rounding: "nearest" } }`, where every key may be
  /// missing, `{ duration: { format: "m:ss", rounding: "ceiling" } }`, where the rounding may be missing, or
  /// `{ timecode: { framesPerSecond: "30000/1001", startFrame: 0, dropFrame: true } }`, where the rate may be a number.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if values.contains(.duration) {
      let duration = try values.nestedContainer(keyedBy: DurationKeys.self, forKey: .duration)
      self = .duration(
        try duration.decode(DurationFormat.self, forKey: .format), rounding: try duration.read(.rounding, or: .floor))
      return
    }
    guard values.contains(.timecode) else {
      let number = try values.nestedContainer(keyedBy: NumberKeys.self, forKey: .number)
      self = .number(
        fractionDigits: try number.read(.fractionDigits, or: 0),
        minimumIntegerDigits: try number.read(.minimumIntegerDigits, or: 1), grouping: try number.read(.grouping, or: ""),
        rounding: try number.read(.rounding, or: .nearest))
      return
    }
    let timecode = try values.nestedContainer(keyedBy: TimecodeKeys.self, forKey: .timecode)
    let rate = try timecode.decode(RateNotation.self, forKey: .framesPerSecond).rate
    let dropFrame = try timecode.read(.dropFrame, or: false)
    guard !dropFrame || Int(rate.value.rounded()) % 30 == 0 else {
      throw CompositorError(
        .invalidValue, "Timecode drops frames only at 29.97 and 59.94 frames a second.",
        recoverySuggestion: "Leave dropFrame out, or give another rate.")
    }
    self = .timecode(
      framesPerSecond: rate, startFrame: try timecode.read(.startFrame, or: 0), dropFrame: dropFrame)
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .number(let fractionDigits, let minimumIntegerDigits, let grouping, let rounding):
      var number = values.nestedContainer(keyedBy: NumberKeys.self, forKey: .number)
      try number.encode(fractionDigits, forKey: .fractionDigits)
      try number.encode(minimumIntegerDigits, forKey: .minimumIntegerDigits)
      try number.encode(grouping, forKey: .grouping)
      try number.encode(rounding, forKey: .rounding)
    case .duration(let format, let rounding):
      var duration = values.nestedContainer(keyedBy: DurationKeys.self, forKey: .duration)
      try duration.encode(format, forKey: .format)
      try duration.encode(rounding, forKey: .rounding)
    case .timecode(let framesPerSecond, let startFrame, let dropFrame):
      var timecode = values.nestedContainer(keyedBy: TimecodeKeys.self, forKey: .timecode)
      try timecode.encode("\(framesPerSecond.numerator)/\(framesPerSecond.denominator)", forKey: .framesPerSecond)
      try timecode.encode(startFrame, forKey: .startFrame)
      try timecode.encode(dropFrame, forKey: .dropFrame)
    }
  }
}

/// A frame rate as a number or as `"N/D"`.
private struct RateNotation: Decodable {
  let rate: Rational

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    let parts: [Int?]
    if let number = try? single.decode(Int.self) {
      parts = [number, 1]
    } else {
      parts = try single.decode(String.self).split(separator: "/", omittingEmptySubsequences: false).map { Int($0) } + [1]
    }
    guard parts.count <= 3, let numerator = parts[0], let denominator = parts[1], numerator > 0, denominator > 0,
      numerator / denominator <= 1000, denominator <= Int32.max, numerator <= Int32.max
    else {
      throw DecodingError.dataCorruptedError(
        in: single, debugDescription: "a frame rate is an integer up to 1000, or a text such as \"30000/1001\"")
    }
    rate = Rational(numerator, denominator)
  }
}
