import CompositorAPI
import CompositorPluginBridge

/// Frames for a benchmark to make in a worker.
struct WireMeasurement: Codable {
  var compositor: CompositorID
  /// Concurrent requests.
  var inFlight: Int
  /// Frames for each of them.
  var count: Int
}

/// A compositor and requests for it at 1920x1080, in whichever process it is.
struct IsolationBench: Sendable {
  let composer: any FrameComposer
  let requests: [CompositionRequest]
  let format: PixelFormat
  let pool = FramePool(maximumOutstanding: 1024, allocator: SharedFrames())

  /// - Parameter source: Returns the source of a request, given its index and noise.
  init(_ factory: CompositorFactory, source: (Int, Frame) throws -> Frame = { $1 }) throws {
    let scene = PluginCheckScene(factory.descriptor, size: PluginCheckScene.fullHD)
    format = scene.format
    // Outputs in this process's own memory, which belongs to no worker.
    let outputs = FramePool(maximumOutstanding: 1024, allocator: GuardedFrames())
    requests = try (0..<8).map { index in
      var request = try scene.request(index).with { try source(index, $0) }
      request.context.pool = outputs
      return request
    }
    composer = try factory.makeCompositor(parameters: scene.parameters, context: scene.context)
  }

  /// Time per frame while `inFlight` concurrent requests make `count` frames each.
  func lap(inFlight: Int, count: Int) async throws -> Duration {
    let (composer, requests) = (composer, requests)
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<inFlight {
        group.addTask(executorPreference: globalConcurrentExecutor) {
          var window: [Frame] = []
          for round in 0..<count {
            window = window.suffix(2) + [try await composer.compose(requests[(3 * lane + round) % requests.count])]
          }
        }
      }
      try await group.waitForAll()
    }
    return (ContinuousClock.now - start) / (inFlight * count)
  }

  /// A lap from code that cannot be `async`, and the hash of the first request's frame.
  func run(_ measurement: WireMeasurement) throws -> (nanoseconds: Int64, hash: UInt64) {
    let (inFlight, count) = (min(max(measurement.inFlight, 1), 64), min(max(measurement.count, 1), 64))
    return try CallerExecutor.run {
      let time = try await self.lap(inFlight: inFlight, count: count)
      let hash = count == 1 ? try await self.composer.compose(self.requests[0]).sampleHash : 0
      return (Int64(time / .nanoseconds(1)), hash)
    } started: { _ in
    }
  }
}

extension CompositionRequest {
  /// The request with other source frames.
  func with(_ source: (Frame) throws -> Frame) rethrows -> CompositionRequest {
    var request = self
    for (track, shown) in request.sources { request.sources[track]?.frame = try source(shown.frame) }
    return request
  }
}
