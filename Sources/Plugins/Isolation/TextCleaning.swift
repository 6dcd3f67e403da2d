/// What others wrote, as it may be shown.
enum TextCleaning {
  /// The same text with a question mark for each character that moves a cursor, changes a terminal's state or turns the direction of
  /// text, and a space for each end of a line.
  static func withoutControls(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.value {
          case 9, 10, 13: " "
          case 0..<0x20, 0x7f..<0xa0, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff: "?"
          default: scalar
          }
        }))
  }
}
