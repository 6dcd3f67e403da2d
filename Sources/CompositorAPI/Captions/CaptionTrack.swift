/// A part of a caption in a single style.
public struct CaptionSpan: Hashable, Sendable, Codable {
  /// The characters. Lines are separated by `
  /// `.
  public var text: String
  /// Whether the text is bold.
  public var isBold: Bool
  /// Whether the text is italic.
  public var isItalic: Bool
  /// Whether the text is underlined. Preserved in files and soft tracks, but not drawn in caption titles.
  public var isUnderlined: Bool
  /// The color of the text; `nil`, the default, for that of the style.
  public var color: Color?

  /// Creates a span.
  public init(
    _ text: String, isBold: Bool = false, isItalic: Bool = false, isUnderlined: Bool = false, color: Color? = nil
  ) {
    self.text = text
    self.isBold = isBold
    self.isItalic = isItalic
    self.isUnderlined = isUnderlined
    self.color = color
  }
}

/// The position of a caption on the canvas that overrides that of the style.
public struct CaptionPlacement: Hashable, Sendable, Codable {
  /// Horizontal alignment.
  public enum Horizontal: String, Hashable, Sendable, Codable, CaseIterable { case left, center, right }
  /// Vertical alignment.
  public enum Vertical: String, Hashable, Sendable, Codable, CaseIterable { case top, middle, bottom }

  /// The alignment of lines. Default center.
  public var horizontal = Horizontal.center
  /// The vertical position. Simultaneous captions are stacked away from it. Default bottom.
  public var vertical = Vertical.bottom
  /// The horizontal position of the aligned side, as a fraction of the canvas's width; `nil` for the style's margins.
  public var x: Double?
  /// The vertical position of the aligned side, as a fraction of the canvas's height; `nil` for the style's margins.
  public var y: Double?

  /// Creates a placement, by default at the bottom center.
  public init(
    _ vertical: Vertical = .bottom, _ horizontal: Horizontal = .center, x: Double? = nil, y: Double? = nil
  ) {
    (self.vertical, self.horizontal, self.x, self.y) = (vertical, horizontal, x, y)
  }
}

/// A caption with its time range.
public struct CaptionCue: Hashable, Sendable, Codable {
  /// The time range: from the first frame at or after the start to the first frame at or after the end.
  public var timeRange: TimeRange
  /// The text of the caption.
  public var spans: [CaptionSpan]
  /// The position; `nil`, the default, for that of the style.
  public var placement: CaptionPlacement?

  /// Creates a cue.
  public init(_ timeRange: TimeRange, _ spans: [CaptionSpan], placement: CaptionPlacement? = nil) {
    self.timeRange = timeRange
    self.spans = spans
    self.placement = placement
  }

  /// Creates a cue of unstyled text.
  public init(_ timeRange: TimeRange, _ text: String, placement: CaptionPlacement? = nil) {
    self.init(timeRange, [CaptionSpan(text)], placement: placement)
  }

  /// The characters of all spans.
  public var text: String { spans.map(\.text).joined() }
}

/// How captions are delivered.
public enum CaptionPresentation: String, Hashable, Sendable, Codable, CaseIterable {
  /// Drawn over the frames.
  case burnedIn = "burned-in"
  /// Written as a separate track that players show on request.
  case track
  /// Drawn and written as a track.
  case both

  /// Whether captions are drawn over the frames.
  public var isBurnedIn: Bool { self != .track }
  /// Whether captions are a track of the output.
  public var isTrack: Bool { self != .burnedIn }
}

/// Captions in one language.
///
/// ```swift
/// let captions = CaptionTrack(
///   [CaptionCue(TimeRange(start: .seconds(1), end: .seconds(3)), "Good morning.")], language: "en")
/// edit.captions = [captions]
/// ```
public struct CaptionTrack: Hashable, Sendable, Codable {
  /// The language as a BCP 47 tag (`de`, `pt-BR`); `nil` for none.
  public var language: String?
  /// The title of the track for users; `nil` for none.
  public var title: String?
  /// The cues, in any order; they may overlap.
  public var cues: [CaptionCue]
  /// The style in which cues are drawn.
  public var style: CaptionStyle
  /// How the captions are delivered. Default burned in.
  public var presentation: CaptionPresentation
  /// The offset added to all times, including those of ``script``.
  public var offset: MediaTime
  /// An ASS script, which libass draws with its own styles instead of ``cues`` and ``style``; `nil` for none.
  public var script: String?
  /// Whether players show the soft track by default.
  public var isDefault: Bool
  /// Whether players show the soft track even if captions are off. MP4 and QuickTime cannot represent this.
  public var isForced: Bool

