import CompositorAPI
import Synchronization

/// A cache of the results of effects on stills, which don't change if neither the still nor the effects do. The least recently
/// used results are removed.
final class StillEffects: Sendable {
  /// Identifies a result: of a still, after a number of effects of a layer.
  struct Key: Hashable {
    let instruction: Int
    let layer: Int
    // Four bytes, so that the view takes no room in the task of a frame.
    let effectCount: Int32
    let view: StereoView

    init(instruction: Int, layer: Int, effectCount: Int, view: StereoView) {
      (self.instruction, self.layer, self.view) = (instruction, layer, view)
      self.effectCount = Int32(clamping: effectCount)
    }
  }
  private struct Entry {
    let key: Key
    /// The still and the masks of its effects. Retained, so that no other frame can have their memory.
    let stills: [Frame]
    let made: Frame

    func isOf(_ others: [Frame]) -> Bool {
      stills.count == others.count && zip(stills, others).allSatisfy { $0.isSameMemory(as: $1) }
    }
  }
  private let capacity: Int
  private let entries = Mutex<[Entry]>([])

  /// - Parameter capacity: The maximum number of frames.
  init(capacity: Int = 16) { self.capacity = capacity }

  /// The cached frame, or a new one, which is cached. If two tasks make the same one concurrently, both use the one that was
  /// cached first.
  ///
  /// - Parameter stills: The still, and the masks of its effects, which are stills, too.
  func frame(
    _ key: Key, of stills: [Frame], make: () async throws(CompositorError) -> Frame
  ) async throws(CompositorError) -> Frame {
    if let known = known(key, stills) { return known }
    let made = try await make()
    let (kept, gone) = entries.withLock { entries -> (Frame, Entry?) in
      if let known = entries.first(where: { $0.key == key && $0.isOf(stills) }) { return (known.made, nil) }
      entries.append(Entry(key: key, stills: stills, made: made))
      return (made, entries.count > capacity ? entries.removeFirst() : nil)
    }
    // The removed frame is freed after the lock is released.
    withExtendedLifetime(gone) {}
    return kept
  }

  private func known(_ key: Key, _ stills: [Frame]) -> Frame? {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.key == key && $0.isOf(stills) }) else { return nil }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.made
    }
  }
}
