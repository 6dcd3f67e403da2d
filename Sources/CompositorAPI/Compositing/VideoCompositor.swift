/// The identity and capabilities of a compositor. The host reads it once, before the first request.
public struct CompositorDescriptor: Hashable, Sendable, Codable {
  /// The source formats that a compositor accepts.
  public enum SourceFormats: Hashable, Sendable, Codable {
    /// The formats of the sources.
    case any
    /// The format of the output.
    case output
    /// One of these. A source in another format is converted to the first one.
    case oneOf([PixelFormat])
  }
  /// How a compositor handles color.
  public enum ColorHandling: String, Hashable, Sendable, Codable {
    /// Handles only BT.709 SDR. Everything else is converted to it.
    case sdrOnly
    /// Accepts wide-gamut SDR, converted to the output's color. HDR is converted to SDR.
    case wide
    /// Accepts sources converted to the output's color, including HDR.
    case hdr
    /// Accepts sources unconverted and converts them itself.
    case conformsItself
  }
  /// How many requests a compositor handles at a time.
  public enum Concurrency: String, Hashable, Sendable, Codable {
    /// Any number, in any order.
    case concurrent
    /// One after another, in any order.
    case serial
    /// One after another, and every frame of an instruction in order from its first one. If rendering begins in the middle of
    /// an instruction, the host requests the preceding frames and discards them. An effect with a time range of its own
    /// (``EffectReference/timeRange``) gets all frames of that. A request whose time isn't after the previous
    /// one's starts over.
    case inOrder
  }
  /// The purpose of a compositor. Tools list compositors by role; it restricts nothing.
  public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
    /// Composes any number of layers.
    case compositor
    /// Transitions from the frame of the first layer to that of the second.
    case transition
    /// Changes one frame; see ``EffectReference``.
    case effect
  }

  /// The identifier that instructions use.
  public var id: CompositorID
  /// The display name.
  public var name: String
  /// The version, `major.minor.patch`.
  public var version: String
  /// A one-sentence description of what the compositor does.
  public var summary: String
  /// The source formats that it accepts; by default that of the output.
  public var sourceFormats = SourceFormats.output
  /// The output formats that it supports, preferred one first; empty, the default, if it supports all. If the output's format
  /// isn't among them, the host requests one of these and converts the result.
  public var outputFormats: [PixelFormat] = []
  /// How it handles color; by default it accepts sources in the output's color.
  public var colorHandling = ColorHandling.hdr
  /// How many requests it handles at a time; by default any number.
  public var concurrency = Concurrency.concurrent
  /// Its parameters; none by default.
  public var parameters: [ParameterDescription] = []
  /// The purpose of the compositor; by default it composes any number of layers.
  public var role = Role.compositor
  /// Whether equal sources and parameters produce an equal frame at any time, so that a frame may be reused; `false` by default.
  public var isTimeInvariant = false
  /// Whether it makes parts of an opaque frame transparent; `false` by default. As the effect of a layer it is then asked for a
  /// format with alpha.
  public var makesAlpha = false
  /// Whether sources arrive placed: as large as the canvas, in the output's format, with their layer's opacity, transform and
  /// crop applied over the instruction's background. The request's layers then have none of these. `false` by default.
  public var placesSources = false
  /// Whether it is a ``SelectiveComposer`` that returns ``RegionsOfInterest/sources(_:)`` for other times than the request's;
  /// `false` by default. The host caches decoded frames for it, and may call it in any order.
  public var needsOtherTimes = false
  /// Whether it takes the mask of an effect (``EffectReference/mask``) itself, as a second source; `false`, the default, lets the
  /// host mix its result with the original frame.
  ///
  /// The mask is the first of the request's additional tracks (``Instruction/additionalTrackIDs``); without a mask there is none.
  /// Its frame is opaque, gray, and as large as the first source's, in the format of sources: its luma, from black to white, is
  /// the mask, of whichever channel, inverted if it is to be.
  public var takesMask = false
  /// The values with which an effect changes nothing, such as a radius of 0, so that checks find an effect that was left there;
  /// `nil`, the default, for a compositor that always changes the frame or doesn't say. Parameters that aren't listed don't matter.
  public var identity: ParameterValues?
  /// The device in whose memory it takes source frames, which its factory brings; `nil`, the default, for the host's memory.
  /// Plugins behind the C interface always take the host's memory.
  public var device: DeviceID?
  /// Values that a user interface offers together; none by default.
  public var presets: [ParameterPreset] = []

  /// Creates a descriptor. By default a compositor accepts sources in the output's format and color, and any number of
  /// concurrent requests.
  ///
  /// ```swift
  /// static let descriptor = CompositorDescriptor(id: "org.example.wipe", name: "Wipe") {
  ///   $0.role = .transition
  ///   $0.placesSources = true
  /// }
  /// ```
  ///
  /// - Parameter configure: Sets the properties that differ from their defaults.
  public init(
    id: CompositorID, name: String, version: String = "1.0.0", summary: String = "",
    _ configure: (inout CompositorDescriptor) -> Void = { _ in }
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.summary = summary
    configure(&self)
  }

  /// Decodes a descriptor. Properties that have a default may be absent.
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
    takesMask = try container.decodeIfPresent(Bool.self, forKey: .takesMask) ?? false
    identity = try container.decodeIfPresent(ParameterValues.self, forKey: .identity)
    device = try container.decodeIfPresent(DeviceID.self, forKey: .device)
    presets = try container.decodeIfPresent([ParameterPreset].self, forKey: .presets) ?? []
  }
}

