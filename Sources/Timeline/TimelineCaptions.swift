public import CompositorAPI
import CompositorCaptions

/// Captions of a timeline: cues, or where they are read from.
///
/// ```swift
/// movie.captions = [TimelineCaptions(contentsOf: "holiday.srt", language: "de", presentation: .track)]
/// ```
public struct TimelineCaptions: Hashable, Sendable {
  /// Where captions come from.
  public enum Content: Hashable, Sendable {
    /// Cues in timeline time.
    case cues([CaptionCue])
    /// A file of captions, or media with subtitle tracks, by path. Its time 0 is the timeline's.
    case file(path: String, track: Int, encoding: String?)
  }

  /// Where they come from.
  public var content: Content
  /// The language as a BCP 47 tag (`de`, `pt-BR`); `nil` takes what the media say.
  public var language: String?
  /// The title of the track; `nil` takes what the media say.
  public var title: String?
  /// What becomes of them. Default burned in.
  public var presentation: CaptionPresentation
  /// How they are drawn; `nil` draws scripts of ASS in their own styles by libass, and everything else in the usual style.
  public var style: CaptionStyle?
  /// Added to all times.
  public var offset: MediaTime
  /// Whether players show the soft track unless another is chosen.
  public var isDefault = false
  /// Whether players show the soft track even where captions are switched off.
  public var isForced = false

  /// Captions of a file, or of a subtitle track of media.
  ///
  /// - Parameters:
  ///   - path: SRT, WebVTT, ASS, or media.
  ///   - track: Index among the subtitle tracks of media, from 0.
  ///   - encoding: The encoding of a file that isn't Unicode, as iconv names it.
  public init(
    contentsOf path: String, track: Int = 0, encoding: String? = nil, language: String? = nil,
    presentation: CaptionPresentation = .burnedIn, style: CaptionStyle? = nil, offset: MediaTime = .zero
  ) {
    content = .file(path: path, track: track, encoding: encoding)
    (self.language, self.presentation, self.style, self.offset) = (language, presentation, style, offset)
  }

  /// Captions that are known.
  public init(
    _ cues: [CaptionCue], language: String? = nil, presentation: CaptionPresentation = .burnedIn,
    style: CaptionStyle? = nil, offset: MediaTime = .zero
  ) {
    content = .cues(cues)
    (self.language, self.presentation, self.style, self.offset) = (language, presentation, style, offset)
  }

  /// The captions with their cues.
  ///
  /// - Throws: What ``CompositorAPI/CaptionTrack/init(contentsOf:options:)`` throws; `.invalidValue` for times and a style out of range.
  public func track() throws(CompositorError) -> CaptionTrack {
    var track: CaptionTrack
    switch content {
    case .cues(let cues): track = CaptionTrack(cues)
    case .file(let path, let index, let encoding):
      var options = CaptionReadingOptions()
      (options.track, options.encoding) = (index, encoding)
      track = try CaptionTrack(contentsOf: path, options: options)
    }
    if let language { track.language = language }
    if let title { track.title = title }
    if let style {
      (track.style, track.script) = (style, nil)
    }
    (track.presentation, track.offset) = (presentation, offset)
    (track.isDefault, track.isForced) = (isDefault, isForced)
    try track.validate()
    return track
  }
}
