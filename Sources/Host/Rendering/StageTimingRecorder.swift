import CompositorAPI
import Synchronization

/// Adds up what happened to the frames of a render, from any thread.
package final class StageTimingRecorder: Sendable {
  private struct State {
    var timings = StageTimings()
    var routes: [RenderRoute: Int] = [:]
    var repeats = 0
  }
  private let state = Mutex(State())
  /// Receives what the stages of the current task's frame cost, beside the render's own recorder.
  @TaskLocal package static var frame: StageTimingRecorder?

  /// Receives each stage with its thread and its time; nil where nobody asked for that.
  package let trace: RenderTrace?

  /// Makes a recorder that has counted nothing.
  package init(trace: RenderTrace? = nil) { self.trace = trace }

  package var timings: StageTimings { state.withLock { $0.timings } }
  var routes: [RenderRoute: Int] { state.withLock { $0.routes } }
  var repeatedFrameCount: Int { state.withLock { $0.repeats } }

  func count(_ route: RenderRoute) { state.withLock { $0.routes[route, default: 0] += 1 } }
  func countRepeat() { state.withLock { $0.repeats += 1 } }

  /// Counts a stage that ends now.
  ///
  /// - Parameter isTraced: Whether all of it was this thread's work; what waits for other threads is not.
  package func add(
    since start: ContinuousClock.Instant, to stage: any WritableKeyPath<StageTimings, Duration> & Sendable,
    isTraced: Bool = true
  ) {
    let end = ContinuousClock.now
    count(end - start, stage)
    if isTraced { trace?.add(stage, from: start, to: end) }
    if let frame = StageTimingRecorder.frame, frame !== self { frame.count(end - start, stage) }
  }

  private func count(_ duration: Duration, _ stage: WritableKeyPath<StageTimings, Duration>) {
    state.withLock { $0.timings[keyPath: stage] += duration }
  }

  /// Runs `body` on the stage's account.
  func measure<R, E: Error>(
    _ stage: any WritableKeyPath<StageTimings, Duration> & Sendable, _ body: () throws(E) -> R
  ) throws(E) -> R {
    let start = ContinuousClock.now
    defer { add(since: start, to: stage) }
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

/// Time spent in each stage, added up over frames. Stages run side by side, so the sum exceeds the wall time.
public struct StageTimings: Sendable, Hashable {
  /// Waiting for decoders.
  public var decode: Duration = .zero
  /// Converting sources for compositors.
  public var conform: Duration = .zero
  /// In compositors.
  public var compose: Duration = .zero
  /// Overlay and conversion to the delivery format.
  public var deliver: Duration = .zero
  /// Titles, captions and other overlays alone: a part of ``deliver``.
  public var titles: Duration = .zero
  /// Encoding and writing.
  public var write: Duration = .zero
  /// Mixing audio alone: a part of ``write``.
  public var audio: Duration = .zero

  /// No time at all.
  public init() {}
}
