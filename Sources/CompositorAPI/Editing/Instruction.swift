/// The composition of one part of the timeline: a track that passes through, or layers that a compositor composes; and effects.
///
/// ```swift
/// var dissolve = Instruction(timeRange: range, layers: [LayerInstruction(trackID: 1), LayerInstruction(trackID: 2)])
/// dissolve.compositor = "builtin.dissolve"
/// let rest = Instruction(timeRange: next, passthroughTrackID: 2)
/// ```
public struct Instruction: Hashable, Sendable {
  /// What the frames of an instruction are made of.
  public enum Content: Hashable, Sendable {
    /// The frames of a track, fitted to the canvas, without calling a compositor.
    case passthrough(TrackID)
    /// Frames that a compositor makes.
    case composed(Composed)
  }

  /// Layers, and the compositor that makes a frame of them.
  public struct Composed: Hashable, Sendable {
    /// The layers, front to back: the first is on top.
    public var layers: [LayerInstruction]
    /// The identifier of the compositor to use. Default: the layer compositor.
    public var compositor: CompositorID
    /// The compositor's parameters, according to its schema.
    public var parameters: ParameterValues
    /// Parameters that change over time, in composition time. The compositor isn't re-created for each value: it reads the
    /// current values from the `parameters` of each request's instruction. Only parameters that the schema declares as
    /// animatable are allowed.
    public var animatedParameters: AnimatedParameters
    /// Tracks that the compositor needs in addition to those of `layers`. It defines the meaning of their order (for example:
    /// from, to).
    public var additionalTrackIDs: [TrackID]

    /// Creates content without parameters and additional tracks.
    public init(layers: [LayerInstruction] = [], compositor: CompositorID = .layer) {
      self.layers = layers
      self.compositor = compositor
      self.parameters = [:]
      self.animatedParameters = [:]
      self.additionalTrackIDs = []
    }
  }

  /// The half-open time range of the instruction.
  public var timeRange: TimeRange
  /// What its frames are made of.
  public var content: Content
  /// The color behind all layers; `nil` for opaque black, which exporters leave out of files with alpha.
  public var backgroundColor: Color?
  /// Whether titles are drawn over the frames of this instruction.
  public var enablePostProcessing: Bool
  /// The effects to apply to the composed frame before titles are drawn, in order.
  public var effects: [EffectReference]
  /// The time range of a transition that consists of several instructions; `nil` if this instruction is all of it.
  public var progressRange: TimeRange?
  /// Overrides whether frames differ although the sources don't; `nil` derives this from the layers' ramps.
  public var containsTweeningOverride: Bool?
  /// A value that a program may attach to find the instruction again in requests. It has no effect. Default `nil`.
  public var tag: String?

  /// Creates an instruction with any content.
  public init(timeRange: TimeRange, content: Content) {
    self.timeRange = timeRange
    self.content = content
    self.backgroundColor = nil
    self.enablePostProcessing = true
    self.effects = []
    self.progressRange = nil
    self.containsTweeningOverride = nil
    self.tag = nil
  }

  /// Creates an instruction for the layer compositor.
  public init(timeRange: TimeRange, layers: [LayerInstruction] = []) {
    self.init(timeRange: timeRange, content: .composed(Composed(layers: layers)))
  }

  /// Creates an instruction that passes a track through.
  public init(timeRange: TimeRange, passthroughTrackID: TrackID) {
    self.init(timeRange: timeRange, content: .passthrough(passthroughTrackID))
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
}

/// The parts of the content. A track that passes through has no layers, parameters and additional tracks, and the compositor is the
/// layer compositor, which fits it to the canvas. Setting one of these to another value replaces the track by composed content.
extension Instruction {
  /// The track whose frames are passed through, fitted to the canvas, without calling a compositor; `nil` if frames are composed.
  @inlinable public var passthroughTrackID: TrackID? {
    if case .passthrough(let trackID) = content { trackID } else { nil }
  }

  // Inlinable, because the checks of a hundred thousand instructions read little else: a call would copy the whole content.

  /// The layers, front to back: the first is on top.
  public var layers: [LayerInstruction] {
    @inlinable get { if case .composed(let composed) = content { composed.layers } else { [] } }
    set { compose { $0.layers = newValue } }
  }

  /// The identifier of the compositor to use.
  public var compositor: CompositorID {
    @inlinable get { if case .composed(let composed) = content { composed.compositor } else { .layer } }
    set { compose { $0.compositor = newValue } }
  }

  /// The compositor's parameters, according to its schema.
  public var parameters: ParameterValues {
    @inlinable get { if case .composed(let composed) = content { composed.parameters } else { [:] } }
    set { compose { $0.parameters = newValue } }
  }

  /// Parameters that change over time; see ``Instruction/Composed/animatedParameters``.
  public var animatedParameters: AnimatedParameters {
    @inlinable get { if case .composed(let composed) = content { composed.animatedParameters } else { [:] } }
    set { compose { $0.animatedParameters = newValue } }
  }

  /// Tracks that the compositor needs in addition to those of the layers.
  public var additionalTrackIDs: [TrackID] {
    @inlinable get { if case .composed(let composed) = content { composed.additionalTrackIDs } else { [] } }
    set { compose { $0.additionalTrackIDs = newValue } }
  }

  /// Changes composed content. A track goes on passing through if the change sets nothing.
  private mutating func compose(_ change: (inout Composed) -> Void) {
    switch content {
    case .composed(var composed):
      change(&composed)
      content = .composed(composed)
    case .passthrough:
      var composed = Composed()
      change(&composed)
      if composed != Composed() { content = .composed(composed) }
    }
  }
}

extension Instruction {
  /// The tracks whose frames a request must contain, without duplicates: those of the layers from front to back, then the
  /// additional ones.
  public var requiredTrackIDs: [TrackID] {
    switch content {
    case .passthrough(let trackID): [trackID]
    case .composed(let composed): composed.requiredTrackIDs
    }
  }

  /// Whether two frames can differ although the sources are the same.
  public var containsTweening: Bool {
    if let containsTweeningOverride { return containsTweeningOverride }
    guard effects.isEmpty else { return true }
    guard case .composed(let composed) = content else { return false }
    guard composed.compositor == .layer, composed.layers.allSatisfy(\.effects.isEmpty) else { return true }
    return changesLayers
  }

  /// Whether a layer's opacity, transform or crop changes.
  package var changesPlacement: Bool { layers.contains { $0.changesPlacement(in: timeRange) } }

  /// Whether a layer's opacity, transform, crop or decoration changes.
  package var changesLayers: Bool { layers.contains { $0.changes(in: timeRange) } }
}

extension Instruction.Composed {
  fileprivate var requiredTrackIDs: [TrackID] {
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
}