/// The frame of one source for a request.
public struct SourceFrame: Sendable {
  /// The composition track it comes from.
  public var trackID: TrackID
  /// The decoded frame.
  public var frame: Frame { didSet { isStill = false } }
  /// Whether the frame is the only one of its media, so that its memory is the same in every request and results derived from
  /// it may be cached. Setting ``frame`` clears this.
  package var isStill = false
  /// The frame's own presentation time, in its media's time.
  public var presentationTime: MediaTime
  /// How long the frame is shown in its media; `.indefinite` if unknown.
  public var duration: MediaTime
  /// The requested media time, in `presentationTime ..< presentationTime + duration`.
  public var requestedTime: MediaTime
  /// The orientation that the media specifies (rotation, mirroring), from stored display space to upright. Not yet applied.
  public var preferredTransform: AffineMatrix

  /// Creates a source frame.
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

/// Everything that is needed to make one frame, as a value.
public struct CompositionRequest: Sendable {
  /// Composition time of the frame.
  public var time: MediaTime
  /// How long the frame is shown: the time to the next frame of the output. `.indefinite` if unknown.
  public var frameDuration: MediaTime
  /// The instruction to carry out, with the values of animated parameters at this time.
  public var instruction: Instruction
  /// The instruction's index in the video composition.
  public var instructionIndex: Int
  /// Source frames by track. A track that is in an empty edit at this time is absent.
  public var sources: [TrackID: SourceFrame]
  /// The frames requested by ``RegionsOfInterest/sources(_:)``, in that order; empty for other composers.
  public var requestedSources: [RequestedSource]
  /// The size, format and resources of the frame to make.
  public var context: RenderContext
  /// The part of the frame that is shown, in its pixels. Pixels outside may have any value, as with ``RegionsOfInterest``.
  package var visibleRegion: Rect = .infinite

  /// Creates a request.
  public init(
    time: MediaTime, frameDuration: MediaTime = .indefinite, instruction: Instruction, instructionIndex: Int = 0,
    sources: [TrackID: SourceFrame], context: RenderContext
  ) {
    self.time = time
    self.frameDuration = frameDuration
    self.instruction = instruction
    self.instructionIndex = instructionIndex
    self.sources = sources
    self.requestedSources = []
    self.context = context
  }

  /// The view to make. Sources with several views are given in this one.
  public var view: StereoView { context.view }

  /// The frame of a track; `nil` during an empty edit.
  public func frame(_ trackID: TrackID) -> Frame? { sources[trackID]?.frame }

  /// The progress of a transition, 0 … 1: the elapsed fraction of the instruction's ``Instruction/progressRange`` or, if that
  /// is `nil`, of its time range. 0 if the range is endless.
  public var progress: Double {
    let range = instruction.progressRange ?? instruction.timeRange
    guard range.isNumeric, range.duration > .zero else { return 0 }
    return min(max(range.fraction(at: time), 0), 1)
  }
}

/// A compositor created for one set of parameters and one render context.
/// Conforming types include ``VideoCompositor``s and the compositors of plugins that a ``CompositorFactory`` creates.
public protocol FrameComposer: Sendable {
  /// Returns the frame for a request: a frame of the context's size and output format, or one of the source frames unchanged.
  func compose(_ request: CompositionRequest) async throws -> Frame
}

/// A type that makes a frame from source frames.
///
/// A synchronous method or an actor satisfies the requirement as well as an `async` method does. The host creates one instance
/// for each distinct set of parameters and each render context, and calls ``FrameComposer/compose(_:)`` as the descriptor's
/// concurrency allows. Each call returns a frame, throws an error, or is canceled.
///
/// ```swift
/// struct FirstLayer: VideoCompositor {
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
  /// The identity and capabilities of the compositor.
  static var descriptor: CompositorDescriptor { get }

  /// Creates an instance for one set of parameters and one render context.
  ///
  /// - Throws: ``CompositorError`` `.invalidParameter` if parameters cannot be used.
  init(parameters: ParameterValues, context: RenderContext) throws
}
