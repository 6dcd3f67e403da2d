/// The horizontal alignment of lines in the bounds.
public enum TextAlignment: String, Hashable, Sendable, Codable, CaseIterable {
  /// Left in left-to-right paragraphs, right in right-to-left paragraphs. Each paragraph has its own side.
  case natural
  /// At the left edge.
  case left
  /// Centered.
  case center
  /// At the right edge.
  case right
  /// Justified, except for the last line, which is aligned as in ``natural``.
  case justified
}

/// The vertical alignment of lines in the bounds.
public enum VerticalAlignment: String, Hashable, Sendable, Codable, CaseIterable {
  /// At the top.
  case top
  /// In the middle.
  case middle
  /// At the bottom.
  case bottom
}

/// How text that doesn't fit is truncated.
public enum TextTruncation: String, Hashable, Sendable, Codable, CaseIterable {
  /// Not at all. It overflows.
  case none
  /// An ellipsis replaces the beginning.
  case start
  /// An ellipsis replaces the middle.
  case middle
  /// An ellipsis replaces the end.
  case end
}

/// A run as a file states it, with what its font lacks.
private struct WrittenRun: Decodable {
  private let run: TextRun
  private let font: TextRunFont?

  init(from decoder: any Decoder) throws {
    run = try TextRun(from: decoder)
    font = run.font == nil ? nil : try decoder.container(keyedBy: CodingKeys.self).decode(TextRunFont.self, forKey: .font)
  }

  private enum CodingKeys: CodingKey { case font }

  /// The run with a whole font.
  func completed(by textFont: TextFont) -> TextRun {
    var completed = run
    completed.font = font?.completed(by: textFont)
    return completed
  }
}

/// A run of text in one style. Properties that are `nil` are those of the ``TextContent``, and keys that its font lacks in a file are
/// those of the text's font.
public struct TextRun: Hashable, Sendable, Codable {
  /// The characters of the run.
  public var text: String
  /// The font face.
  public var font: TextFont?
  /// Fill color.
  public var color: Color?
  /// Space added after each character, in pixels; see ``TextContent/tracking``.
  public var tracking: Double?
  /// OpenType features, in addition to those of the text, which they may switch off.
  public var features: TextFeatures?
  /// The form of digits.
  public var figures: TextFigures?
  /// The line under the letters; the style ``TextDecoration/Style/none`` for none.
  public var underline: TextDecoration?
  /// The line through the letters; the style ``TextDecoration/Style/none`` for none.
  public var strikethrough: TextDecoration?
  /// The distance of the letters from their baseline.
  public var baselineShift: BaselineShift?
  /// Whether letters become uppercase or lowercase.
  public var transform: TextTransform?
  /// The language, as a tag such as `tr` or `sr-Cyrl`; see ``TextContent/language``.
  public var language: String?

  /// Creates a run.
  public init(_ text: String, font: TextFont? = nil, color: Color? = nil, tracking: Double? = nil) {
    self.text = text
    self.font = font
    self.color = color
    self.tracking = tracking
  }

  /// Decodes a run, or a plain string.
  public init(from decoder: any Decoder) throws {
    if let single = try? decoder.singleValueContainer(), let text = try? single.decode(String.self) {
      self.init(text)
      return
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.read(.text, or: ""))
    font = try values.decodeIfPresent(TextFont.self, forKey: .font)
    color = try values.readColor(.color)
    tracking = try values.decodeIfPresent(Double.self, forKey: .tracking)
    features = try values.decodeIfPresent(TextFeatures.self, forKey: .features)
    figures = try values.decodeIfPresent(TextFigures.self, forKey: .figures)
    underline = try values.decodeIfPresent(TextDecoration.self, forKey: .underline)
    strikethrough = try values.decodeIfPresent(TextDecoration.self, forKey: .strikethrough)
    baselineShift = try values.decodeIfPresent(BaselineShift.self, forKey: .baselineShift)
    transform = try values.decodeIfPresent(TextTransform.self, forKey: .transform)
    language = try values.decodeIfPresent(String.self, forKey: .language)
  }

  /// Encodes the form that ``TextContent`` decodes: a font has all its keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(text, forKey: .text)
    try values.encodeIfPresent(font.map(WholeTextFont.init), forKey: .font)
    try values.encodeIfPresent(color, forKey: .color)
    try values.encodeIfPresent(tracking, forKey: .tracking)
    try values.encodeIfPresent(features, forKey: .features)
    try values.encodeIfPresent(figures, forKey: .figures)
    try values.encodeIfPresent(underline, forKey: .underline)
    try values.encodeIfPresent(strikethrough, forKey: .strikethrough)
    try values.encodeIfPresent(baselineShift, forKey: .baselineShift)
    try values.encodeIfPresent(transform, forKey: .transform)
    try values.encodeIfPresent(language, forKey: .language)
  }

  private enum CodingKeys: CodingKey {
    case text, font, color, tracking, features, figures, underline, strikethrough, baselineShift, transform, language
  }
}

