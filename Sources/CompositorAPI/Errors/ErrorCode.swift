extension CompositorError {
  /// The kind of error. Codes are grouped by thousands, and later versions may add some: a `switch` needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The number, 0 … 65535, as `docs/errors.md` lists it.
    public var rawValue: Int { Int(number) }
    // Two bytes, since the tasks of a frame keep codes of errors on their stacks, which are allocated in steps of 8 KiB.
    private let number: UInt16

    /// Creates the code with a number, which may be that of another version. Numbers out of range become the nearest in it.
    public init(rawValue: Int) { number = UInt16(clamping: rawValue) }

    /// The codes that this version uses, by number.
    public static var allCases: [Code] { names.keys.sorted().map(Code.init(rawValue:)) }

    /// The code's name, such as `fileNotFound`; its number if this version doesn't use it.
    public var description: String { Self.names[rawValue] ?? "\(rawValue)" }

    /// Whether it is one of the codes about media, 2000 … 2999.
    package var isAboutMedia: Bool { (2000..<3000).contains(rawValue) }

    // 1000: values and validation.
    /// A value is out of range or isn't finite.
    public static let invalidValue = Code(rawValue: 1000)
    /// Segments have gaps or overlaps between them.
    public static let segmentsNotContiguous = Code(rawValue: 1001)
    /// A segment's duration isn't positive.
    public static let invalidSegmentDuration = Code(rawValue: 1002)
    /// A segment's source start isn't numeric.
    public static let invalidSourceStart = Code(rawValue: 1003)
    /// A segment's source duration is negative or isn't numeric.
    public static let invalidSourceDuration = Code(rawValue: 1004)
    /// A composition failed validation.
    public static let invalidComposition = Code(rawValue: 1005)
    /// A track ID is unknown or was already assigned.
    public static let invalidTrackID = Code(rawValue: 1006)
    /// A parameter is unknown, missing, of the wrong type or out of range.
    public static let invalidParameter = Code(rawValue: 1007)
    /// Ramps of one property overlap.
    public static let overlappingRamps = Code(rawValue: 1008)
    /// A project file violates the grammar or the schema.
    public static let invalidProject = Code(rawValue: 1009)

    // 2000: media.
    /// A file doesn't exist.
    public static let fileNotFound = Code(rawValue: 2000)
    /// A path isn't a regular file, or a source isn't allowed (network, pipe, device, directory).
    public static let sourceRefused = Code(rawValue: 2001)
    /// A file cannot be parsed: it isn't media, is damaged, or has a format outside the allow-list.
    public static let unreadableMedia = Code(rawValue: 2002)
    /// A file is shorter than its header specifies.
    public static let truncatedMedia = Code(rawValue: 2003)
    /// There is no decoder for a codec.
    public static let decoderNotFound = Code(rawValue: 2004)
    /// A decoder failed.
    public static let decodeFailed = Code(rawValue: 2005)
    /// A file has no track of the requested kind.
    public static let trackNotFound = Code(rawValue: 2006)
    /// A frame exceeds the maximum number of pixels.
    public static let frameTooLarge = Code(rawValue: 2007)
    /// There is no frame at the requested time (an empty edit, or past the end).
    public static let noFrame = Code(rawValue: 2008)
    /// The operating system couldn't read an existing file: a failing disk, or a network folder that was disconnected.
    public static let readFailed = Code(rawValue: 2009)
    /// A file was modified, truncated or replaced while in use.
    public static let mediaChanged = Code(rawValue: 2010)

    // 3000: compositing.
    /// There is no compositor with the given ID.
    public static let compositorNotFound = Code(rawValue: 3000)
    /// A compositor failed.
    public static let compositorFailed = Code(rawValue: 3001)
    /// A compositor's frame has the wrong size or format.
    public static let invalidCompositorOutput = Code(rawValue: 3002)
    /// All frames of a pool are in use.
    public static let framePoolExhausted = Code(rawValue: 3003)
    /// A conversion between formats or colors isn't possible.
    public static let conversionNotPossible = Code(rawValue: 3004)
    /// A compositor didn't respond in time.
    public static let compositorTimedOut = Code(rawValue: 3005)
    /// A binary plugin cannot be loaded or broke its contract.
    public static let pluginFailed = Code(rawValue: 3006)
    /// A device couldn't copy a frame to or from its memory.
    public static let deviceFailed = Code(rawValue: 3007)

    // 4000: output.
    /// The output exists already.
    public static let outputExists = Code(rawValue: 4000)
    /// Writing failed: the disk is full, permission is denied, or the folder doesn't exist.
    public static let writeFailed = Code(rawValue: 4001)
    /// There is no encoder for a codec.
    public static let encoderNotFound = Code(rawValue: 4002)
    /// An encoder rejected its settings or failed.
    public static let encodeFailed = Code(rawValue: 4003)
    /// The output is one of the inputs.
    public static let outputIsInput = Code(rawValue: 4004)
    /// A container cannot hold the given tracks or values.
    public static let unsupportedOutput = Code(rawValue: 4005)

    // 5000: running.
    /// The caller canceled the operation.
    public static let cancelled = Code(rawValue: 5000)
    /// Memory or another resource ran out; it may be available later.
    public static let resourceExhausted = Code(rawValue: 5001)
    /// An internal error of this package.
    public static let internalFault = Code(rawValue: 5002)

    // 6000: movies rendered in parts.
    /// A project, a font or a plugin differs from that of a plan.
    public static let planChanged = Code(rawValue: 6000)
    /// A program, a library or a processor differs from that of a plan.
    public static let versionMismatch = Code(rawValue: 6001)
    /// Parts of a plan are missing, damaged, or belong to another plan.
    public static let partsMissing = Code(rawValue: 6002)

    private static let names: [Int: String] = [
      1000: "invalidValue",
      1001: "segmentsNotContiguous",
      1002: "invalidSegmentDuration",
      1003: "invalidSourceStart",
      1004: "invalidSourceDuration",
      1005: "invalidComposition",
      1006: "invalidTrackID",
      1007: "invalidParameter",
      1008: "overlappingRamps",
      1009: "invalidProject",
      2000: "fileNotFound",
      2001: "sourceRefused",
      2002: "unreadableMedia",
      2003: "truncatedMedia",
      2004: "decoderNotFound",
      2005: "decodeFailed",
      2006: "trackNotFound",
      2007: "frameTooLarge",
      2008: "noFrame",
      2009: "readFailed",
      2010: "mediaChanged",
      3000: "compositorNotFound",
      3001: "compositorFailed",
      3002: "invalidCompositorOutput",
      3003: "framePoolExhausted",
      3004: "conversionNotPossible",
      3005: "compositorTimedOut",
      3006: "pluginFailed",
      3007: "deviceFailed",
      4000: "outputExists",
      4001: "writeFailed",
      4002: "encoderNotFound",
      4003: "encodeFailed",
      4004: "outputIsInput",
      4005: "unsupportedOutput",
      5000: "cancelled",
      5001: "resourceExhausted",
      5002: "internalFault",
      6000: "planChanged",
      6001: "versionMismatch",
      6002: "partsMissing",
    ]
  }
}
