import Synchronization

/// Pictures of the host's that somebody in this process still refers to: counted from when a request brings them until the last
/// reference to the frame is gone, be it the compositor's, libavfilter's or whoever's.
final class SegmentLeases: Sendable {
  private let counts = Mutex<[UInt64: Int]>([:])

  func begin(_ segment: UInt64) { counts.withLock { $0[segment, default: 0] += 1 } }

  func end(_ segment: UInt64) {
    counts.withLock { counts in
      let left = (counts[segment] ?? 1) - 1
      counts[segment] = left > 0 ? left : nil
    }
  }

  /// Segments that are in use.
  var current: [UInt64] { counts.withLock { Array($0.keys) } }
}
