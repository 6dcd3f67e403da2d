/// Text widths in DejaVu Sans and Verdana, which are wider than similar fonts, so that labels that fit by these widths always
/// fit.
package enum TextMetrics {
  /// Advances of U+0020 … U+007E in thousandths of the font size.
  private static let advances: [Double] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636, 636,
    636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603,
    787,
    695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278,
    579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
  ]

  /// The maximum width of a line of text.
  package static func width(of text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
    var sum = 0.0
    for scalar in text.unicodeScalars { sum += advance(of: scalar) }
    return sum * size / 1000 * (isBold ? 1.13 : 1)
  }

  private static func advance(of scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0x20...0x7e: return advances[Int(scalar.value) - 0x20]
    case 0xa0...0x24f: return 800
    case 0x300...0x36f, 0x200b...0x200f, 0x202a...0x202e, 0x2066...0x2069, 0xfe00...0xfe0f: return 0
    case 0x370...0x6ff, 0x2010...0x2027: return 1000
    default: return scalar.properties.isEmojiPresentation ? 1400 : 1100
    }
  }

  /// The longest prefix that fits, with an ellipsis if it is truncated; `nil` if fewer than three characters fit.
  package static func fitting(_ text: String, width: Double, size: Double, isBold: Bool = false) -> String? {
    guard !text.isEmpty, width > 0 else { return nil }
    let unit = size / 1000 * (isBold ? 1.13 : 1)
    let space = width / unit
    var sum = 0.0
    var (kept, keptCount) = ("", 0)
    for character in text {
      // Scalars of joined emoji are counted one by one, which overestimates the width.
      sum += character.unicodeScalars.reduce(0) { $0 + advance(of: $1) }
      if sum > space { return keptCount >= 3 ? kept + "…" : nil }
      if sum + 1000 <= space { (kept, keptCount) = (kept + String(character), keptCount + 1) }
    }
    return text
  }

  /// Breaks text into lines of a maximum width, between words or inside words that are too long.
  static func lines(_ text: String, width: Double, size: Double, limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if self.width(of: longer, size: size) <= width {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = fitting(String(word), width: width, size: size) ?? "…"
      guard lines.count < limit else { break }
    }
    if !line.isEmpty { lines.append(line) }
    guard lines.count > limit, limit > 0 else { return lines }
    return lines.prefix(limit - 1) + [fitting(lines[limit - 1] + " …", width: width, size: size) ?? "…"]
  }
}
