/// Runs of samples, row by row: the parts of a sprite that must be blended.
package struct RowRuns: Sendable {
  private var runs: [Range<Int>] = []
  /// The start of each row's runs, and the end of the last ones.
  private var starts = [0]

  package init() {}

  package var count: Int { runs.count }

  mutating func appendRow(_ row: some Sequence<Range<Int>>) {
    runs.append(contentsOf: row)
    starts.append(runs.count)
  }

  /// Passes the runs of some rows to `body`, in order.
  func forEach(in rows: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
    starts.withUnsafeBufferPointer { starts in
      runs.withUnsafeBufferPointer { runs in
        for row in rows {
          for index in starts[row]..<starts[row + 1] { body(row, runs[index]) }
        }
      }
    }
  }

  /// Shorter gaps are blended with the runs around them: a new run costs as much.
  static let shortestGap = 16

  /// Sorted runs, with those merged that touch or nearly touch.
  static func joined(_ sorted: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for run in sorted {
      if let last = result.last, run.lowerBound - last.upperBound < shortestGap {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
      } else {
        result.append(run)
      }
    }
    return result
  }
}

extension CachedSprite.Grid {
  /// Finds the runs of nonzero weights.
  mutating func findRuns() {
    let width = box.width
    var above: [Range<Int>] = []
    for row in 0..<box.height {
      let here = runsOfRow(row, width)
      runs.appendRow(here)
      let both = (above + here).map { max($0.lowerBound, 1)..<min($0.upperBound + 1, width) }.filter { !$0.isEmpty }
      movedRuns.appendRow(RowRuns.joined(both.sorted { $0.lowerBound < $1.lowerBound }))
      above = here
    }
  }

  private func runsOfRow(_ row: Int, _ width: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    weights.withUnsafeBufferPointer { weights in
      var x = 0
      while x < width {
        while x < width, weights[row * width + x] == 0 { x += 1 }
        let start = x
        while x < width, weights[row * width + x] != 0 { x += 1 }
        if start < x { found.append(start..<x) }
      }
    }
    return RowRuns.joined(found)
  }
}
