import CompositorAPI
import CompositorTimeline

/// A diagnostic as JSON for editors and other programs: everything in ``ValidationDiagnostic``, and its location in the text.
///
/// Adding fields doesn't change the version; removing them or changing their meaning does.
package struct DiagnosticRecord: Encodable, Sendable {
  /// The version of these fields.
  package static let formatVersion = 1

  private let located: ProjectDiagnostic
  private let text: SourceText?

  /// Creates a record.
  package init(_ located: ProjectDiagnostic, text: SourceText?) {
    (self.located, self.text) = (located, text)
  }

  private enum CodingKeys: String, CodingKey { case formatVersion, endLine, endColumn, textFix, movieTime }

  private struct Edit: Encodable {
    var line, column, endLine, endColumn: Int
    var newText: String
  }

  private struct Fix: Encodable {
    var title: String
    var isSafe: Bool
    var edits: [Edit]
  }

  package func encode(to encoder: any Encoder) throws {
    try located.diagnostic.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.formatVersion, forKey: .formatVersion)
    try container.encodeIfPresent(located.diagnostic.movieTime, forKey: .movieTime)
    guard let text else { return }
    if let range = located.range, located.diagnostic.file == text.name {
      let end = text.position(ofByte: range.upperBound)
      try container.encode(end.line, forKey: .endLine)
      try container.encode(end.column, forKey: .endColumn)
    }
    guard let fix = located.fix else { return }
    let edits = fix.edits.map { edit in
      let (start, end) = text.positions(of: edit.range)
      return Edit(
        line: start.line, column: start.column, endLine: end.line, endColumn: end.column, newText: edit.replacement)
    }
    try container.encode(Fix(title: fix.title, isSafe: fix.isSafe, edits: edits), forKey: .textFix)
  }
}
