package import CompositorAPI

/// Quotes names for a POSIX shell (`sh`, `dash`, `bash`, `zsh`).
///
/// Works on scalars: a quote followed by a combining accent is one character, but still ends a word.
package enum ShellText {
  /// A shell word for exactly this string.
  package static func quoted(_ text: String) -> String {
    isPlain(text) ? text : "'" + escaped(text) { $0 == "'" ? "'\\''" : nil } + "'"
  }

  /// A shell word for exactly this string without line breaks, for lists of one command per line.
  ///
  /// - Throws: `.invalidValue` if the string ends with a line break, which cannot be written in a single line.
  package static func quotedInOneLine(_ text: String) throws(CompositorError) -> String {
    guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return quoted(text) }
    // Command substitution drops line breaks at the end.
    guard text.utf8.last != 0x0A else {
      throw CompositorError(
        .invalidValue, "File names that end in a newline can't be used in a command list.",
        recoverySuggestion: "Rename the file, or use another engine.", at: ErrorLocation(file: text))
    }
    var format = escaped(text) { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\\": "\\\\"
      case "%": "%%"
      case "'": "'\\''"
      default: nil
      }
    }
    // A format that begins with a dash would be an option.
    if format.unicodeScalars.first == "-" { format = "\\055" + String(format.unicodeScalars.dropFirst()) }
    return "\"$(printf '\(format)')\""
  }

  /// A path that commands don't mistake for an option.
  package static func path(_ path: String) -> String { path.utf8.first == UInt8(ascii: "-") ? "./" + path : path }

  private static func escaped(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let replacement = replacement(scalar) { result += replacement.unicodeScalars } else { result.append(scalar) }
    }
    return String(result)
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "_@%+:,./-".utf8.contains(byte)
        }
      }
  }
}
