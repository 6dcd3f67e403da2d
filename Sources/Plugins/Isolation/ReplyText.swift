/// The JSON of a reply, bounded before anything decodes it.
///
/// Strings are hashed and compared in their normalized form, and normalizing a run of combining marks takes the square of its
/// length. A decoder hashes every key of a reply, known or not, and a plugin may have forged the reply.
package struct ReplyText {
  /// A key that is longer than any that a description can have, or bytes that are not UTF-8.
  package struct Invalid: Error {}

  /// Bytes of a key as JSON writes it: those of the longest name, each of them escaped.
  private static let longestKey = 2 * DescriptionRules.longestName
  /// That of the Stream-Safe Text Format (Unicode Standard Annex #15).
  private static let longestRun = 30
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  private let bytes: [UInt8]
  private var position = 0
  /// What was kept so far, up to the last mark that was dropped.
  private var kept: [UInt8] = []
  private var keptEnd = 0

  /// Bounds the strings of a reply.
  ///
  /// - Parameter bytes: JSON as a worker sent it.
  /// - Returns: The same, with at most 30 combining marks in a row in its strings, whether they are escaped or not.
  /// - Throws: ``Invalid``.
  package static func bounded(_ bytes: ArraySlice<UInt8>) throws(Invalid) -> [UInt8] {
    // A decoder would take other encodings, which have zeros or bytes that UTF-8 does not have.
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { throw Invalid() }
    var text = ReplyText(bytes: Array(bytes))
    while text.position < text.bytes.count {
      if text.bytes[text.position] == quote { try text.passString() } else { text.position += 1 }
    }
    return text.keptEnd == 0 ? text.bytes : text.kept + text.bytes[text.keptEnd...]
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func passString() throws(Invalid) {
    position += 1
    let start = position
    var run = 0
    while position < bytes.count, bytes[position] != Self.quote {
      let (scalar, length) = nextScalar()
      run = Self.isMark(scalar) ? run + 1 : 0
      if run > Self.longestRun {
        kept += bytes[keptEnd..<position]
        keptEnd = position + length
      }
      position += length
    }
    let length = position - start
    position = min(position + 1, bytes.count)
    guard length > Self.longestKey else { return }
    let next = bytes[position...].first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    if next == UInt8(ascii: ":") { throw Invalid() }
  }

  /// The scalar at the position and the number of its bytes; 0 for an invalid escape.
  private func nextScalar() -> (value: UInt32, length: Int) {
    let first = bytes[position]
    if first == Self.backslash { return escapedScalar() }
    guard first >= 0x80 else { return (UInt32(first), 1) }
    let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    // The bytes are valid UTF-8.
    let start = UInt32(first) & (0x7f >> UInt32(length))
    return (bytes[position + 1..<position + length].reduce(start) { $0 << 6 | UInt32($1 & 0x3f) }, length)
  }

  private func escapedScalar() -> (value: UInt32, length: Int) {
    guard let unit = escapedUnit(at: position) else { return (0, min(2, bytes.count - position)) }
    guard 0xd800..<0xdc00 ~= unit, let low = escapedUnit(at: position + 6), 0xdc00..<0xe000 ~= low else { return (unit, 6) }
    return (0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00), 12)
  }

  /// The number in `\uXXXX`; `nil` if there is none.
  private func escapedUnit(at place: Int) -> UInt32? {
    guard place + 6 <= bytes.count, bytes[place] == Self.backslash, bytes[place + 1] == UInt8(ascii: "u") else { return nil }
    return UInt32(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16)
  }

  /// Whether a scalar, or what it decomposes to, continues a run.
  private static func isMark(_ value: UInt32) -> Bool {
    guard value >= 0x300, let scalar = Unicode.Scalar(value) else { return false }
    return scalar.properties.canonicalCombiningClass != .notReordered || [0xf73, 0xf75, 0xf81].contains(value)
  }
}
