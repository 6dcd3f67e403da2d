import CompositorAPI
import CompositorTimeline

/// Tracks, clips and transitions.
extension ProjectWriter {
  func track(_ track: TimelineTrack, at path: String) throws(CompositorError) -> JSON5Node {
    var object = WrittenObject("track")
    object.set("name", track.name.map { .text($0) })
    try setAudio(track.audio, in: &object, at: path)
    var clips: [JSON5Node] = []
    clips.reserveCapacity(track.clips.count)
    for (index, clip) in track.clips.enumerated() { clips.append(try self.clip(clip, at: "\(path).clips[\(index)]")) }
    object.set("clips", .list(clips))
    return object.node
  }

  func clip(_ clip: TimelineClip, at path: String) throws(CompositorError) -> JSON5Node {
    var object = WrittenObject("clip")
    object.set("asset", .text(assets.name(of: clip.source)))
    object.set("at", clip.start.map { .time($0) })
    object.set("in", clip.sourceStart.map { .time($0) })
    switch clip.length {
    case .media: break
    case .fill: object.set("duration", .text("fill"))
    case .time(let duration): object.set("duration", .time(duration))
    }
    object.set("ends", clip.ends)
    object.set("hold", ifTrue: clip.holdsLastFrame)
    object.set("speed", clip.speed, default: .constant(.one), speed)
    object.set("reverse", ifTrue: clip.isReversed)
    object.set("pitch", clip.pitch, default: .spectral)
    object.set("frames", clip.frameInterpolation, default: .nearest)
    object.set("videoTrack", clip.videoTrackIndex, default: 0) { .integer($0) }
    setAudioTrack(of: clip, in: &object)
    object.set("video", clip.showsVideo ? nil : .bool(false))
    object.set("audio", clip.audio == .unused ? .bool(false) : nil)
    if let transition = clip.transition { object.set("transition", try self.transition(transition, at: "\(path).transition")) }
    setLook(
      WrittenLook(
        fit: clip.fit == .fit ? nil : clip.fit, opacity: clip.opacity == .constant(1) ? nil : clip.opacity,
        placement: clip.placement == .constant(ClipPlacement()) ? nil : clip.placement, crop: clip.crop,
        decoration: clip.decoration, sampling: clip.sampling, motionBlur: clip.motionBlur), in: &object)
    object.set("effects", try effectUses(clip.effects, at: "\(path).effects"))
    try setAudio(of: clip, in: &object, at: path)
    return object.node
  }

  /// A string names a track by its index as a choice; a number is the index without one.
  private func setAudioTrack(of clip: TimelineClip, in object: inout WrittenObject) {
    if let choice = clip.audioChoice {
      object.set("audioTrack", .text(choice.description))
    } else {
      object.set("audioTrack", clip.audioTrackIndex, default: 0) { .integer($0) }
    }
  }

  private func speed(_ speed: PlaybackSpeed) -> JSON5Node {
    switch speed {
    case .constant(let ratio): .ratio(ratio)
    case .ramp(let keyframes): self.keyframes(keyframes, "speedKeyframe") { $1.set("value", .ratio($0)) }
    }
  }

  /// A transition by its name, if it has one, with its parameters beside it; otherwise by its compositor.
  private func transition(_ transition: Transition, at path: String) throws(CompositorError) -> JSON5Node {
    var object = WrittenObject("transition")
    let kind = transition.kind
    let name = kind.compositor.shortName
    let isNamed = isNamed(transition, name, reserved: object.reserves)
    object.set(isNamed ? "type" : "compositor", .text(isNamed ? name : kind.compositor.rawValue))
    object.set("duration", .time(transition.duration))
    object.set("audio", transition.audio, default: .equalPower)
    let written = try parameters(
      kind.parameters, transition.animatedParameters, of: kind.compositor, at: isNamed ? path : "\(path).parameters")
    if isNamed {
      for member in written { object.setParameter(member.key, member.value) }
    } else {
      object.set("parameters", written.isEmpty ? nil : JSON5Node(.object(written)))
    }
    return object.node
  }

  /// Whether a transition has a name, beside which its parameters can be written.
  private func isNamed(_ transition: Transition, _ name: String, reserved: (String) -> Bool) -> Bool {
    let kind = transition.kind
    guard let named = TransitionName.kind(name), named.compositor == kind.compositor else { return false }
    let keys = Set(kind.parameters.keys).union(transition.animatedParameters.keys)
    // The names of layers that fade or move have no other parameters, and a push has a direction.
    if named.layers != nil {
      return kind.layers != nil && transition.animatedParameters.isEmpty && keys.isSuperset(of: named.parameters.keys)
    }
    return keys.allSatisfy { ["direction", "easing"].contains($0) || !reserved($0) }
  }
}