  /// Creates a track.
  public init(
    _ cues: [CaptionCue], language: String? = nil, title: String? = nil, style: CaptionStyle = CaptionStyle(),
    presentation: CaptionPresentation = .burnedIn, offset: MediaTime = .zero
  ) {
    self.language = language
    self.title = title
    self.cues = cues
    self.style = style
    self.presentation = presentation
    self.offset = offset
    self.script = nil
    self.isDefault = false
    self.isForced = false
  }
}

extension CaptionTrack {
  /// The cues that are shown at some time, in the order of their starts, with ``offset`` added.
  package var timedCues: [CaptionCue] {
    let shifted = cues.compactMap { cue -> CaptionCue? in
      guard cue.timeRange.isNumeric, cue.timeRange.duration > .zero, !cue.text.allSatisfy(\.isWhitespace) else { return nil }
      var cue = cue
      if offset != .zero { cue.timeRange.start = cue.timeRange.start + offset }
      return cue
    }
    return shifted.enumerated().sorted { ($0.element.timeRange.start, $0.offset) < ($1.element.timeRange.start, $1.offset) }
      .map(\.element)
  }

  /// The cues of a part of the track, trimmed to the range, with times relative to its start.
  package func cues(in range: TimeRange) -> [CaptionCue] {
    timedCues.compactMap { cue in
      let (start, end) = (max(cue.timeRange.start, range.start), min(cue.timeRange.end, range.end))
      guard start < end else { return nil }
      var cue = cue
      cue.timeRange = TimeRange(start: start - range.start, end: end - range.start)
      return cue
    }
  }

  /// - Throws: `.invalidValue` if a time isn't finite, a duration is negative, or the style is out of range.
  package func validate() throws(CompositorError) {
    guard offset.isNumeric else {
      throw CompositorError(
        .invalidValue, "The captions' offset is \(offset).", recoverySuggestion: "Use a finite time.",
        at: ErrorLocation(path: "offset"))
    }
    for (index, cue) in cues.enumerated() {
      let range = cue.timeRange
      guard range.start.isNumeric, range.duration.isNumeric, range.duration >= .zero, (range.start + offset).isNumeric,
        (range.end + offset).isNumeric
      else {
        throw CompositorError(
          .invalidValue, "A caption starts at \(range.start) and lasts \(range.duration).",
          recoverySuggestion: "Give it a finite start and a duration that isn't negative.",
          at: ErrorLocation(path: "cues[\(index)]"))
      }
      let places = [cue.placement?.x, cue.placement?.y].compactMap { $0 }
      guard places.allSatisfy({ (-10...10).contains($0) }) else {
        throw CompositorError(
          .invalidValue, "A caption is placed outside of the canvas.",
          recoverySuggestion: "Use fractions of the canvas from 0 to 1.", at: ErrorLocation(path: "cues[\(index)].placement"))
      }
    }
    try style.validate()
  }
}

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
  }

  /// - Throws: `.invalidValue` if a number is out of range.
  func validate() throws(CompositorError) {
    let numbers: [(String, Double, ClosedRange<Double>)] = [
      ("weight", Double(weight), 100...1000), ("size", size ?? 0.05, 0.001...1), ("outlineWidth", outlineWidth, 0...1),
      ("horizontalMargin", horizontalMargin, 0...0.45), ("verticalMargin", verticalMargin, 0...0.45),
      ("maximumWidth", maximumWidth ?? 0.8, 0.05...1), ("maximumLineCount", Double(maximumLineCount), 1...20),
    ]
    for (name, value, range) in numbers where !range.contains(value) {
      throw CompositorError(
        .invalidValue, "The captions' \(name) is \(value).",
        recoverySuggestion: "Use \(range.lowerBound) to \(range.upperBound).", at: ErrorLocation(path: "style.\(name)"))
    }
  }
}
