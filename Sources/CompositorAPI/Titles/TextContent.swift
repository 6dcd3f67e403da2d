/// Where lines stand between the edges of the bounds.
public enum TextAlignment: String, Hashable, Sendable, Codable, CaseIterable {
  /// Left in left-to-right paragraphs, right in right-to-left ones.
  case natural
  /// At the left edge.
  case left
  /// In the middle.
  case center
  /// At the right edge.
  case right
  /// At both edges, but for the last line.
  case justified
}

/// Where lines stand between top and bottom of the bounds.
public enum VerticalAlignment: String, Hashable, Sendable, Codable, CaseIterable {
  /// At the top.
  case top
  /// In the middle.
  case middle
  /// At the bottom.
  case bottom
}

/// What becomes of text that does not fit.
public enum TextTruncation: String, Hashable, Sendable, Codable, CaseIterable {
  /// It stands over.
  case none
  /// An ellipsis takes the place of the beginning.
  case start
  /// An ellipsis takes the place of the middle.
  case middle
  /// An ellipsis takes the place of the end.
  case end
}

/// A face among fonts.
public struct TextFont: Hashable, Sendable, Codable {
  /// Family, as the font names it; several by commas. Empty takes the provider's default.
  public var family = ""
  /// Height of the em, in pixels.
  public var size = 36.0
  /// 100 (thin) … 400 (regular) … 700 (bold) … 1000.
  public var weight = 400
  /// Whether italic or oblique.
  public var isItalic = false

  /// A font.
  public init(family: String = "", size: Double = 36, weight: Int = 400, isItalic: Bool = false) {
    self.family = family
    self.size = size
    self.weight = weight
    self.isItalic = isItalic
  }

  /// Reads a font; missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    family = try values.read(.family, or: family)
    size = try values.read(.size, or: size)
    weight = try values.read(.weight, or: weight)
    isItalic = try values.read(.isItalic, or: isItalic)
  }
}

/// A stretch of text in one look; what is nil is as in the rest of the layer.
public struct TextRun: Hashable, Sendable, Codable {
  /// The characters.
  public var text: String
  /// The face.
  public var font: TextFont?
  /// Fill.
  public var color: Color?
  /// Space added after each character, in pixels.
  public var tracking: Double?

  /// A run.
  public init(_ text: String, font: TextFont? = nil, color: Color? = nil, tracking: Double? = nil) {
    self.text = text
    self.font = font
    self.color = color
    self.tracking = tracking
  }

  /// Reads a run, or a plain string.
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
  }

  private enum CodingKeys: CodingKey { case text, font, color, tracking }
}

/// Text in a layer.
public struct TextContent: Hashable, Sendable, Codable {
  /// The text, in order of writing.
  public var runs: [TextRun] = []
  /// Stands before ``runs`` and is made anew for each frame; nil for none.
  public var generator: TextGenerator?
  /// The number that a generator shows.
  public var value = 0.0
  /// How much of the text shows, 0 … 1 of its characters in reading order: a typewriter.
  public var reveal = 1.0
  /// The face of runs that have none of their own.
  public var font = TextFont()
  /// Fill of runs that have none of their own.
  public var color = Color.white
  /// Fill of all runs by a gradient over the bounds; nil for ``color``.
  public var gradient: GradientContent?
  /// Space added after each character, in pixels.
  public var tracking = 0.0
  /// Distance of baselines in line heights of the font; 1 as the font says.
  public var lineHeight = 1.0
  /// Between the edges.
  public var alignment = TextAlignment.natural
  /// Between top and bottom.
  public var verticalAlignment = VerticalAlignment.top
  /// Whether lines break at the width of the bounds.
  public var wraps = false
  /// What becomes of text that does not fit.
  public var truncation = TextTruncation.none
  /// Room around the text of a layer without bounds, in pixels: what its background shows beyond the text.
  public var padding = 0.0
  /// The width at which the lines of a layer without bounds break (in vertical writing: the height of columns); 0 for never.
  public var maximumWidth = 0.0
  /// Whether text that is larger than its box (or than ``maximumWidth``) gets smaller.
  public var fit = TextFit.none
  /// Whether lines are columns; along the line, ``alignment`` then counts from the top, and ``verticalAlignment`` from the first column.
  public var writingMode = WritingMode.horizontal
  /// Which way paragraphs run.
  public var direction = TextDirection.natural
  /// Width of a line around the characters, outside of them, in pixels.
  public var outlineWidth = 0.0
  /// Color of that line.
  public var outlineColor = Color.black
  /// What happens to its letters, words and lines one by one.
  public var animators: [TextAnimator] = []
  /// Whether a family that is not there may be replaced by another; otherwise it is an error.
  public var allowsFontSubstitution = false
  /// How much of a piece of it is highlighted; nil in the text of a layer.
  package var highlight: Double?

