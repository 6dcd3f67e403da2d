package import CompositorAPI
package import CompositorHost
import CompositorTimeline

/// A diagnostic with what it is about in a project's text, and the change of the text that mends it.
package struct ProjectDiagnostic: Sendable {
  /// What is wrong, with file, line and column.
  package var diagnostic: ValidationDiagnostic
  /// The bytes that it is about; `nil` without a place in the text.
  package var range: Range<Int>?
  /// The change of the text that mends it; `nil` if none is known.
  package var fix: ProjectFix?

  /// A diagnostic without a place.
  package init(_ diagnostic: ValidationDiagnostic, range: Range<Int>? = nil, fix: ProjectFix? = nil) {
    self.diagnostic = diagnostic
    self.range = range
    self.fix = fix
  }

  /// A mistake that keeps a project from being read, or a warning of what it writes in an older way.
  ///
  /// - Parameter text: The project's text; `nil` if there is none.
  package init(
    _ error: CompositorError, in text: SourceText?, severity: ValidationDiagnostic.Severity = .error, fix: ProjectFix? = nil
  ) {
    diagnostic = ValidationDiagnostic(error)
    diagnostic.severity = severity
    range = text.flatMap { text in text.offset(of: error).map { text.token(at: $0) } }
    self.fix = fix
  }
}

extension ProjectFile {
  /// What the project writes in an older way, each with the change that writes the current one.
  package var spellingDiagnostics: [ProjectDiagnostic] {
    warnings.map { warning in
      var result = ProjectDiagnostic(
        warning, in: text, severity: .warning, fix: text.offset(of: warning).flatMap { spellingFixes[$0] })
      result.diagnostic.code = .olderSpelling
      return result
    }
  }
}

extension ProjectPlaces {
  /// A diagnostic of the edit, with its place in the project and the change of the text that mends it.
  package func locating(_ diagnostic: ValidationDiagnostic) -> ProjectDiagnostic {
    var result = ProjectDiagnostic(diagnostic)
    result.fix = fix(of: diagnostic)
    guard let path = path(of: diagnostic) else { return result }
    let node = file.document.node(atPath: path)
    result.diagnostic.path = path
    guard let offset = node?.offset else { return result }
    let position = file.text.position(ofByte: offset)
    (result.diagnostic.file, result.diagnostic.line, result.diagnostic.column) = (
      file.text.name, position.line, position.column
    )
    result.range = file.text.token(at: offset)
    return result
  }
}

extension SourceText {
  /// What a caret points at: the key or value at an offset, of lists and objects the bracket alone.
  package func token(at offset: Int) -> Range<Int> {
    guard bytes.indices.contains(offset) else { return offset..<offset }
    if bytes[offset] == UInt8(ascii: "{") || bytes[offset] == UInt8(ascii: "[") { return offset..<(offset + 1) }
    return range(ofValueAt: offset) ?? range(ofKeyAt: offset) ?? offset..<(offset + 1)
  }

  /// Where a range begins and ends.
  package func positions(of range: Range<Int>) -> (start: TextPosition, end: TextPosition) {
    (position(ofByte: range.lowerBound), position(ofByte: range.upperBound))
  }
}
