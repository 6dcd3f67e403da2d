package import CompositorAPI

/// Converts a timeline's explicit instructions to those of a video composition. Pure.
package struct ExplicitInstructions {
  let timeline: Timeline
  let tracks: TimelineTracks

  package init(timeline: Timeline, tracks: TimelineTracks) {
    self.timeline = timeline
    self.tracks = tracks
  }

  /// Returns the instructions in the order in which they are written. Gaps and overlaps are left to validation.
  ///
  /// - Throws: `.invalidTrackID` if the track of a layer shows no video, `.invalidValue` if keyframes are out of order.
  package func make(_ written: [TimelineInstruction]) throws(CompositorError) -> [Instruction] {
    var instructions: [Instruction] = []
    instructions.reserveCapacity(written.count)
    for (index, (item, range)) in zip(written, try ranges(of: written)).enumerated() {
      do {
        instructions.append(try instruction(item, index, over: range))
      } catch {
        throw error.locating(ErrorLocation(path: "instructions[\(index)]"))
      }
    }
    return instructions
  }

  /// The time ranges of the instructions.
  func ranges(of written: [TimelineInstruction]) throws(CompositorError) -> [ExactRange] {
    var ranges: [ExactRange] = []
    for (index, item) in written.enumerated() {
      do {
        let next = written.dropFirst(index + 1).first?.start
        ranges.append(try range(of: item, after: ranges.last?.end ?? .zero, before: next))
      } catch {
        throw error.locating(ErrorLocation(path: "instructions[\(index)]"))
      }
    }
    return ranges
  }

  private func range(
    of item: TimelineInstruction, after end: ExactTime, before next: MediaTime?
  ) throws(CompositorError) -> ExactRange {
    let start = try item.start.map { start throws(CompositorError) in try ExactTime(start) } ?? end
    if let duration = item.duration { return ExactRange(start, try start + ExactTime(duration)) }
    let until = try next.map { next throws(CompositorError) in try ExactTime(next) } ?? tracks.end
    guard until > start else {
      throw CompositorError(.invalidValue, "The instruction has no time left.", recoverySuggestion: "Give it a duration.")
    }
    return ExactRange(start, until)
  }

  private func instruction(
    _ item: TimelineInstruction, _ index: Int, over range: ExactRange
  ) throws(CompositorError) -> Instruction {
    let timeRange = try range.timeRange()
    var composed = Instruction.Composed(compositor: item.compositor)
    composed.parameters = item.parameters
    let rate = timeline.rate
    composed.animatedParameters = try AnimatedParameters(
      item.animatedParameters, from: range.start, over: range, frameRate: rate)
    let passing = try item.passthroughTrack.map(trackID)
    for track in item.additionalTracks { composed.additionalTrackIDs.append(try trackID(track)) }
    let effects = try effects(item.effects, at: "instructions[\(index)]", over: range)
    for (number, layer) in (item.layers + matte(of: item)).enumerated() {
      composed.layers.append(try self.layer(layer, at: "instructions[\(index)].layers[\(number)]", over: range))
    }
    var instruction = Instruction(
      timeRange: timeRange, content: passing.map(Instruction.Content.passthrough) ?? .composed(composed))
    instruction.backgroundColor = item.background ?? timeline.background
    instruction.effects = effects
    return instruction
  }

  /// The layer of a mask's matte, which is placed as its clips say; empty if the instruction places it.
  private func matte(of item: TimelineInstruction) -> [TimelineLayer] {
    guard item.compositor == Self.mask, let track = item.additionalTracks.first,
      !item.layers.contains(where: { $0.track == track })
    else { return [] }
    return [TimelineLayer(track: track)]
  }

  /// The compositor that shows its first layer through the first additional track.
  private static let mask: CompositorID = "builtin.mask"

  private func effects(
    _ uses: [TimelineEffectUse], at path: @autoclosure () -> String, over range: ExactRange
  ) throws(CompositorError) -> [EffectReference] {
    var effects: [EffectReference] = []
    for (index, use) in uses.enumerated() {
      effects.append(
        try use.reference(
          from: range.start, over: range, frameRate: timeline.rate,
          maskTrackID: tracks.maskTrackID(ofEffect: "\(path()).effects[\(index)]")))
    }
    return effects
  }

  private func trackID(_ track: Int) throws(CompositorError) -> TrackID {
    guard let trackID = tracks.videoTrackID(ofTrack: track) else {
      throw CompositorError(
        .invalidTrackID, "tracks[\(track)] shows no video.", recoverySuggestion: "Use a track with video.")
    }
    return trackID
  }

  /// The layers of a track: each of its clips during the instruction with its own geometry.
  private func layer(
    _ item: TimelineLayer, at path: @autoclosure () -> String, over range: ExactRange
  ) throws(CompositorError) -> LayerInstruction {
    var layer = LayerInstruction(trackID: try trackID(item.track))
    let clips = tracks.clips(ofTrack: item.track, in: range)
    for clip in clips {
      let part = ExactRange(max(range.start, clip.range.start), min(range.end, clip.range.end))
      let grid = SamplingGrid(rate: timeline.rate, range: part)
      let look = try ClipAppearance(
        clip, canvas: timeline.renderSize, sampling: grid, tracks: tracks, override: item, from: range.start)
      try look?.write(to: &layer, over: part, isAlone: clips.count == 1)
    }
    if item.decoration == nil, clips.count > 1, Set(clips.map(\.clip.decoration)).count > 1 {
      throw CompositorError(
        .invalidValue, "The layer shows clips with different corners, borders or shadows.",
        recoverySuggestion: "Start an instruction where they change, or write them on the layer.")
    }
    if item.sampling == nil, clips.count > 1, Set(clips.map(\.clip.sampling)).count > 1 {
      throw CompositorError(
        .invalidValue, "The layer shows clips that are sampled differently.",
        recoverySuggestion: "Start an instruction where they change, or write sampling on the layer.")
    }
    if item.motionBlur == nil, clips.count > 1, Set(clips.map(\.clip.motionBlur)).count > 1 {
      throw CompositorError(
        .invalidValue, "The layer shows clips with different motion blur.",
        recoverySuggestion: "Start an instruction where it changes, or write it on the layer.")
    }
    if let effects = item.effects {
      layer.effects = try self.effects(effects, at: path(), over: range)
    } else if clips.count > 1, Set(clips.map(\.clip.effects)).count > 1 {
      throw CompositorError(
        .invalidValue, "The layer shows clips with different effects.",
        recoverySuggestion: "Start an instruction where the effects change, or write effects on the layer.")
    }
    return layer
  }
}
