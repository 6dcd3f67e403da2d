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
  /// Rounded corners, a border and a shadow; `nil`, the default, for none.
  public var decoration: PropertyTimeline<LayerDecoration>? {
    get { boxedDecoration?.value }
    set { boxedDecoration = newValue.map(Boxed.value) }
  }
  /// How the layer is resampled; `nil`, the default, for ``VideoComposition/sampling``.
  public var sampling: SamplingQuality?
  /// The motion blur of changes of opacity, transform, crop and decoration; `nil`, the default, for none. The shutter is centered at the
  /// frame's time. Jumps from one value to another are cuts, which aren't blurred.
  public var motionBlur: MotionBlur? {
    get { boxedMotionBlur?.value }
    set { boxedMotionBlur = newValue.map(Boxed.value) }
  }
  // Boxed, because few layers have a decoration and it is as large as all other properties together.
  private var boxedDecoration: Boxed<PropertyTimeline<LayerDecoration>>?
  private var boxedMotionBlur: Boxed<MotionBlur>?

  private enum CodingKeys: String, CodingKey {
    case trackID, opacity, transform, crop, effects, decoration, sampling, motionBlur
  }

  /// Creates a layer that shows the track unchanged.
  public init(trackID: TrackID) {
    self.trackID = trackID
    self.opacity = PropertyTimeline(default: 1)
    self.transform = PropertyTimeline(default: .identity)
    self.crop = PropertyTimeline(default: .infinite)
    self.effects = []
    self.sampling = nil
  }

  /// Decodes a layer. Absent effects, decoration and motion blur mean none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    trackID = try container.decode(TrackID.self, forKey: .trackID)
    opacity = try container.decode(PropertyTimeline<Double>.self, forKey: .opacity)
    transform = try container.decode(PropertyTimeline<AffineMatrix>.self, forKey: .transform)
    crop = try container.decode(PropertyTimeline<Rect>.self, forKey: .crop)
    effects = try container.decodeIfPresent([EffectReference].self, forKey: .effects) ?? []
    decoration = try container.decodeIfPresent(PropertyTimeline<LayerDecoration>.self, forKey: .decoration)
    sampling = try container.decodeIfPresent(SamplingQuality.self, forKey: .sampling)
    motionBlur = try container.decodeIfPresent(MotionBlur.self, forKey: .motionBlur)
  }

  /// Encodes a layer, without a decoration, sampling or motion blur that isn't set.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(trackID, forKey: .trackID)
    try container.encode(opacity, forKey: .opacity)
    try container.encode(transform, forKey: .transform)
    try container.encode(crop, forKey: .crop)
    try container.encode(effects, forKey: .effects)
    try container.encodeIfPresent(decoration, forKey: .decoration)
    try container.encodeIfPresent(sampling, forKey: .sampling)
    try container.encodeIfPresent(motionBlur, forKey: .motionBlur)
  }
}

extension LayerInstruction {
  /// Whether the layer's opacity, transform or crop changes inside `range`, or while the shutter of a frame in it is open.
  package func changesPlacement(in range: TimeRange) -> Bool {
    let range = exposed(range)
    return opacity.changes(in: range) || transform.changes(in: range) || crop.changes(in: range)
  }

  /// Whether the layer's opacity, transform, crop or decoration changes inside `range`, or while the shutter of a frame in it is open.
  package func changes(in range: TimeRange) -> Bool {
    changesPlacement(in: range) || decoration?.changes(in: exposed(range)) == true
  }

  /// Whether corners, border and shadow are invisible all the time.
  package var isPlain: Bool {
    guard let decoration else { return true }
    return decoration.defaultValue.isPlain && decoration.ramps.allSatisfy { $0.start.isPlain && $0.end.isPlain }
  }

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
