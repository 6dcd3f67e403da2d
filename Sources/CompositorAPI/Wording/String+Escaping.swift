extension String {
  /// The string with escapes such as `\u{1B}` for characters that control a terminal or change the direction of text, as names of files
  /// and keys of projects may have them. O(n); the string itself if it has none.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: \.isControlling) else { return self }
    return unicodeScalars.map { $0.isControlling ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension String {
  /// JSON in which characters that control a terminal, change the direction of text or are invisible are escape sequences, such as
  /// `\u202e`. Its values are the same. O(n); the string itself if it has none.
  package var escapingControlsOfJSON: String {
    guard unicodeScalars.contains(where: \.isHiddenInJSON) else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      if scalar.isHiddenInJSON {
        for unit in String(scalar).utf16 { escaped += "\\u" + String(0x1_0000 + Int(unit), radix: 16).dropFirst() }
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension Unicode.Scalar {
  /// Whether it is a control or format character that JSON allows in a string as it is.
  fileprivate var isHiddenInJSON: Bool {
    guard value >= 0x7f else { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  fileprivate var isControlling: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
