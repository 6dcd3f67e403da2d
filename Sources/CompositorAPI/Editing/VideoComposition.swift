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

  /// A layer that shows the track as it is.
  public init(trackID: TrackID) {
    self.trackID = trackID
    self.opacity = PropertyTimeline(default: 1)
    self.transform = PropertyTimeline(default: .identity)
    self.crop = PropertyTimeline(default: .infinite)
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
  /// Tracks the compositor needs beside those of `layers`, in an order of its own meaning (for example: from, to).
  public var additionalTrackIDs: [TrackID]
  /// Overrides whether frames differ while the sources do not; nil derives it from the layers' ramps.
  public var containsTweeningOverride: Bool?

  /// Makes an instruction for the layer compositor.
  public init(timeRange: TimeRange, layers: [LayerInstruction] = []) {
    self.timeRange = timeRange
    self.layers = layers
    self.backgroundColor = nil
    self.enablePostProcessing = true
    self.passthroughTrackID = nil
    self.compositor = .layer
    self.parameters = [:]
    self.additionalTrackIDs = []
    self.containsTweeningOverride = nil
  }

  /// Every track whose frames a request must carry, each once: the layers' front to back, then the additional ones.
  public var requiredTrackIDs: [TrackID] {
    if let passthroughTrackID { return [passthroughTrackID] }
    var seen = Set<TrackID>()
    return (layers.map(\.trackID) + additionalTrackIDs).filter { seen.insert($0).inserted }
  }

  /// Whether two frames can differ although the sources are the same.
  public var containsTweening: Bool {
    if let containsTweeningOverride { return containsTweeningOverride }
    guard passthroughTrackID == nil else { return false }
    guard compositor == .layer else { return true }
    return layers.contains {
      $0.opacity.changes(in: timeRange) || $0.transform.changes(in: timeRange) || $0.crop.changes(in: timeRange)
    }
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
  }
}
