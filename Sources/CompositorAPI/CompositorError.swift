#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where something went wrong, as far as it is known.
public struct ErrorLocation: Hashable, Sendable, Codable {
  /// The file, as the caller named it.
  public var file: String?
  /// The place inside a project file: a key path such as `tracks[0].clips[2].in`.
  public var path: String?
  /// The composition's track.
  public var track: TrackID?
  /// Index of the instruction.
  public var instruction: Int?
  /// Composition time.
  public var time: MediaTime?
  /// The compositor.
  public var compositor: CompositorID?

  /// Makes a location from what is known.
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

/// The one error of the package: what happened, what to do, why, and where.
public struct CompositorError: Error, Sendable {
  /// What kind of thing went wrong, grouped by thousands.
  public enum Code: Int, Sendable, CaseIterable {
    // 1000: values and validation.
    /// A value is outside its range, or not a number.
    case invalidValue = 1000
    /// Segments do not follow each other without gap or overlap.
    case segmentsNotContiguous = 1001
    /// A segment's duration is not positive.
    case invalidSegmentDuration = 1002
    /// A segment's source start is not numeric.
    case invalidSourceStart = 1003
    /// A segment's source duration is negative or not numeric.
    case invalidSourceDuration = 1004
    /// A composition did not pass validation.
    case invalidComposition = 1005
    /// A track ID is in use, or was.
    case invalidTrackID = 1006
    /// A parameter is unknown, missing, of the wrong type or out of range.
    case invalidParameter = 1007
    /// Ramps of one property overlap.
    case overlappingRamps = 1008
    /// A project file breaks its grammar or its schema.
    case invalidProject = 1009

    // 2000: media.
    /// A file is not there.
    case fileNotFound = 2000
    /// A path is not a regular file, or a source is not allowed (network, pipe, device, directory).
    case sourceRefused = 2001
    /// A file cannot be understood: not media, damaged, or a format outside the allow-list.
    case unreadableMedia = 2002
    /// A file ends before its header says.
    case truncatedMedia = 2003
    /// No decoder for a codec.
    case decoderNotFound = 2004
    /// A decoder failed at some time.
    case decodeFailed = 2005
    /// A file has no track of the asked kind.
    case trackNotFound = 2006
    /// A picture is larger than the pixel cap.
    case pictureTooLarge = 2007
    /// No frame at a time (an empty edit, past the end).
    case noFrame = 2008
    /// The operating system could not read a file that is there: a failing disk, a network folder that went away.
    case readFailed = 2009
    /// A file was written to, cut off or replaced while it was in use.
    case mediaChanged = 2010

    // 3000: compositing.
    /// No compositor with an ID.
    case compositorNotFound = 3000
    /// A compositor failed.
    case compositorFailed = 3001
    /// A compositor's frame has the wrong size or format.
    case invalidCompositorOutput = 3002
    /// All frames of a pool are out.
    case framePoolExhausted = 3003
    /// A conversion between formats or colors is not possible.
    case conversionNotPossible = 3004
    /// A compositor did not answer in time.
    case compositorTimedOut = 3005
    /// A binary plugin cannot be loaded or broke its contract.
    case pluginFailed = 3006

    // 4000: output.
    /// The output is there already.
    case outputExists = 4000
    /// Writing failed: disk full, no permission, no such folder.
    case writeFailed = 4001
    /// No encoder for a codec.
    case encoderNotFound = 4002
    /// An encoder refused its settings or failed.
    case encodeFailed = 4003
    /// The output is one of the inputs.
    case outputIsInput = 4004
    /// A container cannot hold what it was given.
    case unsupportedOutput = 4005

    // 5000: running.
    /// The caller cancelled.
    case cancelled = 5000
    /// Memory ran out, or another resource that may be there next time.
    case resourceExhausted = 5001
    /// A fault of this package.
    case internalFault = 5002
  }

  /// What kind of thing went wrong.
  public let code: Code
  /// What happened, one sentence.
  public let message: String
  /// What to do about it, one sentence; nil where nothing can be said.
  public let recoverySuggestion: String?
  /// The error underneath, in words.
  public let cause: String?
  /// Where.
  public var location: ErrorLocation
  /// The `errno` with which the operating system refused, such as `ENOSPC`; nil where it did not, or did not say.
  public var systemErrorNumber: Int32?

  /// Makes an error.
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

  /// The number AVFoundation gives the same error, where it has one. Of ``Code/writeFailed`` it depends on ``systemErrorNumber``: a full
  /// disk or quota is −11807, a file larger than is allowed −11811.
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

  /// The same error with everything that `other` knows and this one does not about the place.
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

  /// The same error where its place is within another: the key path of that stands before its own.
  package func within(_ place: String) -> CompositorError {
    var copy = self
    copy.location.path = location.path.map { $0.isEmpty ? place : "\(place).\($0)" } ?? place
    return copy
  }
}

extension CompositorError: CustomStringConvertible {
  /// Message, place, cause and recovery suggestion on one line.
  public var description: String {
    var places: [String] = []
    if let file = location.file { places.append(file) }
    if let path = location.path { places.append("at \(path)") }
    if let track = location.track { places.append("track \(track)") }
    if let instruction = location.instruction { places.append("instruction \(instruction)") }
    if let time = location.time { places.append("time \(time)") }
    if let compositor = location.compositor { places.append("compositor \(compositor)") }
    var text = places.isEmpty ? message : "\(places.joined(separator: ", ")): \(message)"
    if let cause { text += " (\(cause))" }
    if let recoverySuggestion { text += " \(recoverySuggestion)" }
    return text
  }
}
