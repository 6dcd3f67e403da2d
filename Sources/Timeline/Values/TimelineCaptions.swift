public import CompositorAPI
import CompositorCaptions

/// Captions of a timeline: cues, or a file that contains them.
///
/// ```swift
/// movie.captions = [TimelineCaptions(contentsOf: "holiday.srt", language: "de", presentation: .track)]
/// ```
public struct TimelineCaptions: Hashable, Sendable {
  /// The origin of captions.
  public enum Content: Hashable, Sendable {
    /// Cues in timeline time.
    case cues([CaptionCue])
    /// A caption file, or media with subtitle tracks, by path. Its time 0 is that of the timeline.
    case file(path: String, track: Int, encoding: String?)
  }

  /// The origin of the captions.
  public var content: Content
  /// The language as a BCP 47 tag (`de`, `pt-BR`); `nil` for that of the file.
  public var language: String?
  /// The title of the track; `nil` for that of the file.
  public var title: String?
  /// How the captions are delivered. Default burned in.
  public var presentation: CaptionPresentation
  /// The style; `nil` for the default style, or for libass with a script's own styles if the file is ASS.
  public var style: CaptionStyle?
  /// The offset added to all times.
  public var offset: MediaTime
  /// Whether players show the soft track by default.
  public var isDefault = false
  /// Whether players show the soft track even if captions are off.
  public var isForced = false

  /// Creates captions from a file, or from a subtitle track of media.
  ///
  /// - Parameters:
  ///   - path: The path of an SRT, WebVTT, ASS or media file.
  ///   - track: The index among the subtitle tracks of media, from 0.
  ///   - encoding: The encoding of a file that isn't Unicode, by its iconv name.
  public init(
    contentsOf path: String, track: Int = 0, encoding: String? = nil, language: String? = nil,
    presentation: CaptionPresentation = .burnedIn, style: CaptionStyle? = nil, offset: MediaTime = .zero
  ) {
    content = .file(path: path, track: track, encoding: encoding)
    (self.language, self.presentation, self.style, self.offset) = (language, presentation, style, offset)
  }

  /// Creates captions from cues.
  public init(
    _ cues: [CaptionCue], language: String? = nil, presentation: CaptionPresentation = .burnedIn,
    style: CaptionStyle? = nil, offset: MediaTime = .zero
  ) {
    content = .cues(cues)
    (self.language, self.presentation, self.style, self.offset) = (language, presentation, style, offset)
  }

  /// Reads the captions.
  ///
  /// - Throws: The errors of `CaptionTrack.init(contentsOf:options:)`; `.invalidValue` if times or the style are out of range.
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
      track.style = style
      // Captions that are only a track aren't drawn, so a script keeps its own styles.
      if presentation.isBurnedIn { track.script = nil }
    }
    (track.presentation, track.offset) = (presentation, offset)
    (track.isDefault, track.isForced) = (isDefault, isForced)
    try track.validate()
    return track
  }
}