  /// Text in one look.
  public init(_ text: String = "", font: TextFont = TextFont(), color: Color = .white) {
    runs = text.isEmpty ? [] : [TextRun(text)]
    self.font = font
    self.color = color
  }

  /// The characters of all runs.
  public var string: String {
    get { runs.map(\.text).joined() }
    set { runs = [TextRun(newValue, font: runs.first?.font, color: runs.first?.color, tracking: runs.first?.tracking)] }
  }

  private enum CodingKeys: CodingKey {
    case string, runs, generator, value, reveal, font, color, gradient, tracking, lineHeight, alignment, verticalAlignment
    case wraps, truncation, padding, maximumWidth, fit, writingMode, direction, outlineWidth, outlineColor, animators,
      allowsFontSubstitution
  }

  /// Reads text; missing keys have their defaults. `string` is short for one run.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.read(.string, or: ""))
    guard !values.contains(.string) || !values.contains(.runs) else {
      throw CompositorError(.invalidValue, "A text has a string and runs.", recoverySuggestion: "Keep one of them.")
    }
    runs = try values.read(.runs, or: runs)
    generator = try values.decodeIfPresent(TextGenerator.self, forKey: .generator)
    value = try values.read(.value, or: value)
    reveal = try values.read(.reveal, or: reveal)
    font = try values.read(.font, or: font)
    color = try values.readColor(.color, or: color)
    gradient = try values.decodeIfPresent(GradientContent.self, forKey: .gradient)
    tracking = try values.read(.tracking, or: tracking)
    lineHeight = try values.read(.lineHeight, or: lineHeight)
    alignment = try values.read(.alignment, or: alignment)
    verticalAlignment = try values.read(.verticalAlignment, or: verticalAlignment)
    wraps = try values.read(.wraps, or: wraps)
    truncation = try values.read(.truncation, or: truncation)
    padding = try values.read(.padding, or: padding)
    maximumWidth = try values.read(.maximumWidth, or: maximumWidth)
    fit = try values.read(.fit, or: fit)
    writingMode = try values.read(.writingMode, or: writingMode)
    direction = try values.read(.direction, or: direction)
    outlineWidth = try values.read(.outlineWidth, or: outlineWidth)
    outlineColor = try values.readColor(.outlineColor, or: outlineColor)
    animators = try values.read(.animators, or: animators)
    allowsFontSubstitution = try values.read(.allowsFontSubstitution, or: allowsFontSubstitution)
  }

  /// Writes what ``init(from:)`` reads.
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
    try values.encode(lineHeight, forKey: .lineHeight)
    try values.encode(alignment, forKey: .alignment)
    try values.encode(verticalAlignment, forKey: .verticalAlignment)
    try values.encode(wraps, forKey: .wraps)
    try values.encode(truncation, forKey: .truncation)
    try values.encode(padding, forKey: .padding)
    try values.encode(maximumWidth, forKey: .maximumWidth)
    try values.encode(fit, forKey: .fit)
    try values.encode(writingMode, forKey: .writingMode)
    try values.encode(direction, forKey: .direction)
    try values.encode(outlineWidth, forKey: .outlineWidth)
    try values.encode(outlineColor, forKey: .outlineColor)
    if !animators.isEmpty { try values.encode(animators, forKey: .animators) }
    try values.encode(allowsFontSubstitution, forKey: .allowsFontSubstitution)
  }
}
