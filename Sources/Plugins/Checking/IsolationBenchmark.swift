package import CompositorAPI

/// Measures the cost of isolation: the same requests to a plugin in this process and in a worker, alternating.
package struct IsolationBenchmark {
  package struct Row: Encodable, Sendable {
    package let compositor: String
    package let format: String
    /// Where the source's pixels are: already shared with the worker, decoded into shared memory, or to be copied.
    package let source: String
    /// Concurrent requests.
    package let inFlight: Int
    /// Median time per frame in milliseconds, with all requests.
    package let inProcess: Double
    package let isolated: Double
    /// Median time to copy one frame's bytes, for scale.
    package let copy: Double
    package let areEqual: Bool

    package var difference: Double { isolated - inProcess }
  }

  private enum Source: String {
    case shared, decoded, copied
  }

  private let specification: PluginSpecification
  private let isolation: PluginIsolation
  private let decoded: [Frame]

  /// - Parameter decoded: Frames of 1920x1080 that a decoder left in shared memory; if empty, there are no rows for them.
  package init(_ specification: PluginSpecification, isolation: PluginIsolation, decoded: [Frame] = []) {
    (self.specification, self.isolation, self.decoded) = (specification, isolation, decoded)
  }

  /// Measures every compositor of the plugin at 1920x1080: with one request at a time, then with as many as there are
  /// processors. Decoded frames are used for compositors that accept their format.
  package func run(rounds: Int = 200) async throws -> [Row] {
    let (near, far) = (try specification.open(), try IsolatedPlugin(specification, isolation: isolation))
    var rows: [Row] = []
    for (inside, outside) in zip(near.factories, far.factories) {
      let takesDecoded = decoded.first?.format == PluginCheckScene(inside.descriptor).format
      for source in [.shared] + (takesDecoded ? [.decoded] : []) + [Source.copied] {
        for inFlight in Set([1, ProcessorCount.active]).sorted() {
          rows.append(try await measure(inside, outside, source, inFlight: inFlight, rounds: rounds))
        }
      }
    }
    return rows
  }

  /// Measures frames in alternating batches, with as many different sources and outputs as a render uses: a single repeated
  /// frame would stay in the processor's caches.
  private func measure(
    _ inside: CompositorFactory, _ outside: CompositorFactory, _ source: Source, inFlight: Int, rounds: Int
  ) async throws -> Row {
    let scene = PluginCheckScene(inside.descriptor, size: PixelSize(width: 1920, height: 1080))
    var requests = try (0..<8).map { index in
      try scene.request(index) { frame in
        switch source {
        case .shared: frame
        case .decoded: decoded[index % decoded.count]
        case .copied: frame.rearranged(bottomUp: false)
        }
      }
    }
    for index in requests.indices { requests[index].context.pool = scene.pool }
    let composers = try [inside, outside].map { try $0.makeCompositor(parameters: scene.parameters, context: scene.context) }
    var hashes: [UInt64] = []
    for composer in composers { hashes.append(try await composer.compose(requests[0]).sampleHash) }
    var times: [[Duration]] = [[], [], []]
    for _ in 0..<(rounds + 15) / 16 {
      for (index, composer) in composers.enumerated() {
        // Warms the caches, which hold the other variant's frames.
        _ = try await lap(composer, requests, inFlight: inFlight, count: 2)
        times[index].append(try await lap(composer, requests, inFlight: inFlight, count: 16))
      }
      for source in requests.compactMap({ $0.sources[1]?.frame }) {
        times[2].append(try ContinuousClock().measure { _ = try SharedFrame.copy(of: source, pool: scene.pool) })
      }
    }
    let medians = times.map { list in list.sorted()[list.count / 2] / .milliseconds(1) }
    return Row(
      compositor: inside.descriptor.id.rawValue, format: scene.format.name, source: source.rawValue,
      inFlight: inFlight, inProcess: medians[0], isolated: medians[1], copy: medians[2], areEqual: hashes[0] == hashes[1])
  }

  /// Time per frame while `inFlight` concurrent requests make `count` frames each.
  private func lap(
    _ composer: any FrameComposer, _ requests: [CompositionRequest], inFlight: Int, count: Int
  ) async throws -> Duration {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<inFlight {
        group.addTask {
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
}
