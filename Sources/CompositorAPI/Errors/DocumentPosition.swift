/// A position in a text file, such as a project or a table.
public struct DocumentPosition: Hashable, Sendable, Codable {
  /// The path of the file, as the caller spelled it.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column in the line, in Unicode scalars, from 1; `nil` if only the line is known.
  public var column: Int?

  /// Creates a position.
  public init(file: String, line: Int, column: Int? = nil) {
    (self.file, self.line, self.column) = (file, line, column)
  }
}

extension DocumentPosition: CustomStringConvertible {
  /// `file:line:column`, as terminals and editors open it.
  public var description: String { "\(file):\(line)\(column.map { ":\($0)" } ?? "")" }
}

extension ErrorLocation {
  /// The position in the text file that was given, such as the project; `nil` if the error isn't about one.
  public var document: DocumentPosition? { documents.first }

  /// ``documents``, then ``file`` if it is another: `project.json5:3:14: clip.mp4`; `nil` if there is neither.
  package var place: String? {
    let places = documents.map(\.description) + [ownFile].compactMap { $0 }
    return places.isEmpty ? nil : places.joined(separator: ": ")
  }

  /// What ``document`` refers to, as in ``place``; `nil` if the error is about the document itself, or if there is none.
  package var referenced: String? {
    guard !documents.isEmpty else { return nil }
    let places = documents.dropFirst().map(\.description) + [ownFile].compactMap { $0 }
    return places.isEmpty ? nil : places.joined(separator: ": ")
  }

  /// The file, unless it is the innermost document.
  private var ownFile: String? { file == documents.last?.file ? nil : file }
}
