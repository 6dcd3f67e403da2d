import CompositorAPI
import CompositorBenchmark
import Testing

/// The cheapest of many passes is cheaper than the cheapest of few, which is no difference between two builds.
@Suite struct FrameCostTests {
  private static let speed = [MachineSpeed.Reading(memory: 1, processor: 1)]
  private static let key = BenchmarkRow.Key(
    workload: "W2", compositor: .layer, size: PixelSize(width: 64, height: 36), format: .yuv420p, threads: 1)

  /// Fifteen passes of units whose times are evenly spread from 1 to almost 2, in another order for each unit.
  private static let fifteen: [[Double]] = (0..<15).map { pass in (0..<30).map { unit in time(pass, unit) } }

  private static func time(_ pass: Int, _ unit: Int) -> Double {
    let rank = (pass * 7 + unit * 4) % 15
    return 1 + Double(rank) / 15
  }

  private static let five: [[Double]] = (0..<5).map { _ in Array(repeating: 1 + expectedRank(of: 5) / 15, count: 30) }

  /// Of n evenly spread values, k drawn: the least has the rank (n + 1) / (k + 1) − 1.
  private static func expectedRank(of drawn: Int) -> Double { 16 / Double(drawn + 1) - 1 }

  private static func report(_ passes: [[Double]]) -> BenchmarkReport {
    let figures = BenchmarkRow.Figures(
      framesPerSecond: 1, framesPerSecondNoise: 0, p50Milliseconds: 1, p99Milliseconds: 1, processorMilliseconds: 1,
      ratioToPlainBlend: 1, cost: FrameCost(passes: passes, speed: speed), peakMemoryMiB: 1, framesInFlight: 1, allocations: 0,
      copies: 0, bufferAllocationsPerFrame: nil, heapAllocationsPerFrame: nil, route: "planar", largestError: nil,
      stages: BenchmarkRow.Stages(decode: nil, convert: 0, compose: 1, titles: 0, encode: nil, audio: nil))
    return BenchmarkReport(
      plainBlendMilliseconds: [:], rows: [BenchmarkRow(key, figures: figures, failure: nil)], machine: nil, excluded: "")
  }

  @Test func costByPassCount_isTheExpectedMinimum() throws {
    let cost = FrameCost(passes: Self.fifteen, speed: Self.speed)
    let expected = cost.byPassCount
    try #require(expected.count == 15)
    for (index, value) in expected.enumerated() {
      let correct = 1 + Self.expectedRank(of: index + 1) / 15
      #expect(abs(value - correct) < 1e-12, "\(index + 1) passes")
    }
    #expect(abs(cost.milliseconds - expected[14]) < 1e-12 && cost.milliseconds == 1)
    #expect(cost.limited(toPassCount: 15).milliseconds == cost.milliseconds)
    #expect(cost.limited(toPassCount: 99).milliseconds == cost.milliseconds)
  }

  /// Equal work, measured fifteen times before and five times now, or the other way round.
  @Test func comparison_ofDifferentPassCounts_hasNoBias() throws {
    let (many, few) = (Self.report(Self.fifteen), Self.report(Self.five))
    for (now, before) in [(few, many), (many, few)] {
      let row = try #require(BenchmarkComparison(now, baseline: before, tolerance: 0.04).rows.first)
      #expect(abs(row.ratio - 1) < 1e-9, "\(row.ratio)")
      #expect(row.verdict != .slower && row.verdict != .faster)
      var paired = PairedComparison(tolerance: 0.04)
      paired.add(now, before)
      #expect(abs(try #require(paired.rows.first?.ratios.first) - 1) < 1e-9)
    }
  }
}
