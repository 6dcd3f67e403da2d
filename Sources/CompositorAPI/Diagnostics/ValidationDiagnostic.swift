/// A problem of an edit, or a possibly unexpected property.
public struct ValidationDiagnostic: Hashable, Sendable, Codable {
  /// The kind of problem. The first four are those of AVFoundation's validation.
  public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
    /// A value is out of range or isn't finite.
    case invalidValueForKey
    /// No instruction covers a part of the timeline.
    case emptyTimeRange
    /// An instruction's time range is invalid, overlaps another, or is out of order.
    case invalidTimeRangeInInstruction
    /// An instruction uses a track that isn't in the composition, or isn't a video track.
    case invalidTrackIDInInstruction
    /// An instruction uses an unregistered compositor.
    case unknownCompositor
    /// A compositor needs frames at other times of a preceding one that delivers its frames only in order.
    case incompatibleCompositors
    /// A compositor's parameter is unknown, missing, of the wrong kind or out of range.
    case invalidParameter
    /// A plugin cannot be opened, or violates its contract.
    case pluginFailed
    /// A track's segments don't start at 0 or don't follow one another.
    case invalidSegments
    /// A source doesn't exist or cannot be read.
    case mediaUnavailable
    /// A source has no track with the requested index and media type.
    case mediaTrackMissing
    /// A used track has a codec without a decoder.
    case decoderMissing
    /// A used track cannot be decoded.
    case trackUndecodable
    /// A segment uses a time that its media doesn't have.
    case sourceBeyondMedia
    /// Video and audio of a clip begin or end at different times: a frame is held, a part is silent, or media is left out.
    case unevenEnds
    /// A segment uses video that is missing from a truncated file. Frames that show it cannot be rendered.
    case mediaCutShort
    /// A segment uses audio that is missing from a truncated file. It becomes silent.
    case audioCutShort
    /// The video or audio cannot be written to a movie in the requested format.
    case unwritableOutput
    /// A source has metadata that is neither used nor written, such as Dolby Vision's.
    case metadataDropped
    /// A source's color metadata is contradictory, incomplete or damaged. The message says how it is interpreted.
    case ambiguousColor
    /// The frames of a source have several sizes; each is scaled to the size of the first.
    case frameSizeChanges
    /// The times of a source's frames start again: a second recording was appended, whose frames are not shown.
    case repeatedTimes
    /// Parts of a source were lost: frames or samples are damaged, or there are none for a while.
    case missingFrames
    /// The timestamps of a source's audio jump or waver (parts are silent or left out, or audio is out of place), or its number of
    /// channels changes.
    case unsteadyAudio
    /// The channels of a source's audio have no positions: a layout is assumed, or they cannot be mixed.
    case assumedChannels
    /// The frames of a source consist of two fields, which are left in one frame.
    case interlacedMedia
    /// The color of a source cannot be converted to the output's, or the output's format cannot represent its color.
    case colorNotConvertible
    /// Code values are blended although linear light was requested.
    case blendingNotLinear
    /// A title cannot be drawn: an animation, size or time is invalid, or an image or font file cannot be read.
    case invalidTitle
    /// A title uses a font, characters or an image that is missing.
    case titleResourceMissing
    /// A title is never visible: it begins after the end, is outside of the canvas, or shows nothing. Or the end of the movie cuts it
    /// off.
    case titleNotSeen
    /// Captions are left out, because they are outside of the movie or cannot be shown at all.
    case captionNotSeen
    /// An ASS script names a font that isn't installed, so that it is drawn in another.
    case captionFontMissing
    /// A value of the audio mix (volume, pan, ducking, loudness, limiter) is out of range, or refers to a track that isn't an
    /// audio track.
    case invalidVolume
    /// There is nothing to render.
    case nothingToRender
    /// The project file has invalid syntax, or an invalid key or value.
    case invalidProject
    /// No instruction shows a track.
    case unusedTrack
    /// A ramp is outside of its instruction, or a volume ramp outside of the composition: it has no effect, or is cut off.
    case rampOutsideRange
    /// A layer, or the effect of its ramps, is hidden by an opaque layer above, or is outside of the canvas.
    case layerNotSeen
    /// An effect has the values with which it changes nothing.
    case effectUnchanging
    /// Nothing is shown in a part of the movie: no clip, no title, no background color.
    case nothingShown
    /// An instruction lasts longer than the movie, or begins after its end.
    case instructionBeyondEnd
    /// A crop goes beyond its source.
    case cropBeyondSource
    /// The output's codec cannot store the alpha that the output is to have.
    case alphaDropped
    /// An instruction shows a track at a time at which the track has no media.
    case trackWithoutMedia
    /// A clip is too short to contain the start of an output frame.
    case shorterThanFrame
    /// A cut is a rounding error after the intended frame.
    case offFrameGrid
    /// A source specifies a rotation that its layer doesn't apply.
    case orientationLost
    /// A source is shown at more than twice its size.
    case upscaled
    /// Sources have frame rates that are incompatible with that of the output.
    case mixedFrameRates
    /// Colors that the output cannot represent are clipped, as the edit's policy requires.
    case colorClipped
    /// Text rests across the edge of the title-safe area, the middle 90 % of the canvas.
    case titleOutsideSafeArea
    /// Text that is too long for its place was shrunk until it cannot be read.
    case titleTextTooSmall
    /// Audio is silent because of a preceding ramp, or of a speed at which it isn't heard.
    case silentAudio
    /// Two clips overlap in a transition, but their audio isn't cross-faded.
    case missingCrossfade
    /// Audio tracks add up to more than full scale without a limiter.
    case audioClipped
    /// The movie has a format that many phones, browsers or televisions cannot play.
    case limitedPlayback
  }

  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable, Codable {
    /// The edit cannot be rendered.
    case error
    /// The edit can be rendered, but the result may not be as intended.
    case warning
  }

  /// Whether it suggests an improvement, rather than reporting a deviation from the edit. Only checks show advice; renders
  /// don't.
  package var isAdvice: Bool {
    switch code {
    case .unevenEnds, .shorterThanFrame, .offFrameGrid, .upscaled, .mixedFrameRates, .colorClipped, .titleOutsideSafeArea,
      .audioClipped,
      .limitedPlayback:
      true
    default: false
    }
  }

  /// The kind of problem.
  public var code: Code
  /// The severity.
  public var severity: Severity
  /// A sentence that describes the problem with its location and times.
  public var message: String
  /// The index of the instruction, if there is one.
  public var instruction: Int?
  /// The track, if there is one.
  public var track: TrackID?
  /// The key path in the edit, such as `titles.layers[0].sublayers[2]`, if the diagnostic is about a part without a number.
  public var path: String?
  /// The part of the object at ``path`` that the diagnostic is about, if it isn't the whole.
  public var subject: ErrorLocation.Subject?
  /// The media that the diagnostic is about; `nil` if it isn't about one source.
  public var source: MediaSource?
  /// The correct time, if the problem is about times.
  public var expectedTime: MediaTime?
  /// The actual time, if the problem is about times.
  public var foundTime: MediaTime?
  /// The likely cause.
  public var cause: String?
  /// A sentence that suggests a correction.
  public var recoverySuggestion: String? { didSet { literal = nil } }
  /// What the suggestion says to write, if that is a single value. Not part of the JSON.
  package private(set) var literal: WrittenLiteral?
  /// The affected part of the timeline, for display: a gap, an overlap of instructions, or the time during which a layer isn't
  /// visible. `nil` if the diagnostic isn't about a time.
  public var timeRange: TimeRange?
  /// A change of the edit that resolves the problem; `nil` if none is known.
  public var fix: DiagnosticFix?
  /// The file, if the diagnostic is about a position in a text file.
  public var file: String?
  /// The line in the file, from 1.
  public var line: Int?
  /// The column in the line, in Unicode scalars, from 1.
  public var column: Int?

  private enum CodingKeys: String, CodingKey {
    case code, severity, message, instruction, track, path, subject, source, expectedTime, foundTime, cause
    case recoverySuggestion, timeRange, fix, file, line, column
  }

  /// Creates a diagnostic.
  public init(
    _ code: Code, severity: Severity = .error, _ message: String, instruction: Int? = nil, track: TrackID? = nil,
    expectedTime: MediaTime? = nil, foundTime: MediaTime? = nil, cause: String? = nil, recoverySuggestion: String? = nil,
    path: String? = nil, subject: ErrorLocation.Subject? = nil, source: MediaSource? = nil, timeRange: TimeRange? = nil,
    fix: DiagnosticFix? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.instruction = instruction
    self.track = track
    self.expectedTime = expectedTime
    self.foundTime = foundTime
    self.cause = cause
    self.recoverySuggestion = recoverySuggestion
    self.path = path
    self.subject = subject
    self.source = source
    self.timeRange = timeRange
    self.fix = fix
  }

  /// A copy with another suggestion.
  package func advising(_ advice: Advice?) -> ValidationDiagnostic {
    var copy = self
    copy.recoverySuggestion = advice?.sentence
    copy.literal = advice?.literal
    return copy
  }

  /// The diagnostic as an error.
  public var error: CompositorError {
    let kind: CompositorError.Code =
      switch code {
      case .unknownCompositor: .compositorNotFound
      case .invalidParameter: .invalidParameter
      case .pluginFailed: .pluginFailed
      case .invalidTitle: .invalidValue
      case .titleResourceMissing: .fileNotFound
      case .mediaTrackMissing: .trackNotFound
      case .decoderMissing: .decoderNotFound
      case .trackUndecodable: .unreadableMedia
      case .mediaCutShort, .audioCutShort: .truncatedMedia
      case .unwritableOutput, .colorNotConvertible, .blendingNotLinear: .unsupportedOutput
      default: .invalidComposition
      }
    return CompositorError(
      kind, message, advice: recoverySuggestion.map { Advice($0, writing: literal) }, cause: cause,
      at: .init(path: path, track: track, subject: subject, instruction: instruction, time: foundTime))
  }
}

