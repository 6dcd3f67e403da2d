/// A piece of a caption in one look.
public struct CaptionSpan: Hashable, Sendable, Codable {
  /// The characters; lines are separated by `\n`.
  public var text: String
  /// Whether the text is bold.
  public var isBold: Bool
  /// Whether the text is italic.
  public var isItalic: Bool
  /// Whether the text is underlined: kept in files and soft tracks; caption titles draw no line.
  public var isUnderlined: Bool
  /// The color of the text; `nil`, the default, is the style's.
  public var color: Color?

  /// Makes a span.
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

/// Where a caption is on the canvas, if it says so itself.
public struct CaptionPlacement: Hashable, Sendable, Codable {
  /// A side along which captions are aligned, from left to right.
  public enum Horizontal: String, Hashable, Sendable, Codable, CaseIterable { case left, center, right }
  /// A side along which captions are stacked, from top to bottom.
  public enum Vertical: String, Hashable, Sendable, Codable, CaseIterable { case top, middle, bottom }

  /// The side that lines are aligned to. Default center.
  public var horizontal = Horizontal.center
  /// The side that the caption is at; captions at the same time are stacked away from it. Default bottom.
  public var vertical = Vertical.bottom
  /// Where that side of the caption is horizontally, as a fraction of the canvas's width; `nil` follows the style's margins.
  public var x: Double?
  /// Where that side of the caption is vertically, as a fraction of the canvas's height; `nil` follows the style's margins.
  public var y: Double?

  /// Makes a placement; by default at the bottom, in the middle.
  public init(
    _ vertical: Vertical = .bottom, _ horizontal: Horizontal = .center, x: Double? = nil, y: Double? = nil
  ) {
    (self.vertical, self.horizontal, self.x, self.y) = (vertical, horizontal, x, y)
  }
}

/// A caption and when it shows.
public struct CaptionCue: Hashable, Sendable, Codable {
  /// When it shows: from the first frame at or after the start until the first frame at or after the end.
  public var timeRange: TimeRange
  /// Its text.
  public var spans: [CaptionSpan]
  /// Where it is; `nil`, the default, follows the style.
  public var placement: CaptionPlacement?

  /// Makes a cue.
  public init(_ timeRange: TimeRange, _ spans: [CaptionSpan], placement: CaptionPlacement? = nil) {
    self.timeRange = timeRange
    self.spans = spans
    self.placement = placement
  }

  /// Makes a cue of plain text.
  public init(_ timeRange: TimeRange, _ text: String, placement: CaptionPlacement? = nil) {
    self.init(timeRange, [CaptionSpan(text)], placement: placement)
  }

  /// The characters of all spans.
  public var text: String { spans.map(\.text).joined() }
}

/// What becomes of captions.
public enum CaptionPresentation: String, Hashable, Sendable, Codable, CaseIterable {
  /// They are drawn over the frames.
  case burnedIn = "burned-in"
  /// They are a track of their own that players show on request.
  case track
  /// Both.
  case both

  /// Whether they are drawn over the frames.
  public var isBurnedIn: Bool { self != .track }
  /// Whether they are a track of the output.
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
  /// The title of the track, for people; `nil` for none.
  public var title: String?
  /// The cues, in any order; they may overlap.
  public var cues: [CaptionCue]
  /// How they are drawn.
  public var style: CaptionStyle
  /// What becomes of them. Default burned in.
  public var presentation: CaptionPresentation
  /// Added to all times, also those of ``script``.
  public var offset: MediaTime
  /// A script of ASS, which is drawn by libass in its own styles instead of ``cues`` in ``style``; `nil` for none.
  public var script: String?
  /// Whether players show the soft track unless another is chosen.
  public var isDefault: Bool
  /// Whether players show the soft track even where captions are switched off. MP4 and QuickTime cannot say so.
  public var isForced: Bool

  /// Makes a track.
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
  /// Cues that show at some time, in the order of their starts, with ``offset`` added.
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

  /// The track as a part of it sees it: cut to the range, times counted from its start.
  package func cues(in range: TimeRange) -> [CaptionCue] {
    timedCues.compactMap { cue in
      let (start, end) = (max(cue.timeRange.start, range.start), min(cue.timeRange.end, range.end))
      guard start < end else { return nil }
      var cue = cue
      cue.timeRange = TimeRange(start: start - range.start, end: end - range.start)
      return cue
    }
  }

  /// - Throws: `.invalidValue` for times that are not finite, a negative duration, and a style out of range.
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

/// How captions look and where they are. Sizes are fractions of the canvas, so that one style serves every shape of frame.
public struct CaptionStyle: Hashable, Sendable, Codable {
  /// Family, as the font names it; empty, the default, takes the provider's.
  public var family = ""
  /// 100 (thin) … 400 (regular, the default) … 700 (bold) … 1000.
  public var weight = 400
  /// Height of the em, as a fraction of the canvas's height, > 0; `nil`, the default, is 5 % of the shorter side.
  public var size: Double?
  /// Color of the text. Default white.
  public var color = Color.white
  /// Color of a line around the characters. Default black.
  public var outlineColor = Color.black
  /// Width of that line in heights of the em, 0 … 1. Default 0: the box keeps the text legible.
  public var outlineWidth = 0.0
  /// Color of the box behind the text; transparent for none. Default black at 60 %.
  public var boxColor = Color(red: 0, green: 0, blue: 0, alpha: 0.6)
  /// Where captions are that do not say so themselves. Default bottom.
  public var vertical = CaptionPlacement.Vertical.bottom
  /// How lines of captions are aligned that do not say so themselves. Default center.
  public var horizontal = CaptionPlacement.Horizontal.center
  /// Distance from the left and right edges of the canvas, as a fraction of its width, 0 … 0.45. Default 5 % (EBU R 95).
  public var horizontalMargin = 0.05
  /// Distance from the top and bottom edges of the canvas, as a fraction of its height, 0 … 0.45. Default 7 %.
  public var verticalMargin = 0.07
  /// The most that a line takes, as a fraction of the canvas's width, 0.05 … 1. Default 80 %; 90 % if the canvas is upright.
  public var maximumWidth: Double?
  /// The most lines that a caption wraps to, 1 … 20: longer ones get smaller letters, down to 40 %. Lines of its own are not joined. Default 3.
  public var maximumLineCount = 3
  /// Which way the text runs. Default natural: as its first letter.
  public var direction = TextDirection.natural
  /// Whether a font, or characters, that are not there may be replaced. Default false: an error.
  public var allowsFontSubstitution = false

  /// The usual style.
  public init() {}

  /// Reads a style; missing keys have their defaults.
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

  /// - Throws: `.invalidValue` for a number out of its range.
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
