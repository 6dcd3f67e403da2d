import CompositorAPI

/// The characters of a text diagram.
struct TextGlyphs {
  let left, right, single, line, gap, merged, error, warning, axis, tick, playhead: Character
  let levels: [Character]

  static let box = TextGlyphs(
    left: "├", right: "┤", single: "│", line: "─", gap: "╌", merged: "▒", error: "!", warning: "?", axis: "─", tick: "┴",
    playhead: "▼", levels: Array("▁▂▃▄▅▆▇█"))
  static let ascii = TextGlyphs(
    left: "[", right: "]", single: "|", line: "-", gap: ".", merged: "#", error: "!", warning: "?", axis: "-", tick: "+",
    playhead: "v", levels: Array("_.:-=+*#"))

  /// The character for a level from 0 to 1.
  func level(_ share: Double) -> Character {
    levels[min(levels.count - 1, max(0, Int((share * Double(levels.count - 1)).rounded())))]
  }
}

/// A line of a terminal.
struct TextCells {
  /// A character per column; an empty string after a wide character, which takes two columns.
  private var cells: [String]

  init(_ count: Int) { cells = Array(repeating: " ", count: count) }

  var text: String { cells.joined() }

  mutating func put(_ character: Character, at column: Int) {
    if cells.indices.contains(column) { cells[column] = String(character) }
  }

  /// Writes a string, starting at a column and truncated to fit.
  mutating func put(_ text: String, at column: Int) {
    var column = column
    for character in text {
      let width = Self.width(character)
      guard width > 0, column >= 0, column + width <= cells.count else { continue }
      cells[column] = String(character)
      if width == 2 { cells[column + 1] = "" }
      column += width
    }
  }

  /// `├name────┤`
  mutating func box(_ mark: DiagramMark, _ extent: Range<Int>, _ glyphs: TextGlyphs) {
    let fill =
      mark.count > 1
      ? glyphs.merged
      : mark.kind == .gap
        ? glyphs.gap : mark.severity == .error ? glyphs.error : mark.severity == .warning ? glyphs.warning : glyphs.line
    for column in extent { put(fill, at: column) }
    guard extent.count > 1 else {
      put(mark.count > 1 ? glyphs.merged : mark.kind == .diagnostic ? fill : glyphs.single, at: extent.lowerBound)
      if mark.kind == .diagnostic, let label = mark.label, label.count == 1 { put(label, at: extent.lowerBound) }
      return
    }
    put(glyphs.left, at: extent.lowerBound)
    put(glyphs.right, at: extent.upperBound - 1)
    let space = extent.count - 2
    let label = DiagramText.unmarked(mark.label ?? "")
    let shown = Self.fitting(label, space)
    if shown == label || Self.width(shown) >= 3 { put(shown, at: extent.lowerBound + 1) }
  }

  /// The columns that a character occupies in a terminal: 0, 1 or 2.
  static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{fe0f}") { return 2 }
    switch first.value {
    case 0..<0x20, 0x7f..<0xa0, 0x300..<0x370, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfe00...0xfe0f: return 0
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
      return 2
    default: return 1
    }
  }

  static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// The string, truncated with an ellipsis if it does not fit, and optionally padded with spaces to the width.
  static func fitting(_ text: String, _ columns: Int, padded: Bool = false) -> String {
    let whole = width(text)
    if whole <= columns { return padded ? text + String(repeating: " ", count: columns - whole) : text }
    guard columns > 0 else { return "" }
    var (result, count) = ("", 0)
    for character in text {
      let width = width(character)
      if count + width > columns - 1 { break }
      result.append(character)
      count += width
    }
    return result + "…" + (padded ? String(repeating: " ", count: max(0, columns - count - 1)) : "")
  }

  static func wrapped(_ text: String, _ columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if width(longer) <= columns {
        line = longer
      } else {
        if !line.isEmpty { lines.append(line) }
        line = fitting(String(word), columns)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
