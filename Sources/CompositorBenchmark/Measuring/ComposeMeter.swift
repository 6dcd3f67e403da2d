import CompositorAPI
import Synchronization

/// Measures compositors from inside, excluding the host's overhead.
final class ComposeMeter: Sendable {
  private let times = Mutex<[Double]>([])
  /// A simulated regression: the fraction of its own time by which each call is extended.
  let slowdown: Double

  init(slowdown: Double) { self.slowdown = slowdown }

  /// Milliseconds of each call since the last time this was called.
  func take() -> [Double] {
    times.withLock { times in
      defer { times.removeAll(keepingCapacity: true) }
      return times
    }
  }

  func timed(_ compose: () async throws -> Frame) async throws -> Frame {
    let start = ContinuousClock.now
    let busy = Measurement.threadMilliseconds()
    let frame = try await compose()
    if slowdown > 0 { ComposeMeter.spin((Measurement.threadMilliseconds() - busy) * slowdown) }
    let elapsed = Measurement.milliseconds(start.duration(to: .now))
    times.withLock { $0.append(elapsed) }
    return frame
  }

  /// Uses the processor for a number of milliseconds.
  private static func spin(_ milliseconds: Double) {
    let end = Measurement.threadMilliseconds() + milliseconds
    while Measurement.threadMilliseconds() < end {}
  }

  /// The factory, with each of its compositors timed.
  func watching(_ factory: CompositorFactory) -> CompositorFactory {
    factory.wrapping { composer in
      if let selective = composer as? any SelectiveComposer { return TimedSelectiveComposer(composer: selective, meter: self) }
      return TimedComposer(composer: composer, meter: self)
    }
  }
}

private struct TimedComposer: FrameComposer {
  let composer: any FrameComposer
  let meter: ComposeMeter

  func compose(_ request: CompositionRequest) async throws -> Frame {
    try await meter.timed { try await composer.compose(request) }
  }
}

private struct TimedSelectiveComposer: SelectiveComposer {
  let composer: any SelectiveComposer
  let meter: ComposeMeter

  func compose(_ request: CompositionRequest) async throws -> Frame {
    try await meter.timed { try await composer.compose(request) }
  }

  func regionsOfInterest(for request: CompositionRequest) async throws -> RegionsOfInterest {
    try await composer.regionsOfInterest(for: request)
  }
}
