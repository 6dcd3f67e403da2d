import CompositorAPI

/// Formats numbers, times and external strings for diagrams, independently of the locale.
enum DiagramText {
  /// A number with 0 … 9 decimals and a decimal point; 0 if it isn't finite.
  static func fixed(_ value: Double, _ decimals: Int = 2) -> String {
    var factor: Int64 = 1
    for _ in 0..<decimals { factor *= 10 }
    let scaled = (value * Double(factor)).rounded()
    guard scaled.isFinite else { return fixed(0, decimals) }
    let number = Int64(min(max(scaled, -9e18), 9e18))
    let (whole, part) = (number.magnitude / factor.magnitude, number.magnitude % factor.magnitude)
    let sign = number < 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let digits = String(part)
    return "\(sign)\(whole).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
  }

  /// A number without trailing zeros.
  static func short(_ value: Double, _ decimals: Int) -> String {
    var text = fixed(value, decimals)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  /// `2.5 s`, from a minute on `1:30:00.5`; `invalid`.
  static func seconds(_ time: MediaTime) -> String {
    guard time.isNumeric else { return special(time) }
    return clock(time.seconds) ?? "\(short(time.seconds, 6)) s"
  }

  /// Hours, minutes and seconds; `nil` below a minute, and for times that no movie has.
  private static func clock(_ seconds: Double) -> String? {
    guard abs(seconds) >= 60, abs(seconds) < 1e9 else { return nil }
    let micros = Int64((abs(seconds) * 1e6).rounded())
    let (whole, fraction) = (micros / 1_000_000, micros % 1_000_000)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    let head = hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"
    let tail = fraction == 0 ? "" : String(short(Double(fraction) / 1e6, 6).dropFirst())
    return "\(seconds < 0 ? "-" : "")\(head):\(two(whole % 60))\(tail)"
  }

  /// `2.5 s (5/2)`: seconds, and the exact fraction.
  static func exact(_ time: MediaTime) -> String {
    guard time.isNumeric else { return special(time) }
    return time.timescale == 1 ? seconds(time) : "\(seconds(time)) (\(time.value)/\(time.timescale))"
  }

  /// `1 s to 2.5 s (5/2), 1.5 s (3/2) long`.
  static func range(_ range: TimeRange) -> String {
    "\(exact(range.start)) to \(exact(range.end)), \(exact(range.duration)) long"
  }

  private static func special(_ time: MediaTime) -> String {
    if time == .positiveInfinity { return "+∞" }
    if time == .negativeInfinity { return "−∞" }
    return time.isIndefinite ? "indefinite" : "invalid"
  }

  /// An external string made safe for one line of a diagram: at most `limit` characters, without control characters, and
  /// without those that change the writing direction, so that they cannot affect the surrounding text.
  static func clean(_ text: some StringProtocol, limit: Int = 160) -> String {
    var result = ""
    var count = 0
    var isRightToLeft = false
    for character in text {
      if count == limit {
        result += "…"
        break
      }
      var kept = ""
      for scalar in character.unicodeScalars.prefix(16) {
        switch scalar.value {
        case 0...0x20, 0x7f...0x9f, 0x2028, 0x2029: if kept.last != " " { kept += " " }
        case 0x200e, 0x200f, 0x61c, 0x202a...0x202e, 0x2066...0x2069, 0xfffe, 0xffff, 0xfdd0...0xfdef: break
        default:
          if scalar.value & 0xfffe == 0xfffe { break }
          if isStrongRightToLeft(scalar) { isRightToLeft = true }
          kept.unicodeScalars.append(scalar)
        }
      }
      result += kept
      count += 1
    }
    while result.hasSuffix(" ") { result.removeLast() }
    // An isolate protects following digits and punctuation from reordering.
    return isRightToLeft ? "\u{2068}\(result)\u{2069}" : result
  }

  private static func isStrongRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
    default: false
    }
  }

  /// The name of a source without its folder.
  static func name(of source: MediaSource) -> String {
    let text = source.description
    switch source {
    case .file, .imageSequence: return clean(text.fileName)
    case .generated, .custom: return clean(text)
    }
  }

  /// `3 segments`, `1 segment`.
  static func count(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
