import CompositorAPI

extension ProjectTime {
  /// Parses minutes and seconds, or hours, minutes and seconds: `0:02`, `1:02:03.5`, `00:00:02,500`. `nil` if the string has
  /// another form.
  ///
  /// - Throws: `.invalidValue` if minutes or seconds have one digit, as in `1:5`, which may mean 5 or 50 seconds, or are 60 or
  ///   more.
  static func clock(_ text: String) throws(CompositorError) -> ProjectTime? {
    guard let clock = ClockTime(text) else { return nil }
    guard clock.isRegular else {
      let following = clock.parts.dropFirst()
      guard following.allSatisfy({ $0.utf8.count <= 2 }) else { return nil }
      let isShort = following.contains { $0.utf8.count == 1 }
      throw CompositorError(
        .invalidValue,
        isShort
          ? "In \(quoted(text)), the minutes or seconds after a colon have one digit instead of two."
          : "In \(quoted(text)), the minutes or seconds after a colon are not from 00 to 59.",
        advice: .write(.string(clock.regular)))
    }
    guard let time = clock.time else { throw tooLong(text) }
    return .seconds(time)
  }

  /// The notation of a time that is written in another one: `1:30` for `1m30s`, `5s` for `5 sec`, `0:02` for `0:02s`. `nil` if
  /// none is recognized.
  static func spelling(of text: String) -> String? {
    let words = text.lowercased().filter { $0 != " " }
    let plain = words.prefix { !$0.isLetter }
    if plain.contains(":") {
      // A unit after a clock time says nothing.
      return ["s", "sec", "m", "min", "h"].contains(words[plain.endIndex...]) ? ClockTime(plain)?.regular : nil
    }
    if let match = words.wholeMatch(of: /([0-9]{1,9})fr(ames?)?/) { return "\(match.1)f" }
    if let match = words.wholeMatch(of: /([0-9]{1,9}(?:\.[0-9]{1,9})?)(?:s|secs?|seconds?|ms|msecs?|milliseconds?)/) {
      return match.0.contains("m") ? "\(match.1)ms" : "\(match.1)s"
    }
    let hours =
      /([0-9]{1,4})h(?:rs?|ours?)?(?:([0-9]{1,4})m(?:ins?|inutes?)?)?(?:([0-9]{1,4})(\.[0-9]{1,9})?s(?:ecs?|econds?)?)?/
    if let match = words.wholeMatch(of: hours) {
      return ClockTime("\(match.1):\(match.2 ?? "0"):\(match.3 ?? "0")\((match.4 ?? nil) ?? "")")?.regular
    }
    let minutes = /([0-9]{1,4})m(?:ins?|inutes?)?(?:([0-9]{1,4})(\.[0-9]{1,9})?(?:s(?:ecs?|econds?)?)?)?/
    guard let match = words.wholeMatch(of: minutes) else { return nil }
    return ClockTime("\(match.1):\(match.2 ?? "0")\((match.3 ?? nil) ?? "")")?.regular
  }
}
