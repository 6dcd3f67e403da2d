import CompositorAPI

/// Compares two builds that ran the same work alternately, which cancels the influence of other load.
///
/// Each pair of runs gives a ratio of costs (``FrameCost``), in which slow changes of the machine cancel. The result is based
/// on the median of these ratios with its distribution-free 99 % confidence interval, from the binomial distribution
/// (Conover, Practical Nonparametric Statistics, 3.2). A row is slower if the whole interval is beyond the tolerance, and
/// unchanged if it is within twice the tolerance on both sides; otherwise more pairs are needed.
public struct PairedComparison: Sendable {
  /// The result for a row.
  public enum Verdict: String, Sendable, Hashable {
    /// Neither slower nor faster by twice the tolerance, nor certainly by the tolerance.
    case unchanged
    /// Slower by more than the tolerance.
    case slower = "SLOWER"
    /// Faster by more than the tolerance.
    case faster
    /// More pairs of runs are needed.
    case unclear = "too noisy to tell"
    /// The compositor fails only in the new build.
    case failed = "FAILED"
    /// The first pair gave no ratio, nor does any other: the compositor fails in both builds or in the old one, or the row has no
    /// cost, as those from files to a file.
    case uncompared = "not compared"
  }

  /// A row of both builds.
  public struct Row: Sendable {
    /// The combination measured.
    public let key: BenchmarkRow.Key
    /// Cost of the new build divided by that of the old one, for each pair of runs.
    public fileprivate(set) var ratios: [Double] = []
    fileprivate var hasFailed = false
    fileprivate let tolerance: Double

    /// The median of the ratios and its 99 % confidence interval; with fewer than eight pairs, the interval contains all of
    /// them.
    public var interval: (median: Double, low: Double, high: Double) {
      let sorted = ratios.sorted()
      guard let first = sorted.first, let last = sorted.last else { return (.nan, .nan, .nan) }
      let median = Estimate(sorted).median
      guard sorted.count >= PairedComparison.leastPairCount else { return (median, first, last) }
      let (half, reach) = (Double(sorted.count) / 2, 1.29 * Double(sorted.count).squareRoot())
      let low = max(0, Int((half - reach).rounded(.down)) - 1)
      return (median, sorted[low], sorted[min(sorted.count - 1, Int((half + reach).rounded(.up)))])
    }

    /// The result so far.
    public var verdict: Verdict {
      if hasFailed { return .failed }
      guard !ratios.isEmpty else { return .uncompared }
      let (_, low, high) = interval
      guard ratios.count >= PairedComparison.leastPairCount else { return .unclear }
      if low > 1 + tolerance { return .slower }
      if high < 1 - tolerance { return .faster }
      return high < 1 + 2 * tolerance && low > 1 - 2 * tolerance ? .unchanged : .unclear
    }
  }

  /// The minimum number of pairs for a result.
  public static let leastPairCount = 8

  /// Rows in the order in which they were measured.
  public private(set) var rows: [Row] = []
  /// The relative increase in cost that is tolerated: 0.04 is 4 %.
  public let tolerance: Double

  /// - Parameter tolerance: The relative increase in cost that is tolerated, > 0.
  public init(tolerance: Double) { self.tolerance = tolerance }

  /// Adds a pair of adjacent runs of the new and the old build.
  public mutating func add(_ new: BenchmarkReport, _ old: BenchmarkReport) {
    let before = Dictionary(old.rows.map { ($0.key, $0) }) { first, _ in first }
    for row in new.rows {
      guard let other = before[row.key] else { continue }
      let index = rows.firstIndex { $0.key == row.key } ?? rows.endIndex
      if index == rows.endIndex { rows.append(Row(key: row.key, tolerance: tolerance)) }
      if row.figures == nil, other.figures != nil { rows[index].hasFailed = true }
      guard let cost = row.figures?.cost, let earlier = other.figures?.cost, cost.isComparable(with: earlier) else { continue }
      let (now, then) = FrameCost.comparable(cost, earlier)
      rows[index].ratios.append(now.milliseconds / then.milliseconds)
    }
  }

  /// Whether every row has a result.
  public var isDecided: Bool { !rows.isEmpty && rows.allSatisfy { $0.verdict != .unclear } }
  /// Rows that are regressions.
  public var regressions: [Row] { rows.filter { $0.verdict == .slower || $0.verdict == .failed } }
  /// Whether no row has anything to compare.
  public var isEmpty: Bool { rows.allSatisfy { $0.verdict == .uncompared } }

  /// The comparison as text, one line per row.
  public var table: String {
    let cells = rows.map { row in
      let key = row.key
      let (median, low, high) = row.interval
      func percent(_ ratio: Double) -> String { "\(ratio >= 1 ? "+" : "")\(BenchmarkRow.fixed(100 * (ratio - 1), 1))" }
      return [
        key.workload, "\(key.compositor)", "\(key.size)", "\(key.format)", "\(key.threads)", "\(row.ratios.count)",
        percent(median), "\(percent(low)) … \(percent(high))", row.verdict.rawValue,
      ]
    }
    let table = TextTable(
      heading: ["work", "compositor", "size", "format", "thr", "pairs", "cost %", "interval %", "verdict"], rows: cells,
      wordColumns: [0, 1, 2, 3, 8])
    return (table.lines + ["A change counts beyond ±\(BenchmarkRow.fixed(100 * tolerance, 1)) %."]).joined(separator: "\n")
  }
}
