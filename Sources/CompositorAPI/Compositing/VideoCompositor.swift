/// What a compositor can do, read once by the host, before the first request.
public struct CompositorDescriptor: Hashable, Sendable, Codable {
  /// Which source formats a compositor takes.
  public enum SourceFormats: Hashable, Sendable, Codable {
    /// Whatever the sources have.
    case any
    /// Whatever format the output has.
    case output
    /// One of these: a source in another format is converted to the first.
    case oneOf([PixelFormat])
  }
  /// What a compositor does about color.
  public enum ColorHandling: String, Hashable, Sendable, Codable {
    /// Knows BT.709 SDR only: everything else is converted before it sees it.
    case sdrOnly
    /// Takes wide-gamut SDR, converted to the output's color; HDR is converted to SDR.
    case wide
    /// Takes sources converted to the output's color, HDR included.
    case hdr
    /// Takes sources untouched and conforms them itself.
    case conformsItself
  }
  /// How many requests a compositor serves at a time.
  public enum Concurrency: String, Hashable, Sendable, Codable {
    /// Any number, in any order.
    case concurrent
    /// One after another, in any order.
    case serial
    /// One after another, every frame of an instruction in order, from its first one on: where rendering begins in the middle of an
    /// instruction, the host asks for the frames before and throws them away. A request whose time is not after the last one's
    /// begins anew.
    case inOrder
  }
  /// What a compositor is made for. It says how tools list it; nothing is refused for it.
  public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
    /// Composes any number of layers.
    case compositor
    /// Leads from one picture, the first layer's, to another, the second's.
    case transition
    /// Changes one picture; see ``EffectReference``.
    case effect
  }

  /// The name that instructions use.
  public var id: CompositorID
  /// The name that people read.
  public var name: String
  /// The version, `major.minor.patch`.
  public var version: String
  /// What it does, one sentence.
  public var summary: String
  /// Source formats it takes.
  public var sourceFormats: SourceFormats
  /// Formats of frames it can make, the preferred one first; empty where it makes whatever is asked for. Where the output
  /// has none of them, the host asks for another of these and converts what comes back.
  public var outputFormats: [PixelFormat]
  /// What it does about color.
  public var colorHandling: ColorHandling
  /// How many requests at a time.
  public var concurrency: Concurrency
  /// Its parameters.
  public var parameters: [ParameterDescription]
  /// What it is made for.
  public var role: Role
  /// Whether equal sources and parameters make an equal frame whatever the time, so that a frame may be used again.
  public var isTimeInvariant: Bool
  /// Whether it makes parts of an opaque picture transparent: as a layer's effect it is asked for a format with alpha.
  public var makesAlpha: Bool
  /// Whether sources come placed: each as large as the canvas, in the output's format, with its layer's opacity, transform and crop
  /// applied over the instruction's background. Layers of the request are plain then.
  public var placesSources: Bool
  /// Whether it asks for sources at other times than the request's: a ``SelectiveComposer`` that answers ``RegionsOfInterest/sources(_:)``. The
  /// host keeps decoded frames at hand for it, and it may be asked in any order.
  public var needsOtherTimes: Bool

  /// Describes a compositor that takes sources in the output's format and color, any number of requests at a time.
  public init(
    id: CompositorID, name: String, version: String = "1.0.0", summary: String = "",
    sourceFormats: SourceFormats = .output, outputFormats: [PixelFormat] = [], colorHandling: ColorHandling = .hdr,
    concurrency: Concurrency = .concurrent, parameters: [ParameterDescription] = [], role: Role = .compositor,
    isTimeInvariant: Bool = false, makesAlpha: Bool = false, placesSources: Bool = false, needsOtherTimes: Bool = false
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.summary = summary
    self.sourceFormats = sourceFormats
    self.outputFormats = outputFormats
    self.colorHandling = colorHandling
    self.concurrency = concurrency
    self.parameters = parameters
    self.role = role
    self.isTimeInvariant = isTimeInvariant
    self.makesAlpha = makesAlpha
    self.placesSources = placesSources
    self.needsOtherTimes = needsOtherTimes
  }

  /// Reads a description; output formats, role, time invariance, alpha, placing and other times may be absent.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(CompositorID.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    version = try container.decode(String.self, forKey: .version)
    summary = try container.decode(String.self, forKey: .summary)
    sourceFormats = try container.decode(SourceFormats.self, forKey: .sourceFormats)
    outputFormats = try container.decodeIfPresent([PixelFormat].self, forKey: .outputFormats) ?? []
    colorHandling = try container.decode(ColorHandling.self, forKey: .colorHandling)
    concurrency = try container.decode(Concurrency.self, forKey: .concurrency)
    parameters = try container.decode([ParameterDescription].self, forKey: .parameters)
    role = try container.decodeIfPresent(Role.self, forKey: .role) ?? .compositor
    isTimeInvariant = try container.decodeIfPresent(Bool.self, forKey: .isTimeInvariant) ?? false
    makesAlpha = try container.decodeIfPresent(Bool.self, forKey: .makesAlpha) ?? false
    placesSources = try container.decodeIfPresent(Bool.self, forKey: .placesSources) ?? false
    needsOtherTimes = try container.decodeIfPresent(Bool.self, forKey: .needsOtherTimes) ?? false
  }
}

