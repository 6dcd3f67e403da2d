package import CompositorAPI
import CompositorTimeline

/// Reads JSON5 (json5.org, version 1.0.0): JSON with comments, bare keys, single quotes and trailing commas.
///
/// Foundation can read JSON5 as well, but it doesn't provide positions, silently keeps the last of duplicate keys, and converts
/// every number to binary. A project needs messages with line and column, duplicate keys as errors, and `0.1` as exactly one
/// tenth.
package struct JSON5Reader {
  /// The maximum nesting depth of objects and lists. Deeper texts are rejected.
  package static let maximumDepth = 64

  let text: SourceText
  /// The bytes of the text.
  let bytes: [UInt8]
  var offset = 0
  /// The offsets of the objects and lists that are being read, innermost last.
  private var openings: [Int] = []
  /// The path of the value that is being read.
  private var steps: [Step] = []
  /// Members and elements of the objects and lists that are being read, innermost last. Each is then copied to an array of
  /// exactly its size.
  private var members: [JSON5Member] = []
  private var elements: [JSON5Node] = []

  private enum Step { case key(String), index(Int) }

  /// The maximum number of keys in an object that are compared one by one.
  private static let fewKeys = 16

  private init(_ text: SourceText) {
    self.text = text
    bytes = text.bytes
  }

  /// Parses the value of the text. O(n).
  ///
  /// - Throws: `.invalidProject` with line, column and key path at the first syntax error, at a duplicate key, and if values
  ///   are nested more than ``maximumDepth`` deep.
  package static func read(_ text: SourceText) throws(CompositorError) -> JSON5Node {
    var reader = JSON5Reader(text)
    guard !text.bytes.starts(with: Array("---".utf8)) else { throw reader.notJSON5("---") }
    try reader.skipSpace()
    guard reader.peek != nil else { throw reader.empty }
    let node = try reader.readValue()
    try reader.skipSpace()
    guard reader.offset == text.bytes.count else { throw reader.unexpected(wanted: "the end of the file", after: .document) }
    return node
  }

  /// The end of a value that begins at an offset of a valid text; `nil` if none begins there.
  static func end(ofValueAt offset: Int, in text: SourceText) -> Int? {
    guard offset >= 0, offset < text.bytes.count else { return nil }
    var reader = JSON5Reader(text)
    reader.offset = offset
    do { _ = try reader.readValue() } catch { return nil }
    return reader.offset
  }

  /// The end of a key that begins at an offset of a valid text; `nil` if none begins there.
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
      let after = bytes[offset...].first { $0 != UInt8(ascii: " ") }
      if openings.isEmpty, after == UInt8(ascii: ":") || after == UInt8(ascii: "=") { throw notJSON5(word) }
      let isWord = ["true", "false", "null"].contains(word.lowercased())
      throw error(
        "\(quoted(word)) is not a value.",
        recoverySuggestion: openings.isEmpty
          ? "A project begins with { and ends with }." : isWord ? "Write \(word.lowercased())." : "Put strings in quotes.",
        at: start)
    }
  }

  private mutating func nested<T>(
    _ body: (inout JSON5Reader) throws(CompositorError) -> T
  ) throws(CompositorError) -> T {
    guard openings.count < JSON5Reader.maximumDepth else {
      throw error("Values are nested more than \(JSON5Reader.maximumDepth) deep.", at: offset)
    }
    openings.append(offset)
    offset += 1
    try skipSpace()
    let result = try body(&self)
    openings.removeLast()
    return result
  }

  private mutating func readElements() throws(CompositorError) -> [JSON5Node] {
    let first = elements.count
    while !take(UInt8(ascii: "]")) {
      steps.append(.index(elements.count - first))
      let element = try readValue()
      elements.append(element)
      try skipSpace()
      steps.removeLast()
      guard try takeSeparator(before: UInt8(ascii: "]")) else { throw unexpected(wanted: "a comma or ]", after: .element) }
    }
    defer { elements.removeSubrange(first...) }
    return Array(elements[first...])
  }

  private mutating func readMembers() throws(CompositorError) -> [JSON5Member] {
    let first = members.count
    var seen: [String: Int] = [:]
    while !take(UInt8(ascii: "}")) {
      let keyOffset = offset
      let key = try readKey()
      steps.append(.key(key))
      if let earlier = earlier(key, from: first, &seen) {
        throw error(
          "The key \(quoted(key)) appears twice in one object, first at \(text.position(ofByte: earlier)).",
          recoverySuggestion: "Keep one of them.", at: keyOffset)
      }
      try skipSpace()
      guard take(UInt8(ascii: ":")) else { throw unexpected(wanted: "a colon after the key") }
      try skipSpace()
      let value = try readValue()
      members.append(JSON5Member(key, value, keyOffset: keyOffset))
      try skipSpace()
      steps.removeLast()
      guard try takeSeparator(before: UInt8(ascii: "}")) else { throw unexpected(wanted: "a comma or }", after: .element) }
    }
    defer { members.removeSubrange(first...) }
    return Array(members[first...])
  }

  /// The position of an earlier occurrence of a key in the object that is being read.
  ///
  /// - Parameter seen: The object's keys, once they are many.
  private func earlier(_ key: String, from first: Int, _ seen: inout [String: Int]) -> Int? {
    guard members.count - first >= Self.fewKeys else {
      return members[first...].firstIndex { $0.key == key }.map { members[$0].keyOffset }
    }
    for member in members[(first + seen.count)...] { seen[member.key] = member.keyOffset }
    return seen[key]
  }

  private mutating func readKey() throws(CompositorError) -> String {
    switch peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try readString()
    case .some(let byte) where byte.isIdentifierStart: return try readIdentifier()
    default: throw unexpected(wanted: "a key")
    }
  }

  /// Reads a comma, or nothing if the closing bracket follows, which isn't consumed.
  private mutating func takeSeparator(before close: UInt8) throws(CompositorError) -> Bool {
    if take(UInt8(ascii: ",")) {
      try skipSpace()
      return true
    }
    return peek == close
  }
}

