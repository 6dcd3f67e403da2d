/// The result of a benchmark: rows, and the baselines they relate to.
public struct BenchmarkReport: Sendable, Hashable, Codable {
  /// The version of this JSON format.
  public static let formatVersion = 1

  /// The value of `BenchmarkReport.formatVersion` when the report was written.
  public var formatVersion = BenchmarkReport.formatVersion
  /// Milliseconds per frame of the plain blend on one thread, the median of its readings during the run, by `size format`.
  public var plainBlendMilliseconds: [String: Double]
  /// One row per workload, size, format, compositor and thread count.
  public var rows: [BenchmarkRow]
  /// A remark about the machine, such as that it was too noisy; `nil` if there is none.
  public var machine: String?
  /// A description of what the numbers exclude.
  public var excluded: String

  package init(plainBlendMilliseconds: [String: Double], rows: [BenchmarkRow], machine: String?, excluded: String) {
    (self.plainBlendMilliseconds, self.rows) = (plainBlendMilliseconds, rows)
    (self.machine, self.excluded) = (machine, excluded)
  }

  /// Whether a compositor failed in all of its rows.
  public var hasCompositorWithoutResult: Bool {
    Dictionary(grouping: rows, by: \.compositor).values.contains { $0.allSatisfy { $0.figures == nil } }
  }

  /// The report, followed by the rows of another one.
  public func appending(_ other: BenchmarkReport) -> BenchmarkReport {
    var all = self
    all.rows += other.rows
    all.plainBlendMilliseconds.merge(other.plainBlendMilliseconds) { own, _ in own }
    let notes = [machine, other.machine].compactMap { $0 }
    all.machine = notes.isEmpty ? nil : notes.joined(separator: " ")
    return all
  }
}
