import CompositorAPI

/// The line of a caption file that states when a caption is shown: `00:00:01,000 --> 00:00:02,500`.
///
/// The notations of SubRip and WebVTT are read alike, with what programs and people make of them: hours or fractions may be
/// missing, a comma may be a point, the arrow may be another one, and spaces may be anywhere.
struct CaptionTiming {
  let start: MediaTime
  let end: MediaTime
  /// What follows the times: settings of WebVTT, or coordinates.
  let rest: Substring

  private static let arrows = ["-->", "->", "\u{2013}>", "\u{2014}>", "\u{2192}"]

  /// `nil` for other lines.
  init?(_ line: Substring) {
    guard let first = line.first(where: { !$0.isWhitespace }), first.isASCII, first.isNumber || first == "-",
      let arrow = CaptionTiming.arrow(in: line)
    else { return nil }
    var (left, right) = (Substring(line[..<arrow.lowerBound]), Substring(line[arrow.upperBound...]))
    guard let start = CaptionTiming.time(&left), left.allSatisfy(\.isWhitespace), let end = CaptionTiming.time(&right),
      right.first.map(\.isWhitespace) ?? true
    else { return nil }
    (self.start, self.end, rest) = (start, end, right)
  }

  /// Whether a line is meant as one, but has times that cannot be read.
  static func isDamaged(_ line: Substring) -> Bool {
    guard let arrow = line.firstRange(of: "-->") else { return false }
    func isTime(_ text: Substring) -> Bool {
      text.contains(":") && text.allSatisfy { $0.isWhitespace || $0.isNumber || ":.,;-".contains($0) }
    }
    let end = line[arrow.upperBound...].drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
    return isTime(line[..<arrow.lowerBound]) || line.first?.isNumber == true && isTime(end)
  }

  private static func arrow(in line: Substring) -> Range<Substring.Index>? {
    for arrow in arrows { if let range = line.firstRange(of: arrow) { return range } }
    return nil
  }

  /// Takes a time from the beginning of a string: `[-][hours:]minutes:seconds[,fraction]`. `nil` if there is none.
  static func time(_ text: inout Substring) -> MediaTime? {
    var scanner = Scanner(text)
    scanner.skipSpaces()
    let isNegative = scanner.take("-")
    guard let first = scanner.digits(), scanner.takeSpaced(":"), let second = scanner.digits() else { return nil }
    var numbers = [first, second]
    if scanner.takeSpaced(":") {
      guard let third = scanner.digits() else { return nil }
      numbers.append(third)
    }
    var fraction = ""
    if scanner.takeSpaced(",") || scanner.takeSpaced(".") {
      fraction = scanner.digits() ?? ""
    } else if numbers.count == 3, scanner.takeSpaced(":") {
      // Three digits are milliseconds; two would be frames of an unknown rate.
      guard let digits = scanner.digits(), digits.count == 3 else { return nil }
      fraction = digits
    }
    let parts = numbers.compactMap { Int($0) }
    guard parts.count == numbers.count, parts.allSatisfy({ $0 < 1_000_000 }) else { return nil }
    guard let time = ClockTime.time(of: parts, fraction: fraction) else { return nil }
    text = scanner.rest
    return isNegative ? .zero - time : time
  }
}

/// Takes characters from the beginning of a string.
private struct Scanner {
  private(set) var rest: Substring

  init(_ text: Substring) { rest = text }

  mutating func skipSpaces() { rest = rest.drop { $0 == " " || $0 == "\t" } }

  mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes a character with the spaces around it.
  mutating func takeSpaced(_ character: Character) -> Bool {
    let start = rest
    skipSpaces()
    guard take(character) else {
      rest = start
      return false
    }
    skipSpaces()
    return true
  }

  mutating func digits() -> String? {
    let found = rest.prefix { $0.isASCII && $0.isNumber }
    guard !found.isEmpty, found.count <= 18 else { return nil }
    rest = rest[found.endIndex...]
    return String(found)
  }
}

extension String {
  /// The lines, however they end.
  var captionLines: [Substring] {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }
}
