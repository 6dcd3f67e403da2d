public import CompositorAPI
public import CompositorMediaIO
public import CompositorScheduling

/// How a composition is rendered; none of this changes a pixel, except ``quality``, ``sampling`` and ``overlays``.
public struct RenderSettings: Sendable {
  /// Frames composed at a time, 1 … 64, on threads of this render's own; nil takes as many as ``budget`` has processors, on threads that
  /// all its renders share.
  public var threadCount: Int?
  /// Frames between decoding and delivery, ≥ 1; nil takes two more than there are processors for this render.
  public var framesInFlight: Int?
  /// Decoders that may be open beside those that the current frame needs, ≥ 0. Default 8.
  public var maximumSpareDecoders: Int
  /// Threads of each decoder, 1 … 64; nil, the default, takes what the processors have to spare: a source that is decoded alone gets them all,
  /// several share them, and pieces shorter than a second have one.
  public var decoderThreadCount: Int?
  /// What this render shares with others of the program. Default ``CompositorScheduling/RenderBudget/shared``.
  public var budget = RenderBudget.shared
  /// How long a compositor may take for one frame before it is given up. Default a minute.
  public var compositorDeadline: Duration
  /// What speed may cost in quality. Default normal.
  public var quality: RenderQuality
  /// How layers are resampled that do not say it themselves. Default `nil`: as the video composition says.
  public var sampling: SamplingQuality?
  /// What is drawn over the frames beside the edit's own titles, after these and in this order. Default nothing.
  public var overlays: [any FrameOverlay]
  /// What happens if frames or audio that the timeline shows are missing from a source. Default fail.
  public var damaged: DamagePolicy
  /// Records each stage with its thread and its time, at about a microsecond a stage; nil, the default, records nothing.
  public var trace: RenderTrace? = nil

  /// Settings that suit the machine.
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
