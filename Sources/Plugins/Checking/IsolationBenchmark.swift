package import CompositorAPI

/// Measures the cost of isolation: the same requests to a plugin from this process, and within a worker that makes frames as a
/// host without isolation would, alternating. The plugin's code never runs in this process.
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

  private static let framesPerQuestion = 16

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
    let far = try IsolatedPlugin(specification, isolation: isolation)
    guard !far.factories.isEmpty else {
      throw CompositorError(
        .unsupportedOutput, "The plugin has no compositors, and audio processors aren't measured.",
        recoverySuggestion: "Name a plugin with a compositor.", at: ErrorLocation(file: specification.file))
    }
    // A question is answered after as many frames.
    var patient = isolation
    patient.deadline = isolation.deadline * Self.framesPerQuestion
    let near = try WorkerProcess(
      specification, .success(PluginImage(of: specification)), patient, messages: WorkerMessages(), like: far.sandbox)
    var rows: [Row] = []
    for factory in far.factories {
      let takesDecoded = decoded.first?.format == PluginCheckScene(factory.descriptor).format
      for source in [.shared] + (takesDecoded ? [.decoded] : []) + [Source.copied] {
        for inFlight in Set([1, ProcessorCount.active]).sorted() {
          do {
            rows.append(try await measure(near, factory, source, inFlight: inFlight, rounds: rounds))
          } catch let error as CompositorError {
            throw error.attributed(to: factory.origin, isCanceled: Task.isCancelled)
          }
        }
      }
    }
    return rows
  }

  /// Measures frames in alternating batches, with as many different sources and outputs as a render uses: a single repeated
  /// frame would stay in the processor's caches.
  private func measure(
    _ near: WorkerProcess, _ factory: CompositorFactory, _ source: Source, inFlight: Int, rounds: Int
  ) async throws -> Row {
    let bench = try IsolationBench(factory) { index, frame in
      switch source {
      case .shared: try SharedFrame.copy(of: frame, pool: FramePool(allocator: SharedFrames()))
      case .decoded: decoded[index % decoded.count]
      case .copied: frame.rearranged(bottomUp: false)
      }
    }
    func within(_ count: Int) throws(CompositorError) -> (nanoseconds: Int64, hash: UInt64) {
      let measurement = WireMeasurement(compositor: factory.descriptor.id, inFlight: inFlight, count: count)
      let start = ContinuousClock.now
      let said = try near.ask(try WorkerProcess.message(.measure, measurement)) { reader in
        (nanoseconds: try reader.integer(Int64.self), hash: try reader.integer(UInt64.self))
      }
      // A plugin may forge it.
      let most = PluginCheckResult.believed(Double(said.nanoseconds) / 1e9, in: ContinuousClock.now - start)
      return (Int64(most * 1e9), said.hash)
    }
    // A decoded frame is not in the worker; its copy is, as every isolated plugin gets it.
    let expected =
      source == .decoded
      ? try await bench.composer.compose(bench.requests[0].with { $0.rearranged(bottomUp: false) }).sampleHash
      : try within(1).hash
    let areEqual = try await bench.composer.compose(bench.requests[0]).sampleHash == expected
    var times: [[Duration]] = [[], [], []]
    for _ in 0..<(rounds + 15) / 16 {
      // Warms the caches, which hold the other variant's frames.
      _ = try within(2)
      times[0].append(.nanoseconds(try within(Self.framesPerQuestion).nanoseconds))
      _ = try await bench.lap(inFlight: inFlight, count: 2)
      times[1].append(try await bench.lap(inFlight: inFlight, count: 16))
      for source in bench.requests.compactMap({ $0.sources[1]?.frame }) {
        times[2].append(try ContinuousClock().measure { _ = try SharedFrame.copy(of: source, pool: bench.pool) })
      }
    }
    let medians = times.map { list in list.sorted()[list.count / 2] / .milliseconds(1) }
    return Row(
      compositor: factory.descriptor.id.rawValue, format: bench.format.name, source: source.rawValue,
      inFlight: inFlight, inProcess: medians[0], isolated: medians[1], copy: medians[2], areEqual: areEqual)
  }
}
