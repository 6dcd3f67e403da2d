import Compositor
import Synchronization

/// Records the routes that frames took, which tell what code was measured.
final class Routes: RenderObserver {
  private let seen = Mutex<Set<RenderRoute>>([])
  var names: String { seen.withLock { $0.map(\.rawValue).sorted().joined(separator: ", ") } }
  func didCompose(route: RenderRoute, instructionIndex: Int, time: MediaTime) {
    _ = seen.withLock { $0.insert(route) }
  }
}
