import CompositorAPI
import CompositorTimeline

// Values in the notation of projects. Times and ratios are exact; a value that has no notation is written as a string that the reader
// refuses at its place.

extension JSON5Node {
  static func text(_ text: String) -> JSON5Node { JSON5Node(.string(text)) }
  static func bool(_ bool: Bool) -> JSON5Node { JSON5Node(.bool(bool)) }
  static func integer(_ integer: Int) -> JSON5Node { JSON5Node(.number("\(integer)")) }
  static func list(_ elements: [JSON5Node]) -> JSON5Node { JSON5Node(.array(elements)) }

  /// A number. Integers have no decimal point.
  static func number(_ number: Double) -> JSON5Node {
    Int(exactly: number).map(integer) ?? JSON5Node(.number("\(number)"))
  }

  static func numbers(_ numbers: [Double]) -> JSON5Node { .list(numbers.map(number)) }

  /// A time: seconds if it is a short decimal number, otherwise a ratio.
  static func time(_ time: MediaTime) -> JSON5Node {
    guard time.isNumeric else { return .text(time.readable) }
    let written = ProjectTime.written(time)
    let magnitude = written.hasPrefix("-") ? String(written.dropFirst()) : written
    // A decimal number may be read as the time of a frame that a program printed.
    if case .seconds(let read)? = try? ProjectTime(magnitude), read == (time < .zero ? .zero - time : time) {
      return .text(written)
    }
    let ratio = Rational(Int(time.value), Int(time.timescale)).reduced
    return .text("\(ratio.numerator)/\(ratio.denominator)")
  }

  /// Seconds that aren't stored exactly, as the simplest time that is the same number.
  static func time(seconds: Double) -> JSON5Node {
    let time = MediaTime.seconds(seconds)
    if time.isNumeric, time.seconds == seconds { return .time(time) }
    guard let ratio = Rational(exactly: seconds) else { return .text("\(seconds)s") }
    return .text("\(ratio.numerator)/\(ratio.denominator)")
  }

  /// A ratio: a number if it is an integer, otherwise `N/D`.
  static func ratio(_ ratio: Rational) -> JSON5Node {
    let reduced = ratio.reduced
    return reduced.denominator == 1
      ? .integer(reduced.numerator) : .text("\(reduced.numerator)/\(reduced.denominator)")
  }

  /// A ratio as the simplest one that is a number.
  static func ratio(_ number: Double) -> JSON5Node { Rational(exactly: number).map { .ratio($0) } ?? .number(number) }

  /// A fraction in percent: `"50%"`.
  static func percent(_ fraction: Double) -> JSON5Node {
    func text(_ percent: Double) -> String { (Int(exactly: percent).map { "\($0)" } ?? "\(percent)") + "%" }
    let exact = fraction * 100
    let candidates = [(exact * 1e9).rounded() / 1e9, exact, exact.nextUp, exact.nextDown].map(text)
    return .text(candidates.first { CanvasLength($0)?.percentage?.value == fraction } ?? candidates[1])
  }

  static func decibels(_ level: Double) -> JSON5Node {
    .text((Int(exactly: level).map { "\($0)" } ?? "\(level)") + "dB")
  }

  static func size(_ size: PixelSize) -> JSON5Node { .text("\(size.width)x\(size.height)") }
  static func easing(_ easing: Easing) -> JSON5Node { .text(easing.description) }
  static func color(_ color: Color) -> JSON5Node { .text(color.written) }

  /// A parameter; `nil` for the contents of a file, which only a program has.
  static func parameter(_ value: ParameterValue) -> JSON5Node? {
    switch value {
    case .bool(let bool): return .bool(bool)
    case .integer(let integer): return .integer(integer)
    case .number(let number): return .number(number)
    case .string(let text): return .text(text)
    case .list(let elements):
      let written = elements.compactMap(parameter)
      return written.count == elements.count ? .list(written) : nil
    case .data: return nil
    }
  }
}

extension JSON5Node {
  /// The value with the characters `${` in its strings written so that they aren't read as variables.
  var escapingVariables: JSON5Node {
    switch value {
    case .string(let text): .text(JSON5Node.escapingVariables(text))
    case .array(let elements): .list(elements.map(\.escapingVariables))
    case .object(let members): JSON5Node(.object(members.map { JSON5Member($0.key, $0.value.escapingVariables) }))
    case .null, .bool, .number: self
    }
  }

  /// Doubles the dollar signs before a brace.
  private static func escapingVariables(_ text: String) -> String {
    guard text.contains("${") else { return text }
    var (result, dollars) = ("", 0)
    for character in text {
      if character == "$" {
        dollars += 1
        continue
      }
      result += String(repeating: "$", count: character == "{" ? 2 * dollars : dollars)
      result.append(character)
      dollars = 0
    }
    return result + String(repeating: "$", count: dollars)
  }

  /// Whether both are the same value, at any place of a text.
  func isSame(as other: JSON5Node) -> Bool {
    switch (value, other.value) {
    case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value.isSame(as: $1.value) }
    default: value == other.value
    }
  }
}

extension Color {
  /// The color as `#rrggbb` or `#rrggbbaa` if it has whole codes, otherwise in the notation of CSS.
  fileprivate var written: String {
    func code(_ component: Double) -> String {
      let text = String(Int((min(max(component, 0), 1) * 255).rounded()), radix: 16)
      return text.count < 2 ? "0" + text : text
    }
    let parts = alpha == 1 ? [red, green, blue] : [red, green, blue, alpha]
    let codes = "#" + parts.map(code).joined()
    if Color(notation: codes) == self { return codes }
    let numbers = "\(red) \(green) \(blue)" + (alpha == 1 ? "" : " / \(alpha)")
    // No project has colors of other primaries and transfer functions.
    let space = primaries == .bt709 && transfer == .sRGB ? "srgb" : "h273-\(primaries.rawValue)-\(transfer.rawValue)"
    return "color(\(space) \(numbers))"
  }
}

extension Rational {
  /// The simplest ratio of which the nearest floating-point value is a number; `nil` if it needs a denominator that no time has.
  fileprivate init?(exactly number: Double) {
    guard number.isFinite, abs(number) < 1e9 else { return nil }
    var (before, last) = ((top: 0, bottom: 1), (top: 1, bottom: 0))
    var rest = abs(number)
    // The convergents of its continued fraction.
    for _ in 0..<64 {
      guard rest < 0x1p31 else { return nil }
      let whole = Int(rest)
      let next = (top: whole * last.top + before.top, bottom: whole * last.bottom + before.bottom)
      guard next.bottom <= Int(Int32.max), next.top < 1 << 53 else { return nil }
      (before, last) = (last, next)
      if Double(next.top) / Double(next.bottom) == abs(number) {
        self.init(number < 0 ? -next.top : next.top, next.bottom)
        return
      }
      guard rest > Double(whole) else { return nil }
      rest = 1 / (rest - Double(whole))
    }
    return nil
  }
}
