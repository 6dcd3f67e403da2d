import CompositorAPI

/// What a process of its own costs: the same requests to a module in this process and in a helper, in turns.
package struct IsolationBenchmark {
  package struct Row: Encodable, Sendable {
    package let compositor: String
    package let format: String
    /// Where the source's pixels are: shared with the helper already, or to be copied.
    package let source: String
    /// Median milliseconds of a frame.
    package let inProcess: Double
    package let isolated: Double
    /// Median of a plain copy of one frame's bytes, for scale.
    package let copy: Double
    package let areEqual: Bool

    package var difference: Double { isolated - inProcess }
  }

  private let specification: ModuleSpecification
  private let isolation: ModuleIsolation

  package init(_ specification: ModuleSpecification, isolation: ModuleIsolation) {
    (self.specification, self.isolation) = (specification, isolation)
  }

  /// Measures every compositor of the module at 1920x1080, one request at a time.
  package func run(rounds: Int = 200) async throws -> [Row] {
    let (near, far) = (try specification.open(), try IsolatedModule(specification, isolation: isolation))
    var rows: [Row] = []
    for (inside, outside) in zip(near.factories, far.factories) {
      for isShared in [true, false] { rows.append(try await measure(inside, outside, isShared: isShared, rounds: rounds)) }
    }
    return rows
  }

  private func measure(
    _ inside: CompositorFactory, _ outside: CompositorFactory, isShared: Bool, rounds: Int
  ) async throws -> Row {
    let scene = ModuleCheckScene(inside.descriptor, size: PixelSize(width: 1920, height: 1080))
    let request = try scene.request { isShared ? $0 : $0.rearranged(bottomUp: false) }
    let composers = try [inside, outside].map { try $0.makeCompositor(parameters: scene.parameters, context: scene.context) }
    let clock = ContinuousClock()
    var times: [[Duration]] = [[], [], []]
    var hashes: [UInt64] = []
    for round in 0..<rounds {
      for (index, composer) in composers.enumerated() {
        let start = clock.now
        let frame = try await composer.compose(request)
        times[index].append(clock.now - start)
        if round == 0 { hashes.append(frame.sampleHash) }
      }
      if let source = request.sources[1]?.frame {
        let start = clock.now
        _ = try SharedFrame.copy(of: source, pool: scene.pool)
        times[2].append(clock.now - start)
      }
    }
    let medians = times.map { list in list.sorted()[list.count / 2] / .milliseconds(1) }
    return Row(
      compositor: inside.descriptor.id.rawValue, format: scene.format.name, source: isShared ? "shared" : "copied",
      inProcess: medians[0], isolated: medians[1], copy: medians[2], areEqual: hashes[0] == hashes[1])
  }
}
