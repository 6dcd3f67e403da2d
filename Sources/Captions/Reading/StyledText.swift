import CompositorAPI

/// Text with styles, as it is read from markup.
struct StyledText {
  private(set) var spans: [CaptionSpan] = []
  /// The style of what is added next.
  var look = CaptionSpan("")

  mutating func add(_ text: some StringProtocol) {
    guard !text.isEmpty else { return }
    var span = look
    if let last = spans.last {
      span.text = last.text
      if span == last {
        spans[spans.count - 1].text += text
        return
      }
    }
    span.text = String(text)
    spans.append(span)
  }

  /// Removes white space at both ends.
  mutating func trim() {
    while let first = spans.first {
      spans[0].text = String(first.text.drop(while: \.isWhitespace))
      guard spans[0].text.isEmpty else { break }
      spans.removeFirst()
    }
    while var last = spans.last {
      while last.text.last?.isWhitespace == true { last.text.removeLast() }
      spans[spans.count - 1] = last
      guard last.text.isEmpty else { break }
      spans.removeLast()
    }
  }
}

/// Character references of HTML, such as `&amp;` and `&#39;`.
enum CharacterReference {
  /// Names with their characters. Those of Latin-1 follow in the order of their codes.
  private static let names: [Substring: String] = {
    var names: [Substring: String] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "lrm": "\u{200e}", "rlm": "\u{200f}", "zwj": "\u{200d}",
      "zwnj": "\u{200c}", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}", "ndash": "–", "mdash": "—",
      "lsquo": "‘",
      "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "hellip": "…", "bull": "•", "euro": "€",
      "trade": "™",
      "lsaquo": "‹", "rsaquo": "›", "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "minus": "−",
    ]
    let latin = """
      nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para \
      middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute \
      Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml \
      Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml \
      eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
      """
    for (index, name) in latin.split(separator: " ").enumerated() {
      names[name] = Unicode.Scalar(UInt32(160 + index)).map { String($0) }
    }
    return names
  }()

  /// The longest name or number.
  private static let maximumLength = 10

  /// The characters of a reference at the beginning of a string, which starts with `&`, and what follows it; `nil` if it isn't
  /// one.
  static func first(in text: Substring) -> (characters: String, rest: Substring)? {
    let body = text.dropFirst().prefix(maximumLength)
    guard let end = body.firstIndex(of: ";") else { return nil }
    let (name, rest) = (body[..<end], text[text.index(after: end)...])
    guard name.first == "#" else { return names[name].map { ($0, rest) } }
    let isHexadecimal = name.dropFirst().first?.lowercased() == "x"
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard let code = UInt32(digits, radix: isHexadecimal ? 16 : 10), code > 0, let scalar = Unicode.Scalar(code) else {
      return nil
    }
    return (String(scalar), rest)
  }

  /// The text with references for characters that a reader would take for markup or references.
  static func escaping(_ text: String) -> String {
    var (result, rest) = ("", Substring(text))
    while let character = rest.first {
      switch character {
      case "&" where first(in: rest) != nil: result += "&amp;"
      case "<" where SubRipText.isTag(rest): result += "&lt;"
      default: result.append(character)
      }
      rest.removeFirst()
    }
    return result
  }
}
