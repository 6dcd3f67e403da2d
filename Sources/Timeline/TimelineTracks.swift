package import CompositorAPI

/// The clips of a timeline with their places and the composition tracks that hold them.
package struct TimelineTracks: Sendable {
  /// Placed clips by track, each in the order of time.
  package let clips: [[PlacedClip]]
  /// Tracks and segments.
  package private(set) var composition: Composition
  /// Volumes of the audio tracks whose gain isn't always 1.
  package private(set) var audioMix = AudioMix()
  /// Composition tracks that hold the pictures of a timeline track, by lane.
  private var videoTrackIDs: [[TrackID]] = []
  /// The end of the last clip.
  package let end: ExactTime

  /// Lays out composition tracks: video of all tracks first, then audio. O(n).
  package init(clips: [[PlacedClip]], canvas: PixelSize) throws(CompositorError) {
    self.clips = clips
    composition = Composition()
    composition.naturalSize = canvas.size
    end = clips.joined().map(\.range.end).max() ?? .zero
    for track in clips {
      videoTrackIDs.append(try add(.video, track.filter { $0.media.picture != nil }) { $0.clip.videoTrackIndex })
    }
    for track in clips {
      var audible: [PlacedClip] = []
      var volumes: [ClipVolume] = []
      for clip in track {
        guard let part = try clip.audible() else { continue }
        audible.append(part)
        do {
          volumes.append(try ClipVolume(clip))
        } catch {
          throw error.locating(ErrorLocation(path: clip.path))
        }
      }
      let trackIDs = try add(.audio, audible) { $0.clip.audioTrackIndex }
      for (lane, trackID) in trackIDs.enumerated() {
        try setVolume(ofTrack: trackID, zip(audible, volumes).filter { $0.0.lane == lane })
      }
    }
  }

  private mutating func setVolume(
    ofTrack trackID: TrackID, _ clips: [(clip: PlacedClip, volume: ClipVolume)]
  ) throws(CompositorError) {
    guard !clips.allSatisfy(\.volume.isAlwaysOne) else { return }
    var parameters = AudioMixInputParameters(trackID: trackID)
    for (clip, volume) in clips { try volume.write(to: &parameters.volume, over: clip.range) }
    audioMix.inputParameters.append(parameters)
  }

  /// The clips of a track that are there at some time of a range. O(log n) and their number.
  package func clips(ofTrack track: Int, in range: ExactRange) -> ArraySlice<PlacedClip> {
    let clips = clips[track]
    var (low, high) = (0, clips.count)
    while low < high {
      let middle = (low + high) / 2
      if clips[middle].range.end > range.start { high = middle } else { low = middle + 1 }
    }
    return clips[low...].prefix { $0.range.start < range.end }
  }

  /// The composition track that holds a clip's pictures.
  package func videoTrackID(of clip: PlacedClip) -> TrackID? {
    let lanes = videoTrackIDs[clip.track]
    return lanes.indices.contains(clip.lane) ? lanes[clip.lane] : nil
  }

  /// The first composition track of a timeline track's pictures; nil where it has none.
  package func videoTrackID(ofTrack track: Int) -> TrackID? {
    videoTrackIDs.indices.contains(track) ? videoTrackIDs[track].first : nil
  }

  private mutating func add(
    _ mediaType: MediaType, _ clips: [PlacedClip], sourceTrackIndex: (PlacedClip) -> Int
  ) throws(CompositorError) -> [TrackID] {
    guard let lanes = clips.map(\.lane).max() else { return [] }
    var trackIDs: [TrackID] = []
    for lane in 0...lanes {
      let trackID = composition.addTrack(mediaType)
      trackIDs.append(trackID)
      let segments = try TimelineTracks.segments(clips.filter { $0.lane == lane }, sourceTrackIndex)
      try composition.setSegments(segments, ofTrack: trackID)
    }
    return trackIDs
  }

  private static func segments(
    _ clips: [PlacedClip], _ sourceTrackIndex: (PlacedClip) -> Int
  ) throws(CompositorError) -> [CompositionTrackSegment] {
    var segments: [CompositionTrackSegment] = []
    var end = ExactTime.zero
    for placed in clips {
      if placed.range.start > end {
        segments.append(CompositionTrackSegment(empty: try ExactRange(end, placed.range.start).timeRange()))
      }
      segments.append(try placed.segment(trackIndex: sourceTrackIndex(placed)))
      end = placed.range.end
    }
    return segments
  }
}
