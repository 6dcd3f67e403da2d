import CompositorAPI

extension BenchmarkReport {
  /// The report as text: one line per row, in columns; stages below if there are several; and explanations of the numbers.
  public var table: String {
    let body = TextTable(
      heading: BenchmarkReport.heading, rows: rows.map(\.cells), wordColumns: [0, 1, 2, 3, 15]
    ).lines
    let baselines = plainBlendMilliseconds.sorted { $0.key < $1.key }.map { key, milliseconds in
      "plain blend \(key), one thread: \(BenchmarkRow.fixed(milliseconds, 3)) ms per frame"
    }
    let failures = rows.compactMap { row in
      row.failure.map {
        "\(row.workload) \(row.compositor), \(row.key.threads == 1 ? "1 thread" : "\(row.key.threads) threads") failed: \($0)"
      }
    }
    let notes = [excluded, idle, machine, BenchmarkReport.legend].compactMap { $0 }
    return (body + failures + [""] + stageTable + baselines + notes).joined(separator: "\n")
  }

  /// A remark if several compositors were compared on work that needs none.
  private var idle: String? {
    let measured = rows.filter { $0.figures != nil }
    let isIdle = measured.allSatisfy { $0.figures?.route == "passthrough" }
    guard isIdle, Set(measured.map(\.compositor)).count > 1 else { return nil }
    return "No frame was composed: each shows one source as it is, so that the compositors were not called."
  }

  private static let heading = [
    "work", "compositor", "size", "format", "thr", "fps", "±%", "p50 ms", "p99 ms", "cpu ms", "x blend", "x read", "MiB",
    "alloc",
    "copies", "route", "max err",
  ]

  private static let legend =
    "fps: median, ± half its 95 % interval; ! if the frames' costs, by which rows are compared, are uncertain. x blend: p50 over the "
    + "time of the plain blend on one thread, whatever the row's number of threads. x read: p50 over the time of reading the frame's "
    + "sources once. MiB: peak, including sources. alloc, copies: frames allocated and copied after the warm-up, in total. max err: "
    + "code values from the double-precision reference; - where it is not defined (titles, effects)."

  /// Stages of the rows that have others than composing.
  private var stageTable: [String] {
    var cells: [[String]] = []
    for row in rows {
      guard let stages = row.figures?.stages, !stages.composesOnly else { continue }
      let times: [Double?] = [
        stages.decode, stages.convert, stages.compose, stages.titles, stages.encode, stages.audio,
      ]
      let format = row.figures?.outputFormat ?? row.key.format
      let place: [String] = [row.workload, "\(row.compositor)", "\(format)", "\(row.key.threads)"]
      let added = BenchmarkRow.fixed(100 * (row.figures?.codecs?.added ?? .nan), 1)
      cells.append(place + times.map { time in time.map { BenchmarkRow.fixed($0, 3) } ?? "-" } + [added])
    }
    guard !cells.isEmpty else { return [] }
    return TextTable(
      heading: ["work", "compositor", "format", "thr", "decode", "convert", "compose", "titles", "encode", "audio", "adds %"],
      rows: cells, wordColumns: [0, 1, 2]
    ).lines + [
      "Milliseconds per frame by stage; stages run in parallel. adds %: processor time of the export beyond decoding alone plus "
        + "encoding alone.", "",
    ]
  }
}

extension BenchmarkRow.Stages {
  fileprivate var composesOnly: Bool { convert < 0.0005 && titles < 0.0005 && decode == nil && encode == nil }
}

/// Lines of cells in columns, with numbers aligned right and words aligned left.
struct TextTable {
  let heading: [String]
  let rows: [[String]]
  let wordColumns: Set<Int>

  var lines: [String] {
    var all = [heading] + rows
    let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    all.insert(widths.map { String(repeating: "-", count: $0) }, at: 1)
    return all.map { cells in
      let line = zip(cells.indices, zip(cells, widths)).map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return wordColumns.contains(column) ? cell.0 + padding : padding + cell.0
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension BenchmarkRow {
  fileprivate var cells: [String] {
    // W5 has a format of its own.
    let format = figures?.outputFormat ?? key.format
    let place = [workload, "\(compositor)", "\(key.size)", "\(format)", "\(key.threads)"]
    guard let figures else { return place + Array(repeating: "-", count: 10) + ["failed", "-"] }
    return place + [
      BenchmarkRow.fixed(figures.framesPerSecond, figures.framesPerSecond < 100 ? 1 : 0),
      BenchmarkRow.fixed(100 * figures.framesPerSecondNoise, 1) + (figures.isSteady ? "" : "!"),
      BenchmarkRow.fixed(figures.p50Milliseconds ?? .nan, 3), BenchmarkRow.fixed(figures.p99Milliseconds ?? .nan, 3),
      BenchmarkRow.fixed(figures.processorMilliseconds, 3), BenchmarkRow.fixed(figures.ratioToPlainBlend ?? .nan, 2),
      BenchmarkRow.fixed(figures.ratioToSourceRead ?? .nan, 2),
      BenchmarkRow.fixed(figures.peakMemoryMiB, 0), "\(figures.allocations)", "\(figures.copies)", figures.route,
      figures.largestError.map { BenchmarkRow.fixed($0, 2) } ?? "-",
    ]
  }

  /// A number with a fixed number of decimals, independent of the locale.
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
