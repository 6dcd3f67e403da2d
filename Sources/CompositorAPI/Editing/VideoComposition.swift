/// How the frames of one track are placed during an instruction.
public struct LayerInstruction: Hashable, Sendable, Codable {
  /// The track to show.
  public var trackID: TrackID
  /// Opacity, 0 … 1; 1 before the first entry.
  public var opacity: PropertyTimeline<Double>
  /// The transform from the source's display space to the composition's; identity before the first entry.
  public var transform: PropertyTimeline<AffineMatrix>
  /// The part of the source to show, in its display space; all of it before the first entry.
  public var crop: PropertyTimeline<Rect>
  /// The effects to apply to the track's frames before they are placed, in order.
  public var effects: [EffectReference]
  /// Rounded corners, a border and a shadow; `nil` for none.
  public var decoration: LayerDecoration? {
    get { boxedDecoration?.value }
    set { boxedDecoration = newValue.map(Boxed.value) }
  }
  /// How the layer is resampled; `nil`, the default, for ``VideoComposition/sampling``.
  public var sampling: SamplingQuality?
  // Boxed, because few layers have a decoration and it is as large as all other properties together.
  private var boxedDecoration: Boxed<LayerDecoration>?

  private enum CodingKeys: String, CodingKey { case trackID, opacity, transform, crop, effects, decoration, sampling }

  /// Creates a layer that shows the track unchanged.
  public init(trackID: TrackID) {
    self.trackID = trackID
    self.opacity = PropertyTimeline(default: 1)
    self.transform = PropertyTimeline(default: .identity)
    self.crop = PropertyTimeline(default: .infinite)
    self.effects = []
    self.sampling = nil
  }

  /// Decodes a layer. Absent effects and decoration mean none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    trackID = try container.decode(TrackID.self, forKey: .trackID)
    opacity = try container.decode(PropertyTimeline<Double>.self, forKey: .opacity)
    transform = try container.decode(PropertyTimeline<AffineMatrix>.self, forKey: .transform)
    crop = try container.decode(PropertyTimeline<Rect>.self, forKey: .crop)
    effects = try container.decodeIfPresent([EffectReference].self, forKey: .effects) ?? []
    decoration = try container.decodeIfPresent(LayerDecoration.self, forKey: .decoration)
    sampling = try container.decodeIfPresent(SamplingQuality.self, forKey: .sampling)
  }

  /// Encodes a layer, without a decoration or sampling that isn't set.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(trackID, forKey: .trackID)
    try container.encode(opacity, forKey: .opacity)
    try container.encode(transform, forKey: .transform)
    try container.encode(crop, forKey: .crop)
    try container.encode(effects, forKey: .effects)
    try container.encodeIfPresent(decoration, forKey: .decoration)
    try container.encodeIfPresent(sampling, forKey: .sampling)
  }
}

extension LayerInstruction {
  /// Whether the layer's size or rotation changes inside `range`. A change of position doesn't count.
  package func changesSize(in range: TimeRange) -> Bool {
    transform.changes(in: range) { $0.hasSize(of: $1) }
  }
}

extension AffineMatrix {
  /// Whether the matrix scales and rotates like another one, within rounding errors.
  fileprivate func hasSize(of other: AffineMatrix) -> Bool {
    let largest = max(abs(a), abs(b), abs(c), abs(d))
    return max(abs(a - other.a), abs(b - other.b), abs(c - other.c), abs(d - other.d)) <= 1e-9 * largest
  }
}