/// The text of a layer.
public struct TextContent: Hashable, Sendable, Codable {
  /// The text, in logical order.
  public var runs: [TextRun] = []
  /// A generator of text that precedes ``runs`` and is re-evaluated for each frame; `nil` for none.
  public var generator: TextGenerator?
  /// The number that a generator formats.
  public var value = 0.0
  /// The fraction of the characters that is shown, 0 … 1, in reading order, as on a typewriter.
  public var reveal = 1.0
  /// The font of runs that have none of their own.
  public var font = TextFont()
  /// The fill color of runs that have none of their own.
  public var color = Color.white
  /// A gradient over the bounds that fills all runs; `nil` to use ``color``.
  public var gradient: GradientContent?
  /// Space added after each character, in pixels. Letters of cursive scripts stay joined. Spaced letters have no optional
  /// ligatures.
  public var tracking = 0.0
  /// OpenType features.
  public var features = TextFeatures()
  /// The form of digits. ``TextFigures/tabular`` keeps the digits of a counter in place.
  public var figures = TextFigures.normal
  /// A line under the letters; `nil` for none. In vertical writing, it is at their left.
  public var underline: TextDecoration?
  /// A line through the letters; `nil` for none.
  public var strikethrough: TextDecoration?
  /// The distance of the letters from their baseline; `nil` for none. Lines under and through them move, too.
  public var baselineShift: BaselineShift?
  /// Whether letters become uppercase or lowercase.
  public var transform = TextTransform.none
  /// The language of the text, as a tag such as `tr` or `sr-Cyrl` (BCP 47): fonts may have other forms of letters for it, and
  /// ``transform`` and ``hyphenates`` have other rules. Empty if unknown.
  public var language = ""
  /// Distance of baselines relative to the font's line height.
  public var lineHeight = 1.0
  /// The horizontal alignment of lines.
  public var alignment = TextAlignment.natural
  /// The vertical alignment of lines.
  public var verticalAlignment = VerticalAlignment.top
  /// Whether lines wrap at the width of the bounds.
  public var wraps = false
  /// Whether words are divided at the ends of lines, by the rules of ``language``, as by `hyphens: auto` in CSS.
  ///
  /// The system's hyphenation dictionary says where. Words of fewer than five letters stay whole, and so do those with soft
  /// hyphens (U+00AD), which are divided only there, whether or not a text hyphenates. Without a language or its dictionary,
  /// a text that hyphenates is an error.
  public var hyphenates = false
  /// How text that doesn't fit is truncated.
  public var truncation = TextTruncation.none
  /// Padding around the text of a layer without bounds, in pixels. The background covers it.
  public var padding = 0.0
  /// The width at which lines of a layer wrap whose width isn't given by bounds or a layout, in pixels (the height of columns
  /// in vertical writing); 0 for never.
  public var maximumWidth = 0.0
  /// Whether text that is larger than its box (or than ``maximumWidth``) shrinks.
  public var fit = TextFit.none
  /// Whether lines are horizontal or vertical. In vertical writing, ``alignment`` counts from the top, and
  /// ``verticalAlignment`` from the first column.
  public var writingMode = WritingMode.horizontal
  /// The direction of paragraphs.
  public var direction = TextDirection.natural
  /// A background behind each line or word; `nil` for none. The layer's own background covers its bounds. Text on a path has none.
  public var background: TextBackground?
  /// The distance by which text moves along its ``path``, in pixels.
  public var pathOffset = 0.0
  private var paths: [ShapePath] = []
  /// Width of the outline around the characters, outside of them, in pixels.
  public var outlineWidth = 0.0
  /// Color of the outline.
  public var outlineColor = Color.black
  /// Animations of individual characters, words and lines.
  public var animators: [TextAnimator] = []
  /// Whether a missing font family may be substituted. Otherwise it is an error.
  public var allowsFontSubstitution = false
  /// The highlighted fraction of a text unit; `nil` in the text of a layer.
  package var highlight: Double?
  private var selectors: [TextRangeSelector] = []

  /// Creates text in a single style.
  public init(_ text: String = "", font: TextFont = TextFont(), color: Color = .white) {
    runs = text.isEmpty ? [] : [TextRun(text)]
    self.font = font
    self.color = color
  }

  /// A path of the layer's own coordinates on which the first baseline lies, as SVG's `textPath`; `nil` for straight lines.
  ///
  /// Letters turn with the path. A line begins at its start, lies around its middle or ends at its end, as ``alignment`` says, and goes
  /// on straight beyond its ends, or around a closed path. Further lines are at their distance from it. A layer without bounds has
  /// the box that its lines take along the whole path, and beyond the ends of an open one if they are longer; ``pathOffset`` doesn't
  /// change it.
  public var path: ShapePath? {
    get { paths.first }
    set { paths = newValue.map { [$0] } ?? [] }
  }

  /// The range selector whose animations are applied; `nil` in the text of a layer.
  package var selector: TextRangeSelector? {
    get { selectors.first }
    set { selectors = newValue.map { [$0] } ?? [] }
  }

  /// The characters of all runs.
  public var string: String {
    get { runs.map(\.text).joined() }
    set {
      var run = runs.first ?? TextRun("")
      run.text = newValue
      runs = [run]
    }
  }

