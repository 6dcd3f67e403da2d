import CCompositorPangoCairo
package import CompositorAPI

/// A text as the engine takes it: styles without colors, so that masks serve for every color.
package struct StyledText: Hashable, Sendable {
  /// A line under or through a run.
  package struct Line: Hashable, Sendable {
    package var isDouble: Bool
    package var paint: Int
    /// In pixels; 0 for that of the font.
    package var thickness: Double
  }

  package struct Run: Hashable, Sendable {
    package var start, end: Int
    package var family: String
    package var size, tracking: Double
    package var weight, paint: Int
    package var isItalic: Bool
    /// OpenType features in Pango's syntax, in the order of their tags; empty for none.
    package var features = ""
    /// Positions on the axes of the font in Pango's syntax, in the order of their tags; empty for none.
    package var variations = ""
    package var language = ""
    /// How far letters are above the baseline, in pixels.
    package var rise = 0.0
    package var underline, strikethrough: Line?
  }

  package var string = ""
  package var runs: [Run] = []
  package var lineHeight: Double
  package var alignment: TextAlignment
  package var truncation: TextTruncation
  package var wraps: Bool
  package var writingMode: WritingMode
  package var direction: TextDirection
  /// Size of the box along and across the lines; `nil` for unlimited.
  package var width, height: Double?
  /// The length of lines that don't wrap, so that paragraphs of different directions start at different sides of the box;
  /// `nil` if all start at the same side.
  package var room: Double?
  package var outlineWidth: Double
  package var allowsFontSubstitution: Bool
  /// Byte offsets at which a word may be divided, in increasing order.
  package var hyphens: [Int] = []
  /// What prevents dividing words.
  var hyphenationProblem: Hyphenation.Problem?

  /// - Parameter size: The bounds of the layer; `nil` measures the text without bounds.
  package init(_ text: TextContent, size: Size?) {
    lineHeight = text.lineHeight
    alignment = text.alignment
    truncation = text.truncation
    wraps = text.wraps
    writingMode = text.writingMode
    direction = text.direction
    outlineWidth = text.outlineWidth
    allowsFontSubstitution = text.allowsFontSubstitution
    // Unwrapped lines are positioned in the bounds afterward; see origin(in:extents:).
    let (line, depth) = text.isVertical ? (size?.height, size?.width) : (size?.width, size?.height)
    let room = line.map { max($0 - 2 * text.padding, 1) } ?? (text.maximumWidth > 0 ? text.maximumWidth : nil)
    width = text.wraps || text.truncation != .none ? room : nil
    height = text.truncation == .none || !text.wraps ? nil : depth
    let paints = TextPaints(text)
    for (index, run) in text.runs.enumerated() where !run.text.isEmpty {
      let font = run.font ?? text.font
      let start = string.utf8.count
      string += text.shown(run, after: string.suffix(2), before: text.runs.dropFirst(index + 1))
      let shift = run.baselineShift ?? text.baselineShift
      runs.append(
        Run(
          start: start, end: string.utf8.count, family: font.family, size: font.size * (shift?.scale ?? 1),
          tracking: run.tracking ?? text.tracking,
          weight: min(max(font.weight, 100), 1000), paint: paints.text.firstIndex(of: run.color ?? text.color) ?? 0,
          isItalic: font.isItalic, features: text.features(of: run), variations: font.axes,
          language: run.language ?? text.language, rise: shift?.rise(at: font.size) ?? 0,
          underline: paints.underline(of: run, in: text), strikethrough: paints.strikethrough(of: run, in: text)))
    }
    let takesSides = text.alignment == .natural || text.alignment == .justified
    if width == nil, line != nil, takesSides, direction == .natural, TextDirection.isMixed(string) { self.room = room }
    if text.hyphenates, text.wraps, width != nil { hyphenate() }
    if text.reveal < 1 { hide(after: text.reveal) }
  }

  /// Hides all but the first characters; the layout remains that of the complete text.
  private mutating func hide(after share: Double) {
    // A share that is calculated from times is seldom exactly that of a number of characters.
    let count = Int((min(max(share + .progressTolerance, 0), 1) * Double(string.count)).rounded(.down))
    let limit = string.index(string.startIndex, offsetBy: count).utf16Offset(in: string)
    let end = String(string.utf16.prefix(limit))?.utf8.count ?? string.utf8.count
    runs = runs.flatMap { run -> [Run] in
      guard run.end > end else { return [run] }
      var (shown, hidden) = (run, run)
      (hidden.paint, hidden.underline, hidden.strikethrough) = (-1, nil, nil)
      guard run.start < end else { return [hidden] }
      shown.end = end
      hidden.start = end
      return [shown, hidden]
    }
  }

  var paragraph: cpc_paragraph {
    let alignments: [TextAlignment: Int32] = [.natural: 0, .left: 1, .center: 2, .right: 3, .justified: 4]
    let truncations: [TextTruncation: Int32] = [.none: 0, .start: 1, .middle: 2, .end: 3]
    let writingModes: [WritingMode: Int32] = [.horizontal: 0, .verticalRL: 1, .verticalLR: 2]
    // An explicit alignment applies to all paragraphs, which then have the base direction of the whole text.
    let isNatural = direction == .natural && alignment != .left && alignment != .right
    let direction: Int32 = isNatural ? 0 : direction.isRightToLeft(string) ? 2 : 1
    return cpc_paragraph(
      width: width ?? -1, height: height ?? -1, room: room ?? -1, line_height: lineHeight,
      alignment: alignments[alignment] ?? 0, truncation: truncations[truncation] ?? 0, wraps: wraps,
      writing: writingModes[writingMode] ?? 0, direction: direction)
  }
}