/// The composition of one part of the timeline: its layers, effects and compositor.
public struct Instruction: Hashable, Sendable, Codable {
  /// The half-open time range of the instruction.
  public var timeRange: TimeRange
  /// The layers, front to back: the first is on top.
  public var layers: [LayerInstruction]
  /// The color behind all layers; `nil` for opaque black, which exporters leave out of files with alpha.
  public var backgroundColor: Color?
  /// Whether titles are drawn over the frames of this instruction.
  public var enablePostProcessing: Bool
  /// The track whose frames are passed through, fitted to the canvas, without calling a compositor.
  public var passthroughTrackID: TrackID?
  /// The identifier of the compositor to use. Default: the layer compositor.
  public var compositor: CompositorID
  /// The compositor's parameters, according to its schema.
  public var parameters: ParameterValues
  /// Parameters that change over time, in composition time. The compositor isn't re-created for each value: it reads the
  /// current values from the `parameters` of each request's instruction. Only parameters that the schema declares as animatable
  /// are allowed.
  public var animatedParameters: AnimatedParameters
  /// Tracks that the compositor needs in addition to those of `layers`. It defines the meaning of their order (for example:
  /// from, to).
  public var additionalTrackIDs: [TrackID]
  /// The effects to apply to the composed frame before titles are drawn, in order.
  public var effects: [EffectReference]
  /// The time range of a transition that consists of several instructions; `nil` if this instruction is all of it.
  public var progressRange: TimeRange?
  /// Overrides whether frames differ although the sources don't; `nil` derives this from the layers' ramps.
  public var containsTweeningOverride: Bool?
  /// A value that a program may attach to find the instruction again in requests. It has no effect. Default `nil`.
  public var tag: String?

  /// Creates an instruction for the layer compositor.
  public init(timeRange: TimeRange, layers: [LayerInstruction] = []) {
    self.timeRange = timeRange
    self.layers = layers
    self.backgroundColor = nil
    self.enablePostProcessing = true
    self.passthroughTrackID = nil
    self.compositor = .layer
    self.parameters = [:]
    self.animatedParameters = [:]
    self.additionalTrackIDs = []
    self.effects = []
    self.progressRange = nil
    self.containsTweeningOverride = nil
    self.tag = nil
  }

  /// The track ID under which an effect of an instruction receives the composed frame. No composition has such a track, because
  /// track IDs are above 0.
  public static let composedTrackID: TrackID = -1

  /// The track ID under which a compositor that takes masks (``CompositorDescriptor/takesMask``) receives one. No composition has
  /// such a track.
  public static let maskTrackID: TrackID = -2

  /// The maximum number of tracks that an instruction may need, as counted by ``requiredTrackIDs``; validation reports more as
  /// an error. Each track needs a decoder of its own.
  public static let maximumTrackCount = 1000

  /// The tracks whose frames a request must contain, without duplicates: those of the layers from front to back, then the
  /// additional ones.
  public var requiredTrackIDs: [TrackID] {
    if let passthroughTrackID { return [passthroughTrackID] }
    let count = layers.count + additionalTrackIDs.count
    var trackIDs: [TrackID] = []
    trackIDs.reserveCapacity(count)
    guard count > 16 else {
      for layer in layers where !trackIDs.contains(layer.trackID) { trackIDs.append(layer.trackID) }
      for trackID in additionalTrackIDs where !trackIDs.contains(trackID) { trackIDs.append(trackID) }
      return trackIDs
    }
    var seen = Set<TrackID>(minimumCapacity: count)
    for layer in layers where seen.insert(layer.trackID).inserted { trackIDs.append(layer.trackID) }
    for trackID in additionalTrackIDs where seen.insert(trackID).inserted { trackIDs.append(trackID) }
    return trackIDs
  }

  /// Whether two frames can differ although the sources are the same.
  public var containsTweening: Bool {
    if let containsTweeningOverride { return containsTweeningOverride }
    guard effects.isEmpty else { return true }
    guard passthroughTrackID == nil else { return false }
    guard compositor == .layer, layers.allSatisfy(\.effects.isEmpty) else { return true }
    return changesPlacement
  }

  /// Whether a layer's opacity, transform or crop changes.
  package var changesPlacement: Bool {
    layers.contains {
      $0.opacity.changes(in: timeRange) || $0.transform.changes(in: timeRange) || $0.crop.changes(in: timeRange)
    }
  }
}

