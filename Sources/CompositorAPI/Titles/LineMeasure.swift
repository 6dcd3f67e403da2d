/// How long lines are about, before any font is known: by widths that letters have in a wide text face.
enum LineMeasure {
  /// A line as several where it is too long, broken between words.
  ///
  /// - Parameter ems: The room, in heights of the em.
  static func broken(_ line: Substring, ems: Double) -> [String] {
    guard width(of: line) > ems else { return [String(line)] }
    var lines: [String] = []
    var current = ""
    for word in line.split(separator: " ") {
      let longer = current.isEmpty ? String(word) : "\(current) \(word)"
      if !current.isEmpty, width(of: Substring(longer)) > ems {
        lines.append(current)
        current = String(word)
      } else {
        current = longer
      }
    }
    return lines + [current]
  }

  /// In heights of the em.
  static func width(of text: Substring) -> Double {
    text.reduce(0) { sum, character in
      guard let scalar = character.unicodeScalars.first else { return sum }
      if scalar.value >= 0x1100 { return sum + 1 }
      if scalar == " " { return sum + 0.35 }
      return sum + (character.isUppercase ? 0.75 : 0.62)
    }
  }
}
