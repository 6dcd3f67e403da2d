import CompositorAPI

/// Two runs of the same work, row by row: what became slower by more than the machine's noise explains.
///
/// What is compared is a frame's cost (``FrameCost``), over what the machine's speed explains: in both runs two fixed pieces of work were
/// done in between, one bound by memory, one by the processor alone. A machine that is slower today is slower at these too, and a frame's
/// cost follows some mixture of both. A row is slower if its cost rose by more than the slower of the two did, by more than the
/// tolerance, with the whole interval. Where the two differ by more than the tolerance the machine itself has changed (others compute
/// beside us), and unless the change is larger still, nothing can be said.
public struct BenchmarkComparison: Sendable {
  /// What can be said of a row.
  public enum Verdict: Sendable, Hashable {
    /// The same within the tolerance.
    case unchanged
    /// Slower by more than the tolerance.
    case slower
    /// Faster by more than the tolerance.
    case faster
    /// The readings lie too far apart to tell.
    case unclear
    /// The compositor failed, and did not before.
    case failed
    /// The error against double precision grew by more than a quarter of a code value.
    case lessExact
  }

  /// A row of both runs.
  public struct Row: Sendable {
    /// What was run.
    public let key: BenchmarkRow.Key
    /// What can be said.
    public let verdict: Verdict
    /// Cost now over cost then, less what the machine's speed explains; 1 if equal. NaN if the compositor failed.
    public let ratio: Double
    /// The interval of that ratio.
    public let low: Double, high: Double
  }

  /// Rows that are in both runs, in the order of the new one.
  public let rows: [Row]
  /// Rows of the older run that the new one lacks.
  public let missing: [BenchmarkRow.Key]
  /// The part by which cost may grow before it counts: 0.04 is 4 %.
  public let tolerance: Double

  /// Compares a run with an older one.
  ///
  /// - Parameter tolerance: The part by which cost may grow, > 0.
  public init(_ report: BenchmarkReport, baseline: BenchmarkReport, tolerance: Double) {
    self.tolerance = tolerance
    let older = Dictionary(baseline.rows.map { ($0.key, $0) }) { first, _ in first }
    rows = report.rows.compactMap { row in older[row.key].map { Row(row, $0, tolerance: tolerance) } }
    let present = Set(report.rows.map(\.key))
    missing = baseline.rows.map(\.key).filter { !present.contains($0) }
  }

  /// Rows that count as regressions.
  public var regressions: [Row] { rows.filter { [.slower, .failed, .lessExact].contains($0.verdict) } }
  /// Rows that should be measured again before anything is said of them.
  public var doubtful: [Row] { rows.filter { [.slower, .unclear].contains($0.verdict) } }
  /// Whether the machine was too noisy for some row.
  public var isUnclear: Bool { rows.contains { $0.verdict == .unclear } }

  /// The same with rows that were measured again: a row that is not slower the second time was not slower.
  public func replacing(with other: BenchmarkComparison) -> BenchmarkComparison {
    let again = Dictionary(other.rows.map { ($0.key, $0) }) { first, _ in first }
    return BenchmarkComparison(rows: rows.map { again[$0.key] ?? $0 }, missing: missing, tolerance: tolerance)
  }

  private init(rows: [Row], missing: [BenchmarkRow.Key], tolerance: Double) {
    (self.rows, self.missing, self.tolerance) = (rows, missing, tolerance)
  }

  /// The comparison for people, a line a row.
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
  fileprivate init(_ new: BenchmarkRow, _ old: BenchmarkRow, tolerance: Double) {
    key = new.key
    guard let now = new.figures, let then = old.figures else {
      (verdict, ratio, low, high) = (new.figures == nil && old.figures != nil ? .failed : .unchanged, .nan, .nan, .nan)
      return
    }
    guard let cost = now.cost, let before = then.cost, before.milliseconds > 0, cost.milliseconds.isFinite else {
      // Rows end to end are shown, not judged.
      (verdict, ratio, low, high) = (.unchanged, .nan, .nan, .nan)
      return
    }
    let speeds = [
      cost.memoryMilliseconds / before.memoryMilliseconds, cost.cacheMilliseconds / before.cacheMilliseconds,
    ].sorted()
    let change = cost.milliseconds / before.milliseconds
    // The machine explains a change between its two factors.
    ratio = change > speeds[1] ? change / speeds[1] : change < speeds[0] ? change / speeds[0] : 1
    (low, high) = (cost.low / before.high / speeds[1], cost.high / before.low / speeds[0])
    let isSameMachine = speeds[1] / speeds[0] <= 1 + tolerance
    if let error = now.largestError, let before = then.largestError, error > before + 0.25 {
      verdict = .lessExact
    } else if min(cost.passCount, before.passCount) < 2 {
      verdict = .unclear
    } else if low > 1 + tolerance {
      verdict = .slower
    } else if high < 1 - tolerance {
      verdict = .faster
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
