/// The arithmetic of `linear(…)`: CSS Easing Functions Level 2, section 2.2.
extension Easing.Stop {
  /// A line between two values, from one progress to another.
  package struct Line: Hashable, Sendable {
    package var start: Double
    package var end: Double
    package var from: Double
    package var to: Double
  }

  /// Gives every stop its position. Missing ones are 0 % for the first, 100 % for the last, and evenly spaced between their
  /// neighbors. None is less than one before it. A stop with two percentages becomes two.
  static func placed(_ stops: [(value: Double, percents: [Double])]) -> [Easing.Stop] {
    var points: [(value: Double, percent: Double?)] = stops.flatMap { stop in
      stop.percents.isEmpty ? [(stop.value, nil)] : stop.percents.map { (stop.value, $0) }
    }
    guard !points.isEmpty else { return [] }
    points[0].percent = points[0].percent ?? 0
    points[points.count - 1].percent = points[points.count - 1].percent ?? 100
    var largest = -Double.infinity
    for index in points.indices {
      guard let percent = points[index].percent else { continue }
      largest = max(largest, percent)
      points[index].percent = largest
    }
    var placed: [Easing.Stop] = []
    var first = 0
    for (index, point) in points.enumerated() {
      guard let end = point.percent else { continue }
      let start = placed.last?.percent ?? end
      for between in first..<index {
        let share = Double(between - first + 1) / Double(index - first + 1)
        placed.append(.init(points[between].value, percent: start + (end - start) * share))
      }
      placed.append(.init(point.value, percent: end))
      first = index + 1
    }
    return placed
  }

  /// The reason why stops are invalid; `nil` if they are valid.
  static func fault(of stops: [Easing.Stop]) -> String? {
    if stops.isEmpty { return "linear(…) has at least one stop." }
    guard stops.allSatisfy({ $0.value.isFinite && $0.percent.isFinite }),
      zip(stops, stops.dropFirst()).allSatisfy({ $0.percent <= $1.percent })
    else { return "The stops of linear(…) are finite, and none is before another." }
    return nil
  }

  /// The value at a progress, on or beyond the lines; O(log n).
  static func value(of stops: [Easing.Stop], at progress: Double) -> Double {
    guard stops.count > 1 else { return stops.first?.value ?? progress }
    let percent = progress * 100
    // The number of stops that are reached.
    var (low, high) = (0, stops.count)
    while low < high {
      let middle = (low + high) / 2
      if stops[middle].percent <= percent + 100 * .progressTolerance { low = middle + 1 } else { high = middle }
    }
    let index = min(max(low - 1, 0), stops.count - 2)
    return value(from: stops[index], to: stops[index + 1], at: percent, hasBegun: low > 0)
  }

  private static func value(from start: Self, to end: Self, at percent: Double, hasBegun: Bool) -> Double {
    let span = end.percent - start.percent
    guard span > 0 else { return hasBegun ? end.value : start.value }
    // Exact at both stops.
    if percent == end.percent { return end.value }
    return start.value + (end.value - start.value) * ((percent - start.percent) / span)
  }

  /// The lines that cover progress 0 … 1. Where the value jumps, a line starts at another value than that at which the one
  /// before ends.
  package static func lines(of stops: [Easing.Stop]) -> [Line] {
    var lines: [Line] = []
    forEachLine(of: stops, to: 1) { lines.append($0) }
    return lines
  }

  /// The area under the lines from 0 to `progress`, 0 … 1.
  static func area(of stops: [Easing.Stop], to progress: Double) -> Double {
    var area = 0.0
    forEachLine(of: stops, to: progress) { area += ($0.end - $0.start) * ($0.from + $0.to) / 2 }
    return area
  }

  private static func forEachLine(of stops: [Easing.Stop], to limit: Double, _ body: (Line) -> Void) {
    func add(_ start: Double, _ end: Double, _ from: Double, _ to: Double) {
      if start < end { body(Line(start: start, end: end, from: from, to: to)) }
    }
    guard stops.count > 1 else { return add(0, limit, stops.first?.value ?? 0, stops.first?.value ?? limit) }
    for index in 0..<stops.count - 1 {
      let (first, second) = (stops[index], stops[index + 1])
      let start = index == 0 ? 0 : max(first.percent / 100, 0)
      let end = index == stops.count - 2 ? limit : min(second.percent / 100, limit)
      if first.percent == second.percent {
        // Only a jump at the beginning or at the end has anything beside it here.
        add(start, min(first.percent / 100, end), first.value, first.value)
        add(max(first.percent / 100, start), end, second.value, second.value)
      } else {
        func value(_ progress: Double) -> Double { Self.value(from: first, to: second, at: progress * 100, hasBegun: true) }
        add(start, end, value(start), value(end))
      }
    }
  }
}