/// One source's frame for a request.
public struct SourceFrame: Sendable {
  /// The composition track it comes from.
  public var trackID: TrackID
  /// The picture.
  public var frame: Frame { didSet { isStill = false } }
  /// Whether the picture is all that its media has, so that its memory is the same in every request: what is made of it may be kept. A
  /// source whose picture is replaced isn't one any more.
  package var isStill = false
  /// The frame's own presentation time, in its media's time.
  public var presentationTime: MediaTime
  /// How long the frame is shown in its media; `.indefinite` where not known.
  public var duration: MediaTime
  /// The media time that was asked for: presentationTime ≤ it < presentationTime + duration.
  public var requestedTime: MediaTime
  /// The orientation the media asks for (rotation, mirror), from stored display space to upright. Not applied.
  public var preferredTransform: AffineMatrix

  /// Makes a source frame.
  public init(
    trackID: TrackID, frame: Frame, presentationTime: MediaTime, duration: MediaTime, requestedTime: MediaTime,
    preferredTransform: AffineMatrix = .identity
  ) {
    self.trackID = trackID
    self.frame = frame
    self.presentationTime = presentationTime
    self.duration = duration
    self.requestedTime = requestedTime
    self.preferredTransform = preferredTransform
  }
}

/// Everything needed to make one frame: a value.
public struct CompositionRequest: Sendable {
  /// Composition time of the frame.
  public var time: MediaTime
  /// How long the frame is shown: the distance to the next frame of the output. `.indefinite` if not known.
  public var frameDuration: MediaTime
  /// What to do.
  public var instruction: Instruction
  /// The instruction's index in the video composition.
  public var instructionIndex: Int
  /// Source frames by track; a track that is in an empty edit at this time is absent.
  public var sources: [TrackID: SourceFrame]
  /// What ``RegionsOfInterest/sources(_:)`` asked for, in that order; empty for composers that did not.
  public var askedSources: [AskedSource]
  /// The surface to render to.
  public var context: RenderContext

  /// Makes a request.
  public init(
    time: MediaTime, frameDuration: MediaTime = .indefinite, instruction: Instruction, instructionIndex: Int = 0,
    sources: [TrackID: SourceFrame], context: RenderContext
  ) {
    self.time = time
    self.frameDuration = frameDuration
    self.instruction = instruction
    self.instructionIndex = instructionIndex
    self.sources = sources
    self.askedSources = []
    self.context = context
  }

  /// The frame of a track; nil during an empty edit.
  public func frame(_ trackID: TrackID) -> Frame? { sources[trackID]?.frame }

  /// How far a transition has come, 0 … 1: the part of the instruction's ``Instruction/progressRange``, or of its time, that
  /// has passed. 0 where that is endless.
  public var progress: Double {
    let range = instruction.progressRange ?? instruction.timeRange
    guard range.isNumeric, range.duration > .zero else { return 0 }
    return min(max(range.fraction(at: time), 0), 1)
  }
}

/// What makes frames: a compositor made for one set of parameters and one render context.
///
/// A ``VideoCompositor`` is one, and so is whatever a ``CompositorFactory`` makes of a plugin.
public protocol FrameComposer: Sendable {
  /// Makes the frame for a request: of the context's size and output format, or one of the source frames as it is.
  func compose(_ request: CompositionRequest) async throws -> Frame
}

/// Makes one frame out of source frames.
///
/// A synchronous method or an actor satisfies it as well as an `async` one. The host makes one instance for each different
/// set of parameters and each render context, and calls ``FrameComposer/compose(_:)`` as the descriptor's concurrency allows. Each call
/// ends in a frame, an error or a cancellation: there is no fourth way.
///
/// ```swift
/// struct Darker: VideoCompositor {
///   static let descriptor = CompositorDescriptor(id: "org.example.first", name: "First layer only")
///   init(parameters: ParameterValues, context: RenderContext) throws {}
///   func compose(_ request: CompositionRequest) throws -> Frame {
///     guard let frame = request.instruction.requiredTrackIDs.lazy.compactMap(request.frame).first else {
///       return try request.context.makeFrame(filledWith: .black)
///     }
///     return frame
///   }
/// }
/// ```
public protocol VideoCompositor: FrameComposer {
  /// What the compositor can do.
  static var descriptor: CompositorDescriptor { get }

  /// Makes an instance for one set of parameters and one render context.
  ///
  /// - Throws: ``CompositorError`` `.invalidParameter` for parameters it cannot use.
  init(parameters: ParameterValues, context: RenderContext) throws
}
