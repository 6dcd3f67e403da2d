package import CompositorAPI
import CompositorPlugins

/// Derives instructions from stacked clips: a new one begins whenever the set of visible clips, a transition or an effect
/// changes. Pure.
package struct DerivedInstructions {
  let timeline: Timeline
  let tracks: TimelineTracks

  package init(timeline: Timeline, tracks: TimelineTracks) {
    self.timeline = timeline
    self.tracks = tracks
  }

  /// Returns instructions from 0 to the end of the last clip, each starting at the end of the previous one. O(n log n).
  ///
  /// - Throws: `.invalidValue` if effects overlap, or if other clips overlap a transition by a compositor.
  package func make() throws(CompositorError) -> [Instruction] {
    let effects = try sortedEffects()
    let boundaries = boundaries(effects)
    var cursors = [Int](repeating: 0, count: tracks.clips.count)
    var instructions: [Instruction] = []
    instructions.reserveCapacity(boundaries.count)
    var lookahead = effects[...]
    for (start, end) in zip(boundaries, boundaries.dropFirst()) {
      let range = ExactRange(start, end)
      let visible = visibleClips(at: start, &cursors)
      var instruction = try instruction(over: range, visible)
      while let first = lookahead.first, first.range.end <= start { lookahead.removeFirst() }
      if let effect = lookahead.first, effect.range.contains(start) {
        try apply(effect.effect, effect.index, to: &instruction, over: range)
      }
      instructions.append(instruction)
    }
    return instructions
  }

  /// The effects in order of time.
  private func sortedEffects() throws(CompositorError) -> [(range: ExactRange, effect: TimelineEffect, index: Int)] {
    var effects: [(range: ExactRange, effect: TimelineEffect, index: Int)] = []
    for (index, effect) in timeline.effects.enumerated() {
      let start = try ExactTime(effect.timeRange.start)
      let range = ExactRange(start, try start + ExactTime(effect.timeRange.duration))
      guard range.start >= .zero, range.end > range.start, range.end <= tracks.end else {
        throw CompositorError(
          .invalidValue, "The effect's time is not inside the timeline, which ends at \(tracks.end.mediaTime.readable).",
          recoverySuggestion: "Let it start and end between 0 s and that time, or remove it.",
          at: .init(path: "effects[\(index)]"))
      }
      effects.append((range, effect, index))
    }
    effects.sort { ($0.range.start, $0.index) < ($1.range.start, $1.index) }
    for (first, second) in zip(effects, effects.dropFirst()) where second.range.start < first.range.end {
      throw CompositorError(
        .invalidValue, "The effect overlaps effects[\(first.index)].",
        recoverySuggestion: "Let one end where the other starts.",
        at: .init(path: "effects[\(second.index)]"))
    }
    return effects
  }

  private func boundaries(_ effects: [(range: ExactRange, effect: TimelineEffect, index: Int)]) -> [ExactTime] {
    var times: Set<ExactTime> = [.zero, tracks.end]
    for clip in tracks.clips.joined() where clip.media.picture != nil {
      times.formUnion([clip.range.start, clip.transitionInEnd, clip.transitionOutStart, clip.range.end])
    }
    for effect in effects { times.formUnion([effect.range.start, effect.range.end]) }
    return times.sorted()
  }

  /// The clips that are visible at a given time, by track from bottom to top. Times of consecutive calls must increase.
  private func visibleClips(at time: ExactTime, _ cursors: inout [Int]) -> [[PlacedClip]] {
    tracks.clips.enumerated().map { track, clips in
      while cursors[track] < clips.count, clips[cursors[track]].range.end <= time { cursors[track] += 1 }
      return clips[cursors[track]...].prefix(2).filter { $0.range.contains(time) && $0.media.picture != nil }
    }
  }

  private func instruction(over range: ExactRange, _ visible: [[PlacedClip]]) throws(CompositorError) -> Instruction {
    var instruction = Instruction(timeRange: try range.timeRange())
    instruction.backgroundColor = timeline.background
    for clips in visible.reversed() where !clips.isEmpty {
      do {
        if clips.count == 2, let transition = clips[1].clip.transition {
          let isAlone = visible.joined().count == 2
          try add(transition, from: clips[0], to: clips[1], to: &instruction, over: range, isAlone: isAlone)
        } else {
          for clip in clips.reversed() { instruction.layers += try layers([(clip, look(clip, over: range))], over: range) }
        }
      } catch {
        throw error.locating(ErrorLocation(path: clips.last?.path))
      }
    }
    return instruction
  }

  private func look(_ clip: PlacedClip, over range: ExactRange) throws(CompositorError) -> ClipAppearance? {
    try ClipAppearance(
      clip, canvas: timeline.renderSize, sampling: SamplingGrid(rate: timeline.rate, range: range), tracks: tracks)
  }

  private func layers(
    _ looks: [(clip: PlacedClip, look: ClipAppearance?)], over range: ExactRange
  ) throws(CompositorError) -> [LayerInstruction] {
    var layers: [LayerInstruction] = []
    for (clip, look) in looks {
      guard let look, let trackID = tracks.videoTrackID(of: clip) else { continue }
      layers.append(try look.layer(trackID: trackID, over: range))
    }
    return layers
  }

  private func add(
    _ transition: Transition, from old: PlacedClip, to new: PlacedClip, to instruction: inout Instruction,
    over range: ExactRange, isAlone: Bool
  ) throws(CompositorError) {
    guard var oldLook = try look(old, over: range), var newLook = try look(new, over: range) else { return }
    let whole = ExactRange(new.range.start, new.transitionInEnd)
    switch transition.kind.layers {
    case .dissolve(let easing)?:
      let oldIsOnTop = try dissolve(&oldLook, &newLook, over: whole, easing: easing)
      let pair = [(clip: new, look: newLook as ClipAppearance?), (old, oldLook)]
      instruction.layers += try layers(oldIsOnTop ? pair.reversed() : pair, over: range)
    case .push(let direction, let easing)?:
      let away = direction.move.offset(across: timeline.renderSize.size)
      let rate = timeline.rate
      try oldLook.slide(from: .zero, to: away, over: whole, easing: easing, frameRate: rate)
      try newLook.slide(from: Point(x: -away.x, y: -away.y), to: .zero, over: whole, easing: easing, frameRate: rate)
      instruction.layers += try layers([(new, newLook), (old, oldLook)], over: range)
    case nil where CompositorRegistry.builtIn[transition.kind.compositor]?.descriptor.role == .transition:
      guard instruction.compositor == .layer else {
        throw CompositorError(
          .invalidValue, "Two transitions by compositors run at the same time.",
          recoverySuggestion: "Let one of them be a dissolve or a push, or let one end where the other starts.")
      }
      try use(transition, in: &instruction, from: whole.start, over: range)
      instruction.progressRange = try whole.timeRange()
      let pair = try layers([(old, oldLook), (new, newLook)], over: range)
      instruction.layers += pair
      instruction.additionalTrackIDs = pair.map(\.trackID)
    case nil:
      guard isAlone else {
        throw CompositorError(
          .invalidValue,
          "Another track's clip lies over or under a transition by the compositor \(transition.kind.compositor).",
          recoverySuggestion: "Keep other tracks clear of it, use a built-in transition, or write explicit instructions.")
      }
      try use(transition, in: &instruction, from: whole.start, over: range)
      instruction.layers += try layers([(old, oldLook), (new, newLook)], over: range)
    }
  }

  /// Lets a transition's compositor compose an instruction.
  private func use(
    _ transition: Transition, in instruction: inout Instruction, from start: ExactTime, over range: ExactRange
  ) throws(CompositorError) {
    instruction.compositor = transition.kind.compositor
    instruction.parameters = transition.kind.parameters
    instruction.animatedParameters = try AnimatedParameters(
      transition.animatedParameters, from: start, over: range, frameRate: timeline.rate)
  }

  /// Fades the frames of a dissolve.
  ///
  /// - Returns: Whether the old frame must be on top.
  private func dissolve(
    _ old: inout ClipAppearance, _ new: inout ClipAppearance, over range: ExactRange, easing: Easing
  ) throws(CompositorError) -> Bool {
    let fades = DissolveFades(
      old: old.coverage(canvas: timeline.renderSize), new: new.coverage(canvas: timeline.renderSize),
      canvas: timeline.renderSize.size)
    let rate = timeline.rate
    if fades.newFadesIn { try new.fade(from: 0, to: 1, over: range, easing: easing, frameRate: rate) }
    if fades.oldFadesOut { try old.fade(from: 1, to: 0, over: range, easing: easing, frameRate: rate) }
    return fades.oldIsOnTop
  }

  private func apply(
    _ effect: TimelineEffect, _ index: Int, to instruction: inout Instruction, over range: ExactRange
  ) throws(CompositorError) {
    let start = try ExactTime(effect.timeRange.start)
    switch effect.content {
    case .effect(let use):
      instruction.effects.append(
        try use.reference(
          from: start, over: range, applied: effect.timeRange, frameRate: timeline.rate,
          maskTrackID: tracks.maskTrackID(ofEffect: "effects[\(index)]")))
    case .compositor(let compositor, let parameters, let animated):
      guard instruction.compositor == .layer else {
        throw CompositorError(
          .invalidValue, "The effect overlaps a transition by the compositor \(instruction.compositor).",
          recoverySuggestion: "One compositor at a time.", at: .init(time: instruction.timeRange.start))
      }
      instruction.compositor = compositor
      instruction.parameters = parameters
      instruction.animatedParameters = try AnimatedParameters(
        animated, from: start, over: range, frameRate: timeline.rate)
    }
  }
}
