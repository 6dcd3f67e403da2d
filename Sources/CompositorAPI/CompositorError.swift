#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The location of an error. Unknown parts are `nil`.
public struct ErrorLocation: Hashable, Sendable, Codable {
  /// The path of the file, as the caller spelled it.
  public var file: String?
  /// The position inside a project file: a key path such as `tracks[0].clips[2].in`.
  public var path: String?
  /// The composition's track.
  public var track: TrackID?
  /// The index of the instruction.
  public var instruction: Int?
  /// The composition time.
  public var time: MediaTime?
  /// The identifier of the compositor.
  public var compositor: CompositorID?

  /// Creates a location.
  public init(
    file: String? = nil, path: String? = nil, track: TrackID? = nil, instruction: Int? = nil, time: MediaTime? = nil,
    compositor: CompositorID? = nil
  ) {
    self.file = file
    self.path = path
    self.track = track
    self.instruction = instruction
    self.time = time
    self.compositor = compositor
  }
}

/// The error type of the package: what happened, where, why, and what to do.
public struct CompositorError: Error, Sendable {
  /// The kind of error. Codes are grouped by thousands.
  public enum Code: Int, Sendable, CaseIterable {
    // 1000: values and validation.
    /// A value is out of range or isn't finite.
    case invalidValue = 1000
    /// Segments have gaps or overlaps between them.
    case segmentsNotContiguous = 1001
    /// A segment's duration isn't positive.
    case invalidSegmentDuration = 1002
    /// A segment's source start isn't numeric.
    case invalidSourceStart = 1003
    /// A segment's source duration is negative or isn't numeric.
    case invalidSourceDuration = 1004
    /// A composition failed validation.
    case invalidComposition = 1005
    /// A track ID is unknown or was already assigned.
    case invalidTrackID = 1006
    /// A parameter is unknown, missing, of the wrong type or out of range.
    case invalidParameter = 1007
    /// Ramps of one property overlap.
    case overlappingRamps = 1008
    /// A project file violates the grammar or the schema.
    case invalidProject = 1009

    // 2000: media.
    /// A file doesn't exist.
    case fileNotFound = 2000
    /// A path isn't a regular file, or a source isn't allowed (network, pipe, device, directory).
    case sourceRefused = 2001
    /// A file cannot be parsed: it isn't media, is damaged, or has a format outside the allow-list.
    case unreadableMedia = 2002
    /// A file is shorter than its header specifies.
    case truncatedMedia = 2003
    /// There is no decoder for a codec.
    case decoderNotFound = 2004
    /// A decoder failed.
    case decodeFailed = 2005
    /// A file has no track of the requested kind.
    case trackNotFound = 2006
    /// A frame exceeds the maximum number of pixels.
    case pictureTooLarge = 2007
    /// There is no frame at the requested time (an empty edit, or past the end).
    case noFrame = 2008
    /// The operating system couldn't read an existing file: a failing disk, or a network folder that was disconnected.
    case readFailed = 2009
    /// A file was modified, truncated or replaced while in use.
    case mediaChanged = 2010

    // 3000: compositing.
    /// There is no compositor with the given ID.
    case compositorNotFound = 3000
    /// A compositor failed.
    case compositorFailed = 3001
    /// A compositor's frame has the wrong size or format.
    case invalidCompositorOutput = 3002
    /// All frames of a pool are in use.
    case framePoolExhausted = 3003
    /// A conversion between formats or colors isn't possible.
    case conversionNotPossible = 3004
    /// A compositor didn't respond in time.
    case compositorTimedOut = 3005
    /// A binary plugin cannot be loaded or broke its contract.
    case pluginFailed = 3006

    // 4000: output.
    /// The output exists already.
    case outputExists = 4000
    /// Writing failed: the disk is full, permission is denied, or the folder doesn't exist.
    case writeFailed = 4001
    /// There is no encoder for a codec.
    case encoderNotFound = 4002
    /// An encoder rejected its settings or failed.
    case encodeFailed = 4003
    /// The output is one of the inputs.
    case outputIsInput = 4004
    /// A container cannot hold the given tracks or values.
    case unsupportedOutput = 4005

    // 5000: running.
    /// The caller canceled the operation.
    case cancelled = 5000
    /// Memory or another resource ran out; it may be available later.
    case resourceExhausted = 5001
    /// An internal error of this package.
    case internalFault = 5002

    // 6000: movies rendered in parts.
    /// A project, a font or a plugin differs from that of a plan.
    case planChanged = 6000
    /// A program, a library or a processor differs from that of a plan.
    case versionMismatch = 6001
    /// Parts of a plan are missing, damaged, or belong to another plan.
    case partsMissing = 6002
  }

  /// The kind of error.
  public let code: Code
  /// What happened, as one sentence.
  public let message: String
  /// What to do about it, as one sentence; `nil` if there is no suggestion.
  public let recoverySuggestion: String?
  /// The description of the underlying error; `nil` if there is none.
  public let cause: String?
  /// The location of the error.
  public var location: ErrorLocation
  /// The `errno` of a failed system call, such as `ENOSPC`; `nil` if no system call failed, or if the number isn't known.
  public var systemErrorNumber: Int32?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, recoverySuggestion: String? = nil, cause: String? = nil,
    at location: ErrorLocation = .init(), systemErrorNumber: Int32? = nil
  ) {
    self.code = code
    self.systemErrorNumber = systemErrorNumber
    self.message = message
    self.recoverySuggestion = recoverySuggestion
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
    copy.location.file = location.file ?? other.file
    copy.location.path = location.path ?? other.path
    copy.location.track = location.track ?? other.track
    copy.location.instruction = location.instruction ?? other.instruction
    copy.location.time = location.time ?? other.time
    copy.location.compositor = location.compositor ?? other.compositor
    return copy
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
    var places: [String] = []
    if let file = location.file { places.append(file) }
    if let path = location.path { places.append("at \(path)") }
    if let track = location.track { places.append("track \(track)") }
    if let instruction = location.instruction { places.append("instruction \(instruction)") }
    if let time = location.time { places.append("time \(time.readable)") }
    if let compositor = location.compositor { places.append("compositor \(compositor)") }
    let text = places.isEmpty ? message : "\(places.joined(separator: ", ")): \(message)"
    return cause.map { "\(text) (\($0))" } ?? text
  }
}
