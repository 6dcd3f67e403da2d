package import CompositorAPI
import CompositorTimeline

/// Reads JSON5 (json5.org, version 1.0.0): JSON with comments, bare keys, single quotes and trailing commas.
///
/// Foundation can read JSON5 as well, but it forgets where a value stood, keeps the last of two equal keys without a word
/// and turns every number into binary. A project needs all three: messages with line and column, duplicates as errors,
/// and `0.1` as exactly one tenth.
package struct JSON5Reader {
  /// Objects and lists inside each other; a deeper text is refused rather than followed.
  package static let maximumDepth = 64

  let text: SourceText
  var offset = 0
  private var depth = 0
  private var path = NodePath.root

  private init(_ text: SourceText) {
    self.text = text
  }

  /// The one value of the text. O(n).
  ///
  /// - Throws: `.invalidProject` with line, column and key path at the first thing that is not JSON5, at a key that stands
  ///   twice in an object, and where values are nested more than ``maximumDepth`` deep.
  package static func read(_ text: SourceText) throws(CompositorError) -> JSON5Node {
    var reader = JSON5Reader(text)
    try reader.skipSpace()
    let node = try reader.readValue()
    try reader.skipSpace()
    guard reader.offset == text.bytes.count else { throw reader.unexpected(wanted: "the end of the file") }
    return node
  }

  /// Where a value that begins at an offset of a readable text ends; `nil` if none begins there.
  static func end(ofValueAt offset: Int, in text: SourceText) -> Int? {
    guard offset >= 0, offset < text.bytes.count else { return nil }
    var reader = JSON5Reader(text)
    reader.offset = offset
    do { _ = try reader.readValue() } catch { return nil }
    return reader.offset
  }

  /// Where a key that begins at an offset of a readable text ends; `nil` if none begins there.
  static func end(ofKeyAt offset: Int, in text: SourceText) -> Int? {
    guard offset >= 0, offset < text.bytes.count else { return nil }
    var reader = JSON5Reader(text)
    reader.offset = offset
    do { _ = try reader.readKey() } catch { return nil }
    return reader.offset
  }

  private mutating func readValue() throws(CompositorError) -> JSON5Node {
    let start = offset
    switch peek {
    case UInt8(ascii: "{"):
      return JSON5Node(.object(try nested { reader throws(CompositorError) in try reader.readMembers() }), offset: start)
    case UInt8(ascii: "["):
      return JSON5Node(.array(try nested { reader throws(CompositorError) in try reader.readElements() }), offset: start)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return JSON5Node(.string(try readString()), offset: start)
    case .some(let byte) where byte.isNumberStart: return JSON5Node(.number(try readNumber()), offset: start)
    case .some(let byte) where byte.isIdentifierStart: return JSON5Node(try readWord(), offset: start)
    default: throw unexpected(wanted: "a value")
    }
  }

  private mutating func readWord() throws(CompositorError) -> JSON5Node.Value {
    let start = offset
    let word = try readIdentifier()
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "Infinity", "NaN": return .number(word)
    default:
      throw error("\(quoted(word)) is not a value.", recoverySuggestion: "Put texts in quotes.", at: start)
    }
  }

  private mutating func nested<T>(
    _ body: (inout JSON5Reader) throws(CompositorError) -> T
  ) throws(CompositorError) -> T {
    guard depth < JSON5Reader.maximumDepth else {
      throw error("Values are nested more than \(JSON5Reader.maximumDepth) deep.", at: offset)
    }
    depth += 1
    let parent = path
    offset += 1
    try skipSpace()
    let result = try body(&self)
    path = parent
    depth -= 1
    return result
  }

  private mutating func readElements() throws(CompositorError) -> [JSON5Node] {
    var elements: [JSON5Node] = []
    let parent = path
    while !take(UInt8(ascii: "]")) {
      path = .index(parent, elements.count)
      elements.append(try readValue())
      try skipSpace()
      path = parent
      guard try takeSeparator(before: UInt8(ascii: "]")) else { throw unexpected(wanted: "a comma or ]") }
    }
    return elements
  }

  private mutating func readMembers() throws(CompositorError) -> [JSON5Member] {
    var members: [JSON5Member] = []
    var seen: [String: Int] = [:]
    let parent = path
    while !take(UInt8(ascii: "}")) {
      let keyOffset = offset
      let key = try readKey()
      path = .key(parent, key)
      if let first = seen.updateValue(keyOffset, forKey: key) {
        throw error(
          "The key \(quoted(key)) stands twice in one object; first at \(text.position(ofByte: first)).",
          recoverySuggestion: "Keep one of them.", at: keyOffset)
      }
      try skipSpace()
      guard take(UInt8(ascii: ":")) else { throw unexpected(wanted: "a colon after the key") }
      try skipSpace()
      members.append(JSON5Member(key, try readValue(), keyOffset: keyOffset))
      try skipSpace()
      path = parent
      guard try takeSeparator(before: UInt8(ascii: "}")) else { throw unexpected(wanted: "a comma or }") }
    }
    return members
  }

  private mutating func readKey() throws(CompositorError) -> String {
    switch peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try readString()
    case .some(let byte) where byte.isIdentifierStart: return try readIdentifier()
    default: throw unexpected(wanted: "a key")
    }
  }

  /// A comma, or nothing where the closing bracket follows (which is left standing).
  private mutating func takeSeparator(before close: UInt8) throws(CompositorError) -> Bool {
    if take(UInt8(ascii: ",")) {
      try skipSpace()
      return true
    }
    return peek == close
  }
}

extension JSON5Reader {
  /// The next byte; nil at the end.
  var peek: UInt8? { offset < text.bytes.count ? text.bytes[offset] : nil }

  /// Steps over a byte where it is the next one.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  func error(_ message: String, recoverySuggestion: String? = nil, at offset: Int) -> CompositorError {
    let place = path.description
    return text.error(message, recoverySuggestion: recoverySuggestion, atByte: offset, path: place.isEmpty ? nil : place)
  }

  func unexpected(wanted: String) -> CompositorError {
    guard offset < text.bytes.count else {
      return error("The file ends where \(wanted) should stand.", at: offset)
    }
    let scalar = String(decoding: text.bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
    let shown = scalar.map { quoted(String($0)) } ?? "this"
    return error("\(shown) stands where \(wanted) should.", at: offset)
  }
}

extension UInt8 {
  var isNumberStart: Bool {
    isDecimalDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "+") || self == UInt8(ascii: ".")
  }
  var isDecimalDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isIdentifierStart: Bool {
    (self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z")) || (self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z"))
      || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self == UInt8(ascii: "\\") || self >= 0x80
  }
}
