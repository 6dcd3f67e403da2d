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
  /// The name of the person who speaks, which ``text`` doesn't contain; `nil`, the default, for none.
  public var speaker: String?

  /// Creates a span.
  public init(
    _ text: String, isBold: Bool = false, isItalic: Bool = false, isUnderlined: Bool = false, color: Color? = nil,
    speaker: String? = nil
  ) {
    self.text = text
    self.isBold = isBold
    self.isItalic = isItalic
    self.isUnderlined = isUnderlined
    self.color = color
    self.speaker = speaker
  }
}

/// The position of a caption on the canvas that overrides that of the style.
public struct CaptionPlacement: Hashable, Sendable, Codable {
  /// Horizontal alignment.
  public enum Horizontal: String, Hashable, Sendable, Codable, CaseIterable { case left, center, right }
  /// Vertical alignment.
  public enum Vertical: String, Hashable, Sendable, Codable, CaseIterable { case top, middle, bottom }

  /// Horizontal and vertical positions, as fractions of the canvas, of which 0 … 1 lie on it.
  package static let positions = -10.0...10

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

  /// The cue with each speaker's name before the text.
  package var namingSpeakers: CaptionCue {
    guard spans.contains(where: { $0.speaker != nil }) else { return self }
    var (cue, last): (CaptionCue, String?) = (self, nil)
    cue.spans = spans.flatMap { span -> [CaptionSpan] in
      defer { if !span.text.allSatisfy(\.isWhitespace) { last = span.speaker } }
      guard let speaker = span.speaker, speaker != last, !span.text.allSatisfy(\.isWhitespace) else { return [span] }
      // Line breaks stay in front of the name.
      let breaks = span.text.prefix { $0.isNewline }
      var (name, rest) = (span, span)
      (name.text, rest.text) = (breaks + speaker + ": ", String(span.text.dropFirst(breaks.count)))
      return [name, rest]
    }
    return cue
  }
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
  /// Whether players show the soft track even if captions are off. MP4 and QuickTime say so in their own
  /// way, which few players know.
  public var isForced: Bool
  /// What the file has that ``cues`` doesn't, because it cannot be shown.
  public var omissions = CaptionOmissions()
  /// Whether the end of the last cue is one that the reader chose, because the format (LRC) states none.
  package var lastEndIsAssumed = false

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

  /// Decodes a track. What was noted when a file was read, such as ``omissions``, may be missing.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode([CaptionCue].self, forKey: .cues),
      language: try values.decodeIfPresent(String.self, forKey: .language),
      title: try values.decodeIfPresent(String.self, forKey: .title),
      style: try values.decode(CaptionStyle.self, forKey: .style),
      presentation: try values.decode(CaptionPresentation.self, forKey: .presentation),
      offset: try values.decode(MediaTime.self, forKey: .offset))
    script = try values.decodeIfPresent(String.self, forKey: .script)
    isDefault = try values.decode(Bool.self, forKey: .isDefault)
    isForced = try values.decode(Bool.self, forKey: .isForced)
    omissions = try values.read(.omissions, or: omissions)
    lastEndIsAssumed = try values.read(.lastEndIsAssumed, or: false)
  }
}

extension CaptionTrack {
  /// The cues that are shown at some time, in the order of their starts, with ``offset`` added and the names of speakers as the
  /// style asks.
  package var timedCues: [CaptionCue] { timedCues(namingSpeakers: style.namesSpeakers) }

  private func timedCues(namingSpeakers: Bool) -> [CaptionCue] {
    let shifted = cues.compactMap { cue -> CaptionCue? in
      guard cue.timeRange.isNumeric, cue.timeRange.duration > .zero, !cue.text.allSatisfy(\.isWhitespace) else { return nil }
      var cue = namingSpeakers ? cue.namingSpeakers : cue
      if offset != .zero { cue.timeRange.start = cue.timeRange.start + offset }
      return cue
    }
    return shifted.enumerated().sorted { ($0.element.timeRange.start, $0.offset) < ($1.element.timeRange.start, $1.offset) }
      .map(\.element)
  }

  /// The cues of a part of the track, trimmed to the range, with times relative to its start.
  ///
  /// - Parameter namingSpeakers: Whether names of speakers are part of the text; `nil` as the style asks.
  package func cues(in range: TimeRange, namingSpeakers: Bool? = nil) -> [CaptionCue] {
    timedCues(namingSpeakers: namingSpeakers ?? style.namesSpeakers).compactMap { cue in
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
      guard places.allSatisfy(CaptionPlacement.positions.contains) else {
        throw CompositorError(
          .invalidValue, "A caption is placed outside of the canvas.",
          recoverySuggestion: "Use fractions of the canvas from 0 to 1.", at: ErrorLocation(path: "cues[\(index)].placement"))
      }
    }
    try style.validate()
  }
}
