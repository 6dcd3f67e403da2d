import CompositorAPI
import Synchronization

/// Adds up what happened to the frames of a render, from any thread.
final class StageTimingRecorder: Sendable {
  private struct State {
    var timings = StageTimings()
    var routes: [RenderRoute: Int] = [:]
    var repeats = 0
  }
  private let state = Mutex(State())

  var timings: StageTimings { state.withLock { $0.timings } }
  var routes: [RenderRoute: Int] { state.withLock { $0.routes } }
  var repeatedFrameCount: Int { state.withLock { $0.repeats } }

  func count(_ route: RenderRoute) { state.withLock { $0.routes[route, default: 0] += 1 } }
  func countRepeat() { state.withLock { $0.repeats += 1 } }

  func add(_ duration: Duration, to stage: any WritableKeyPath<StageTimings, Duration> & Sendable) {
    state.withLock { $0.timings[keyPath: stage] += duration }
  }

  /// Runs `body` on the stage's account.
  func measure<R, E: Error>(
    _ stage: any WritableKeyPath<StageTimings, Duration> & Sendable, _ body: () throws(E) -> R
  ) throws(E) -> R {
    let start = ContinuousClock.now
    defer { add(ContinuousClock.now - start, to: stage) }
    return try body()
  }
}

/// Notes the route that one frame took.
final class RouteRecorder: RenderObserver {
  private let noted = Mutex<RenderRoute?>(nil)

  var route: RenderRoute? { noted.withLock { $0 } }

  func didCompose(route: RenderRoute, instructionIndex: Int, time: MediaTime) {
    noted.withLock { $0 = route }
  }
}
