import CompositorAPI
import Synchronization

/// Copies of pictures that come again, as stills and standing titles do with every frame.
///
/// A picture is copied afresh until it comes a second time; from then on its copy is kept, and the picture with it, so that
/// nobody writes over the one while the other is used. Bounded: the last few.
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

  /// The kept copy of a source; nil where there is none.
  func copy(of source: Frame) -> Frame? {
    state.withLock { state in state.kept.first { $0.source.isSameMemory(as: source) }?.copy }
  }

  /// Notes that a source was copied.
  func note(_ copy: Frame, of source: Frame) {
    // What is let go of is freed after the lock is.
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
