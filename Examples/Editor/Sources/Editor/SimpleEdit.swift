import Compositor

/// Clips one after another, each dissolving into the next: tracks, instructions and volumes as in AVFoundation, without a `Timeline`.
///
/// Clips alternate between two tracks, so that a clip can overlap its neighbors. A clip in the middle takes part in two
/// transitions, the first and the last clip in one each:
///
///     track A  |--------clip 0--------|      |--------clip 2--------|
///     track B                   |--------clip 1--------|
///              |-- alone --|mix |-- alone --|mix |----- alone ------|
struct SimpleEdit {
  let clips: [Clip]
  /// The duration of a transition, an integer number of frames.
  let transition: MediaTime
  /// The frame rate of the first clip. All cuts are on its frames.
  let timing: FrameTiming
  /// The upright size of the first clip, rounded to even numbers for encoders.
  let canvas: PixelSize

  /// Lays clips out one after another.
  ///
  /// - Parameter transition: The duration of each dissolve, rounded down to frames; less than a frame gives hard cuts.
  /// - Throws: `.invalidValue` without clips, and for a clip too short for its transitions; `.trackNotFound` for a file without video.
  init(_ sources: [MediaSource], transition: MediaTime, catalog: MediaCatalog = MediaCatalog()) throws(CompositorError) {
    var clips: [Clip] = []
    for source in sources { clips.append(try Clip(source, catalog)) }
    guard let first = clips.first else {
      throw CompositorError(.invalidValue, "There is no clip.", recoverySuggestion: "Give one or more clips.")
    }
    timing = try FrameTiming(frameDuration: .frames(1, at: first.frameRate))
    self.transition = max(.zero, timing.floor(transition))
    canvas = first.canvas
    for index in clips.indices {
      clips[index].mediaRange.duration = timing.floor(clips[index].mediaRange.duration)
      // The essential rule: a clip loses a transition on each side with a neighbor, and these two must not overlap.
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

  /// The transitions: the overlap of each pair of neighbors.
  var transitionRanges: [TimeRange] {
    clips.dropFirst().map { TimeRange(start: $0.start, duration: transition) }
  }

  /// The time ranges in which each clip plays alone: from the end of the transition before it to the start of the one after it.
  var passThroughRanges: [TimeRange] {
    let (starts, ends) = (transitionRanges.map(\.end), transitionRanges.map(\.start))
    return clips.indices.map { index in
      let whole = clips[index].timeRange
      return TimeRange(start: index > 0 ? starts[index - 1] : whole.start, end: index < ends.count ? ends[index] : whole.end)
    }
  }

  /// The edit: tracks, instructions and volumes.
  func edit() throws(CompositorError) -> Edit {
    var composition = Composition()
    let videoTracks = [composition.addTrack(.video), composition.addTrack(.video)]
    let audioTracks = [composition.addTrack(.audio), composition.addTrack(.audio)]
    for (index, clip) in clips.enumerated() {
      try composition.insert(
        SourceRange(clip.source, trackIndex: clip.video.index, timeRange: clip.mediaRange), at: clip.start,
        inTrack: videoTracks[index % 2])
      // Audio may begin later or end earlier than its video; there the track stays empty.
      guard let audio = clip.audio, case let heard = audio.timeRange.intersection(clip.mediaRange), !heard.isEmpty else {
        continue
      }
      try composition.insert(
        SourceRange(clip.source, trackIndex: audio.index, timeRange: heard),
        at: clip.start + heard.start - clip.mediaRange.start, inTrack: audioTracks[index % 2])
    }
    // Omit empty tracks.
    for track in composition.tracks where track.segments.isEmpty { try composition.removeTrack(track.trackID) }

    var video = VideoComposition(frameDuration: timing.frameDuration, renderSize: canvas)
    var volumes = audioTracks.map { AudioMixInputParameters(trackID: $0) }
    let (alone, mixed) = (passThroughRanges, transitionRanges)
    for (index, clip) in clips.enumerated() {
      let track = videoTracks[index % 2]
      // A clip in the middle that is exactly as long as its two transitions never plays alone.
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

  /// One clip alone: passed through, or a layer if its aspect ratio differs from the canvas or it is rotated.
  private func passThrough(_ clip: Clip, _ track: TrackID, _ timeRange: TimeRange) -> Instruction {
    // A clip that fills the canvas unchanged needs no compositor.
    clip.placement(on: canvas) == .identity
      ? Instruction(timeRange: timeRange, passthroughTrackID: track)
      : Instruction(timeRange: timeRange, layers: [layer(clip, track)])
  }

  /// The next clip fades in over the previous one.
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
  /// The time of the last frame that starts no later than a time.
  fileprivate func floor(_ time: MediaTime) -> MediaTime { index(at: time).map { self.time(ofFrame: $0) } ?? .zero }
}