extension TextContent {
  /// The text with the characters that are shown, in uppercase for example, instead of a transform.
  var withShownCharacters: TextContent {
    var (copy, string) = (self, "")
    for index in runs.indices {
      let shown = runs[index].text.isEmpty ? "" : shown(runs[index], after: string.suffix(2), before: runs.dropFirst(index + 1))
      string += shown
      (copy.runs[index].text, copy.runs[index].transform) = (shown, nil)
    }
    copy.transform = .none
    return copy
  }

  /// The characters of a run as they are shown.
  ///
  /// - Parameters:
  ///   - previous: The two characters before it.
  ///   - next: The runs after it.
  fileprivate func shown(_ run: TextRun, after previous: Substring, before next: ArraySlice<TextRun>) -> String {
    let transform = run.transform ?? self.transform
    guard transform != .none else { return run.text }
    let following = next.first { !$0.text.isEmpty }?.text.first
    return transform.apply(to: run.text, language: run.language ?? language, after: previous, before: following)
  }

  /// The OpenType features of a run in Pango's syntax. Features by their tags are stronger than figures, and those of the run
  /// stronger than those of the text.
  fileprivate func features(of run: TextRun) -> String {
    if features.isEmpty, figures == .normal, run.features == nil, run.figures == nil { return "" }
    let features = (run.figures ?? figures).features.merging(self.features).merging(run.features)
    guard !features.isEmpty else { return "" }
    return features.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }
}

extension BaselineShift {
  /// How much smaller letters are. The numbers are those of OpenDocument and of browsers, since those of fonts are often wrong.
  fileprivate var scale: Double { if case .pixels = self { 1 } else { 0.58 } }

  /// How far letters are above the baseline in a font of a size, in pixels.
  fileprivate func rise(at size: Double) -> Double {
    switch self {
    case .pixels(let pixels): pixels
    case .superscript: size / 3
    case .subscript: -size / 5
    }
  }
}

extension TextFont {
  /// Positions on the axes in Pango's syntax. They are rounded to hundredths, so that slow
  /// animations reuse glyphs.
  fileprivate var axes: String {
    guard !variations.isEmpty else { return "" }
    return variations.sorted { $0.key < $1.key }.map { "\($0.key)=\(($0.value * 100).rounded() / 100)" }.joined(separator: ",")
  }
}

/// Sizes of a laid-out text, in its own pixels.
package struct TextExtents: Hashable, Sendable {
  /// Size of the lines.
  package var size: Size
  /// Bounds of the ink.
  package var ink: Rect
  /// The baseline of the first line, from the top of the lines; meaningless in vertical writing.
  package var baseline: Double
  /// The number of characters without a glyph in any font.
  package var missing: Int
  /// The first of these characters.
  package var firstMissing: Unicode.Scalar?
  package var hasColor: Bool
  /// Whether the first paragraph reads from right to left.
  package var isRightToLeft: Bool

  /// Sizes of a text whose characters all have glyphs, without ink.
  package init(size: Size, baseline: Double) {
    (self.size, self.baseline) = (size, baseline)
    (ink, missing, hasColor, isRightToLeft) = (Rect(origin: .zero, size: .zero), 0, false, false)
  }

  init(_ layout: OpaquePointer) {
    var extents = cpc_extents()
    cpc_layout_get_extents(layout, &extents)
    size = Size(width: extents.width, height: extents.height)
    ink = Rect(x: extents.ink_x, y: extents.ink_y, width: extents.ink_width, height: extents.ink_height)
    baseline = extents.baseline
    missing = Int(extents.missing)
    firstMissing = extents.first_missing == 0 ? nil : Unicode.Scalar(extents.first_missing)
    hasColor = extents.has_color
    isRightToLeft = extents.is_right_to_left
  }
}
