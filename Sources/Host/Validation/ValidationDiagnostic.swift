public import CompositorAPI
public import Foundation

/// One thing that is wrong with an edit, or that will surprise.
public struct ValidationDiagnostic: Hashable, Sendable, Codable {
  /// What is wrong. The first four are the editing model's own kinds.
  public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
    /// A value is outside its range, or not a number.
    case invalidValueForKey
    /// A stretch of the timeline that no instruction covers: a gap.
    case emptyTimeRange
    /// An instruction's time range is not valid, overlaps another or is out of order.
    case invalidTimeRangeInInstruction
    /// An instruction names a track that is not in the composition, or holds no video.
    case invalidTrackIDInInstruction
    /// An instruction names a compositor that nobody registered.
    case unknownCompositor
    /// A compositor needs frames at other times of one before it that gives its frames in order only.
    case incompatibleCompositors
    /// A compositor's parameter is unknown, missing, of the wrong kind or out of its range.
    case invalidParameter
    /// A track's segments do not start at 0 and follow one another.
    case invalidSegments
    /// A source is not there or cannot be read.
    case mediaUnavailable
    /// A source has no track of the asked number and kind.
    case mediaTrackMissing
    /// A track that the timeline shows or plays has a codec without a decoder.
    case decoderMissing
    /// A track that the timeline shows or plays cannot be decoded.
    case trackUndecodable
    /// A segment asks for time that its media does not have.
    case sourceBeyondMedia
    /// A segment asks for pictures that are missing from a file that is cut short: frames that show them cannot be rendered.
    case mediaCutShort
    /// A segment asks for sound that is missing from a file that is cut short: it falls silent.
    case audioCutShort
    /// No movie can be made of the frames or the sound as they are to be encoded.
    case unwritableOutput
    /// A source has metadata that is neither used nor written, such as Dolby Vision's.
    case metadataDropped
    /// What a source says of its color is contradictory, incomplete or damaged: the message says what it is taken for.
    case ambiguousColor
    /// The color of a source cannot be turned into the output's, or the output's format cannot hold its color.
    case colorNotConvertible
    /// Something mixes code values where linear light was asked for.
    case blendingNotLinear
    /// A title cannot be drawn: an animation, a size or a time that makes no sense, or an image or font file that cannot be read.
    case invalidTitle
    /// A title uses a font, characters or an image that are not there.
    case titleResourceMissing
    /// A title is never seen: it begins after the end, lies outside of the canvas or shows nothing.
    case titleNotSeen
    /// A value of the audio mix (volume, pan, ducking, loudness, limiter) is out of its range, or names no audio track.
    case invalidVolume
    /// There is nothing to render.
    case nothingToRender
    /// The project file breaks its grammar, or has a key or a value that its place does not take.
    case invalidProject
    /// The project writes something in an older way, which is still understood.
    case olderSpelling
    /// A track is shown by no instruction.
    case unusedTrack
    /// A ramp lies outside of its instruction, or a volume's outside of the composition: it has no effect, or is cut off.
    case rampOutsideRange
    /// A layer, or what its ramps do, is hidden by an opaque layer above, or lies outside of the canvas.
    case layerNotSeen
    /// An instruction shows a track at a time at which that has no media.
    case trackWithoutMedia
    /// A clip is too short for a frame of the output to fall into it.
    case shorterThanFrame
    /// A cut lies a rounding error behind the frame that was meant.
    case offFrameGrid
    /// A source says how it is to be rotated, and its layer does not do that.
    case orientationLost
    /// A source is shown at more than twice its size.
    case upscaled
    /// Sources have frame rates that do not go together with that of the output.
    case mixedFrameRates
    /// Colors that the output cannot hold are clipped, by the policy that the edit chooses.
    case colorClipped
    /// A text is at rest across the edge of the title-safe area, the middle 90 % of the canvas.
    case titleOutsideSafeArea
    /// Audio is silent because of a ramp that ended before it.
    case silentAudio
    /// Two clips overlap in a transition, and their audio is not cross-faded.
    case missingCrossfade
    /// Audio tracks add up to more than full scale, and nothing limits them.
    case audioClipped
    /// The movie is made in a way that many phones, browsers or televisions cannot play.
    case limitedPlayback
  }

  /// Whether the edit can be rendered all the same.
  public enum Severity: String, Hashable, Sendable, Codable {
    /// It cannot.
    case error
    /// It can, but the result may not be what was meant.
    case warning
  }

  /// Whether it says how the result could be better, rather than that it isn't what the edit says: a check shows it, a render doesn't.
  package var isAdvice: Bool {
    switch code {
    case .shorterThanFrame, .offFrameGrid, .upscaled, .mixedFrameRates, .colorClipped, .titleOutsideSafeArea, .audioClipped,
      .limitedPlayback:
      true
    default: false
    }
  }

  /// What is wrong.
  public var code: Code
  /// Whether the edit can be rendered all the same.
  public var severity: Severity
  /// What is wrong, in a sentence that names the place and the times.
  public var message: String
  /// Index of the instruction, where one is concerned.
  public var instruction: Int?
  /// The track, where one is concerned.
  public var track: TrackID?
  /// The key path in the edit, such as `titles.layers[0].sublayers[2]`, where the diagnostic is about a part of it that has no number.
  public var path: String?
  /// The time that would have been right, where times are concerned.
  public var expectedTime: MediaTime?
  /// The time that was found, where times are concerned.
  public var foundTime: MediaTime?
  /// What usually leads to this.
  public var cause: String?
  /// What to do.
  public var recoverySuggestion: String?
  /// The part of the timeline that is concerned, to be marked in a picture of it: where a gap is, where instructions overlap, where a
  /// layer cannot be seen. `nil` if the diagnostic is about no time.
  public var timeRange: TimeRange?
  /// A change of the edit that mends this; `nil` where none is known.
  public var fix: DiagnosticFix?
  /// The file, if the diagnostic is about a place in a text.
  public var file: String?
  /// The line in that file, from 1 on.
  public var line: Int?
  /// The column in that line, in Unicode scalars from 1 on.
  public var column: Int?

  /// Describes a diagnostic.
  public init(
    _ code: Code, severity: Severity = .error, _ message: String, instruction: Int? = nil, track: TrackID? = nil,
    expectedTime: MediaTime? = nil, foundTime: MediaTime? = nil, cause: String? = nil, recoverySuggestion: String? = nil,
    path: String? = nil, timeRange: TimeRange? = nil, fix: DiagnosticFix? = nil
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
    self.timeRange = timeRange
    self.fix = fix
  }

  /// The diagnostic as an error.
  public var error: CompositorError {
    let kind: CompositorError.Code =
      switch code {
      case .unknownCompositor: .compositorNotFound
      case .invalidParameter: .invalidParameter
      case .invalidTitle: .invalidValue
      case .titleResourceMissing: .fileNotFound
      case .mediaTrackMissing: .trackNotFound
      case .decoderMissing: .decoderNotFound
      case .trackUndecodable: .unreadableMedia
      case .unwritableOutput, .colorNotConvertible, .blendingNotLinear: .unsupportedOutput
      default: .invalidComposition
      }
    return CompositorError(
      kind, message, recoverySuggestion: recoverySuggestion, cause: cause,
      at: .init(path: path, track: track, instruction: instruction, time: foundTime))
  }
}

