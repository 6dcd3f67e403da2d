/// A decimal number as people and programs write it: `2.5`, `0.30000000000000004`, `1e-3`.
package struct WrittenDecimal: Sendable {
  /// All significant digits as an integer, at most 18 of them; further digits are rounded.
  package private(set) var mantissa = 0
  /// The number of decimal places: the value is `mantissa` / 10 ^ `places`. Trailing zeros don't count. At most 18.
  package private(set) var places = 0
  /// The number of decimal places that are written, including trailing zeros.
  package private(set) var writtenPlaces = 0

  /// Parses digits with an optional sign, point and exponent; `nil` for other strings and for magnitudes of 10^18 or more.
  package init?(_ text: some StringProtocol) {
    var bytes = Substring(text).utf8
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    let end = bytes.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    let exponent = end.map { Int(String(bytes[bytes.index(after: $0)...]) ?? "") } ?? 0
    guard let exponent, abs(exponent) <= 400, readDigits(of: bytes[..<(end ?? bytes.endIndex)]) else { return nil }
    places -= exponent
    writtenPlaces = max(writtenPlaces - exponent, 0)
    guard normalize() else { return nil }
    if isNegative { mantissa = -mantissa }
  }

  private mutating func readDigits(of text: Substring.UTF8View) -> Bool {
    var (hasDigit, hasPoint, isFull, roundsUp) = (false, false, false, false)
    for byte in text {
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        continue
      }
      guard byte.isDecimalDigit else { return false }
      hasDigit = true
      if hasPoint { writtenPlaces += 1 }
      if isFull || mantissa >= WrittenDecimal.limit / 10 {
        // The first digit that doesn't fit decides how the last one is rounded.
        if !isFull { roundsUp = byte >= UInt8(ascii: "5") }
        isFull = true
        if !hasPoint { places -= 1 }
      } else {
        mantissa = mantissa * 10 + Int(byte - UInt8(ascii: "0"))
        if hasPoint { places += 1 }
      }
    }
    if roundsUp { mantissa += 1 }
    return hasDigit
  }

  /// Brings the number of places to 0 … 18, without trailing zeros. Returns false if the number is too large.
  private mutating func normalize() -> Bool {
    if mantissa == 0 { places = 0 }
    while places > 0, mantissa % 10 == 0 {
      mantissa /= 10
      places -= 1
    }
    while places > 18 {
      mantissa = (mantissa + 5) / 10
      places -= 1
    }
    while places < 0 {
      guard mantissa < WrittenDecimal.limit / 10 else { return false }
      mantissa *= 10
      places += 1
    }
    return true
  }

  /// Mantissas are smaller.
  private static let limit = 1_000_000_000_000_000_000

  /// 10 ^ `places`.
  package var denominator: Int { WrittenDecimal.power(places) }

  /// 10 ^ `exponent`, for 0 … 18.
  package static func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }

  /// The value as an exact, reduced ratio.
  package var ratio: Rational { Rational(mantissa, denominator).reduced }

  /// A decimal number with a comma instead of a point, such as `2,5`, possibly with groups of digits (`1.234,50`) and before a unit, as it is
  /// written with a point; `nil` for others.
  package static func withPoint(_ text: String) -> String? {
    guard let comma = text.firstIndex(of: ","), comma != text.startIndex,
      !text[text.index(after: comma)...].contains(",")
    else { return nil }
    let (before, after) = (text[..<comma], text[text.index(after: comma)...])
    guard after.utf8.first?.isDecimalDigit == true, let digits = ungrouped(before) else { return nil }
    return "\(digits).\(after)"
  }

  /// What separates groups of three digits where a comma is the decimal sign.
  private static let separators: Set<Character> = [".", " ", "'", "’", "\u{a0}", "\u{202f}"]

  /// The digits of an integer without what separates its groups; `nil` if it isn't one.
  private static func ungrouped(_ text: Substring) -> String? {
    let sign = text.hasPrefix("-") ? "-" : ""
    let number = text.dropFirst(sign.count)
    let groups = number.split(omittingEmptySubsequences: false, whereSeparator: separators.contains)
    let isGrouped = groups.dropFirst().allSatisfy { $0.count == 3 } && (groups.count == 1 || (1...3).contains(groups[0].count))
    let isEven = Set(number.filter(separators.contains)).count <= 1
    guard isGrouped, isEven, groups.joined().utf8.allSatisfy(\.isDecimalDigit) else { return nil }
    return sign + groups.joined()
  }
}

extension Rational {
  /// Parses a decimal number as a reduced ratio: `2.5` is 5/2. It is exact up to 18 digits. `nil` if it isn't a decimal
  /// number, is 10^18 or more, or is nearer to 0 than 10^-18.
  package init?(decimal text: some StringProtocol) {
    guard let decimal = WrittenDecimal(text), decimal.mantissa != 0 || Double(String(text)) == 0 else { return nil }
    self = decimal.ratio
  }

  /// The ratio that is printed like this. With few decimal places it is the number itself; otherwise, if a simple ratio has
  /// these digits, that ratio: `1.3333333333333333` is 4/3, and `0.30000000000000004` is 3/10. `nil` if it isn't a decimal
  /// number.
  package init?(printed text: some StringProtocol) {
    guard let decimal = WrittenDecimal(text), decimal.mantissa != 0 || Double(String(text)) == 0 else { return nil }
    self = decimal.ratio
    guard decimal.places >= 6 else { return }
    let (value, unit) = (abs(decimal.ratio.value), 1 / Double(decimal.denominator))
    // Numbers that a program has calculated are off by more than the digits that it prints.
    let tolerance = max(decimal.places > 8 ? unit : unit / 2, value * 0x1p-49)
    guard value > tolerance, let simple = Rational.simplest(value - tolerance, value + tolerance, depth: 0),
      decimal.places > 8 || simple.denominator <= 120, Int32(exactly: simple.numerator) != nil
    else { return }
    self = Rational(decimal.mantissa < 0 ? -simple.numerator : simple.numerator, simple.denominator)
  }

  /// The ratio with the smallest denominator from `low` to `high`, which are above 0, by their continued fractions; `nil` if
  /// its numbers have more than 31 bits.
  private static func simplest(_ low: Double, _ high: Double, depth: Int) -> Rational? {
    let whole = low.rounded(.down)
    guard whole < Double(Int32.max), depth < 40 else { return nil }
    if whole == low { return Rational(Int(whole), 1) }
    if whole < high.rounded(.down) { return Rational(Int(whole) + 1, 1) }
    guard let rest = simplest(1 / (high - whole), 1 / (low - whole), depth: depth + 1),
      let numerator = Int32(exactly: Double(whole) * Double(rest.numerator) + Double(rest.denominator)), rest.numerator > 0
    else { return nil }
    return Rational(Int(numerator), rest.numerator)
  }
}

extension UInt8 {
  fileprivate var isDecimalDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
