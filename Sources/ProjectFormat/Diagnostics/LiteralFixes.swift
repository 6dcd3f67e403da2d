import CompositorAPI
import CompositorHost

/// Turns advice that has a value to write, such as `Write at: "auto".`, into a change of the project's text.
struct LiteralFixes {
  let text: SourceText
  let document: JSON5Node

  /// The change that writes a value at a key path.
  ///
  /// - Returns: `nil` if the advice leaves a choice, or if a variable determines the value.
  func fix(_ literal: WrittenLiteral?, at path: String?) -> ProjectFix? {
    guard let literal, let path, literal.value.isPrintable else { return nil }
    guard let key = literal.key else { return replacing(with: literal, at: path) }
    if DocumentPath(path).steps.last == .key(key) { return replacing(with: literal, at: path) }
    guard let node = document.node(atPath: path), document.existing(path: path) == path, node.isLiteral,
      case .object(let members) = node.value
    else { return nil }
    if members.contains(where: { $0.key == key }) {
      return replacing(with: literal, at: path.isEmpty ? key : "\(path).\(key)")
    }
    let place = members.first?.keyOffset ?? node.offset + 1
    let name = members.first.map { text.key(key, likeAt: $0.keyOffset) } ?? key
    let value = text.written(literal.value, likeAt: place)
    return ProjectFix(
      "Write \(literal)", isSafe: false, [TextEdit(place..<place, "\(name): \(value)\(members.isEmpty ? "" : ", ")")])
  }

  private func replacing(with literal: WrittenLiteral, at path: String) -> ProjectFix? {
    guard document.existing(path: path) == path, let node = document.node(atPath: path), node.isLiteral,
      let range = text.range(ofValueAt: node.offset)
    else { return nil }
    return ProjectFix(
      "Write \(literal)", isSafe: false, [TextEdit(range, text.written(literal.value, likeAt: node.offset))])
  }
}

extension WrittenLiteral.Value {
  /// Whether its string, if any, has no characters that a project needs escapes for.
  fileprivate var isPrintable: Bool {
    switch self {
    case .string(let text), .object(_, let text): text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    case .word: true
    }
  }
}

extension SourceText {
  /// A value as the project's text, a string in the author's kind of quotes.
  fileprivate func written(_ value: WrittenLiteral.Value, likeAt offset: Int) -> String {
    switch value {
    case .string(let text): string(text, likeAt: offset)
    case .word(let word): word
    case .object(let key, let text): "{ \(key): \(string(text, likeAt: bytes.count)) }"
    }
  }
}

extension SourceText {
  /// The change that inserts a missing comma before the place of a syntax error, if the text can be read further with it.
  func insertingComma(before error: CompositorError) -> ProjectFix? {
    guard let offset = offset(of: error), offset > 0, offset <= bytes.count else { return nil }
    // After the value before the error; a comment in between stays where it is.
    let start = endOfToken(before: offset)
    guard start > 0, !",:[{".utf8.contains(bytes[start - 1]) else { return nil }
    var changed = bytes
    changed.insert(UInt8(ascii: ","), at: start)
    guard let other = try? SourceText(name: name, bytes: changed) else { return nil }
    do throws(CompositorError) {
      _ = try JSON5Reader.read(other)
    } catch {
      guard let next = other.offset(of: error), next > offset + 1 else { return nil }
    }
    return ProjectFix("Insert a comma", isSafe: false, [TextEdit(start..<start, ",")])
  }

  /// The end of the last token before an offset, without white space and comments between.
  private func endOfToken(before offset: Int) -> Int {
    var end = offset
    while end > 0 {
      if " \t\r\n".utf8.contains(bytes[end - 1]) {
        end -= 1
        continue
      }
      if end >= 2, bytes[end - 1] == UInt8(ascii: "/"), bytes[end - 2] == UInt8(ascii: "*"),
        let start = start(ofBlockCommentEndingAt: end)
      {
        end = start
        continue
      }
      let line = lineRange(around: end - 1)
      if let comment = start(ofLineCommentIn: line.lowerBound..<end) {
        end = comment
        continue
      }
      break
    }
    return end
  }

  private func start(ofBlockCommentEndingAt end: Int) -> Int? {
    var place = end - 4
    while place >= 0 {
      if bytes[place] == UInt8(ascii: "/"), bytes[place + 1] == UInt8(ascii: "*") { return place }
      place -= 1
    }
    return nil
  }

  /// The start of a comment to the end of a line, outside of strings.
  private func start(ofLineCommentIn line: Range<Int>) -> Int? {
    var quote: UInt8?
    var place = line.lowerBound
    while place + 1 < line.upperBound {
      let byte = bytes[place]
      if let open = quote {
        if byte == UInt8(ascii: "\\") { place += 1 } else if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "/"), bytes[place + 1] == UInt8(ascii: "/") {
        return place
      }
      place += 1
    }
    return nil
  }
}
