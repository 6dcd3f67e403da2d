import CompositorPlatform

/// The location of an error. Unknown parts are `nil`.
public struct ErrorLocation: Hashable, Sendable, Codable {
  /// The path of the file, as the caller spelled it: media, a plugin, or the text file of the last of ``documents``.
  public var file: String?
  /// Positions in text files: in the one that was given, such as a project, then in one that it refers to there, such as a
  /// template. Empty if the error isn't about a text.
  public var documents: [DocumentPosition]
  /// The position inside a project file: a key path such as `tracks[0].clips[2].in`.
  public var path: String?
  /// The composition's track.
  public var track: TrackID?
  /// The part of the object at ``path`` that the error is about, if it isn't the whole.
  public var subject: Subject?
  /// The index of the instruction.
  public var instruction: Int?
  /// The composition time.
  public var time: MediaTime?
  /// The identifier of the compositor.
  public var compositor: CompositorID?

  /// A part of an object. Later versions may add some: a `switch` needs a `default`.
  public struct Subject: RawRepresentable, Hashable, Sendable, Codable {
    /// The number, 0 … 255, which stays that of the part.
    public let rawValue: UInt8

    /// Creates the part with a number, which may be that of another version.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The characters of a text.
    public static let characters = Subject(rawValue: 0)
    /// The title of a chapter.
    public static let title = Subject(rawValue: 1)
    /// The font of a text.
    public static let font = Subject(rawValue: 2)
    /// The time of a chapter.
    public static let time = Subject(rawValue: 3)
    /// The media of a clip, which have nothing that it plays.
    public static let media = Subject(rawValue: 4)
    /// The clip before a transition.
    public static let clipBefore = Subject(rawValue: 5)
    /// The duration of a frame.
    public static let frameDuration = Subject(rawValue: 6)
    /// The transition of a clip that has none before it.
    public static let transition = Subject(rawValue: 7)
  }

  /// Creates a location.
  public init(
    file: String? = nil, path: String? = nil, track: TrackID? = nil, subject: Subject? = nil, instruction: Int? = nil,
    time: MediaTime? = nil, compositor: CompositorID? = nil, documents: [DocumentPosition] = []
  ) {
    self.file = file
    self.documents = documents
    self.path = path
    self.track = track
    self.subject = subject
    self.instruction = instruction
    self.time = time
    self.compositor = compositor
  }
}

/// The error type of the package: what happened, where, why, and what to do.
public struct CompositorError: Error, Sendable {
  /// The kind of error.
  public let code: Code
  /// What happened, as one sentence.
  public let message: String
  /// What to do about it, as one sentence; `nil` if there is no suggestion.
  public var recoverySuggestion: String? { boxedAdvice?.value.sentence }
  /// The settings that ``recoverySuggestion`` names, in order; empty if it names none.
  public var recoveryOptions: [RecoveryOption] { boxedAdvice?.value.wording.recoveryOptions ?? [] }
  /// The description of the underlying error; `nil` if there is none.
  public let cause: String?
  /// The location of the error.
  public var location: ErrorLocation
  /// The `errno` of a failed system call, such as `ENOSPC`; `nil` if no system call failed, or if the number isn't known.
  public var systemErrorNumber: Int32?
  // Boxed, because an error has room in each asynchronous frame that it may pass.
  private let boxedAdvice: Boxed<Advice>?

  /// ``recoverySuggestion`` with the settings that it names, and the value that it says to write.
  package var advice: Advice? { boxedAdvice?.value }

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, recoverySuggestion: String? = nil, cause: String? = nil,
    at location: ErrorLocation = .init(), systemErrorNumber: Int32? = nil
  ) {
    self.init(
      code, message, advice: recoverySuggestion.map { Advice($0) }, cause: cause, at: location,
      systemErrorNumber: systemErrorNumber)
  }

  /// Creates an error with advice that may be a value to write.
  package init(
    _ code: Code, _ message: String, advice: Advice?, cause: String? = nil, at location: ErrorLocation = .init(),
    systemErrorNumber: Int32? = nil
  ) {
    self.code = code
    self.systemErrorNumber = systemErrorNumber
    self.message = message
    boxedAdvice = advice.map(Boxed.value)
    self.cause = cause
    self.location = location
  }

  /// AVFoundation's code for the same error, if there is one. For ``Code/writeFailed`` it depends on ``systemErrorNumber``:
  /// −11807 for a full disk or quota, −11811 for a file that is too large.
  public var avFoundationCode: Int? {
    switch code {
    case .writeFailed:
      switch systemErrorNumber {
      case ENOSPC, EDQUOT: -11807
      case EFBIG: -11811
      default: nil
      }
    case .segmentsNotContiguous: -11824
    case .invalidSegmentDuration: -11825
    case .invalidSourceStart: -11826
    case .invalidSourceDuration: -11827
    case .outputExists: -11823
    case .invalidComposition: -11841
    case .decoderNotFound: -11833
    case .encoderNotFound: -11834
    case .decodeFailed: -11821
    case .unreadableMedia: -11829
    case .truncatedMedia: -11855
    case .noFrame: -11832
    case .trackNotFound: -11869
    case .compositorFailed: -11858
    case .encodeFailed: -11820
    case .unsupportedOutput: -11861
    case .cancelled: -11878
    case .resourceExhausted: -11801
    default: nil
    }
  }

  /// A copy of the error whose unknown location fields are taken from `other`.
  public func locating(_ other: ErrorLocation) -> CompositorError {
    var copy = self
    if location.place == nil { (copy.location.file, copy.location.documents) = (other.file, other.documents) }
    copy.location.path = location.path ?? other.path
    copy.location.track = location.track ?? other.track
    copy.location.subject = location.subject ?? other.subject
    copy.location.instruction = location.instruction ?? other.instruction
    copy.location.time = location.time ?? other.time
    copy.location.compositor = location.compositor ?? other.compositor
    return copy
  }

  /// A copy of the error whose recovery suggestion names settings and operations in the words of a program.
  package func spelled(_ spelling: SettingSpelling) -> CompositorError {
    guard let advice, advice.wording.isSpelled else { return self }
    return CompositorError(
      code, message, advice: advice.spelled(spelling), cause: cause, at: location, systemErrorNumber: systemErrorNumber)
  }

  /// A copy of the error with a key path prepended to its own.
  package func within(_ place: String) -> CompositorError {
    var copy = self
    copy.location.path = location.path.map { $0.isEmpty ? place : "\(place).\($0)" } ?? place
    return copy
  }
}

extension CompositorError: CustomStringConvertible {
  /// Message, location, cause and recovery suggestion on one line.
  public var description: String { [summary, recoverySuggestion].compactMap { $0 }.joined(separator: " ") }

  /// Location, message and cause on one line.
  package var summary: String {
    var (places, message) = ([String](), message)
    if let document = location.document, let source = location.referenced {
      // What a project refers to is what the message is about. The place is where it does.
      places.append(document.description.escapingControls)
      message = "\(source.escapingControls): \(message)"
    } else if let place = location.place {
      places.append(place.escapingControls)
    }
    if let path = location.path { places.append("at \(path.escapingControls)") }
    if let track = location.track { places.append("track \(track)") }
    if let instruction = location.instruction { places.append("instruction \(instruction)") }
    if let time = location.time { places.append("time \(time.readable)") }
    if let compositor = location.compositor { places.append("compositor \(compositor)") }
    let text = places.isEmpty ? message : "\(places.joined(separator: ", ")): \(message)"
    return cause.map { "\(text) (\($0))" } ?? text
  }
}
