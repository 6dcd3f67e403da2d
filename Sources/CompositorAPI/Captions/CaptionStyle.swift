/// The appearance and position of captions. Sizes are fractions of the canvas, so that one style suits every aspect ratio.
public struct CaptionStyle: Hashable, Sendable, Codable {
  /// The font family; empty, the default, for the provider's default.
  public var family = ""
  /// The weight: 100 (thin) … 400 (regular, the default) … 700 (bold) … 1000.
  public var weight = 400
  /// Height of the em, as a fraction of the canvas's height, > 0; `nil`, the default, for 5 % of the shorter side.
  public var size: Double?
  /// Color of the text. Default white.
  public var color = Color.white
  /// Color of the outline around the characters. Default black.
  public var outlineColor = Color.black
  /// Width of the outline in ems, 0 … 1. Default 0: the box keeps the text legible.
  public var outlineWidth = 0.0
  /// Color of the box behind the text; transparent for no box. Default black at 60 %.
  public var boxColor = Color(red: 0, green: 0, blue: 0, alpha: 0.6)
  /// The default vertical position of captions. Default bottom.
  public var vertical = CaptionPlacement.Vertical.bottom
  /// The default alignment of lines. Default center.
  public var horizontal = CaptionPlacement.Horizontal.center
  /// Distance from the left and right edges, as a fraction of the canvas's width, 0 … 0.45. Default 5 % (EBU R 95).
  public var horizontalMargin = 0.05
  /// Distance from the top and bottom edges, as a fraction of the canvas's height, 0 … 0.45. Default 7 %.
  public var verticalMargin = 0.07
  /// The maximum width of a line, as a fraction of the canvas's width, 0.05 … 1; `nil`, the default, for 80 %, or 90 % on a
  /// portrait canvas.
  public var maximumWidth: Double?
  /// The maximum number of lines to which a caption wraps, 1 … 20. Longer captions get smaller letters, down to 40 %. Explicit
  /// line breaks are kept. Default 3.
  public var maximumLineCount = 3
  /// The direction of the text. Default natural: determined by its first letter.
  public var direction = TextDirection.natural
  /// Whether missing fonts or characters may be substituted. Default `false`: an error.
  public var allowsFontSubstitution = false
  /// Whether the name of a span's speaker is shown before its text (`Ada: Hello`), also in tracks and files whose format has no
  /// speakers. Default `true`.
  public var namesSpeakers = true

  /// The weights that fonts have.
  package static let weights = 100...1000
  /// Heights of the em, as fractions of the canvas's height.
  package static let sizes = 0.001...1
  /// Widths of the outline, in ems.
  package static let outlineWidths = 0.0...1
  /// Distances from an edge, as fractions of the canvas's width or height.
  package static let margins = 0...0.45
  /// Maximum widths of a line, as fractions of the canvas's width.
  package static let maximumWidths = 0.05...1
  /// Maximum numbers of lines.
  package static let maximumLineCounts = 1...20

  /// Creates the default style.
  public init() {}

  /// Decodes a style. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    family = try values.read(.family, or: family)
    weight = try values.read(.weight, or: weight)
    size = try values.decodeIfPresent(Double.self, forKey: .size)
    color = try values.read(.color, or: color)
    outlineColor = try values.read(.outlineColor, or: outlineColor)
    outlineWidth = try values.read(.outlineWidth, or: outlineWidth)
    boxColor = try values.read(.boxColor, or: boxColor)
    vertical = try values.read(.vertical, or: vertical)
    horizontal = try values.read(.horizontal, or: horizontal)
    horizontalMargin = try values.read(.horizontalMargin, or: horizontalMargin)
    verticalMargin = try values.read(.verticalMargin, or: verticalMargin)
    maximumWidth = try values.decodeIfPresent(Double.self, forKey: .maximumWidth)
    maximumLineCount = try values.read(.maximumLineCount, or: maximumLineCount)
    direction = try values.read(.direction, or: direction)
    allowsFontSubstitution = try values.read(.allowsFontSubstitution, or: allowsFontSubstitution)
    namesSpeakers = try values.read(.namesSpeakers, or: namesSpeakers)
  }

  /// - Throws: `.invalidValue` if a number is out of range.
  func validate() throws(CompositorError) {
    func doubles(_ range: ClosedRange<Int>) -> ClosedRange<Double> { Double(range.lowerBound)...Double(range.upperBound) }
    let numbers: [(String, Double, ClosedRange<Double>)] = [
      ("weight", Double(weight), doubles(Self.weights)), ("size", size ?? 0.05, Self.sizes),
      ("outlineWidth", outlineWidth, Self.outlineWidths), ("horizontalMargin", horizontalMargin, Self.margins),
      ("verticalMargin", verticalMargin, Self.margins), ("maximumWidth", maximumWidth ?? 0.8, Self.maximumWidths),
      ("maximumLineCount", Double(maximumLineCount), doubles(Self.maximumLineCounts)),
    ]
    for (name, value, range) in numbers where !range.contains(value) {
      throw CompositorError(
        .invalidValue, "The captions' \(name) is \(value).",
        recoverySuggestion: "Use \(range.lowerBound) to \(range.upperBound).", at: ErrorLocation(path: "style.\(name)"))
    }
  }
}
