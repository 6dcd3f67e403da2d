import CompositorAPI
import Synchronization

/// Copies of sources that repeat, such as stills and static titles.
///
/// A frame is copied each time until it appears a second time; from then on its copy is kept, together with the frame, so
/// that neither is reused while the other is in use. Bounded: only the most recent ones.
final class RepeatedSources: Sendable {
  private struct Seen {
    weak var lease: FrameLease?
  }

  private struct State {
    var seen: [Seen] = []
    var kept: [(source: Frame, copy: Frame)] = []
  }

  private static let mostKept = 4
  private static let mostSeen = 16
  private let state = Mutex(State())

  /// The kept copy of a source; `nil` if there is none.
  func copy(of source: Frame) -> Frame? {
    state.withLock { state in state.kept.first { $0.source.isSameMemory(as: source) }?.copy }
  }

  /// Records that a source was copied.
  func note(_ copy: Frame, of source: Frame) {
    // Released values are freed after unlocking.
    let gone = state.withLock { state -> (source: Frame, copy: Frame)? in
      if state.seen.contains(where: { $0.lease === source.lease }) {
        state.kept.append((source, copy))
        return state.kept.count > Self.mostKept ? state.kept.removeFirst() : nil
      }
      state.seen.removeAll { $0.lease == nil }
      if state.seen.count >= Self.mostSeen { state.seen.removeFirst() }
      state.seen.append(Seen(lease: source.lease))
      return nil
    }
    withExtendedLifetime(gone) {}
  }
}
