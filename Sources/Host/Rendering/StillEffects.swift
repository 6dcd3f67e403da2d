import CompositorAPI
import Synchronization

/// Pictures that effects made of stills: made once, since neither the picture nor the effects change. Bounded: the ones that were used last.
final class StillEffects: Sendable {
  /// Which picture: of a still, after so many effects of a layer.
  struct Key: Hashable {
    let instruction: Int
    let layer: Int
    let effectCount: Int
  }
  private struct Entry {
    let key: Key
    /// Held, so that no other picture can have its memory.
    let still: Frame
    let made: Frame
  }
  private let capacity: Int
  private let entries = Mutex<[Entry]>([])

  /// - Parameter capacity: The most pictures that are kept.
  init(capacity: Int = 16) { self.capacity = capacity }

  /// The picture, from here or made and kept. If two tasks make the same one at the same time, both go on with the one that was kept first.
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
    // What is dropped is freed after the lock is.
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
