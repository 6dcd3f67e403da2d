import CompositorAPI
import CompositorTimeline

/// The audio of clips and tracks.
extension ProjectWriter {
  /// Adds the audio keys of a clip.
  func setAudio(of clip: TimelineClip, in object: inout WrittenObject, at path: String) throws(CompositorError) {
    object.set("volume", clip.volume, default: .constant(1), volume)
    object.set("fadeIn", clip.fadeIn.map(fade))
    object.set("fadeOut", clip.fadeOut.map(fade))
    object.set("mute", ifTrue: clip.audio == .muted)
    object.set("pan", clip.pan, default: .constant(0), pan)
    object.set("channels", clip.channels.map(channels))
    object.set("audioEffects", try audioEffects(clip.audioEffects, at: "\(path).audioEffects"))
    object.set("loop", clip.loop.map(loop))
  }

  /// Adds the audio keys of a track.
  func setAudio(_ audio: TrackAudio, in object: inout WrittenObject, at path: String) throws(CompositorError) {
    object.set("volume", audio.volume, default: .constant(1), volume)
    object.set("fadeIn", audio.fadeIn.map(fade))
    object.set("fadeOut", audio.fadeOut.map(fade))
    object.set("mute", ifTrue: audio.isMuted)
    object.set("pan", audio.pan, default: .constant(0), pan)
    object.set("channels", audio.channels, default: .all, channels)
    object.set("audioEffects", try audioEffects(audio.effects, at: "\(path).audioEffects"))
    object.set("duck", audio.ducking.map(ducking))
  }

  func volume(_ volume: Animated<Double>) -> JSON5Node { animated(volume, "volumeKeyframe") { .number($0) } }

  private func pan(_ pan: Animated<Double>) -> JSON5Node { animated(pan, "panKeyframe") { .number($0) } }

  /// A choice of an audio track of media. A string also names it by its index.
  func audioTrack(_ choice: AudioTrackChoice) -> JSON5Node {
    if case .index(let index) = choice { return .integer(index) }
    return .text(choice.description)
  }

  func fade(_ fade: AudioFade) -> JSON5Node {
    guard fade.curve != .linear else { return .time(fade.duration) }
    var object = WrittenObject("audioFade")
    object.set("duration", .time(fade.duration))
    switch fade.curve {
    case .equalPower: object.set("easing", .text("equal-power"))
    case .easing(let easing): object.set("easing", .easing(easing))
    }
    return object.node
  }

  func loop(_ loop: ClipLoop) -> JSON5Node {
    switch loop {
    case .untilEnd: .bool(true)
    case .count(let count): .integer(count)
    }
  }

  private func channels(_ channels: AudioChannels) -> JSON5Node {
    if case .only(let indices) = channels { return .list(indices.map { .integer($0) }) }
    return .text(channels.text)
  }

  private func ducking(_ ducking: TrackDucking) -> JSON5Node {
    let standard = TrackDucking()
    var object = WrittenObject("duck")
    object.set("tracks", ducking.tracks.map { .list($0.map { .text($0) }) })
    object.set("by", ducking.reduction, default: standard.reduction) { .decibels($0) }
    switch ducking.trigger {
    case .segments: object.set("while", DuckingTriggerName.clips)
    case .level(let level): object.set("threshold", .level(level), default: standard.trigger) { _ in .decibels(level) }
    }
    object.set("attack", ducking.attack, default: standard.attack) { .time($0) }
    object.set("hold", ducking.hold, default: standard.hold) { .time($0) }
    object.set("release", ducking.release, default: standard.release) { .time($0) }
    return object.node
  }

  func audioEffects(_ uses: [AudioProcessorUse], at path: String) throws(CompositorError) -> [JSON5Node] {
    var nodes: [JSON5Node] = []
    for (index, use) in uses.enumerated() {
      let path = "\(path)[\(index)]"
      guard use.timeRange == nil else {
        throw ProjectWriter.unsupported("an audio effect of a part of its clip or track", at: "\(path).timeRange")
      }
      var object = WrittenObject("audioEffectUse")
      object.set("use", .text(use.processor.rawValue))
      var hidden: [JSON5Member] = []
      for (key, value) in use.parameters.sorted(by: { $0.key < $1.key }) {
        let node = try parameter(value, at: "\(path).\(key)")
        if object.reserves(key) { hidden.append(JSON5Member(key, node)) } else { object.setParameter(key, node) }
      }
      object.set("parameters", hidden.isEmpty ? nil : JSON5Node(.object(hidden)))
      nodes.append(object.node)
    }
    return nodes
  }
}
