import CompositorAPI
import CompositorTimeline

extension JSON5Reader {
  /// Skips white space and comments.
  mutating func skipSpace() throws(CompositorError) {
    while let byte = peek {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D: offset += 1
      case UInt8(ascii: "/"): try skipComment()
      case 0x80...:
        let scalar = try nextScalar()
        guard scalar == "\u{FEFF}" || scalar.properties.isWhitespace else { return }
        offset += UTF8.width(scalar)
      default: return
      }
    }
  }

  private mutating func skipComment() throws(CompositorError) {
    let start = offset
    offset += 1
    if take(UInt8(ascii: "/")) {
      while let byte = peek, byte != 0x0A, byte != 0x0D { offset += 1 }
    } else if take(UInt8(ascii: "*")) {
      while true {
        guard offset + 1 < bytes.count else {
          throw error("This comment has no end.", recoverySuggestion: "Close it with */.", at: start)
        }
        if bytes[offset] == UInt8(ascii: "*"), bytes[offset + 1] == UInt8(ascii: "/") { break }
        offset += 1
      }
      offset += 2
    } else {
      offset = start
      throw unexpected(wanted: "a value or a comment")
    }
  }

  /// The digits as written, checked against JSON5's grammar but not converted.
  mutating func readNumber() throws(CompositorError) -> String {
    let start = offset
    if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
    if peek == UInt8(ascii: "I") || peek == UInt8(ascii: "N") {
      let word = try readIdentifier()
      guard word == "Infinity" || word == "NaN" else { throw error("\(quoted(word)) is not a number.", at: start) }
    } else if peek == UInt8(ascii: "0"), offset + 1 < bytes.count, bytes[offset + 1] | 0x20 == UInt8(ascii: "x") {
      offset += 2
      guard takeDigits({ $0.hexValue != nil }) > 0 else { throw unexpected(wanted: "a hexadecimal digit") }
    } else {
      try readDecimal(start: start)
    }
    if let byte = peek, byte.isIdentifierStart || byte.isDecimalDigit {
      throw error(
        "A number runs into other characters.", recoverySuggestion: "Put times and strings in quotes: \"48f\".", at: start)
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func readDecimal(start: Int) throws(CompositorError) {
    let wholeStart = offset
    let whole = takeDigits(\.isDecimalDigit)
    if whole > 1, bytes[wholeStart] == UInt8(ascii: "0") {
      throw error("A number starts with a needless 0.", recoverySuggestion: adviceOnClockTime ?? "Leave it away.", at: start)
    }
    let fraction = take(UInt8(ascii: ".")) ? takeDigits(\.isDecimalDigit) : 0
    guard whole + fraction > 0 else { throw unexpected(wanted: "a digit") }
    if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
      guard takeDigits(\.isDecimalDigit) > 0 else { throw unexpected(wanted: "a digit of the exponent") }
    }
  }

  private mutating func takeDigits(_ isDigit: (UInt8) -> Bool) -> Int {
    let start = offset
    while let byte = peek, isDigit(byte) { offset += 1 }
    return offset - start
  }

  /// An unquoted key: letters, digits, `_`, `$` and escapes, as in ECMAScript 5.1.
  mutating func readIdentifier() throws(CompositorError) -> String {
    let start = offset
    // Nearly all keys are short ASCII strings.
    while let byte = peek, byte < 0x80, byte != UInt8(ascii: "\\"), byte.isIdentifierStart || byte.isDecimalDigit {
      offset += 1
    }
    guard let next = peek, next >= 0x80 || next == UInt8(ascii: "\\") else {
      guard offset > start else { throw unexpected(wanted: "a key or a value") }
      return String(decoding: bytes[start..<offset], as: UTF8.self)
    }
    offset = start
    return try readLongIdentifier()
  }

  /// A key with characters beyond ASCII, or escapes.
  private mutating func readLongIdentifier() throws(CompositorError) -> String {
    let start = offset
    var name = String.UnicodeScalarView()
    while let byte = peek, byte.isIdentifierStart || byte.isDecimalDigit {
      if take(UInt8(ascii: "\\")) {
        guard take(UInt8(ascii: "u")) else { throw unexpected(wanted: "u of an escape") }
        name.append(try readUnicodeEscape())
        continue
      }
      let scalar = try nextScalar()
      guard scalar.isASCII || scalar.properties.isIDContinue else { break }
      name.append(scalar)
      offset += UTF8.width(scalar)
    }
    guard !name.isEmpty else {
      offset = start
      throw unexpected(wanted: "a key or a value")
    }
    return String(name)
  }

  /// The scalar at the current offset, which is not the end.
  private func nextScalar() throws(CompositorError) -> Unicode.Scalar {
    let text = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { throw unexpected(wanted: "a character") }
    return scalar
  }
}

extension JSON5Reader {
  /// A string in either kind of quotes, with its escapes resolved.
  mutating func readString() throws(CompositorError) -> String {
    let start = offset
    let quote = bytes[offset]
    offset += 1
    // Most strings have no escapes.
    while let byte = peek, byte != quote, byte != UInt8(ascii: "\\"), byte >= 0x20 { offset += 1 }
    var resolved = bytes[start + 1..<offset]
    while true {
      guard let byte = peek else {
        throw error("This string isn't closed.", recoverySuggestion: "Close the quotes.", at: start)
      }
      if take(quote) { return String(decoding: resolved, as: UTF8.self) }
      switch byte {
      case UInt8(ascii: "\\"):
        offset += 1
        if let scalar = try readEscape() { resolved += Array(String(scalar).utf8) }
      case 0x0A, 0x0D: throw error("This string isn't closed on its line.", recoverySuggestion: "Close the quotes.", at: start)
      case 0..<0x20:
        throw error("A string contains a control character.", recoverySuggestion: "Write it as an escape.", at: offset)
      default:
        resolved.append(byte)
        offset += 1
      }
    }
  }

  /// The scalar of an escape; `nil` for a line continuation.
  private mutating func readEscape() throws(CompositorError) -> Unicode.Scalar? {
    let start = offset - 1
    let scalar = offset < bytes.count ? try nextScalar() : "\0"
    offset += UTF8.width(scalar)
    switch scalar {
    case "b": return "\u{08}"
    case "f": return "\u{0C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{0B}"
    case "x": return Unicode.Scalar(UInt8(try readHexadecimal(digits: 2)))
    case "u": return try readUnicodeEscape()
    case "0" where peek.map(\.isDecimalDigit) != true: return "\0"
    case "0"..."9": throw error("A string cannot contain escaped digits.", recoverySuggestion: "Write \\x or \\u.", at: start)
    case "\r":
      _ = take(0x0A)
      return nil
    case "\n", "\u{2028}", "\u{2029}": return nil
    default: return scalar
    }
  }

  private mutating func readUnicodeEscape() throws(CompositorError) -> Unicode.Scalar {
    let start = offset
    var value = try readHexadecimal(digits: 4)
    if (0xD800..<0xDC00).contains(value), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      let low = try readHexadecimal(digits: 4)
      if (0xDC00..<0xE000).contains(low) { value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00) }
    }
    guard let scalar = Unicode.Scalar(value) else { throw error("This escape is half of a surrogate pair.", at: start) }
    return scalar
  }

  private mutating func readHexadecimal(digits: Int) throws(CompositorError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = peek?.hexValue else { throw unexpected(wanted: "a hexadecimal digit") }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit, 0 … 15; `nil` for other characters.
  var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
