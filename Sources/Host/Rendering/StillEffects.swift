import CompositorAPI
import Synchronization

/// A cache of the results of effects on stills, which don't change if neither the still nor the effects do. The least recently
/// used results are removed.
final class StillEffects: Sendable {
  /// Identifies a result: of a still, after a number of effects of a layer.
  struct Key: Hashable {
    let instruction: Int
    let layer: Int
    let effectCount: Int
  }
  private struct Entry {
    let key: Key
    /// Retained, so that no other frame can have its memory.
    let still: Frame
    let made: Frame
  }
  private let capacity: Int
  private let entries = Mutex<[Entry]>([])

  /// - Parameter capacity: The maximum number of frames.
  init(capacity: Int = 16) { self.capacity = capacity }

  /// The cached frame, or a new one, which is cached. If two tasks make the same one concurrently, both use the one that was
  /// cached first.
  func frame(
    _ key: Key, of still: Frame, make: () async throws(CompositorError) -> Frame
  ) async throws(CompositorError) -> Frame {
    if let known = known(key, still) { return known }
    let made = try await make()
    let (kept, gone) = entries.withLock { entries -> (Frame, Entry?) in
      if let known = entries.first(where: { $0.key == key && $0.still.isSameMemory(as: still) }) { return (known.made, nil) }
      entries.append(Entry(key: key, still: still, made: made))
      return (made, entries.count > capacity ? entries.removeFirst() : nil)
    }
    // The removed frame is freed after the lock is released.
    withExtendedLifetime(gone) {}
    return kept
  }

  private func known(_ key: Key, _ still: Frame) -> Frame? {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.key == key && $0.still.isSameMemory(as: still) }) else { return nil }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.made
    }
  }
}
