import CompositorAPI
import Synchronization

/// A cache of frames between the effects of an instruction that needs other times, so that neighboring frames can reuse them.
/// The least recently used frames are removed.
final class RecentFrames: Sendable {
  /// Identifies a frame: of a layer, or the composed one, after a number of effects.
  struct Key: Hashable {
    let instruction: Int
    /// `nil` for the composed frame.
    let layer: Int?
    let view: StereoView
    let effectCount: Int
    let time: MediaTime
  }
  private let capacity: Int
  private let entries = Mutex<[(key: Key, frame: Frame)]>([])

  /// - Parameter capacity: The maximum number of frames.
  init(capacity: Int) { self.capacity = capacity }

  /// The cached frame, or a new one, which is cached. Two concurrent requests for the same frame may both make it.
  func frame(
    _ key: Key, make: () async throws(CompositorError) -> Frame
  ) async throws(CompositorError) -> Frame {
    let known = entries.withLock { entries -> Frame? in
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.frame
    }
    if let known { return known }
    let frame = try await make()
    // The removed frame is freed after the lock is released.
    let gone = entries.withLock { entries -> Frame? in
      guard !entries.contains(where: { $0.key == key }) else { return nil }
      entries.append((key, frame))
      return entries.count > capacity ? entries.removeFirst().frame : nil
    }
    withExtendedLifetime(gone) {}
    return frame
  }
}
