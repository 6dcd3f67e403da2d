/// Text that is generated from the time, from a number or from a date.
public enum TextGenerator: Hashable, Sendable {
  /// The layer's ``TextContent/value`` with a fixed number of decimals, a minimum number of digits before the decimal point,
  /// and `grouping` between groups of three digits.
  case number(fractionDigits: Int, minimumIntegerDigits: Int, grouping: String, rounding: NumberRounding = .nearest)
  /// The layer's ``TextContent/value`` as a locale writes it.
  case localizedNumber(NumberFormat)
  /// A date as a locale writes it.
  case date(DateFormat)
  /// The layer's ``TextContent/value`` as a duration in seconds. Negative values have a minus sign.
  ///
  /// Animate the value for a clock: from 10 to 0 in ten seconds with ``NumberRounding/ceiling``, `m:ss` shows 0:10, 0:09 … 0:01
  /// for one second each, and 0:00 when the time is up.
  case duration(DurationFormat, rounding: NumberRounding = .floor)
  /// Hours, minutes, seconds and frames of the layer's time, according to SMPTE ST 12-1. `dropFrame` selects drop-frame
  /// counting for 29.97 and 59.94.
  case timecode(framesPerSecond: Rational, startFrame: Int, dropFrame: Bool)
}

/// How a value between two representable numbers is rounded. A value within a millionth of its last digit of a representable
/// number, or of the middle between two, is considered equal to it, because computed values are seldom exact.
public enum NumberRounding: String, Hashable, Sendable, Codable, CaseIterable {
  /// To the nearest, halves away from zero.
  case nearest
  /// Down.
  case floor
  /// Up.
  case ceiling

  /// The rounded amount of the smallest displayed unit, ≥ 0.
  ///
  /// - Parameter isNegative: Whether the amount is below zero, which swaps up and down.
  package func integer(_ amount: Double, isNegative: Bool) -> Double {
    switch (self, isNegative) {
    case (.nearest, _): (amount - amount.rounded(.down) + 1e-6).rounded() + amount.rounded(.down)
    case (.floor, false), (.ceiling, true): (amount + 1e-6).rounded(.down)
    case (.floor, true), (.ceiling, false): max((amount - 1e-6).rounded(.up), 0)
    }
  }
}

extension TextGenerator: Codable {
  private enum CodingKeys: CodingKey, CaseIterable { case number, date, duration, timecode }
  private enum NumberKeys: CodingKey, CaseIterable {
    case fractionDigits, minimumIntegerDigits, grouping, rounding, locale, style, currency, maximumFractionDigits
  }
  private enum DurationKeys: CodingKey, CaseIterable { case format, rounding }
  private enum TimecodeKeys: CodingKey, CaseIterable { case framesPerSecond, startFrame, dropFrame }

  /// Decodes `{ number: { fractionDigits: 2, minimumIntegerDigits: 1, grouping: ",", rounding: "nearest" } }` (every key is
  /// optional), `{ number: { locale: "de-DE", style: "currency", currency: "EUR" } }`, `{ date: { date: "2026-11-29", locale:
  /// "de-DE" } }`, `{ duration: { format: "m:ss", rounding: "ceiling" } }` (the rounding is optional), or `{ timecode: {
  /// framesPerSecond: "30000/1001", startFrame: 0, dropFrame: true } }` (the rate may be a number).
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if values.contains(.duration) {
      let duration = try values.nestedContainer(keyedBy: DurationKeys.self, forKey: .duration)
      self = .duration(
        try duration.decode(DurationFormat.self, forKey: .format), rounding: try duration.read(.rounding, or: .floor))
      return
    }
    if values.contains(.date) {
      self = .date(try values.decode(DateFormat.self, forKey: .date))
      return
    }
    guard values.contains(.timecode) else {
      let number = try values.nestedContainer(keyedBy: NumberKeys.self, forKey: .number)
      if let format = try TextGenerator.numberFormat(number) {
        self = .localizedNumber(format)
        return
      }
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

  /// The format of a number with a locale; `nil` for one without.
  private static func numberFormat(_ values: KeyedDecodingContainer<NumberKeys>) throws -> NumberFormat? {
    guard values.contains(.locale) else {
      guard let key = [NumberKeys.style, .currency, .maximumFractionDigits].first(where: values.contains) else { return nil }
      throw CompositorError(
        .invalidValue, "A number has a \(key.stringValue) and no locale.",
        recoverySuggestion: "Write the locale, such as locale: \"en-US\" or \"de\".")
    }
    let grouping = try values.decodeIfPresent(String.self, forKey: .grouping)
    guard grouping?.isEmpty != false else {
      throw CompositorError(
        .invalidValue, "A number has a locale and its own separator of groups.",
        recoverySuggestion: "Leave grouping out, write \"\" for no groups, or leave the locale out.")
    }
    return try NumberFormat(
      locale: try values.read(.locale, or: ""), style: try values.read(.style, or: .decimal),
      currency: try values.read(.currency, or: ""),
      fractionDigits: try values.decodeIfPresent(Int.self, forKey: .fractionDigits),
      maximumFractionDigits: try values.decodeIfPresent(Int.self, forKey: .maximumFractionDigits),
      minimumIntegerDigits: try values.read(.minimumIntegerDigits, or: 1), isGrouped: grouping == nil,
      rounding: try values.read(.rounding, or: .nearest))
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .localizedNumber(let format):
      var number = values.nestedContainer(keyedBy: NumberKeys.self, forKey: .number)
      try number.encode(format.locale, forKey: .locale)
      try number.encode(format.style, forKey: .style)
      if !format.currency.isEmpty { try number.encode(format.currency, forKey: .currency) }
      try number.encodeIfPresent(format.fractionDigits, forKey: .fractionDigits)
      try number.encodeIfPresent(format.maximumFractionDigits, forKey: .maximumFractionDigits)
      try number.encode(format.minimumIntegerDigits, forKey: .minimumIntegerDigits)
      if !format.isGrouped { try number.encode("", forKey: .grouping) }
      try number.encode(format.rounding, forKey: .rounding)
    case .date(let format): try values.encode(format, forKey: .date)
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
        in: single, debugDescription: "a frame rate is an integer up to 1000, or a string such as \"30000/1001\"")
    }
    rate = Rational(numerator, denominator)
  }
}
