/// A date of the entry `date` in ISO 8601, with time of day and time zone: `2024-05-01T12:30:00+02:00`.
package struct MetadataDate: Hashable, Sendable {
  /// Seconds since 1970-01-01 UTC.
  package let secondsSince1970: Int

  /// `nil` for anything else, such as a year alone, which isn't a point in time.
  package init?(_ text: String) {
    guard let match = text.wholeMatch(of: Self.form),
      let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), let hour = Int(match.4),
      let minute = Int(match.5), let second = Int(match.6), let zone = Self.zone(match.7)
    else { return nil }
    guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    secondsSince1970 =
      Self.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second - zone
  }

  // `Regex` isn't `Sendable`, because its transformations may not be. This one has none, and isn't changed.
  private nonisolated(unsafe) static let form =
    /([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2})/

  /// Time zone offset in seconds east of Greenwich.
  private static func zone(_ text: Substring) -> Int? {
    guard text != "Z" else { return 0 }
    let digits = text.filter(\.isNumber)
    guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours < 24, minutes < 60 else { return nil }
    return (text.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Days since 1970-01-01 in the Gregorian calendar. Years start in March, so that a leap day is the last day.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = (shifted / 400, shifted % 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