extension ValidationDiagnostic {
  /// What keeps a project from being read, as a diagnostic.
  package init(_ error: CompositorError) {
    let code: Code =
      switch error.code {
      case .invalidProject: .invalidProject
      case .compositorNotFound: .unknownCompositor
      case .invalidParameter, .pluginFailed: .invalidParameter
      case .fileNotFound, .sourceRefused, .unreadableMedia, .truncatedMedia, .readFailed, .mediaChanged: .mediaUnavailable
      case .trackNotFound: .mediaTrackMissing
      case .decoderNotFound: .decoderMissing
      case .unsupportedOutput, .encoderNotFound: .unwritableOutput
      default: .invalidValueForKey
      }
    self.init(
      code, error.message, instruction: error.location.instruction, track: error.location.track,
      foundTime: error.location.time, cause: error.cause, recoverySuggestion: error.recoverySuggestion,
      path: error.location.path)
    file = error.location.file
    guard let place = error.location.textPlace else { return }
    (file, line, column) = (place.file, place.line, place.column)
    if let source = place.source { message = source + ": " + message }
  }
}

extension ErrorLocation {
  /// A place in a text that ``file`` says as `name:line:column`, with the media file that is said behind it; `nil` for files alone.
  package var textPlace: (file: String, line: Int, column: Int, source: String?)? {
    guard let place = file?.wholeMatch(of: /(.*?):(\d+):(\d+)(: .*)?/), let line = Int(place.2), let column = Int(place.3)
    else { return nil }
    return (String(place.1), line, column, place.4.map { String($0.dropFirst(2)) })
  }
}

extension ValidationDiagnostic: CustomStringConvertible {
  /// Severity, place, message, likely cause and recovery suggestion on one line.
  public var description: String {
    let reason = cause.map { "Likely cause: \($0)\($0.last?.isPunctuation == true ? "" : ".")" }
    return ["\(severity): \(path.map { "\($0): " } ?? "")\(message)", reason, recoverySuggestion].compactMap { $0 }
      .joined(separator: " ")
  }
}

extension CompositorError: LocalizedError {
  /// What happened, with its place: what `localizedDescription` says.
  public var errorDescription: String? {
    let place = [location.file, location.path].compactMap { $0 }.joined(separator: ", ")
    return place.isEmpty ? message : "\(place): \(message)"
  }
  /// Why it happened, if that is known.
  public var failureReason: String? { cause }
  /// What to do about it.

}
