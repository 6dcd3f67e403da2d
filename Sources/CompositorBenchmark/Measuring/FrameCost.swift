/// The cost of a frame on an undisturbed machine, and the machine's speed during the measurement.
///
/// Other load can only add to a cost. Each unit of work (a frame, or several concurrent ones) therefore counts with its
/// cheapest pass, and the cost is the mean over all units. Its confidence interval comes from resampling the passes (Efron's
/// bootstrap, percentiles 2.5 and 97.5, 200 samples). For the same reason, the machine's speed is the tenth percentile of its
/// readings.
public struct FrameCost: Sendable, Hashable, Codable {
  /// Milliseconds per frame: processor time, or wall time if the compositor runs in another process.
  public let milliseconds: Double
  /// Lower end of its 95 % confidence interval.
  public let low: Double
  /// Upper end of its 95 % confidence interval.
  public let high: Double
  /// The number of passes; a single one gives no information about the spread.
  public let passCount: Int
  /// Milliseconds of the plain blend, bound by memory, during the measurement.
  public let memoryMilliseconds: Double
  /// Milliseconds of a fixed workload inside the first-level cache, during the measurement.
  public let cacheMilliseconds: Double

  /// - Parameter passes: Milliseconds by pass, then by unit, with the same units in each pass.
  package init(passes: [[Double]], speed: [MachineSpeed.Reading]) {
    let all = Array(passes.indices)
    milliseconds = FrameCost.cost(passes, all)
    passCount = passes.count
    memoryMilliseconds = Measurement.percentile(0.1, of: speed.map(\.memory))
    cacheMilliseconds = Measurement.percentile(0.1, of: speed.map(\.processor))
    guard passes.count > 1 else {
      (low, high) = (milliseconds, milliseconds)
      return
    }
    var generator = SplitMix64(state: 0xb007)
    let samples = (0..<200).map { _ in
      FrameCost.cost(passes, all.map { _ in Int(generator.next() % UInt64(passes.count)) })
    }
    low = Measurement.percentile(0.025, of: samples)
    high = Measurement.percentile(0.975, of: samples)
  }

  private static func cost(_ passes: [[Double]], _ chosen: [Int]) -> Double {
    guard let count = passes.first?.count, count > 0 else { return .nan }
    let best = (0..<count).map { unit in chosen.lazy.map { passes[$0][unit] }.min() ?? .nan }
    return best.reduce(0, +) / Double(count)
  }

  /// Half of the interval's width divided by the cost.
  public var noise: Double { (high - low) / 2 / milliseconds }

  /// Whether the interval is narrow enough to detect a change of one tenth.
  var isSteady: Bool { passCount > 1 && noise.isFinite && noise <= 0.025 }
}

/// A small seeded generator (SplitMix64, Steele, Lea and Flood 2014), the same on every machine.
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
