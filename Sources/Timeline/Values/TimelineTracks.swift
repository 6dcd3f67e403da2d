package import CompositorAPI

/// The placed clips of a timeline, and the composition tracks that contain them.
package struct TimelineTracks: Sendable {
  /// The placed clips by track, in order of time.
  package let clips: [[PlacedClip]]
  /// The tracks and segments.
  package private(set) var composition: Composition
  /// Volume, pan and processors of the audio tracks that have some.
  package private(set) var audioParameters: [AudioMixInputParameters] = []
  /// The composition tracks that contain the audio of a timeline track, by lane.
  package private(set) var audioTrackIDs: [[TrackID]] = []
  /// The composition tracks that each audio track of the output mixes.
  package private(set) var outputTrackIDs: [Set<TrackID>] = []
  /// The composition tracks that contain the video of a timeline track, by lane.
  private var videoTrackIDs: [[TrackID]] = []
  /// The composition tracks that contain the masks of effects, by the masks' key paths.
  private(set) var maskTrackIDs: [String: TrackID] = [:]
  /// The masks of effects.
  package private(set) var masks: [PlacedClip] = []
  /// The end of the last clip.
  package let end: ExactTime

  /// Creates composition tracks: video of all tracks first, then audio. O(n).
  ///
  /// - Parameters:
  ///   - audio: The audio settings of each timeline track.
  ///   - outputs: The audio tracks of the output; empty for one.
  ///   - frameRate: The output's frames a second.
  package init(
    clips: [[PlacedClip]], audio: [TrackAudio], outputs: [TimelineAudioTrack] = [], canvas: PixelSize, frameRate: Rational
  ) throws(CompositorError) {
    self.clips = clips
    composition = Composition()
    composition.naturalSize = canvas.size
    end = clips.joined().map(\.range.end).max() ?? .zero
    for track in clips {
      var passes: [PlacedClip] = []
      for clip in track where clip.media.picture != nil {
        for pass in try clip.passes() { passes += try pass.visible(outputRate: frameRate) }
      }
      videoTrackIDs.append(try add(.video, passes) { $0.clip.videoTrackIndex })
    }
    outputTrackIDs = outputs.map { _ in [] }
    for (index, (track, audio)) in zip(clips, audio).enumerated() {
      audioTrackIDs.append([])
      let taking = outputs.indices.filter { outputs[$0].tracks?.contains(index) ?? true }
      var known: [[ClipMedia.AudioTrack?]: [TrackID]] = [:]
      // Without outputs, and for a track that none of them takes, clips play what they choose themselves.
      for output in taking.isEmpty ? [nil] : taking.map(Optional.some) {
        let choice = output.flatMap { outputs[$0].choice }
        let trackIDs = try addAudio(of: track, audio, choice, &known)
        guard output != nil || outputs.isEmpty else { continue }
        for trackID in trackIDs where !audioTrackIDs[index].contains(trackID) { audioTrackIDs[index].append(trackID) }
        if let output { outputTrackIDs[output].formUnion(trackIDs) }
      }
    }
  }

  /// Adds composition tracks for the audio of a timeline track. A clip that plays several tracks of its media is in as many of
  /// them.
  ///
  /// - Parameter known: Tracks that were added for other outputs, by the media's tracks that their clips play.
  private mutating func addAudio(
    of track: [PlacedClip], _ audio: TrackAudio, _ choice: AudioTrackChoice?,
    _ known: inout [[ClipMedia.AudioTrack?]: [TrackID]]
  ) throws(CompositorError) -> [TrackID] {
    let tracks = track.map { $0.audioTracks(choice) }
    guard let voices = tracks.map(\.count).max(), voices > 0 else {
      // No media has several audio tracks.
      if let trackIDs = known[[]] { return trackIDs }
      let trackIDs = try addAudio(of: track, audio)
      known[[]] = trackIDs
      return trackIDs
    }
    var trackIDs: [TrackID] = []
    for voice in 0..<voices {
      let played = tracks.map { voice < $0.count ? $0[voice] : nil }
      // Media with one audio track has it in the first voice.
      let voiced = zip(track, zip(tracks, played)).map { clip, audio in
        audio.0.isEmpty && voice == 0 ? clip : clip.playing(audio.1)
      }
      let key = voice == 0 ? played : played + [nil]
      if known[key] == nil { known[key] = try addAudio(of: voiced, audio) }
      trackIDs += known[key] ?? []
    }
    return trackIDs
  }

  private mutating func addAudio(of track: [PlacedClip], _ audio: TrackAudio) throws(CompositorError) -> [TrackID] {
    let mix = try TrackMix(track, audio)
    let trackIDs = try add(.audio, mix.audible, channels: audio.channels, isMuted: mix.isMuted) { $0.clip.audioTrackIndex }
    for (lane, trackID) in trackIDs.enumerated() {
      if let parameters = try mix.parameters(ofLane: lane, as: trackID) { audioParameters.append(parameters) }
    }
    return trackIDs
  }

  /// The composition tracks in which audio of a timeline track is heard, unless its volume is 0. Muted clips don't count.
  package func soundingTrackIDs(ofTrack track: Int) -> [TrackID] {
    audioTrackIDs[track].filter { composition.track($0)?.segments.allSatisfy(\.isSilent) == false }
  }

  /// Disables the composition tracks that only other audio tracks of the output than its default one use.
  package mutating func disable(allBut trackIDs: Set<TrackID>) throws(CompositorError) {
    for track in composition.tracks(.audio) where !trackIDs.contains(track.trackID) {
      try composition.setEnabled(false, ofTrack: track.trackID)
    }
  }

  /// The clips of a track that overlap a range. O(log n) plus their number.
  package func clips(ofTrack track: Int, in range: ExactRange) -> ArraySlice<PlacedClip> {
    let clips = clips[track]
    var (low, high) = (0, clips.count)
    while low < high {
      let middle = (low + high) / 2
      if clips[middle].range.end > range.start { high = middle } else { low = middle + 1 }
    }
    return clips[low...].prefix { $0.range.start < range.end }
  }

  /// The composition track that contains a clip's video.
  package func videoTrackID(of clip: PlacedClip) -> TrackID? {
    if let path = clip.ownPath { return maskTrackIDs[path] }
    let lanes = videoTrackIDs[clip.track]
    return lanes.indices.contains(clip.lane) ? lanes[clip.lane] : nil
  }

  /// The first composition track of a timeline track's video; `nil` if it has none.
  package func videoTrackID(ofTrack track: Int) -> TrackID? {
    videoTrackIDs.indices.contains(track) ? videoTrackIDs[track].first : nil
  }

  /// Adds composition tracks for masks. Those of one group that don't overlap share a track.
  mutating func add(_ masks: [PlacedMask], frameRate: Rational) throws(CompositorError) {
    for group in Set(masks.map(\.group)).sorted() {
      var lanes: [ExactTime] = []
      var parts: [PlacedClip] = []
      var laneOfPath: [(path: String, lane: Int)] = []
      for mask in masks.filter({ $0.group == group }).sorted(by: { $0.clip.range.start < $1.clip.range.start }) {
        var clip = mask.clip
        clip.lane = lanes.firstIndex { $0 <= clip.range.start } ?? lanes.count
        if clip.lane == lanes.count { lanes.append(clip.range.end) } else { lanes[clip.lane] = clip.range.end }
        laneOfPath.append((mask.path, clip.lane))
        self.masks.append(clip)
        for pass in try clip.passes() { parts += try pass.visible(outputRate: frameRate) }
      }
      let trackIDs = try add(.video, parts) { $0.clip.videoTrackIndex }
      for (path, lane) in laneOfPath { maskTrackIDs[path] = trackIDs[lane] }
    }
  }

  /// The composition track that contains the mask of an effect at a key path.
  func maskTrackID(ofEffect path: @autoclosure () -> String) -> TrackID? {
    maskTrackIDs.isEmpty ? nil : maskTrackIDs["\(path()).mask"]
  }

  private mutating func add(
    _ mediaType: MediaType, _ clips: [PlacedClip], channels: AudioChannels? = nil,
    isMuted: (PlacedClip) -> Bool = { _ in false }, sourceTrackIndex: (PlacedClip) -> Int
  ) throws(CompositorError) -> [TrackID] {
    guard let lanes = clips.map(\.lane).max() else { return [] }
    var trackIDs: [TrackID] = []
    for lane in 0...lanes {
      let trackID = composition.addTrack(mediaType)
      trackIDs.append(trackID)
      let segments = try TimelineTracks.segments(clips.filter { $0.lane == lane }, channels, isMuted, sourceTrackIndex)
      try composition.setSegments(segments, ofTrack: trackID)
    }
    return trackIDs
  }

  private static func segments(
    _ clips: [PlacedClip], _ channels: AudioChannels?, _ isMuted: (PlacedClip) -> Bool, _ sourceTrackIndex: (PlacedClip) -> Int
  ) throws(CompositorError) -> [CompositionTrackSegment] {
    var segments: [CompositionTrackSegment] = []
    var end = ExactTime.zero
    for placed in clips {
      if placed.range.start > end {
        segments.append(CompositionTrackSegment(empty: try ExactRange(end, placed.range.start).timeRange()))
      }
      var segment = try placed.segment(trackIndex: sourceTrackIndex(placed))
      if let channels { segment.channels = try placed.checkedChannels(orOfTrack: channels) }
      segment.isMuted = isMuted(placed)
      segments.append(segment)
      end = placed.range.end
    }
    return segments
  }
}
