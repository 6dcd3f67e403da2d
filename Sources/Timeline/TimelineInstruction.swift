public import CompositorAPI

/// One of the instructions of a timeline that are not derived from its clips.
public struct TimelineInstruction: Hashable, Sendable {
  /// When it starts; nil where the one before ends.
  public var start: MediaTime?
  /// How long it takes; nil until the next one starts, or the timeline ends.
  public var duration: MediaTime?
  /// Layers, front to back: the first is on top.
  public var layers: [TimelineLayer]
  /// What is behind the layers; nil takes the timeline's.
  public var background: Color?
  /// Index of the track that is handed on, fitted, without composing.
  public var passthroughTrack: Int?
  /// Who composes.
  public var compositor: CompositorID
  /// Its parameters.
  public var parameters: ParameterValues
  /// Parameters that change over time; times count from the instruction's start.
  public var animatedParameters: AnimatedValues = [:]
  /// Indices of tracks that the compositor needs beside those of the layers.
  public var additionalTracks: [Int]
  /// What is done to the composed picture, in this order. Times count from the instruction's start.
  public var effects: [TimelineEffectUse]

  /// An instruction for the layer compositor.
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

/// A track's part in an explicit instruction. What it does not say is taken from the clip.
public struct TimelineLayer: Hashable, Sendable {
  /// Index of the track.
  public var track: Int
  /// How the upright picture is brought to the canvas; nil as the clip says.
  public var fit: FitMode?
  /// Opacity, 0 … 1. Times count from the instruction's start.
  public var opacity: Animated<Double>?
  /// Where the picture goes. Times count from the instruction's start.
  public var placement: Animated<ClipPlacement>? {
    get { boxedPlacement?.value }
    set { boxedPlacement = newValue.map(Boxed.value) }
  }
  /// The part of the upright picture to show. Times count from the instruction's start.
  public var crop: Animated<Rect>? {
    get { boxedCrop?.value }
    set { boxedCrop = newValue.map(Boxed.value) }
  }
  /// What is done to the picture before it is placed; nil as the clip says. Times count from the instruction's start.
  public var effects: [TimelineEffectUse]?
  /// Round corners, a border and a shadow; nil as the clip says.
  public var decoration: LayerDecoration? {
    get { boxedDecoration?.value }
    set { boxedDecoration = newValue.map(Boxed.value) }
  }
  /// How the picture is resampled; nil as the clip says.
  public var sampling: SamplingQuality?
  // Most layers have none of these, and there may be hundreds of thousands of layers.
  private var boxedPlacement: Boxed<Animated<ClipPlacement>>?
  private var boxedCrop: Boxed<Animated<Rect>>?
  private var boxedDecoration: Boxed<LayerDecoration>?

  /// A layer that shows the track's clips as they say.
  public init(track: Int) {
    self.track = track
  }
}
