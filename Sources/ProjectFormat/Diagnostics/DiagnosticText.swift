package import CompositorHost
import CompositorTimeline

/// Diagnostics as text for people: a place that terminals and editors jump to, the line itself with a caret under it, the cause and what
/// to do.
package struct DiagnosticText {
  /// The project's text; `nil` shows no lines.
  package var source: SourceText?
  /// Whether terminal colors are written.
  package var isColored: Bool
  /// Columns of a line of the source that are shown, at least 20.
  package var width: Int
  /// What is said of a fix after its title; `nil` says nothing of fixes.
  package var offers: (@Sendable (ProjectFix) -> String)?

  /// Diagnostics of a text.
  package init(
    _ source: SourceText?, isColored: Bool = false, width: Int = 100, offers: (@Sendable (ProjectFix) -> String)? = nil
  ) {
    self.source = source
    self.isColored = isColored
    self.width = max(20, width)
    self.offers = offers
  }

  /// One diagnostic, over several lines, without a line break at its end.
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
    guard let file = diagnostic.file else { return nil }
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

  /// The line of a range with its number, and a caret under it.
  private func excerpt(_ source: SourceText, _ range: Range<Int>, color: String) -> [String] {
    let line = source.lineRange(around: range.lowerBound)
    let start = min(range.lowerBound, line.upperBound)
    let end = max(start, min(range.upperBound, line.upperBound))
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

  /// The columns that are shown of a long line: those around the caret.
  private static func window(around column: Int, of count: Int, width: Int) -> Range<Int> {
    guard count > width else { return 0..<count }
    let start = max(0, min(column - width / 3, count - width))
    return start..<(start + width)
  }

  /// The cells of a window, with an ellipsis where something is left out.
  private static func cut(_ cells: [Character?], to window: Range<Int>) -> String {
    let text = String(cells[window].compactMap { $0 })
    // Half of a wide character is a space.
    let head = window.lowerBound > 0 ? (cells[window.lowerBound] == nil ? "… " : "…") : ""
    return head + text + (window.upperBound < cells.count ? "…" : "")
  }

  /// Control characters would be orders to the terminal.
  private func clean(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  private func paint(_ text: String, _ style: String) -> String { isColored ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text }
}
