/// A problem of an edit, or a possibly unexpected property.
public struct ValidationDiagnostic: Hashable, Sendable, Codable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable, Codable {
    /// The edit cannot be rendered.
    case error
    /// The edit can be rendered, but the result may not be as intended.
    case warning
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
  public var recoverySuggestion: String? { didSet { advice = nil } }
  /// The suggestion with the settings that it names, and the value that it says to write; `nil` for one that is only a sentence. Not part
  /// of the JSON.
  private var advice: Advice?
  /// What the suggestion says to write, if that is a single value.
  package var literal: WrittenLiteral? { advice?.literal }
  /// The settings that ``recoverySuggestion`` names, in order; empty if it names none. Not part of the JSON.
  public var recoveryOptions: [RecoveryOption] { advice?.wording.recoveryOptions ?? [] }
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
    copy.advice = advice
    return copy
  }

  /// A copy whose suggestion names settings and operations in the words of a program.
  package func spelled(_ spelling: SettingSpelling) -> ValidationDiagnostic {
    advice?.wording.isSpelled == true ? advising(advice?.spelled(spelling)) : self
  }

  /// The diagnostic as an error.
  public var error: CompositorError {
    CompositorError(
      code.traits.errorCode, message, advice: advice ?? recoverySuggestion.map { Advice($0) }, cause: cause,
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
      foundTime: error.location.time, cause: error.cause, path: error.location.path, subject: error.location.subject)
    self = advising(error.advice)
    file = error.location.document?.file ?? error.location.file
    (line, column) = (error.location.document?.line, error.location.document?.column)
    if let referenced = error.location.referenced { message = referenced + ": " + message }
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
