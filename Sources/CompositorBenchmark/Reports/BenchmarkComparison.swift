import CompositorAPI

/// Compares two runs of the same work, row by row, to find what became slower by more than the machine's noise explains.
///
/// The cost of a frame (``FrameCost``) is compared, relative to the machine's speed: both runs include two fixed workloads,
/// one bound by memory, one by the processor alone. A slower machine is slower in these, too, and a frame's cost follows some
/// mixture of both. A row is slower if its cost rose by more than either of them, by more than the tolerance, with its whole
/// interval. If the two workloads differ by more than the tolerance, the machine itself has changed (because of other load),
/// and unless the change of the row is larger still, the result is unclear.
public struct BenchmarkComparison: Sendable {
  /// The result for a row.
  public enum Verdict: Sendable, Hashable {
    /// Unchanged within the tolerance.
    case unchanged
    /// Slower by more than the tolerance.
    case slower
    /// Faster by more than the tolerance.
    case faster
    /// The readings are too noisy to tell.
    case unclear
    /// The compositor failed, but did not before.
    case failed
    /// The error relative to double precision grew by more than a quarter of a code value.
    case lessExact
  }

  /// A row that is in both runs.
  public struct Row: Sendable {
    /// The combination measured.
    public let key: BenchmarkRow.Key
    /// The result.
    public let verdict: Verdict
    /// The cost divided by the baseline's, adjusted for the machine's speed; 1 if equal. NaN if the compositor failed.
    public let ratio: Double
    /// The confidence interval of the ratio.
    public let low: Double, high: Double
  }

  /// Rows that are in both runs, in the order of the new one.
  public let rows: [Row]
  /// Rows of the baseline that the new run lacks.
  public let missing: [BenchmarkRow.Key]
  /// The relative increase in cost that is tolerated: 0.04 is 4 %.
  public let tolerance: Double

  /// Compares a run with a baseline.
  ///
  /// - Parameter tolerance: The relative increase in cost that is tolerated, > 0.
  public init(_ report: BenchmarkReport, baseline: BenchmarkReport, tolerance: Double) {
    self.tolerance = tolerance
    let before = Dictionary(baseline.rows.map { ($0.key, $0) }) { first, _ in first }
    rows = report.rows.compactMap { row in before[row.key].map { Row(row, $0, tolerance: tolerance) } }
    let present = Set(report.rows.map(\.key))
    missing = baseline.rows.map(\.key).filter { !present.contains($0) }
  }

  /// Rows that are regressions.
  public var regressions: [Row] { rows.filter { [.slower, .failed, .lessExact].contains($0.verdict) } }
  /// Rows that should be measured again for a reliable result.
  public var doubtful: [Row] { rows.filter { [.slower, .unclear].contains($0.verdict) } }
  /// Whether the machine was too noisy for some row.
  public var isUnclear: Bool { rows.contains { $0.verdict == .unclear } }

  /// The comparison with rows that were measured again: a row that is not slower the second time is not a regression.
  public func replacing(with other: BenchmarkComparison) -> BenchmarkComparison {
    let again = Dictionary(other.rows.map { ($0.key, $0) }) { first, _ in first }
    return BenchmarkComparison(rows: rows.map { again[$0.key] ?? $0 }, missing: missing, tolerance: tolerance)
  }

  private init(rows: [Row], missing: [BenchmarkRow.Key], tolerance: Double) {
    (self.rows, self.missing, self.tolerance) = (rows, missing, tolerance)
  }

  /// The comparison as text, one line per row.
  public var table: String {
    let cells = rows.map { row in
      let key = row.key
      let change = "\(row.ratio >= 1 ? "+" : "")\(BenchmarkRow.fixed(100 * (row.ratio - 1), 1))"
      let (low, high) = (BenchmarkRow.fixed(100 * (row.low - 1), 1), BenchmarkRow.fixed(100 * (row.high - 1), 1))
      return [
        key.workload, "\(key.compositor)", "\(key.size)", "\(key.format)", "\(key.threads)", change, "\(low) … \(high)",
        row.verdict.words,
      ]
    }
    let table = TextTable(
      heading: ["work", "compositor", "size", "format", "thr", "cost %", "interval %", "verdict"], rows: cells,
      wordColumns: [0, 1, 2, 3, 7])
    let left = missing.map { "not measured: \($0.workload) \($0.compositor) \($0.size) \($0.format), \($0.threads) threads" }
    let limit = "A change counts beyond ±\(BenchmarkRow.fixed(100 * tolerance, 1)) %."
    return (table.lines + left + [limit]).joined(separator: "\n")
  }
}

extension BenchmarkComparison.Row {
  fileprivate init(_ row: BenchmarkRow, _ earlier: BenchmarkRow, tolerance: Double) {
    key = row.key
    guard let now = row.figures, let then = earlier.figures else {
      (verdict, ratio, low, high) = (row.figures == nil && earlier.figures != nil ? .failed : .unchanged, .nan, .nan, .nan)
      return
    }
    guard let cost = now.cost, let before = then.cost else {
      // End-to-end rows are shown, but not judged.
      (verdict, ratio, low, high) = (.unchanged, .nan, .nan, .nan)
      return
    }
    guard before.isComparable(with: cost) else {
      (verdict, ratio, low, high) = (.unclear, .nan, .nan, .nan)
      return
    }
    let speeds = [
      cost.memoryMilliseconds / before.memoryMilliseconds, cost.cacheMilliseconds / before.cacheMilliseconds,
    ].sorted()
    let (new, old) = FrameCost.comparable(cost, before)
    let change = new.milliseconds / old.milliseconds
    // The machine explains a change between its two factors.
    ratio = change > speeds[1] ? change / speeds[1] : change < speeds[0] ? change / speeds[0] : 1
    (low, high) = (new.low / old.high / speeds[1], new.high / old.low / speeds[0])
    let isSameMachine = speeds[1] / speeds[0] <= 1 + tolerance
    if let error = now.largestError, let before = then.largestError, error > before + 0.25 {
      verdict = .lessExact
    } else if min(cost.passCount, before.passCount) < 2 {
      verdict = .unclear
    } else if low > 1 + tolerance || high < 1 - tolerance {
      let isCertain = cost.isUndisturbed && before.isUndisturbed
      verdict = !isCertain ? .unclear : low > 1 ? .slower : .faster
    } else if isSameMachine, abs(ratio - 1) <= tolerance, cost.isSteady {
      verdict = .unchanged
    } else {
      verdict = .unclear
    }
  }
}

extension BenchmarkComparison.Verdict {
  fileprivate var words: String {
    switch self {
    case .unchanged: "unchanged"
    case .slower: "SLOWER"
    case .faster: "faster"
    case .unclear: "too noisy to tell"
    case .failed: "FAILED"
    case .lessExact: "LESS EXACT"
    }
  }
}
