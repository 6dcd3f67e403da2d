package import CompositorAPI

/// The distinct colors of a text, in order. The index of a color among all of them is its paint.
package struct TextPaints: Hashable, Sendable {
  /// Of letters. A text's gradient replaces these only.
  package private(set) var text: [Color] = []
  /// Of lines that don't have the color of the letters.
  private var underlines: [Color] = []
  private var strikethroughs: [Color] = []

  package init(_ content: TextContent) {
    for run in content.runs {
      add(run.color ?? content.color, to: &text)
      if let color = (run.underline ?? content.underline)?.color { add(color, to: &underlines) }
      if let color = (run.strikethrough ?? content.strikethrough)?.color { add(color, to: &strikethroughs) }
    }
  }

  /// The color of a paint; `nil` if there is no such paint.
  package subscript(paint: Int) -> Color? {
    var index = paint
    for colors in [text, underlines, strikethroughs] {
      if colors.indices.contains(index) { return colors[index] }
      index -= colors.count
    }
    return nil
  }

  /// Whether a paint is the color of a line only.
  package func isOfLine(_ paint: Int) -> Bool { paint >= text.count }

  func underline(of run: TextRun, in content: TextContent) -> StyledText.Line? {
    line(run.underline ?? content.underline, run.color ?? content.color, among: underlines, from: text.count)
  }

  func strikethrough(of run: TextRun, in content: TextContent) -> StyledText.Line? {
    let first = text.count + underlines.count
    return line(run.strikethrough ?? content.strikethrough, run.color ?? content.color, among: strikethroughs, from: first)
  }

  private func line(_ decoration: TextDecoration?, _ letters: Color, among colors: [Color], from first: Int) -> StyledText.Line?
  {
    guard let decoration, decoration.style != .none else { return nil }
    let own = decoration.color.flatMap { colors.firstIndex(of: $0) }
    return StyledText.Line(
      isDouble: decoration.style == .double, paint: own.map { first + $0 } ?? text.firstIndex(of: letters) ?? 0,
      thickness: decoration.thickness ?? 0)
  }

  private func add(_ color: Color, to colors: inout [Color]) {
    if !colors.contains(color) { colors.append(color) }
  }
}

extension StyledText {
  /// The paints in use, back to front: lines under letters, letters, lines through them.
  var paintsInUse: [Int] {
    let letters = Set(runs.map(\.paint)).filter { $0 >= 0 }
    let under = Set(runs.compactMap { $0.underline?.paint }).subtracting(letters)
    let through = Set(runs.compactMap { $0.strikethrough?.paint }).subtracting(letters)
    return under.sorted() + letters.sorted() + through.sorted()
  }
}
