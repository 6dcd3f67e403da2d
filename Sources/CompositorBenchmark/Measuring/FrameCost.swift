/// What a frame costs on this machine when nothing disturbs it, and how fast the machine was meanwhile.
///
/// Others can only add to a cost. So each unit of the work (a frame, or a few side by side) counts with its cheapest pass; the mean of
/// these over all units is the cost. How far it can be trusted comes from resampling the passes (Efron's bootstrap, percentiles 2.5 and
/// 97.5, 200 samples). The machine's speed is the tenth percentile of its readings, for the same reason.
public struct FrameCost: Sendable, Hashable, Codable {
  /// Milliseconds a frame: processor time, or wall time where a compositor works in another process.
  public let milliseconds: Double
  /// Lower end of its interval of 95 %.
  public let low: Double
  /// Upper end of its interval of 95 %.
  public let high: Double
  /// Passes that it comes from; one says nothing of its own spread.
  public let passCount: Int
  /// Milliseconds of the plain blend, bound by memory, meanwhile.
  public let memoryMilliseconds: Double
  /// Milliseconds of a fixed piece of work inside the first-level cache meanwhile.
  public let cacheMilliseconds: Double

  /// - Parameter passes: Milliseconds by pass, then unit; the same units in each.
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

  /// Half of the interval over the cost.
  public var noise: Double { (high - low) / 2 / milliseconds }

  /// Whether the interval is narrow enough to see a change of a tenth.
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
