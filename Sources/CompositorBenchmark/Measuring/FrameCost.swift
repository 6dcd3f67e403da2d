import CompositorAPI

/// The cost of a frame on an undisturbed machine, and the machine's speed during the measurement.
///
/// Other load can only add to a cost. Each unit of work (a frame, or several concurrent ones) therefore counts with its
/// cheapest pass, and the cost is the mean over all units. Its confidence interval comes from resampling the passes (Efron's
/// bootstrap, percentiles 2.5 and 97.5, 200 samples). For the same reason, the machine's speed is the tenth percentile of its
/// readings.
///
/// The cheapest of many passes is cheaper than the cheapest of few. Costs of different numbers of passes are therefore compared
/// by what as many passes as the smaller number would have given: the expected minimum of that many, chosen at random.
public struct FrameCost: Sendable, Hashable, Codable {
  /// Milliseconds of processor time per frame, including that of workers.
  public let milliseconds: Double
  /// Lower end of its 95 % confidence interval.
  public let low: Double
  /// Upper end of its 95 % confidence interval.
  public let high: Double
  /// The number of passes; a single one gives no information about the spread.
  public let passCount: Int
  /// The expected cost of 1, 2, … ``passCount`` passes, in milliseconds.
  public let byPassCount: [Double]
  /// Milliseconds of the plain blend, bound by memory, during the measurement.
  public let memoryMilliseconds: Double
  /// Milliseconds of a fixed workload inside the first-level cache, during the measurement.
  public let cacheMilliseconds: Double
  /// Whether the processor time of workers, in which an isolated plugin runs, is part of the cost; `nil` if there are none.
  public let countsWorkers: Bool?
  /// The time that threads waited for a processor, as a fraction of the time that they had one; `nil` if there are no workers.
  /// A frame that is handed from process to process costs more processor time on a machine on which they wait for each other.
  public let waitingShare: Double?

  /// - Parameters:
  ///   - passes: Milliseconds by pass, then by unit, with the same units in each pass.
  ///   - countsWorkers: Whether the time of workers is included; `nil` if there are none.
  ///   - waitingShare: The time spent waiting for a processor, as a fraction of the time on one.
  package init(
    passes: [[Double]], speed: [MachineSpeed.Reading], countsWorkers: Bool? = nil, waitingShare: Double? = nil
  ) {
    self.countsWorkers = countsWorkers
    self.waitingShare = waitingShare
    let all = Array(passes.indices)
    milliseconds = FrameCost.cost(passes, all)
    passCount = passes.count
    byPassCount = FrameCost.costs(passes)
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

  /// The mean over all units of the expected minimum of 1, 2, … passes, drawn without replacement.
  private static func costs(_ passes: [[Double]]) -> [Double] {
    let units = (0..<(passes.first?.count ?? 0)).map { unit in passes.map { $0[unit] }.sorted() }
    let count = passes.count
    return passes.indices.map { index in
      let drawn = index + 1
      // The probability that the value of a rank is the least of those drawn.
      var weights = [Double(drawn) / Double(count)]
      for rank in 0..<count - drawn {
        weights.append(weights[rank] * Double(count - rank - drawn) / Double(count - rank - 1))
      }
      let sums = units.map { values in zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } }
      return units.isEmpty ? .nan : sums.reduce(0, +) / Double(units.count)
    }
  }

  /// The cost and its interval as they would be with fewer passes; unchanged for any other number.
  package func limited(toPassCount count: Int) -> (milliseconds: Double, low: Double, high: Double) {
    guard count < byPassCount.count, count > 0 else { return (milliseconds, low, high) }
    let factor = byPassCount[count - 1] / milliseconds
    return (byPassCount[count - 1], low * factor, high * factor)
  }

  /// Two costs as they would be with as many passes as the one with fewer.
  static func comparable(
    _ a: FrameCost, _ b: FrameCost
  ) -> (
    (milliseconds: Double, low: Double, high: Double), (milliseconds: Double, low: Double, high: Double)
  ) {
    let count = min(a.passCount, b.passCount)
    return (a.limited(toPassCount: count), b.limited(toPassCount: count))
  }

  /// Whether both costs are known, and are of the same clock.
  func isComparable(with other: FrameCost) -> Bool {
    [self, other].allSatisfy { $0.milliseconds.isFinite && $0.milliseconds > 0 } && countsWorkers == other.countsWorkers
  }

  /// Whether a difference from another cost means anything. With workers only if nothing else kept the processors busy.
  var isUndisturbed: Bool { countsWorkers != true || (isSteady && (waitingShare ?? .infinity) <= FrameCost.mostWaiting) }
  private static let mostWaiting = 0.05

  /// Half of the interval's width divided by the cost.
  public var noise: Double { (high - low) / 2 / milliseconds }

  /// Whether the interval is narrow enough to detect a change of one tenth.
  var isSteady: Bool { passCount > 1 && noise.isFinite && noise <= 0.025 }
}
