/// A time as clocks, players and caption files show it: minutes and seconds, or hours, minutes and seconds, with a fraction of a
/// second after a point or a comma: `2:05`, `1:02:03.5`, `00:00:02,500`.
package struct ClockTime: Sendable {
  /// The digits of hours, if there are any, minutes and seconds.
  package let parts: [Substring]
  /// The digits after the point or the comma; empty if there is none.
  package let fraction: Substring

  /// Splits a string at its colons; `nil` if it isn't two or three numbers, the last one possibly with a fraction. The numbers
  /// may have any number of digits up to 6: see ``isRegular``.
  package init?(_ text: some StringProtocol) {
    let text = Substring(text)
    let point = text.firstIndex { $0 == "." || $0 == "," }
    parts = text[..<(point ?? text.endIndex)].split(separator: ":", omittingEmptySubsequences: false)
    fraction = point.map { text[text.index(after: $0)...] } ?? ""
    guard (2...3).contains(parts.count), parts.allSatisfy({ (1...6).contains($0.utf8.count) && $0.hasOnlyDigits }),
      fraction.hasOnlyDigits, point == nil || !fraction.isEmpty
    else { return nil }
  }

  /// Whether minutes after hours, and seconds, have two digits and are below 60.
  package var isRegular: Bool { parts.dropFirst().allSatisfy { $0.utf8.count == 2 && $0.first.map { $0 < "6" } == true } }

  /// The time; `nil` if it is too large.
  package var time: MediaTime? { ClockTime.time(of: parts.compactMap { Int($0) }, fraction: fraction) }

  /// The regular notation of the same time: `1:15` for `0:75`. The fraction stays as it is.
  package var regular: String {
    let seconds = parts.compactMap { Int($0) }.reduce(0) { $0 * 60 + $1 }
    let end = fraction.isEmpty ? "" : "." + fraction
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    guard seconds >= 3600 else { return "\(seconds / 60):\(twoDigits(seconds % 60))\(end)" }
    return "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))\(end)"
  }

  /// The exact time of hours, minutes and seconds, or of minutes and seconds, with the decimal digits of a fraction of a second;
  /// `nil` if it is too large.
  package static func time(of parts: [Int], fraction: some StringProtocol) -> MediaTime? {
    let seconds = parts.reduce(0) { $0 * 60 + $1 }
    return WrittenDecimal("\(seconds).\(fraction)").flatMap { PrintedTime($0, isMilliseconds: false).time }
  }
}

extension Substring {
  fileprivate var hasOnlyDigits: Bool { utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } }
}
