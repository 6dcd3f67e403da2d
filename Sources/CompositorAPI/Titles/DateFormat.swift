/// A date, or a date and a time of day, as text by the conventions of a language and region: order, names, digits and calendar. They
/// are those of the Unicode locale data (CLDR), as in `Intl.DateTimeFormat` of browsers.
///
/// | format | `en-US` | `de-DE` |
/// |---|---|---|
/// | ``Style/full`` | Sunday, November 29, 2026 | Sonntag, 29. November 2026 |
/// | ``Style/long`` | November 29, 2026 | 29. November 2026 |
/// | ``Style/medium`` | Nov 29, 2026 | 29.11.2026 |
/// | ``Style/short`` | 11/29/26 | 29.11.26 |
/// | skeleton `MMMMd` | November 29 | 29. November |
public struct DateFormat: Hashable, Sendable {
  /// How much is said of a date or a time.
  public enum Style: String, Hashable, Sendable, Codable, CaseIterable {
    /// A date with the day of the week; a time with its zone, which is GMT.
    case full
    /// A date with the month's name; a time with its zone, which is GMT.
    case long
    /// A date with the month's short name, or its number; a time with seconds.
    case medium
    /// A date in numbers; a time without seconds.
    case short
  }

  /// The date as ISO 8601 writes it, `2026-11-29`, or with a time, `2026-11-29T18:30` or `2026-11-29T18:30:15`. It has no time zone.
  public let date: String
  /// The locale as a language tag (BCP 47), such as `de-CH`. Extensions choose another calendar: `fa-IR-u-ca-gregory`.
  public let locale: String
  /// How the date is shown; `nil` for not at all.
  public let dateStyle: Style?
  /// How the time is shown; `nil` for not at all.
  public let timeStyle: Style?
  /// The fields that are shown, in Unicode's letters, such as `yMMMMd` or `EEEEjmm`; `nil` for those of the styles. Their order
  /// and what is between them is that of the locale.
  public let skeleton: String?
  /// Milliseconds since 1970-01-01 00:00.
  package let milliseconds: Int64

  /// Creates a format. Without a style or skeleton the date is ``Style/long``.
  ///
  /// - Throws: `.invalidValue` unless the date is in the calendar and the time in a day; if a style is beside a skeleton; if a time is
  ///   to be shown that the date doesn't have.
  public init(
    _ date: String, locale: String, dateStyle: Style? = nil, timeStyle: Style? = nil, skeleton: String? = nil
  ) throws(CompositorError) {
    guard let found = DateFormat.milliseconds(date) else { throw DateFormat.error(date) }
    guard skeleton == nil || dateStyle == nil && timeStyle == nil else {
      throw CompositorError(
        .invalidValue, "A date has a skeleton and a style.", recoverySuggestion: "Keep one of them.")
    }
    if let skeleton, skeleton.isEmpty || skeleton.count > 40 || !skeleton.allSatisfy({ $0.isASCII && $0.isLetter }) {
      throw CompositorError(
        .invalidValue, "\"\(skeleton)\" isn't a skeleton of a date.",
        recoverySuggestion: "Write letters of fields: y, M, d, E, j, m and s, as in \"yMMMMd\" or \"EEEEd\".")
    }
    let showsTime = timeStyle != nil || skeleton?.contains { "hHkKjJCmsSA".contains($0) } ?? false
    guard !showsTime || date.contains("T") else {
      throw CompositorError(
        .invalidValue, "A time is to be shown, and \"\(date)\" has none.",
        recoverySuggestion: "Write it after a T, such as \"\(date)T18:30\".")
    }
    (self.date, self.locale, self.skeleton, self.timeStyle) = (date, locale, skeleton, timeStyle)
    self.dateStyle = dateStyle ?? (skeleton == nil && timeStyle == nil ? .long : nil)
    milliseconds = found
  }

  /// The error for a text that isn't a date: one that the calendar doesn't have, one with a zone, or another form.
  private static func error(_ text: String) -> CompositorError {
    if text.hasSuffix("Z"), milliseconds(String(text.dropLast())) != nil {
      return CompositorError(
        .invalidValue, "\"\(text)\" has a time zone, and a date is shown as it is written.",
        recoverySuggestion: "Write \"\(text.dropLast())\", in the zone in which it is to be shown.")
    }
    let day = text.prefix { $0 != "T" }
    let parts = day.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 3, let number = number(parts[2], digits: 2), number > 28,
      let last = (28...30).last(where: { days("\(parts[0])-\(parts[1])-\($0)") != nil })
    {
      return CompositorError(
        .invalidValue, "There is no \"\(day)\": that month has \(last) days.",
        recoverySuggestion: "Write a day that the month has, such as \"\(parts[0])-\(parts[1])-\(last)\".")
    }
    return CompositorError(
      .invalidValue, "\"\(text)\" isn't a date.",
      recoverySuggestion: "Write year, month and day, such as \"2026-11-29\", and the time after a T: \"2026-11-29T18:30\".")
  }

  private static func milliseconds(_ text: String) -> Int64? {
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count <= 2, let day = days(halves[0]) else { return nil }
    guard halves.count == 2 else { return day * 86_400_000 }
    let parts = halves[1].split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { number($0, digits: 2) }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return day * 86_400_000 + ((numbers[0] * 60 + numbers[1]) * 60 + (numbers.count > 2 ? numbers[2] : 0)) * 1000
  }

  /// Days since 1970-01-01 in the Gregorian calendar.
  private static func days(_ text: Substring) -> Int64? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = number(parts[0], digits: 4), let month = number(parts[1], digits: 2),
      let day = number(parts[2], digits: 2), year >= 1, (1...12).contains(month), day >= 1
    else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[Int(month) - 1] else { return nil }
    let before = year - 1
    let passed = before * 365 + before / 4 - before / 100 + before / 400
    return passed + lengths.prefix(Int(month) - 1).reduce(0, +) + day - 1 - 719_162
  }

  private static func number(_ text: Substring, digits: Int) -> Int64? {
    text.utf8.count == digits && text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
  }
}

extension DateFormat: Codable {
  private enum CodingKeys: CodingKey, CaseIterable { case date, locale, dateStyle, timeStyle, skeleton }

  /// Decodes `{ date: "2026-11-29", locale: "de-DE", dateStyle: "long" }`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      try values.decode(String.self, forKey: .date), locale: try values.decode(String.self, forKey: .locale),
      dateStyle: try values.decodeIfPresent(Style.self, forKey: .dateStyle),
      timeStyle: try values.decodeIfPresent(Style.self, forKey: .timeStyle),
      skeleton: try values.decodeIfPresent(String.self, forKey: .skeleton))
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(date, forKey: .date)
    try values.encode(locale, forKey: .locale)
    try values.encodeIfPresent(dateStyle, forKey: .dateStyle)
    try values.encodeIfPresent(timeStyle, forKey: .timeStyle)
    try values.encodeIfPresent(skeleton, forKey: .skeleton)
  }
}
