import CompositorTimeline

/// A change of a text that replaces a range of UTF-8 bytes.
package struct TextEdit: Hashable, Sendable {
  /// The bytes to replace; empty for an insertion.
  package var range: Range<Int>
  /// The replacement.
  package var replacement: String

  /// Creates a change that replaces `range` by `replacement`.
  package init(_ range: Range<Int>, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }
}

/// A change of a project's text that resolves a diagnostic.
package struct ProjectFix: Hashable, Sendable {
  /// A description of the change as an imperative sentence without a period.
  package var title: String
  /// Whether the change cannot affect anything that is correct.
  package var isSafe: Bool
  /// The changes, which don't overlap.
  package var edits: [TextEdit]

  /// Creates a fix.
  package init(_ title: String, isSafe: Bool, _ edits: [TextEdit]) {
    self.title = title
    self.isSafe = isSafe
    self.edits = edits
  }
}

/// A set of compatible changes of one text.
package struct TextEditing {
  private var edits: [TextEdit] = []

  /// Creates an empty set.
  package init() {}

  /// Adds all changes of a fix, or none.
  ///
  /// - Returns: Whether they were added. They aren't if one of them is outside the text or touches bytes that another fix
  ///   changes.
  package mutating func add(_ fix: ProjectFix, to text: SourceText) -> Bool {
    guard !fix.edits.isEmpty else { return false }
    for edit in fix.edits {
      guard edit.range.lowerBound >= 0, edit.range.upperBound <= text.bytes.count else { return false }
      // The result of two insertions at the same position would depend on their order.
      let isFree = edits.allSatisfy {
        $0.range.upperBound < edit.range.lowerBound || edit.range.upperBound < $0.range.lowerBound
      }
      guard isFree else { return false }
    }
    edits += fix.edits
    return true
  }

  /// The text with all changes applied. O(n).
  package func applied(to text: SourceText) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    for edit in edits.sorted(by: { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }) {
      guard edit.range.lowerBound >= copied else { continue }
      result += text.bytes[copied..<edit.range.lowerBound]
      result += edit.replacement.utf8
      copied = edit.range.upperBound
    }
    return result + text.bytes[copied...]
  }
}

extension SourceText {
  /// The bytes of a value that begins at an offset; `nil` if there is none.
  package func range(ofValueAt offset: Int) -> Range<Int>? {
    JSON5Reader.end(ofValueAt: offset, in: self).map { offset..<$0 }
  }

  /// The bytes of a key that begins at an offset, with its quotes; `nil` if there is none.
  package func range(ofKeyAt offset: Int) -> Range<Int>? {
    JSON5Reader.end(ofKeyAt: offset, in: self).map { offset..<$0 }
  }

  /// A JSON5 string with the same kind of quotes as at an offset, or double quotes if there are none.
  package func string(_ word: String, likeAt offset: Int) -> String {
    let quote = bytes.indices.contains(offset) && bytes[offset] == UInt8(ascii: "'") ? "'" : "\""
    let escaped = word.replacing("\\", with: "\\\\").replacing(quote, with: "\\" + quote)
    return quote + escaped + quote
  }

  /// A key in the same form as at an offset: quoted if that one is.
  package func key(_ key: String, likeAt offset: Int) -> String {
    let isQuoted = bytes.indices.contains(offset) && [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(bytes[offset])
    return isQuoted ? string(key, likeAt: offset) : key
  }

  /// The byte at a position; `nil` if the text has no such line.
  package func offset(of position: TextPosition) -> Int? {
    guard position.line >= 1, position.column >= 1 else { return nil }
    var offset = 0
    for _ in 1..<position.line {
      guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      offset = end + 1
    }
    var column = 1
    while column < position.column, offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      column += 1
    }
    return offset
  }

  /// The bytes of the line that contains an offset, without its line break.
  package func lineRange(around offset: Int) -> Range<Int> {
    let offset = min(max(0, offset), bytes.count)
    let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    var end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    if end > start, end > offset, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<max(start, end)
  }
}