extension JSON5Reader {
  /// The next byte; `nil` at the end.
  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Consumes the next byte if it is `byte`.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  func error(_ message: String, recoverySuggestion: String? = nil, at offset: Int) -> CompositorError {
    let path = steps.reduce(NodePath.root) { path, step in
      switch step {
      case .key(let key): .key(path, key)
      case .index(let index): .index(path, index)
      }
    }
    let place = path.description
    return text.error(message, recoverySuggestion: recoverySuggestion, atByte: offset, path: place.isEmpty ? nil : place)
  }

  /// What was read completely before a mistake.
  enum Predecessor { case document, element }

  /// An error about what is at the reader's position.
  ///
  /// - Parameters:
  ///   - wanted: What was expected instead.
  ///   - predecessor: What ended before it; `nil` inside a value or a member.
  func unexpected(wanted: String, after predecessor: Predecessor? = nil) -> CompositorError {
    guard let byte = peek else {
      return error("Expected \(wanted), but found the end of the file.", recoverySuggestion: closing, at: offset)
    }
    let scalar = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
    let shown = scalar.map { quoted(String($0)) } ?? "another character"
    let advice: String? =
      switch (byte, openings.last.map { bytes[$0] }) {
      case (UInt8(ascii: "#"), _): "Comments begin with //."
      case _ where scalar.map("“”„‘’".unicodeScalars.contains) == true: "Use straight quotes."
      case (_, nil):
        predecessor == .document && offset > 0
          ? "Remove it and what follows." : "A project begins with { and ends with }."
      case (UInt8(ascii: "}"), UInt8(ascii: "[")), (UInt8(ascii: "]"), UInt8(ascii: "{")): closing
      case (UInt8(ascii: ":"), _): adviceOnClockTime ?? adviceOnComma(predecessor)
      default: adviceOnComma(predecessor)
      }
    return error("Expected \(wanted), but found \(shown).", recoverySuggestion: advice, at: offset)
  }

  private func adviceOnComma(_ predecessor: Predecessor?) -> String? {
    predecessor == .element ? "Write a comma before it." : nil
  }

  /// The suggestion for a time without quotes such as `0:02.5`, of which the reader is at the first colon; `nil` if there is
  /// something else.
  var adviceOnClockTime: String? {
    let first = bytes[..<offset].reversed().prefix(while: \.isDecimalDigit).count
    let last = bytes[offset...].prefix { $0.isDecimalDigit || ":;.".utf8.contains($0) }
    let time = String(decoding: bytes[(offset - first)..<last.endIndex], as: UTF8.self)
    return (try? ProjectTime(time)) == nil ? nil : "Write a time in quotes: \(quoted(time))."
  }

  /// Names the innermost open bracket.
  private var closing: String? {
    guard let opening = openings.last else { return nil }
    let isList = bytes[opening] == UInt8(ascii: "[")
    return "Close the \(isList ? "[" : "{") of \(text.position(ofByte: opening)) with \(isList ? "]" : "}")."
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
