extension String {
  /// The string with escapes such as `\u{1B}` for characters that control a terminal or change the direction of text, as names of files
  /// and keys of projects may have them. O(n); the string itself if it has none.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: \.isControlling) else { return self }
    return unicodeScalars.map { $0.isControlling ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isControlling: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
