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
  /// The composition tracks that contain the video of a timeline track, by lane.
  private var videoTrackIDs: [[TrackID]] = []
  /// The end of the last clip.
  package let end: ExactTime

  /// Creates composition tracks: video of all tracks first, then audio. O(n).
  ///
  /// - Parameters:
  ///   - audio: The audio settings of each timeline track.
  ///   - frameRate: The output's frames a second.
  package init(
    clips: [[PlacedClip]], audio: [TrackAudio], canvas: PixelSize, frameRate: Rational
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
    for (track, audio) in zip(clips, audio) {
      let mix = try TrackMix(track, audio)
      let trackIDs = try add(.audio, mix.audible, channels: audio.channels) { $0.clip.audioTrackIndex }
      for (lane, trackID) in trackIDs.enumerated() {
        if let parameters = try mix.parameters(ofLane: lane, as: trackID) { audioParameters.append(parameters) }
      }
      audioTrackIDs.append(trackIDs)
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
    let lanes = videoTrackIDs[clip.track]
    return lanes.indices.contains(clip.lane) ? lanes[clip.lane] : nil
  }

  /// The first composition track of a timeline track's video; `nil` if it has none.
  package func videoTrackID(ofTrack track: Int) -> TrackID? {
    videoTrackIDs.indices.contains(track) ? videoTrackIDs[track].first : nil
  }

  private mutating func add(
    _ mediaType: MediaType, _ clips: [PlacedClip], channels: AudioChannels? = nil, sourceTrackIndex: (PlacedClip) -> Int
  ) throws(CompositorError) -> [TrackID] {
    guard let lanes = clips.map(\.lane).max() else { return [] }
    var trackIDs: [TrackID] = []
    for lane in 0...lanes {
      let trackID = composition.addTrack(mediaType)
      trackIDs.append(trackID)
      let segments = try TimelineTracks.segments(clips.filter { $0.lane == lane }, channels, sourceTrackIndex)
      try composition.setSegments(segments, ofTrack: trackID)
    }
    return trackIDs
  }

  private static func segments(
    _ clips: [PlacedClip], _ channels: AudioChannels?, _ sourceTrackIndex: (PlacedClip) -> Int
  ) throws(CompositorError) -> [CompositionTrackSegment] {
    var segments: [CompositionTrackSegment] = []
    var end = ExactTime.zero
    for placed in clips {
      if placed.range.start > end {
        segments.append(CompositionTrackSegment(empty: try ExactRange(end, placed.range.start).timeRange()))
      }
      var segment = try placed.segment(trackIndex: sourceTrackIndex(placed))
      if let channels { segment.channels = try placed.checkedChannels(orOfTrack: channels) }
      segments.append(segment)
      end = placed.range.end
    }
    return segments
  }
}
