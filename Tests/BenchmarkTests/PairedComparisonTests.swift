import CompositorAPI
import CompositorBenchmark
import Testing

/// Two builds in turns, on costs whose distribution is known.
@Suite struct PairedComparisonTests {
  private static let key = BenchmarkRow.Key(
    workload: "W2", compositor: .layer, size: PixelSize(width: 64, height: 36), format: .yuv420p, threads: 1)

  private struct Generator {
    var state: UInt64

    mutating func uniform() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }

    /// A run's cost on a shared machine: a few per cent about the true one, now and then much more.
    mutating func cost(_ factor: Double) -> Double {
      factor * (1 + 0.06 * (uniform() - 0.5)) * (uniform() < 0.1 ? 1 + uniform() / 2 : 1)
    }
  }

  private static func report(_ cost: Double?, hasCost: Bool = true) -> BenchmarkReport {
    let speed = [MachineSpeed.Reading(memory: 1, processor: 1)]
    let figures = cost.map { cost in
      BenchmarkRow.Figures(
        framesPerSecond: 1, framesPerSecondNoise: 0, p50Milliseconds: 1, p99Milliseconds: 1, processorMilliseconds: 1,
        ratioToPlainBlend: 1, cost: hasCost ? FrameCost(passes: [[cost], [cost]], speed: speed) : nil, peakMemoryMiB: 1,
        framesInFlight: 1,
        allocations: 0, copies: 0, bufferAllocationsPerFrame: nil, heapAllocationsPerFrame: nil, route: "planar",
        largestError: nil, stages: BenchmarkRow.Stages(decode: nil, convert: 0, compose: 1, titles: 0, encode: nil, audio: nil))
    }
    let row = BenchmarkRow(key, figures: figures, failure: figures == nil ? "It failed." : nil)
    return BenchmarkReport(plainBlendMilliseconds: [:], rows: [row], machine: nil, excluded: "")
  }

  private static func decided(_ factor: Double, _ seed: UInt64) throws -> PairedComparison.Row {
    var generator = Generator(state: seed)
    var comparison = PairedComparison(tolerance: 0.04)
    for _ in 0..<60 where !comparison.isDecided {
      // The machine becomes slower and faster; both builds of a pair meet it alike.
      let machine = 1 + generator.uniform()
      comparison.add(report(generator.cost(factor * machine)), report(generator.cost(machine)))
    }
    return try #require(comparison.rows.first)
  }

  /// One build against itself, and against one that takes a tenth longer, on a machine whose speed doubles and halves meanwhile.
  @Test func tenthSlower_isCaught_andUnchangedIsNot() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      #expect(try Self.decided(1, seed).verdict == .unchanged, "seed \(seed)")
      #expect(try Self.decided(1.1, seed).verdict == .slower, "seed \(seed)")
      #expect(try Self.decided(0.8, seed).verdict == .faster, "seed \(seed)")
    }
  }

  @Test func fewPairs_sayNothing() throws {
    var comparison = PairedComparison(tolerance: 0.04)
    #expect(!comparison.isDecided)
    for pair in 1...PairedComparison.leastPairCount {
      comparison.add(Self.report(2), Self.report(1))
      #expect(comparison.rows.map(\.verdict) == [pair < PairedComparison.leastPairCount ? .unclear : .slower])
    }
    #expect(comparison.regressions.count == 1)
  }

  /// A row that fails in both builds, or only in the old one, or has no cost, is not measured again and again.
  @Test func rowWithoutRatios_isNotCompared() {
    for (new, old) in [(nil, nil), (1.0, nil)] as [(Double?, Double?)] {
      var comparison = PairedComparison(tolerance: 0.04)
      comparison.add(Self.report(new), Self.report(old))
      #expect(comparison.rows.map(\.verdict) == [.uncompared] && comparison.isDecided && comparison.isEmpty)
      #expect(comparison.table.contains("not compared") && comparison.regressions.isEmpty)
    }
    var comparison = PairedComparison(tolerance: 0.04)
    let wholes = [1, 2].map { Self.report($0, hasCost: false) }
    comparison.add(wholes[0], wholes[1])
    #expect(comparison.rows.map(\.verdict) == [.uncompared] && comparison.isDecided)
    #expect(!PairedComparison(tolerance: 0.04).isDecided)
  }

  /// Ratios on both sides of the tolerance, half of them each.
  @Test func ratiosOnBothSides_areTooNoisy() {
    var comparison = PairedComparison(tolerance: 0.04)
    for pair in 0..<60 { comparison.add(Self.report(pair % 2 == 0 ? 1 : 1.2), Self.report(1)) }
    #expect(comparison.rows.map(\.verdict) == [.unclear])
    #expect(!comparison.isDecided)
  }

  @Test func compositorThatFails_isARegressionOnlyIfItDidNotFailBefore() {
    var comparison = PairedComparison(tolerance: 0.04)
    comparison.add(Self.report(nil), Self.report(nil))
    #expect(comparison.regressions.isEmpty)
    comparison.add(Self.report(nil), Self.report(1))
    #expect(comparison.regressions.map(\.verdict) == [.failed])
    #expect(comparison.isDecided)
  }
}
