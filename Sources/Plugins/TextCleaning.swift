/// Makes untrusted strings displayable.
enum TextCleaning {
  /// The string with a question mark for each character that moves the cursor, changes the terminal's state, changes the text
  /// direction or is invisible, and a space for each line ending. The same characters as in `messages.c`.
  static func withoutControls(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { replacement(for: $0) != nil }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { replacement(for: $0) ?? $0 }))
  }

  /// The first Unicode scalars of a string. A single character may consist of any number of them.
  static func shortened(_ text: String, to count: Int) -> String { String(text.unicodeScalars.prefix(count)) }

  /// The same, with an ellipsis in place of the rest.
  static func abbreviated(_ text: String, to count: Int) -> String {
    let start = shortened(text, to: count)
    return start.utf8.count < text.utf8.count ? start + "…" : text
  }

  private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 9, 10, 13, 0x85, 0x2028, 0x2029: " "
    case 0..<0x20, 0x7f..<0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b...0x180f, 0x200b...0x200f,
      0x202a...0x202e, 0x2060...0x206f, 0x3164, 0xfe00...0xfe0e, 0xfeff, 0xffa0, 0xfff0...0xfffb, 0xe0000...0xe0fff:
      "?"
    default: nil
    }
  }

  /// Lines for people, each of which stays one.
  static func lines(_ lines: [String]) -> String { lines.map { withoutControls($0) + "\n" }.joined() }
}
