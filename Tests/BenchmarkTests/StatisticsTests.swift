import CompositorAPI
import CompositorBenchmark
import Testing

/// What is said of noisy numbers is checked on numbers whose distribution is known.
@Suite struct StatisticsTests {
  /// A generator of its own, so that a failure can be repeated.
  private struct Generator {
    var state: UInt64

    /// 0 ..< 1.
    mutating func uniform() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }

    /// Mostly about 1, sometimes much more: as times on a shared machine are.
    mutating func time(noise: Double) -> Double {
      let bell = (0..<6).reduce(0) { sum, _ in sum + uniform() } / 6 - 0.5
      return 1 + noise * bell + (uniform() < 0.1 ? uniform() : 0)
    }
  }

  @Test(arguments: [1, 2, 5, 6, 35, 300])
  func estimate_constant_isThatAndSteady(_ count: Int) {
    let estimate = Estimate(Array(repeating: 2.5, count: count))
    #expect(estimate.median == 2.5 && estimate.low == 2.5 && estimate.high == 2.5 && estimate.count == count)
    #expect(estimate.noise == 0)
  }

  @Test func estimate_nothing_isNotANumber() {
    #expect(Estimate([]).median.isNaN)
  }

  /// The interval of 95 % holds the true median in at least 93 of 100 samples, also of a skewed distribution.
  @Test(arguments: [6, 15, 60]) func interval_holdsTheTrueMedian(_ count: Int) {
    var generator = Generator(state: UInt64(count))
    let truth = Estimate((0..<40_000).map { _ in generator.time(noise: 0.2) }).median
    let trials = 400
    let hits = (0..<trials).count { _ in
      let estimate = Estimate((0..<count).map { _ in generator.time(noise: 0.2) })
      return estimate.low <= truth && truth <= estimate.high
    }
    #expect(hits >= trials * 93 / 100, "\(count) readings: \(hits) of \(trials)")
  }

  @Test(arguments: [(0.5, 3.0), (0.0, 1.0), (0.99, 5.0), (1.0, 5.0)])
  func percentile(_ fraction: Double, _ value: Double) {
    #expect(Measurement.percentile(fraction, of: [5, 1, 4, 2, 3]) == value)
  }

  /// A peak that was not reset may be that of earlier work, so it is unknown.
  @Test func peakMemory_thatCannotBeReset_isUnknown() {
    #expect(PeakMemory(resetting: "/proc/self/there-is-no-such-file").mebibytes.isNaN)
    // Opens, but does not take what is written.
    #expect(PeakMemory(resetting: "/dev/full").mebibytes.isNaN)
    #expect(Measurement.greatest([1, 3, 2]) == 3 && Measurement.greatest([]).isNaN)
    #expect(Measurement.greatest([.nan, 3]).isNaN && Measurement.greatest([3, .nan]).isNaN)
  }

  /// A row whose passes cost so much, on a machine of such speeds.
  private static func row(
    _ passes: [[Double]], memory: Double = 1, cache: Double = 1, error: Double? = 0.5
  ) -> BenchmarkRow {
    let speed = (0..<20).map { _ in MachineSpeed.Reading(memory: memory, processor: cache) }
    let figures = BenchmarkRow.Figures(
      framesPerSecond: 1, framesPerSecondNoise: 0, p50Milliseconds: 1, p99Milliseconds: 1, processorMilliseconds: 1,
      ratioToPlainBlend: 1, cost: FrameCost(passes: passes, speed: speed), peakMemoryMiB: 1, framesInFlight: 1, allocations: 0,
      copies: 0, bufferAllocationsPerFrame: nil, heapAllocationsPerFrame: nil, route: "planar", largestError: error,
      stages: BenchmarkRow.Stages(decode: nil, convert: 0, compose: 1, titles: 0, encode: nil, audio: nil))
    return BenchmarkRow(key, figures: figures, failure: nil)
  }

  private static let key = BenchmarkRow.Key(
    workload: "W2", compositor: .layer, size: PixelSize(width: 64, height: 36), format: .yuv420p, threads: 1)

  private static func report(_ rows: [BenchmarkRow]) -> BenchmarkReport {
    BenchmarkReport(plainBlendMilliseconds: [:], rows: rows, machine: nil, excluded: "")
  }

  private static func verdict(_ new: BenchmarkRow, _ old: BenchmarkRow) throws -> BenchmarkComparison.Verdict {
    let comparison = BenchmarkComparison(report([new]), baseline: report([old]), tolerance: 0.04)
    return try #require(comparison.rows.first).verdict
  }

  /// Passes of frames that cost `factor`, each disturbed in its own way: others only add.
  private static func passes(_ factor: Double, _ generator: inout Generator, count: Int = 8) -> [[Double]] {
    (0..<count).map { _ in (0..<60).map { frame in factor * (1 + Double(frame % 7) / 7) * generator.time(noise: 0.04) } }
  }

  /// Cost that grew by a tenth is found, the same cost is not, whatever the speed of the machine, and though a tenth of all frames is
  /// disturbed.
  @Test(arguments: [0.7, 1.0, 1.4]) func comparison_plantedAndUnchanged_areToldApart(_ speed: Double) throws {
    var generator = Generator(state: 7)
    for _ in 0..<12 {
      let old = Self.row(Self.passes(1, &generator))
      func now(_ factor: Double) -> BenchmarkRow {
        Self.row(Self.passes(factor * speed, &generator), memory: speed, cache: speed)
      }
      #expect(try Self.verdict(now(1.1), old) == .slower)
      #expect(try Self.verdict(now(1), old) == .unchanged)
      #expect(try Self.verdict(now(0.85), old) == .faster)
    }
  }

  /// Where memory became slower and the processor did not, it is the machine that changed: no change between the two is a regression.
  @Test(arguments: [1.0, 1.1, 1.2]) func comparison_changedMachine_isUnclear(_ cost: Double) throws {
    let (flat, now) = (Array(repeating: [1.0], count: 8), Array(repeating: [cost], count: 8))
    #expect(try Self.verdict(Self.row(now, memory: 1.2), Self.row(flat)) == .unclear)
    #expect(try Self.verdict(Self.row(Array(repeating: [1.3], count: 8), memory: 1.2), Self.row(flat)) == .slower)
  }

  @Test func comparison_onePass_isUnclear() throws {
    #expect(try Self.verdict(Self.row([[1.0, 1.0]]), Self.row([[1.0, 1.0]])) == .unclear)
  }

  @Test func comparison_greaterError_counts() throws {
    let flat = Array(repeating: [1.0, 2.0], count: 8)
    #expect(try Self.verdict(Self.row(flat, error: 1.0), Self.row(flat, error: 0.5)) == .lessExact)
    #expect(try Self.verdict(Self.row(flat, error: 0.6), Self.row(flat, error: 0.5)) == .unchanged)
  }

  @Test func comparison_failureAndMissingRow_areTold() throws {
    let good = Self.row([[1], [1]])
    let failed = BenchmarkRow(Self.key, figures: nil, failure: "no")
    #expect(try Self.verdict(failed, good) == .failed)
    let empty = BenchmarkComparison(Self.report([]), baseline: Self.report([good]), tolerance: 0.04)
    #expect(empty.missing == [Self.key] && empty.regressions.isEmpty)
    #expect(empty.table.contains("not measured: W2"))
  }
}
