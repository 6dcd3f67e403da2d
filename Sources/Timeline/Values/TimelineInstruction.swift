public import CompositorAPI

/// An explicit instruction of a timeline, which isn't derived from its clips.
public struct TimelineInstruction: Hashable, Sendable {
  /// The start; `nil` for the end of the previous instruction.
  public var start: MediaTime?
  /// The duration; `nil` for until the next instruction starts, or the timeline ends.
  public var duration: MediaTime?
  /// The layers, front to back: the first is on top.
  public var layers: [TimelineLayer]
  /// The color behind the layers; `nil` for the timeline's.
  public var background: Color?
  /// The index of a track that is passed through, fitted, without composing; `nil` for none.
  public var passthroughTrack: Int?
  /// The identifier of the compositor to use.
  public var compositor: CompositorID
  /// The compositor's parameters.
  public var parameters: ParameterValues
  /// Parameters that change over time. Times are relative to the instruction's start.
  public var animatedParameters: AnimatedValues = [:]
  /// The indices of tracks that the compositor needs in addition to those of the layers.
  public var additionalTracks: [Int]
  /// The effects to apply to the composed frame, in order. Times are relative to the instruction's start.
  public var effects: [TimelineEffectUse]

  /// Creates an instruction for the layer compositor.
  public init(start: MediaTime? = nil, duration: MediaTime? = nil, layers: [TimelineLayer] = []) {
    self.start = start
    self.duration = duration
    self.layers = layers
    self.background = nil
    self.passthroughTrack = nil
    self.compositor = .layer
    self.parameters = [:]
    self.additionalTracks = []
    self.effects = []
  }
}

/// A layer of an explicit instruction. Properties that are `nil` are those of the clip.
public struct TimelineLayer: Hashable, Sendable {
  /// The index of the track.
  public var track: Int
  /// How the upright frame is scaled to the canvas; `nil` for that of the clip.
  public var fit: FitMode?
  /// Opacity, 0 … 1. Times are relative to the instruction's start.
  public var opacity: Animated<Double>?
  /// The position of the frame on the canvas. Times are relative to the instruction's start.
  public var placement: Animated<ClipPlacement>? {
    get { boxedPlacement?.value }
    set { boxedPlacement = newValue.map(Boxed.value) }
  }
  /// The part of the upright frame to show. Times are relative to the instruction's start.
  public var crop: Animated<ClipCrop>? {
    get { boxedCrop?.value }
    set { boxedCrop = newValue.map(Boxed.value) }
  }
  /// The effects to apply to the frame before it is placed; `nil` for those of the clip. Times are relative to the
  /// instruction's start.
  public var effects: [TimelineEffectUse]?
  /// Rounded corners, a border and a shadow; `nil` for those of the clip. Times are relative to the instruction's start.
  public var decoration: ClipDecoration? {
    get { boxedDecoration?.value }
    set { boxedDecoration = newValue.map(Boxed.value) }
  }
  /// How the frame is resampled; `nil` for that of the clip.
  public var sampling: SamplingQuality?
  /// The motion blur of changes; `nil` for that of the clip.
  public var motionBlur: MotionBlur? {
    get { boxedMotionBlur?.value }
    set { boxedMotionBlur = newValue.map(Boxed.value) }
  }
  // Boxed, because most layers have none of these, and there may be hundreds of thousands of layers.
  private var boxedPlacement: Boxed<Animated<ClipPlacement>>?
  private var boxedCrop: Boxed<Animated<ClipCrop>>?
  private var boxedDecoration: Boxed<ClipDecoration>?
  private var boxedMotionBlur: Boxed<MotionBlur>?

  /// Creates a layer that shows the track's clips unchanged.
  public init(track: Int) {
    self.track = track
  }
}
