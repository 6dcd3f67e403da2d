/// How one track's frames are placed for the time of an instruction.
public struct LayerInstruction: Hashable, Sendable, Codable {
  /// The track.
  public var trackID: TrackID
  /// Opacity, 0 … 1; 1 before the first entry.
  public var opacity: PropertyTimeline<Double>
  /// From the source's display space to the composition's; identity before the first entry.
  public var transform: PropertyTimeline<AffineMatrix>
  /// The part of the source to show, in its display space; everything before the first entry.
  public var crop: PropertyTimeline<Rect>
  /// What is done to the track's picture before it is placed, in this order.
  public var effects: [EffectReference]
  /// Round corners, a border and a shadow; nil for none.
  public var decoration: LayerDecoration? {
    get { boxedDecoration?.value }
    set { boxedDecoration = newValue.map(Boxed.value) }
  }
  /// How the layer is resampled; `nil`, the default, leaves it to ``VideoComposition/sampling``.
  public var sampling: SamplingQuality?
  // Few layers have one, and it is as large as all the rest.
  private var boxedDecoration: Boxed<LayerDecoration>?

  private enum CodingKeys: String, CodingKey { case trackID, opacity, transform, crop, effects, decoration, sampling }

  /// A layer that shows the track as it is.
  public init(trackID: TrackID) {
    self.trackID = trackID
    self.opacity = PropertyTimeline(default: 1)
    self.transform = PropertyTimeline(default: .identity)
    self.crop = PropertyTimeline(default: .infinite)
    self.effects = []
    self.sampling = nil
  }

  /// Reads a layer; effects and a decoration that are absent are none.
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

  /// Writes a layer; a decoration and a sampling that are absent are left out.
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
  /// Whether the layer's size or rotation changes inside `range`; it may move.
  package func changesSize(in range: TimeRange) -> Bool {
    transform.changes(in: range) { $0.hasSize(of: $1) }
  }
}

extension AffineMatrix {
  /// Whether the matrix scales and turns as another does, within what arithmetic leaves.
  fileprivate func hasSize(of other: AffineMatrix) -> Bool {
    let largest = max(abs(a), abs(b), abs(c), abs(d))
    return max(abs(a - other.a), abs(b - other.b), abs(c - other.c), abs(d - other.d)) <= 1e-9 * largest
  }
}

/// What happens during one part of the timeline, and who composes it.
public struct Instruction: Hashable, Sendable, Codable {
  /// When; half-open.
  public var timeRange: TimeRange
  /// Layers, front to back: the first is on top.
  public var layers: [LayerInstruction]
  /// What is behind all layers; nil is opaque black.
  public var backgroundColor: Color?
  /// Whether titles are drawn over this instruction's frames.
  public var enablePostProcessing: Bool
  /// The track whose frames are handed on, fitted to the canvas, without calling a compositor.
  public var passthroughTrackID: TrackID?
  /// Who composes; the layer compositor unless another is named.
  public var compositor: CompositorID
  /// Parameters for the compositor, as its schema describes them.
  public var parameters: ParameterValues
  /// Parameters that change over time, in composition time. The compositor is not made anew for each value: it finds them
  /// in the `parameters` of each request's instruction. Only parameters that the schema calls animatable may stand here.
  public var animatedParameters: AnimatedParameters
  /// Tracks the compositor needs beside those of `layers`, in an order of its own meaning (for example: from, to).
  public var additionalTrackIDs: [TrackID]
  /// What is done to the composed picture before titles are drawn, in this order.
  public var effects: [EffectReference]
  /// When a transition of several instructions goes from its beginning to its end; nil where this instruction is all of it.
  public var progressRange: TimeRange?
  /// Overrides whether frames differ while the sources do not; nil derives it from the layers' ramps.
  public var containsTweeningOverride: Bool?
  /// Anything that a program wants to find again in the requests of this instruction; it has no effect. `nil`, the default, is nothing.
  public var tag: String?

  /// Makes an instruction for the layer compositor.
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

  /// The track as which an effect of an instruction is given the composed picture. No composition has such a track: IDs of
  /// tracks are above 0.
  public static let composedTrackID: TrackID = -1

  /// The most tracks that an instruction may need at a time: each has a decoder of its own. ``requiredTrackIDs`` counts; more are a
  /// mistake that validation finds.
  public static let maximumTrackCount = 1000

  /// Every track whose frames a request must carry, each once: the layers' front to back, then the additional ones.
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
  /// Reads an instruction; effects and animated parameters that are absent are none.
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

/// In which signal weighted sums are taken.
public enum BlendingSpace: String, Hashable, Sendable, Codable {
  /// The output's encoded signal, as broadcast mixers do.
  case encoded
  /// Linear light.
  case linear
}

/// The pictures of a composition: instructions over a canvas.
public struct VideoComposition: Hashable, Sendable, Codable {
  /// Instructions, sorted, without gap or overlap, covering the composition.
  public var instructions: [Instruction]
  /// Time from frame to frame, > 0.
  public var frameDuration: MediaTime
  /// The canvas in pixels.
  public var renderSize: PixelSize
  /// Scale from canvas to rendered pixels, > 0.
  public var renderScale: Double
  /// The track whose frame times the output follows; nil for the constant ``frameDuration``.
  public var sourceTrackIDForFrameTiming: TrackID?
  /// The output's primaries; nil follows the sources.
  public var colorPrimaries: ColorPrimaries?
  /// The output's transfer function; nil follows the sources.
  public var transferFunction: TransferFunction?
  /// The output's matrix; nil follows the sources.
  public var matrix: MatrixCoefficients?
  /// In which signal layers are mixed.
  public var blending: BlendingSpace
  /// How sources of another kind (SDR, HLG, PQ) become the output's.
  public var colorConversion: ColorConversionPolicy
  /// How layers are resampled that do not say it themselves; `nil`, the default, is ``SamplingQuality/good`` for those whose size and rotation hold still,
  /// and ``SamplingQuality/fast`` for others.
  public var sampling: SamplingQuality?

  /// Makes a video composition.
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
  /// Reads a video composition; a ``colorConversion`` that is not there is the standard one.
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
  }
}