extension ValidationDiagnostic {
  /// Creates a diagnostic from the error of reading a project.
  package init(_ error: CompositorError) {
    let code: Code =
      switch error.code {
      case .invalidProject: .invalidProject
      case .compositorNotFound: .unknownCompositor
      case .invalidParameter: .invalidParameter
      case .pluginFailed, .compositorTimedOut: .pluginFailed
      case .fileNotFound, .sourceRefused, .unreadableMedia, .truncatedMedia, .readFailed, .mediaChanged: .mediaUnavailable
      case .trackNotFound: .mediaTrackMissing
      case .decoderNotFound: .decoderMissing
      case .unsupportedOutput, .encoderNotFound: .unwritableOutput
      default: .invalidValueForKey
      }
    self.init(
      code, error.message, instruction: error.location.instruction, track: error.location.track,
      foundTime: error.location.time, cause: error.cause, recoverySuggestion: error.recoverySuggestion,
      path: error.location.path, subject: error.location.subject)
    literal = error.advice?.literal
    file = error.location.file
    guard let place = error.location.textPlace else { return }
    (file, line, column) = (place.file, place.line, place.column)
    if let source = place.source { message = source + ": " + message }
  }
}

extension ErrorLocation {
  /// The position that ``file`` specifies as `name:line:column`, with the media file after it, if any; `nil` if it is only a
  /// file.
  package var textPlace: (file: String, line: Int, column: Int, source: String?)? {
    guard let place = file?.wholeMatch(of: /(.*?):(\d+):(\d+)(: .*)?/), let line = Int(place.2), let column = Int(place.3)
    else { return nil }
    return (String(place.1), line, column, place.4.map { String($0.dropFirst(2)) })
  }
}

extension ValidationDiagnostic: CustomStringConvertible {
  /// Severity, location, message, likely cause and recovery suggestion on one line.
  public var description: String {
    let reason = cause.map { "Likely cause: \($0)\($0.last?.isPunctuation == true ? "" : ".")" }
    return ["\(severity): \(path.map { "\($0.escapingControls): " } ?? "")\(message)", reason, recoverySuggestion].compactMap {
      $0
    }
    .joined(separator: " ")
  }
}
