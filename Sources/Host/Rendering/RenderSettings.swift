public import CompositorAPI
public import CompositorMediaIO
public import CompositorScheduling

/// Settings for rendering a composition. They don't change the result, except for ``quality``, ``sampling`` and ``overlays``.
public struct RenderSettings: Sendable {
  /// The valid numbers of threads that compose frames.
  package static let threadCounts = 1...64
  /// The number of frames composed at a time, 1 … 64, on separate threads of this render; `nil` for as many as ``budget`` has
  /// processors, on threads shared by all its renders.
  public var threadCount: Int?
  /// The number of frames between decoding and delivery, ≥ 1; `nil` for two more than there are processors for this render.
  public var framesInFlight: Int?
  /// The maximum number of open decoders in addition to those for the current frame, ≥ 0. Default 8.
  public var maximumSpareDecoders: Int
  /// The number of threads per decoder, 1 … 64. `nil`, the default, distributes the available processors: a source that is
  /// decoded alone gets all of them, several share them, and segments shorter than a second get one.
  public var decoderThreadCount: Int?
  /// The resources that this render shares with others of the program. Default `RenderBudget.shared`.
  public var budget = RenderBudget.shared
  /// The maximum time for a compositor to make one frame, after which the call is abandoned. Default one minute.
  public var compositorDeadline: Duration
  /// The trade-off between speed and quality. Default normal.
  public var quality: RenderQuality
  /// The default resampling of layers. `nil`, the default, for that of the video composition.
  public var sampling: SamplingQuality?
  /// Overlays to draw after the edit's own titles, in order. Default none.
  public var overlays: [any FrameOverlay]
  /// How video or audio that is missing from a source is handled. Default fail.
  public var damaged: DamagePolicy
  /// Records each stage with its thread and time, at a cost of about a microsecond per stage; `nil`, the default, disables
  /// recording.
  public var trace: RenderTrace? = nil

  /// Creates settings. The defaults suit the machine.
  public init(
    threadCount: Int? = nil, framesInFlight: Int? = nil, maximumSpareDecoders: Int = 8, decoderThreadCount: Int? = nil,
    compositorDeadline: Duration = .seconds(60), quality: RenderQuality = .normal,
    overlays: [any FrameOverlay] = [], damaged: DamagePolicy = .fail
  ) {
    self.threadCount = threadCount
    self.framesInFlight = framesInFlight
    self.maximumSpareDecoders = maximumSpareDecoders
    self.decoderThreadCount = decoderThreadCount
    self.compositorDeadline = compositorDeadline
    self.quality = quality
    self.sampling = nil
    self.overlays = overlays
    self.damaged = damaged
  }
}
