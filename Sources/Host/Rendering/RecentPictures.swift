import CompositorAPI
import Synchronization

/// Pictures on their way through the effects of an instruction that needs other times: what was made for one frame is at hand for its
/// neighbors. Bounded: the ones that were used last.
final class RecentPictures: Sendable {
  /// Which picture: of a layer, or the composed one, after so many effects.
  struct Key: Hashable {
    let instruction: Int
    /// nil for the composed picture.
    let layer: Int?
    let effectCount: Int
    let time: MediaTime
  }
  private let capacity: Int
  private let entries = Mutex<[(key: Key, frame: Frame)]>([])

  /// - Parameter capacity: The most pictures that are kept.
  init(capacity: Int) { self.capacity = capacity }

  /// The picture, from here or made and kept. Two tasks that ask for the same one at the same time may both make it.
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
    // What is dropped is freed after the lock is.
    let gone = entries.withLock { entries -> Frame? in
      guard !entries.contains(where: { $0.key == key }) else { return nil }
      entries.append((key, frame))
      return entries.count > capacity ? entries.removeFirst().frame : nil
    }
    withExtendedLifetime(gone) {}
    return frame
  }
}
