import Compositor

/// Clips one after another, each dissolving into the next: tracks, instructions and volumes as AVFoundation has them, without a `Timeline`.
///
/// Clips lie in two tracks by turns, so that a clip can overlap the ones before and after it. A clip in the middle takes part in two
/// transitions, the first and the last in one each:
///
///     track A  |--------clip 0--------|      |--------clip 2--------|
///     track B                   |--------clip 1--------|
///              |-- alone --|mix |-- alone --|mix |----- alone ------|
struct SimpleEdit {
  let clips: [Clip]
  /// How long a transition lasts: whole frames.
  let transition: MediaTime
  /// The rate of the first clip: all cuts lie on its frames.
  let timing: FrameTiming
  /// The size of the first clip as it is seen; even, as most encoders want it.
  let canvas: PixelSize

  /// Places clips one after another.
  ///
  /// - Parameter transition: How long each dissolve lasts, rounded down to frames; less than a frame gives hard cuts.
  /// - Throws: `.invalidValue` without clips, and for a clip too short for its transitions; `.trackNotFound` for a file without video.
  init(_ sources: [MediaSource], transition: MediaTime, catalog: MediaCatalog = MediaCatalog()) throws(CompositorError) {
    var clips: [Clip] = []
    for source in sources { clips.append(try Clip(source, catalog)) }
    guard let first = clips.first else {
      throw CompositorError(.invalidValue, "There is no clip.", recoverySuggestion: "Give one or more.")
    }
    timing = try FrameTiming(frameDuration: .frames(1, at: first.frameRate))
    self.transition = max(.zero, timing.floor(transition))
    canvas = first.canvas
    for index in clips.indices {
      clips[index].mediaRange.duration = timing.floor(clips[index].mediaRange.duration)
      // This is what decides: a clip loses a transition at each side where it has a neighbor, and these two must not overlap.
      let neighbors = (index > 0 ? 1 : 0) + (index < clips.count - 1 ? 1 : 0)
      let length = clips[index].mediaRange.duration
      guard length > .zero, length >= self.transition * neighbors else {
        throw CompositorError(
          .invalidValue,
          "Clip \(index) (\(clips[index].source)) lasts \(length.seconds) s: less than its "
            + "\(neighbors > 1 ? "two transitions" : "transition") of \(self.transition.seconds) s.",
          recoverySuggestion: "Shorten transitions to at most \(length.seconds / Double(max(1, neighbors))) s, or leave it out."
        )
      }
      if index > 0 { clips[index].start = clips[index - 1].timeRange.end - self.transition }
    }
    self.clips = clips
  }

  /// From one clip to the next: the overlap of each pair.
  var transitionRanges: [TimeRange] {
    clips.dropFirst().map { TimeRange(start: $0.start, duration: transition) }
  }

  /// When each clip is alone: from the end of the transition before it to the start of the one after it.
  var passThroughRanges: [TimeRange] {
    let (starts, ends) = (transitionRanges.map(\.end), transitionRanges.map(\.start))
    return clips.indices.map { index in
      let whole = clips[index].timeRange
      return TimeRange(start: index > 0 ? starts[index - 1] : whole.start, end: index < ends.count ? ends[index] : whole.end)
    }
  }

  /// The movie: what plays, how it is composed, how loud.
  func edit() throws(CompositorError) -> Edit {
    var composition = Composition()
    let videoTracks = [composition.addTrack(.video), composition.addTrack(.video)]
    let audioTracks = [composition.addTrack(.audio), composition.addTrack(.audio)]
    for (index, clip) in clips.enumerated() {
      try composition.insert(
        SourceRange(clip.source, trackIndex: clip.video.index, timeRange: clip.mediaRange), at: clip.start,
        inTrack: videoTracks[index % 2])
      // Audio may begin later or end earlier than the video beside it; where it is missing the track stays empty.
      guard let audio = clip.audio, case let heard = audio.timeRange.intersection(clip.mediaRange), !heard.isEmpty else {
        continue
      }
      try composition.insert(
        SourceRange(clip.source, trackIndex: audio.index, timeRange: heard),
        at: clip.start + heard.start - clip.mediaRange.start, inTrack: audioTracks[index % 2])
    }
    // A track that nothing is in is no part of the movie.
    for track in composition.tracks where track.segments.isEmpty { try composition.removeTrack(track.trackID) }

    var video = VideoComposition(frameDuration: timing.frameDuration, renderSize: canvas)
    var volumes = audioTracks.map { AudioMixInputParameters(trackID: $0) }
    let (alone, mixed) = (passThroughRanges, transitionRanges)
    for (index, clip) in clips.enumerated() {
      let track = videoTracks[index % 2]
      // A clip in the middle that is just as long as its two transitions is never alone.
      if !alone[index].isEmpty { video.instructions.append(passThrough(clip, track, alone[index])) }
      guard index < mixed.count, !mixed[index].isEmpty else { continue }
      let other = (index + 1) % 2
      video.instructions.append(try dissolve((clip, track), (clips[index + 1], videoTracks[other]), mixed[index]))
      try volumes[index % 2].volume.setRamp(from: 1, to: 0, timeRange: mixed[index])
      try volumes[other].volume.setRamp(from: 0, to: 1, timeRange: mixed[index])
    }
    let mix = AudioMix(inputParameters: volumes.filter { composition.track($0.trackID) != nil })
    return Edit(composition: composition, videoComposition: video, audioMix: mix)
  }

  /// One clip alone: its frames as they are, or, if it has another shape than the canvas or lies on its side, a layer.
  private func passThrough(_ clip: Clip, _ track: TrackID, _ timeRange: TimeRange) -> Instruction {
    var instruction = Instruction(timeRange: timeRange)
    // Whatever fills the canvas as it is needs no compositor.
    if clip.placement(on: canvas) == .identity {
      instruction.passthroughTrackID = track
    } else {
      instruction.layers = [layer(clip, track)]
    }
    return instruction
  }

  /// The next clip appears over the one before.
  private func dissolve(
    _ from: (clip: Clip, track: TrackID), _ to: (clip: Clip, track: TrackID), _ timeRange: TimeRange
  ) throws(CompositorError) -> Instruction {
    var appearing = layer(to.clip, to.track)
    try appearing.opacity.setRamp(from: 0, to: 1, timeRange: timeRange)
    return Instruction(timeRange: timeRange, layers: [appearing, layer(from.clip, from.track)])
  }

  private func layer(_ clip: Clip, _ track: TrackID) -> LayerInstruction {
    var layer = LayerInstruction(trackID: track)
    layer.transform = PropertyTimeline(default: clip.placement(on: canvas))
    return layer
  }
}

extension FrameTiming {
  /// The last frame's time that is not after a time.
  fileprivate func floor(_ time: MediaTime) -> MediaTime { index(at: time).map { self.time(ofFrame: $0) } ?? .zero }
}
