/// A file name pattern with one number: `%d` or `%04d` (1 … 20 digits), with `%%` for a percent sign.
package struct NumberedName: Hashable, Sendable {
  /// The parts before and after the number.
  package let prefix, suffix: String
  /// Minimum number of digits.
  package let digits: Int

  /// Parses a pattern; `nil` unless it has exactly one number and no stray percent sign.
  package init?(_ pattern: String) {
    var texts = [""]
    var digits: Int?
    var rest = pattern[...]
    while let percent = rest.firstIndex(of: "%") {
      texts[texts.count - 1] += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        texts[texts.count - 1] += "%"
        rest = rest.dropFirst()
        continue
      }
      let width = rest.prefix { $0.isASCII && $0.isNumber }
      guard digits == nil, rest.dropFirst(width.count).first == "d", let count = Int(width.isEmpty ? "1" : width),
        count <= 20
      else { return nil }
      digits = max(1, count)
      texts.append("")
      rest = rest.dropFirst(width.count + 1)
    }
    texts[texts.count - 1] += rest
    guard let digits, texts.count == 2 else { return nil }
    (prefix, self.digits, suffix) = (texts[0], digits, texts[1])
  }

  /// The name with a number ≥ 0.
  package func name(_ number: Int) -> String {
    let number = String(number)
    return prefix + String(repeating: "0", count: max(0, digits - number.count)) + number + suffix
  }

  /// The number that yields `name`; `nil` if none does.
  package func number(of name: String) -> Int? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count,
      let number = Int(name.dropFirst(prefix.count).dropLast(suffix.count)), number >= 0, self.name(number) == name
    else { return nil }
    return number
  }
}