extension Instruction {
  /// Decodes an instruction. Absent effects and animated parameters mean none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    timeRange = try container.decode(TimeRange.self, forKey: .timeRange)
    layers = try container.decode([LayerInstruction].self, forKey: .layers)
    backgroundColor = try container.decodeIfPresent(Color.self, forKey: .backgroundColor)
    enablePostProcessing = try container.decode(Bool.self, forKey: .enablePostProcessing)
    passthroughTrackID = try container.decodeIfPresent(TrackID.self, forKey: .passthroughTrackID)
    compositor = try container.decode(CompositorID.self, forKey: .compositor)
    parameters = try container.decode(ParameterValues.self, forKey: .parameters)
    animatedParameters = try container.decodeIfPresent(AnimatedParameters.self, forKey: .animatedParameters) ?? [:]
    additionalTrackIDs = try container.decode([TrackID].self, forKey: .additionalTrackIDs)
    effects = try container.decodeIfPresent([EffectReference].self, forKey: .effects) ?? []
    progressRange = try container.decodeIfPresent(TimeRange.self, forKey: .progressRange)
    containsTweeningOverride = try container.decodeIfPresent(Bool.self, forKey: .containsTweeningOverride)
    tag = try container.decodeIfPresent(String.self, forKey: .tag)
  }
}

/// The signal domain in which layers are blended.
public enum BlendingSpace: String, Hashable, Sendable, Codable {
  /// The output's encoded signal, as in broadcast mixers.
  case encoded
  /// Linear light.
  case linear
}

/// The video of a composition: instructions over a canvas.
public struct VideoComposition: Hashable, Sendable, Codable {
  /// The instructions in order of time, without gaps or overlaps, covering the composition.
  public var instructions: [Instruction]
  /// The duration of a frame, > 0.
  public var frameDuration: MediaTime
  /// The size of the canvas in pixels.
  public var renderSize: PixelSize
  /// The scale from canvas to rendered pixels, > 0.
  public var renderScale: Double
  /// The track whose frame times the output follows; `nil` for the constant ``frameDuration``.
  public var sourceTrackIDForFrameTiming: TrackID?
  /// The output's primaries; `nil` to follow the sources.
  public var colorPrimaries: ColorPrimaries?
  /// The output's transfer function; `nil` to follow the sources.
  public var transferFunction: TransferFunction?
  /// The output's matrix; `nil` to follow the sources.
  public var matrix: MatrixCoefficients?
  /// The signal domain in which layers are blended.
  public var blending: BlendingSpace
  /// How sources of another dynamic range (SDR, HLG, PQ) are converted to the output's.
  public var colorConversion: ColorConversionPolicy
  /// The default resampling of layers. `nil`, the default, is ``SamplingQuality/good`` for layers whose size and rotation are
  /// constant, and ``SamplingQuality/fast`` for others.
  public var sampling: SamplingQuality?
  /// The views to make; `nil`, the default, for mono. In stereo every frame is made once for each eye, of the sources' views for
  /// that eye. Movies and images that are written show the left eye.
  public var views: StereoViews?

  /// Creates a video composition.
  public init(instructions: [Instruction] = [], frameDuration: MediaTime, renderSize: PixelSize) {
    self.instructions = instructions
    self.frameDuration = frameDuration
    self.renderSize = renderSize
    self.renderScale = 1
    self.sourceTrackIDForFrameTiming = nil
    self.colorPrimaries = nil
    self.transferFunction = nil
    self.matrix = nil
    self.blending = .encoded
    self.colorConversion = .standard
    self.sampling = nil
  }
}

extension VideoComposition {
  /// Decodes a video composition. An absent ``colorConversion`` is the standard one.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      instructions: try values.decode([Instruction].self, forKey: .instructions),
      frameDuration: try values.decode(MediaTime.self, forKey: .frameDuration),
      renderSize: try values.decode(PixelSize.self, forKey: .renderSize))
    renderScale = try values.decode(Double.self, forKey: .renderScale)
    sourceTrackIDForFrameTiming = try values.decodeIfPresent(TrackID.self, forKey: .sourceTrackIDForFrameTiming)
    colorPrimaries = try values.decodeIfPresent(ColorPrimaries.self, forKey: .colorPrimaries)
    transferFunction = try values.decodeIfPresent(TransferFunction.self, forKey: .transferFunction)
    matrix = try values.decodeIfPresent(MatrixCoefficients.self, forKey: .matrix)
    blending = try values.decode(BlendingSpace.self, forKey: .blending)
    colorConversion = try values.decodeIfPresent(ColorConversionPolicy.self, forKey: .colorConversion) ?? .standard
    sampling = try values.decodeIfPresent(SamplingQuality.self, forKey: .sampling)
    views = try values.decodeIfPresent(StereoViews.self, forKey: .views)
  }
}
