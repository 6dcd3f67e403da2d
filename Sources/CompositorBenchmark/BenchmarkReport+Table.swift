import CompositorAPI

extension BenchmarkReport {
  /// The report for people: one line a row, columns aligned, and what the numbers mean below.
  public var table: String {
    var lines = [BenchmarkReport.heading] + rows.map(\.cells)
    let widths = BenchmarkReport.heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    lines.insert(widths.map { String(repeating: "-", count: $0) }, at: 1)
    let body = lines.map { BenchmarkReport.line($0, widths: widths) }
    let baselines = plainBlendMilliseconds.sorted { $0.key < $1.key }.map { key, milliseconds in
      "plain blend \(key), one thread: \(BenchmarkRow.fixed(milliseconds, 3)) ms a frame"
    }
    return (body + [""] + baselines + [excluded, BenchmarkReport.legend]).joined(separator: "\n")
  }

  private static let heading = [
    "work", "compositor", "size", "format", "thr", "fps", "p50 ms", "p99 ms", "cpu ms", "x blend", "MiB", "alloc", "route",
    "max err",
  ]

  private static let legend =
    "x blend: p50 over the plain blend's. MiB: peak, sources included. alloc: frames allocated after the "
    + "first run. max err: code values from the double-precision reference."

  /// Numbers stand right, words left.
  private static func line(_ cells: [String], widths: [Int]) -> String {
    zip(cells.indices, zip(cells, widths)).map { column, cell in
      let padding = String(repeating: " ", count: cell.1 - cell.0.count)
      return [0, 1, 2, 3, 12].contains(column) ? cell.0 + padding : padding + cell.0
    }.joined(separator: "  ")
  }
}

extension BenchmarkRow {
  fileprivate var cells: [String] {
    let place = [workload, "\(compositor)", "\(size)", "\(format)", "\(threads)"]
    guard let figures else { return place + Array(repeating: "-", count: 7) + ["failed: \(failure ?? "")", "-"] }
    return place + [
      BenchmarkRow.fixed(figures.framesPerSecond, 0), BenchmarkRow.fixed(figures.p50Milliseconds, 3),
      BenchmarkRow.fixed(figures.p99Milliseconds, 3), BenchmarkRow.fixed(figures.processorMilliseconds, 3),
      BenchmarkRow.fixed(figures.ratioToPlainBlend, 2), BenchmarkRow.fixed(figures.peakMemoryMiB, 0),
      "\(figures.allocations)", figures.route, figures.largestError.map { BenchmarkRow.fixed($0, 2) } ?? "-",
    ]
  }

  /// A number with a fixed count of decimals, without a locale.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "-" }
    let scale = (0..<decimals).reduce(1) { product, _ in product * 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let whole = "\(scaled / scale)"
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + whole }
    let fraction = "\(scaled % scale)"
    return sign + whole + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
