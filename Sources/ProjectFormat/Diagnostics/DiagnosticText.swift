package import CompositorAPI
import CompositorTimeline

/// Formats diagnostics for people: a location that terminals and editors can open, the line itself with a caret under it, the
/// cause, and a suggestion.
package struct DiagnosticText {
  /// The project's source text; `nil` to show no lines.
  package var source: SourceText?
  /// Whether to use terminal colors.
  package var isColored: Bool
  /// The maximum number of columns of a source line to show, at least 20.
  package var width: Int
  /// Returns a note to show after the title of a fix; `nil` to show no fixes.
  package var offers: (@Sendable (ProjectFix) -> String)?

  /// Creates a formatter.
  package init(
    _ source: SourceText?, isColored: Bool = false, width: Int = 100, offers: (@Sendable (ProjectFix) -> String)? = nil
  ) {
    self.source = source
    self.isColored = isColored
    self.width = max(20, width)
    self.offers = offers
  }

  /// Formats one diagnostic, over several lines, without a line break at the end.
  package func text(_ located: ProjectDiagnostic) -> String {
    let diagnostic = located.diagnostic
    let isError = diagnostic.severity == .error
    let severity = paint("\(diagnostic.severity.rawValue):", isError ? "1;31" : "1;35")
    var lines = [
      [DiagnosticText.place(of: diagnostic).map { paint("\($0):", "1") }, severity, paint(clean(diagnostic.message), "1")]
        .compactMap { $0 }.joined(separator: " ") + paint(" [\(diagnostic.code.rawValue)]", "2")
    ]
    if let source, let range = located.range, diagnostic.file == source.name {
      lines += excerpt(source, range, color: isError ? "1;31" : "1;35")
    }
    if let cause = diagnostic.cause { lines.append("  cause: " + clean(cause)) }
    if let suggestion = diagnostic.recoverySuggestion { lines.append("  help: " + clean(suggestion)) }
    if let fix = located.fix, let offers { lines.append("  fix: \(clean(fix.title)) (\(offers(fix)))") }
    return lines.joined(separator: "\n")
  }

  /// `file:line:column`, as far as it is known.
  package static func place(of diagnostic: ValidationDiagnostic) -> String? {
    guard let file = diagnostic.file?.escapingControls else { return nil }
    guard let line = diagnostic.line, let column = diagnostic.column else { return file }
    return "\(file):\(line):\(column)"
  }

  /// `2 errors, 1 warning`; `nil` if there is nothing to count.
  package static func summary(_ diagnostics: [ProjectDiagnostic]) -> String? {
    let errors = diagnostics.count { $0.diagnostic.severity == .error }
    let warnings = diagnostics.count - errors
    let parts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }
    guard !parts.isEmpty else { return nil }
    return parts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }

  /// The numbered source line of a range, with a caret under it.
  private func excerpt(_ source: SourceText, _ range: Range<Int>, color: String) -> [String] {
    let line = source.lineRange(around: range.lowerBound)
    let start = min(range.lowerBound, line.upperBound)
    var end = max(start, min(range.upperBound, line.upperBound))
    // Characters are shown whole.
    while end > start, end < line.upperBound, source.bytes[end] & 0xC0 == 0x80 { end += 1 }
    let before = DisplayColumns(source.bytes[line.lowerBound..<start])
    let marked = DisplayColumns(source.bytes[start..<end], from: before.count)
    let after = DisplayColumns(source.bytes[end..<line.upperBound], from: marked.end)
    let cells = before.cells + marked.cells + after.cells
    let window = DiagnosticText.window(around: before.count, of: cells.count, width: width)
    let number = "\(source.position(ofByte: range.lowerBound).line)"
    let gutter = String(repeating: " ", count: max(0, 5 - number.count))
    let shown = DiagnosticText.cut(cells, to: window)
    let length = max(1, min(marked.count, window.upperBound - before.count))
    let offset = before.count - window.lowerBound + (window.lowerBound > 0 ? 1 : 0)
    let caret = "^" + String(repeating: "~", count: length - 1)
    return [
      "\(gutter)\(paint(number, "2")) \(paint("|", "2")) \(shown)",
      "      \(paint("|", "2")) \(String(repeating: " ", count: offset))\(paint(caret, color))",
    ]
  }

  /// The visible columns of a long line: those around the caret.
  private static func window(around column: Int, of count: Int, width: Int) -> Range<Int> {
    guard count > width else { return 0..<count }
    let start = max(0, min(column - width / 3, count - width))
    return start..<(start + width)
  }

  /// The cells in a window, with an ellipsis at each cut end.
  private static func cut(_ cells: [Character?], to window: Range<Int>) -> String {
    let text = String(cells[window].compactMap { $0 })
    // Half of a wide character is replaced by a space.
    let head = window.lowerBound > 0 ? (cells[window.lowerBound] == nil ? "… " : "…") : ""
    return head + text + (window.upperBound < cells.count ? "…" : "")
  }

  /// Replaces control characters, which could control the terminal.
  private func clean(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
      .escapingControls
  }

  private func paint(_ text: String, _ style: String) -> String { isColored ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text }
}
