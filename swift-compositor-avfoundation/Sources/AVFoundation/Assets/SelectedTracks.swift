internal import Compositor
internal import Foundation

/// Some of the tracks of an asset, as they are when it is read.
final class SelectedTracks: AVAsset, @unchecked Sendable {
  private let whole: AVAsset
  private let trackIDs: Set<CMPersistentTrackID>

  init(_ trackIDs: Set<CMPersistentTrackID>, of whole: AVAsset) {
    (self.whole, self.trackIDs) = (whole, trackIDs)
    super.init(facts: nil)
  }

  override func readTracks() throws(AVError) -> [AVAssetTrack] {
    try whole.readTracks().filter { trackIDs.contains($0.trackID) }
  }

  override func readDuration() throws(AVError) -> CMTime { CMTime(try snapshot().composition.duration) }

  override func snapshot() throws(AVError) -> AssetSnapshot {
    var snapshot = try whole.snapshot()
    do throws(CompositorError) {
      for track in snapshot.composition.tracks {
        if trackIDs.contains(track.trackID) {
          // A program that names a track wants it.
          try snapshot.composition.setEnabled(true, ofTrack: track.trackID)
        } else {
          try snapshot.composition.removeTrack(track.trackID)
        }
      }
    } catch {
      throw AVError(error)
    }
    return snapshot
  }
}

extension AssetSnapshot {
  /// The part of a track that has media; `nil` if it has none.
  func mediaRange(of track: CompositionTrack) -> TimeRange? {
    let ranges = track.segments.filter { !$0.isEmpty }.map(\.timeMapping.target)
    guard let first = ranges.first, let last = ranges.last else { return nil }
    return TimeRange(start: first.start, end: last.end)
  }

  /// What is known of the first video that a track shows; `nil` if it shows none.
  func video(of track: CompositionTrack) throws(AVError) -> VideoTrackInfo? {
    guard let segment = track.segments.first(where: { !$0.isEmpty }), let source = segment.source,
      let info = try files[source]?.info()
    else { return nil }
    return info.videoTracks.first { $0.index == segment.sourceTrackIndex }
  }

  /// What is known of the first audio that a track plays; `nil` if it plays none.
  func audio(of track: CompositionTrack) throws(AVError) -> AudioTrackInfo? {
    guard let segment = track.segments.first(where: { !$0.isEmpty }), let source = segment.source,
      let info = try files[source]?.info()
    else { return nil }
    return info.audioTracks.first { $0.index == segment.sourceTrackIndex }
  }
}
