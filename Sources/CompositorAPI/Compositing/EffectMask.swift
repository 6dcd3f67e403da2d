/// The mask of an effect: the luma or the alpha of another track, which says for each pixel how much of the effect is shown.
///
/// The mask is scaled to the frame that the effect changes, upright on upright, whatever its own size. Where it is 0, the frame
/// is the original one, bit by bit; where it is 1, it is the effect's. Between them the two are mixed, with premultiplied alpha
/// and in the blending space of the composition. A track that shows nothing at the time has a luma and an alpha of 0.
///
/// A compositor whose descriptor sets ``CompositorDescriptor/takesMask`` receives the mask instead.
///
/// ```swift
/// var blur = EffectReference("builtin.gaussian-blur", parameters: ["radius": .number(12)])
/// blur.mask = EffectMask(trackID: faces, channel: .alpha)
/// ```
public struct EffectMask: Hashable, Sendable, Codable {
  /// The part of the track's frames that is the mask.
  public enum Channel: String, Hashable, Sendable, Codable, CaseIterable {
    /// Luma in the track's own encoded signal: its black is 0, its white 1.
    case luma
    /// Alpha; 1 everywhere if the track's frames have none.
    case alpha
  }

  /// The track whose frames are the mask.
  public var trackID: TrackID
  /// The part of its frames that is the mask.
  public var channel: Channel
  /// Whether the effect is shown where the mask is 0, rather than where it is 1.
  public var isInverted: Bool

  /// Creates a mask.
  public init(trackID: TrackID, channel: Channel = .luma, isInverted: Bool = false) {
    self.trackID = trackID
    self.channel = channel
    self.isInverted = isInverted
  }
}

extension Instruction {
  /// The tracks of the masks of all effects that are applied, without duplicates. They needn't be among ``requiredTrackIDs``.
  public var maskTrackIDs: [TrackID] {
    guard hasMasks else { return [] }
    var trackIDs: [TrackID] = []
    func add(_ effects: [EffectReference]) {
      for case let mask? in effects.lazy.map(\.mask) where !trackIDs.contains(mask.trackID) { trackIDs.append(mask.trackID) }
    }
    for layer in layers where !layer.effects.isEmpty { add(layer.effects) }
    add(effects)
    return trackIDs
  }

  /// Whether an effect of the instruction or one of its layers has a mask. Plain loops, because there may be a hundred thousand
  /// instructions without any.
  fileprivate var hasMasks: Bool {
    for effect in effects where effect.mask != nil { return true }
    for layer in layers where !layer.effects.isEmpty {
      for effect in layer.effects where effect.mask != nil { return true }
    }
    return false
  }

  /// The tracks whose frames are read: ``requiredTrackIDs``, and those of masks.
  package var readTrackIDs: [TrackID] {
    let (shown, masks) = (requiredTrackIDs, maskTrackIDs)
    return masks.isEmpty ? shown : shown + masks.filter { !shown.contains($0) }
  }
}

extension VideoComposition {
  /// The tracks that are masks of effects, and nothing else. They don't determine the output's format and color.
  package var maskOnlyTrackIDs: Set<TrackID> {
    var masks: Set<TrackID> = []
    for instruction in instructions where instruction.hasMasks { masks.formUnion(instruction.maskTrackIDs) }
    guard !masks.isEmpty else { return [] }
    for instruction in instructions { masks.subtract(instruction.requiredTrackIDs) }
    return masks
  }
}
