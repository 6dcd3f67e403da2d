package import CompositorAPI
import CompositorTimeline

/// A line and a column in a text, both from 1. A column is one Unicode scalar.
package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  package var line: Int
  package var column: Int

  /// `3:14`.
  package var description: String { "\(line):\(column)" }

  fileprivate mutating func pass(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
  }
}

/// A named text as UTF-8 bytes. Copies share it.
package final class SourceText: Sendable {
  /// The name of the text in messages: the path as the caller spelled it.
  package let name: String
  package let bytes: [UInt8]
  /// The positions of every 4096th byte.
  private let milestones: [TextPosition]
  private static let stride = 4096

  /// Checks size and encoding.
  ///
  /// - Throws: `.invalidProject` if the text is longer than `maximumByteCount` or isn't UTF-8.
  package init(name: String, bytes: [UInt8], maximumByteCount: Int = 64 << 20) throws(CompositorError) {
    self.name = name
    self.bytes = bytes
    guard bytes.count <= maximumByteCount else {
      throw CompositorError(
        .invalidProject, "The project is longer than \(maximumByteCount >> 20) MiB.",
        recoverySuggestion: "Divide it into several projects.", at: .init(file: name))
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw CompositorError(
        .invalidProject, "The project is not UTF-8 text.", recoverySuggestion: "Save it as UTF-8.", at: .init(file: name))
    }
    var milestones: [TextPosition] = []
    var position = TextPosition(line: 1, column: 1)
    for start in Swift.stride(from: 0, through: bytes.count, by: SourceText.stride) {
      milestones.append(position)
      position.pass(bytes[start..<min(start + SourceText.stride, bytes.count)])
    }
    self.milestones = milestones
  }

  /// The position of a byte. O(1).
  package func position(ofByte offset: Int) -> TextPosition {
    let offset = min(max(0, offset), bytes.count)
    let milestone = offset / SourceText.stride
    var position = milestones[milestone]
    position.pass(bytes[milestone * SourceText.stride..<offset])
    return position
  }

  /// The position of a byte with the text's name. O(1).
  package func place(ofByte offset: Int) -> DocumentPosition {
    let position = position(ofByte: offset)
    return DocumentPosition(file: name, line: position.line, column: position.column)
  }

  /// An error at a byte of the text.
  package func error(
    _ message: String, recoverySuggestion: String? = nil, atByte offset: Int, path: String? = nil
  ) -> CompositorError {
    error(message, advice: recoverySuggestion.map { Advice($0) }, atByte: offset, path: path)
  }

  /// The same with advice that may be a value to write.
  func error(_ message: String, advice: Advice?, atByte offset: Int, path: String?) -> CompositorError {
    CompositorError(
      .invalidProject, message, advice: advice,
      at: ErrorLocation(file: name, path: path, documents: [place(ofByte: offset)]))
  }
}
