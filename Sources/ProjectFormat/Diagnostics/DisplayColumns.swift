/// The columns that a string occupies on a terminal: two for wide characters, none for combining marks, and up to the next stop
/// for tabs.
struct DisplayColumns {
  /// The character at each column; `nil` for the second half of a wide character.
  private(set) var cells: [Character?] = []
  /// The column after the string.
  private(set) var end: Int

  /// The number of columns between tab stops.
  private static let tabWidth = 4

  /// The number of columns.
  var count: Int { cells.count }

  /// - Parameters:
  ///   - bytes: UTF-8 without line breaks.
  ///   - column: The column at which it begins, for tab stops.
  init(_ bytes: ArraySlice<UInt8>, from column: Int = 0) {
    end = column
    for character in String(decoding: bytes, as: UTF8.self) {
      if character == "\t" {
        let count = DisplayColumns.tabWidth - end % DisplayColumns.tabWidth
        cells += [Character?](repeating: " ", count: count)
        end += count
        continue
      }
      guard let first = character.unicodeScalars.first else { continue }
      // Control characters could control the terminal.
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      let isWide = !isControl && (DisplayColumns.isWide(first) || character.unicodeScalars.contains("\u{FE0F}"))
      cells.append(isControl ? "\u{FFFD}" : DisplayColumns.isMark(first) ? " " : character)
      if isWide { cells.append(nil) }
      end += isWide ? 2 : 1
    }
  }

  /// Whether it is a combining mark.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }

  /// East Asian Width W and F (Unicode Standard Annex 11), and emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF,
      0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
