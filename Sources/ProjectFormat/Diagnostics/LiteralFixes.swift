import CompositorAPI
import CompositorHost

/// Turns advice that contains the literal text to write, such as `Write at: "auto".`, into a change of the project's text.
struct LiteralAdvice {
  let text: SourceText
  let document: JSON5Node

  /// The change that writes what the advice says at a key path.
  ///
  /// - Returns: `nil` if the advice leaves a choice, or if a variable determines the value.
  func fix(_ advice: String?, at path: String?) -> ProjectFix? {
    guard let advice, let path else { return nil }
    if let match = advice.firstMatch(of: /^Write ([A-Za-z]+): ("[^"]+"|[-\w.]+?)(?:\.|,| if )(?: |$)/) {
      return setting(String(match.1), to: String(match.2), at: path)
    }
    if let match = advice.firstMatch(of: /^Write ("[^"]+"|true|false|null|-?[\d.]*\d)(?: for \w+)?\.$/) {
      return replacing(with: String(match.1), at: path)
    }
    if let match = advice.firstMatch(of: /^Write (\{ [A-Za-z]+: "[^"]+" \})\.$/) {
      return replacing(with: String(match.1), at: path)
    }
    if let match = advice.firstMatch(of: /^Use an even size such as (\d+x\d+)/) {
      return replacing(with: "\"\(match.1)\"", at: path)
    }
    if let match = advice.firstMatch(of: /^Use track (\d+)\.$/) { return replacing(with: String(match.1), at: path) }
    return nil
  }

  /// The change that sets a key of the object at a path, or the value at the path if that is the key.
  private func setting(_ key: String, to value: String, at path: String) -> ProjectFix? {
    if path == key || path.hasSuffix(".\(key)") { return replacing(with: value, at: path, key: key) }
    guard let node = document.node(atPath: path), document.existing(path: path) == path, case .object(let members) = node.value
    else { return nil }
    if members.contains(where: { $0.key == key }) {
      return replacing(with: value, at: path.isEmpty ? key : "\(path).\(key)", key: key)
    }
    let place = members.first?.keyOffset ?? node.offset + 1
    let name = members.first.map { text.key(key, likeAt: $0.keyOffset) } ?? key
    return ProjectFix(
      "Write \(key): \(value)", isSafe: false,
      [TextEdit(place..<place, "\(name): \(quotedAlike(value, at: place))\(members.isEmpty ? "" : ", ")")])
  }

  private func replacing(with value: String, at path: String, key: String? = nil) -> ProjectFix? {
    guard document.existing(path: path) == path, let node = document.node(atPath: path), node.pattern == nil,
      let range = text.range(ofValueAt: node.offset)
    else { return nil }
    return ProjectFix(
      "Write \(key.map { "\($0): " } ?? "")\(value)", isSafe: false, [TextEdit(range, quotedAlike(value, at: node.offset))])
  }

  /// A string in the author's kind of quotes; other values unchanged.
  private func quotedAlike(_ value: String, at offset: Int) -> String {
    guard value.hasPrefix("\"") else { return value }
    return text.string(String(value.dropFirst().dropLast()), likeAt: offset)
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
