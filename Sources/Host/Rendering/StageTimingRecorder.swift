import CompositorAPI
import Synchronization

/// Accumulates timings and counts for the frames of a render, from any thread.
package final class StageTimingRecorder: Sendable {
  private struct State {
    var timings = StageTimings()
    var routes: [RenderRoute: Int] = [:]
    var repeats = 0
  }
  private let state = Mutex(State())
  /// Receives the costs of the current task's frame, in addition to the render's own recorder.
  @TaskLocal package static var frame: StageTimingRecorder?

  /// Receives each stage with its thread and time; `nil` if tracing is disabled.
  package let trace: RenderTrace?

  /// Creates an empty recorder.
  package init(trace: RenderTrace? = nil) { self.trace = trace }

  package var timings: StageTimings { state.withLock { $0.timings } }
  var routes: [RenderRoute: Int] { state.withLock { $0.routes } }
  var repeatedFrameCount: Int { state.withLock { $0.repeats } }

  func count(_ route: RenderRoute) { state.withLock { $0.routes[route, default: 0] += 1 } }
  func countRepeat() { state.withLock { $0.repeats += 1 } }

  /// Records a stage that ends now.
  ///
  /// - Parameter isTraced: Whether all of it was this thread's work, rather than waiting for other threads.
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

  /// Runs `body` and records it as a stage.
  func measure<R, E: Error>(
    _ stage: any WritableKeyPath<StageTimings, Duration> & Sendable, _ body: () throws(E) -> R
  ) throws(E) -> R {
    let start = ContinuousClock.now
    defer { add(since: start, to: stage) }
    return try body()
  }
}

/// Records the route that one frame took.
final class RouteRecorder: RenderObserver {
  private let noted = Mutex<RenderRoute?>(nil)

  var route: RenderRoute? { noted.withLock { $0 } }

  func didCompose(route: RenderRoute, instructionIndex: Int, time: MediaTime) {
    noted.withLock { $0 = route }
  }
}

/// The time spent in each stage, accumulated over frames. Stages run concurrently, so the sum exceeds the elapsed time.
public struct StageTimings: Sendable, Hashable {
  /// Waiting for decoders.
  public var decode: Duration = .zero
  /// Converting sources for compositors.
  public var conform: Duration = .zero
  /// Composing in compositors.
  public var compose: Duration = .zero
  /// Overlay and conversion to the delivery format.
  public var deliver: Duration = .zero
  /// Titles, captions and other overlays alone: a part of ``deliver``.
  public var titles: Duration = .zero
  /// Encoding and writing.
  public var write: Duration = .zero
  /// Mixing audio alone: a part of ``write``.
  public var audio: Duration = .zero

  /// Creates timings of zero.
  public init() {}
}
