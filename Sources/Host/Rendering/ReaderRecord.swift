import CompositorAPI
import CompositorMediaIO

/// What the decoders of a render did, as far as it is known when they are closed.
struct ReaderRecord: Sendable {
  /// The maximum number of decoders open at a time.
  private(set) var peakCount = 0
  /// The damage that they found.
  private(set) var damage = MediaLosses()
  /// The number of frames that they decoded.
  private(set) var decodedCount = 0
  /// Tracks that couldn't be opened and were omitted.
  private var leftOut: Set<MediaLosses.Track> = []

  /// Notes that `count` decoders are open.
  mutating func noteOpen(_ count: Int) { peakCount = max(peakCount, count) }

  /// Notes what a decoder of a track reported when it was closed.
  mutating func noteClosed(_ track: MediaLosses.Track, _ met: [MediaDamage], decodedCount count: Int) {
    damage.add(met, in: track)
    decodedCount += count
  }

  /// Notes that a track is omitted because of an error, once.
  mutating func noteOmitted(_ track: MediaLosses.Track, since error: CompositorError) {
    if leftOut.insert(track).inserted { damage.add([error.damage(at: nil)], in: track) }
  }
}
