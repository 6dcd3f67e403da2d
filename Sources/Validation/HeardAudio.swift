package import CompositorAPI

extension ValidatedComposition {
  /// The segments of audio in the output, with their tracks: those that are heard, because they are neither muted nor have a volume
  /// of 0 all the time. All of them if none is heard. O(n log n).
  package var heardAudio: [(track: CompositionTrack, segment: CompositionTrackSegment)] {
    let volumes = Dictionary(
      edit.audioMix.inputParameters.map { ($0.trackID, $0.volume) }, uniquingKeysWith: { first, _ in first })
    let all = edit.composition.tracks(.audio).filter(edit.plays).flatMap { track in
      track.segments.filter { !$0.isEmpty }.map { (track: track, segment: $0) }
    }
    let heard = all.filter { track, segment in
      !segment.isMuted && volumes[track.trackID]?.values(in: segment.timeMapping.target).allSatisfy { $0 == 0 } != true
    }
    return heard.isEmpty ? all : heard
  }
}
