package import CompositorAPI
import CompositorHost
import CompositorTimeline

/// A diagnostic with its location in a project's text, and the change of the text that resolves it.
package struct ProjectDiagnostic: Sendable {
  /// The diagnostic with file, line and column.
  package var diagnostic: ValidationDiagnostic
  /// The bytes that it refers to; `nil` if it has no location in the text.
  package var range: Range<Int>?
  /// The change of the text that resolves it; `nil` if none is known.
  package var fix: ProjectFix?
  /// Whether it is about the output as the project describes it, which options of the command line may change.
  package var concernsOutput = false
  /// Whether it is what prevents rendering: ``LoadedProject/editFailure`` as a diagnostic.
  package var isFailure = false

  /// A copy that is about the output.
  var ofOutput: ProjectDiagnostic {
    var result = self
    result.concernsOutput = true
    return result
  }

  /// Creates a diagnostic without a location.
  package init(_ diagnostic: ValidationDiagnostic, range: Range<Int>? = nil, fix: ProjectFix? = nil) {
    self.diagnostic = diagnostic
    self.range = range
    self.fix = fix
  }

  /// Creates a diagnostic from an error of reading a project.
  ///
  /// - Parameter text: The project's source text; `nil` if there is none.
  package init(
    _ error: CompositorError, in text: SourceText?, severity: ValidationDiagnostic.Severity = .error, fix: ProjectFix? = nil
  ) {
    diagnostic = ValidationDiagnostic(error)
    diagnostic.severity = severity
    range = text.flatMap { text in text.offset(of: error).map { text.token(at: $0) } }
    self.fix = fix
  }
}

extension ProjectPlaces {
  /// A diagnostic of the edit, with its location in the project and the change of the text that resolves it.
  package func locating(_ diagnostic: ValidationDiagnostic) -> ProjectDiagnostic {
    var result = ProjectDiagnostic(diagnostic)
    result.fix = fix(of: diagnostic)
    result.diagnostic.timeRange = diagnostic.movieRange(in: edit)
    guard let path = path(of: diagnostic) else { return result }
    let node = file.document.node(atPath: path)
    result.diagnostic.path = path
    result.diagnostic.name(itemOf: node)
    guard let offset = node?.offset else { return result }
    let position = file.text.position(ofByte: offset)
    (result.diagnostic.file, result.diagnostic.line, result.diagnostic.column) = (
      file.text.name, position.line, position.column
    )
    result.range = file.text.token(at: offset)
    return result
  }
}

extension ValidationDiagnostic {
  /// Names the item for which a repetition makes what the diagnostic is about: all items have the same place in the text.
  mutating func name(itemOf node: JSON5Node?) {
    guard node?.item != nil, let origin = node?.variableOrigin else { return }
    message = message.ending(with: origin)
  }
}

extension SourceText {
  /// The token for a caret: the key or value at an offset, or only the bracket of a list or object.
  package func token(at offset: Int) -> Range<Int> {
    guard bytes.indices.contains(offset) else { return offset..<offset }
    if bytes[offset] == UInt8(ascii: "{") || bytes[offset] == UInt8(ascii: "[") { return offset..<(offset + 1) }
    return range(ofValueAt: offset) ?? range(ofKeyAt: offset) ?? offset..<(offset + 1)
  }

  /// The positions of a range's start and end.
  package func positions(of range: Range<Int>) -> (start: TextPosition, end: TextPosition) {
    (position(ofByte: range.lowerBound), position(ofByte: range.upperBound))
  }
}