  private enum CodingKeys: CodingKey {
    case string, runs, generator, value, reveal, font, color, gradient, tracking, features, figures
    case underline, strikethrough, baselineShift, transform, language, background, lineHeight, alignment, verticalAlignment,
      wraps, hyphenates,
      truncation, padding, maximumWidth, fit, writingMode, direction, outlineWidth, outlineColor, path, pathOffset,
      animators,
      allowsFontSubstitution
  }

  /// Decodes text. Missing keys have their defaults. `string` is short for one run.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.read(.string, or: ""))
    guard !values.contains(.string) || !values.contains(.runs) else {
      throw CompositorError(.invalidValue, "A text has a string and runs.", recoverySuggestion: "Keep one of them.")
    }
    generator = try values.decodeIfPresent(TextGenerator.self, forKey: .generator)
    value = try values.read(.value, or: value)
    reveal = try values.read(.reveal, or: reveal)
    font = try values.read(.font, or: font)
    if let written = try values.decodeIfPresent([WrittenRun].self, forKey: .runs) {
      runs = written.map { $0.completed(by: font) }
    }
    color = try values.readColor(.color, or: color)
    gradient = try values.decodeIfPresent(GradientContent.self, forKey: .gradient)
    tracking = try values.read(.tracking, or: tracking)
    features = try values.read(.features, or: features)
    figures = try values.read(.figures, or: figures)
    underline = try values.decodeIfPresent(TextDecoration.self, forKey: .underline)
    strikethrough = try values.decodeIfPresent(TextDecoration.self, forKey: .strikethrough)
    baselineShift = try values.decodeIfPresent(BaselineShift.self, forKey: .baselineShift)
    transform = try values.read(.transform, or: transform)
    language = try values.read(.language, or: language)
    background = try values.decodeIfPresent(TextBackground.self, forKey: .background)
    lineHeight = try values.read(.lineHeight, or: lineHeight)
    alignment = try values.read(.alignment, or: alignment)
    verticalAlignment = try values.read(.verticalAlignment, or: verticalAlignment)
    wraps = try values.read(.wraps, or: wraps)
    hyphenates = try values.read(.hyphenates, or: hyphenates)
    truncation = try values.read(.truncation, or: truncation)
    padding = try values.read(.padding, or: padding)
    maximumWidth = try values.read(.maximumWidth, or: maximumWidth)
    fit = try values.read(.fit, or: fit)
    writingMode = try values.read(.writingMode, or: writingMode)
    direction = try values.read(.direction, or: direction)
    outlineWidth = try values.read(.outlineWidth, or: outlineWidth)
    outlineColor = try values.readColor(.outlineColor, or: outlineColor)
    path = try values.decodeIfPresent(ShapePath.self, forKey: .path)
    pathOffset = try values.read(.pathOffset, or: pathOffset)
    animators = try values.read(.animators, or: animators)
    allowsFontSubstitution = try values.read(.allowsFontSubstitution, or: allowsFontSubstitution)
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(runs, forKey: .runs)
    try values.encodeIfPresent(generator, forKey: .generator)
    try values.encode(value, forKey: .value)
    try values.encode(reveal, forKey: .reveal)
    try values.encode(font, forKey: .font)
    try values.encode(color, forKey: .color)
    try values.encodeIfPresent(gradient, forKey: .gradient)
    try values.encode(tracking, forKey: .tracking)
    if !features.isEmpty { try values.encode(features, forKey: .features) }
    if figures != .normal { try values.encode(figures, forKey: .figures) }
    try values.encodeIfPresent(underline, forKey: .underline)
    try values.encodeIfPresent(strikethrough, forKey: .strikethrough)
    try values.encodeIfPresent(baselineShift, forKey: .baselineShift)
    if transform != .none { try values.encode(transform, forKey: .transform) }
    if !language.isEmpty { try values.encode(language, forKey: .language) }
    try values.encodeIfPresent(background, forKey: .background)
    try values.encode(lineHeight, forKey: .lineHeight)
    try values.encode(alignment, forKey: .alignment)
    try values.encode(verticalAlignment, forKey: .verticalAlignment)
    try values.encode(wraps, forKey: .wraps)
    if hyphenates { try values.encode(hyphenates, forKey: .hyphenates) }
    try values.encode(truncation, forKey: .truncation)
    try values.encode(padding, forKey: .padding)
    try values.encode(maximumWidth, forKey: .maximumWidth)
    try values.encode(fit, forKey: .fit)
    try values.encode(writingMode, forKey: .writingMode)
    try values.encode(direction, forKey: .direction)
    try values.encode(outlineWidth, forKey: .outlineWidth)
    try values.encode(outlineColor, forKey: .outlineColor)
    try values.encodeIfPresent(path, forKey: .path)
    if pathOffset != 0 { try values.encode(pathOffset, forKey: .pathOffset) }
    if !animators.isEmpty { try values.encode(animators, forKey: .animators) }
    try values.encode(allowsFontSubstitution, forKey: .allowsFontSubstitution)
  }
}
