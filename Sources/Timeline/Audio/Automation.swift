import CompositorAPI

/// A combination of several curves: volumes and fades are multiplied, pan positions are added.
struct Automation: Sendable {
  enum Combination: Sendable {
    case product
    case sum(ClosedRange<Double>)

    func callAsFunction(_ values: [Double]) -> Double {
      switch self {
      case .product: values.reduce(1, *)
      case .sum(let limits): min(max(values.reduce(0, +), limits.lowerBound), limits.upperBound)
      }
    }

    /// Whether the combination of lines is a line, given their values at both ends and the number of those that aren't
    /// constant.
    func isLine(between ends: [[Double]], movingCount: Int) -> Bool {
      switch self {
      case .product: movingCount <= 1
      case .sum(let limits): ends.allSatisfy { limits.contains($0.reduce(0, +)) } || movingCount == 0
      }
    }
  }

  /// A straight line between two times.
  struct Line: Sendable {
    let range: ExactRange
    let start: Double
    let end: Double
  }

  private let curves: [AutomationCurve]
  private let combination: Combination

  init(_ curves: [AutomationCurve], _ combination: Combination) {
    self.curves = curves
    self.combination = combination
  }

  /// Consecutive lines over `range`. Values are exact at the ends of each line; in between, the error is less than 0.01 dB, or
  /// less than −120 dB relative to full scale. A linear curve is a single line.
  func lines(over range: ExactRange) throws(CompositorError) -> [Line] {
    let inner = curves.flatMap(\.breakpoints).filter { $0 > range.start && $0 < range.end }
    let times = [range.start] + Set(inner).sorted() + [range.end]
    var lines: [Line] = []
    for (start, end) in zip(times, times.dropFirst()) where start < end {
      let part = ExactRange(start, end)
      let stretches = curves.map { $0.stretch(part) }
      let ends = [start, end].map { values(stretches, at: $0.seconds) }
      if combination.isLine(between: ends, movingCount: stretches.filter { !$0.isHeld }.count), stretches.allSatisfy(\.isLinear)
      {
        lines.append(Line(range: part, start: combination(ends[0]), end: combination(ends[1])))
      } else {
        lines += try Chords(ticks: TickRange(part)) { combination(values(stretches, at: $0)) }.lines()
      }
    }
    return lines
  }

  /// Adds the values in `range` to a property.
  func write(to property: inout PropertyTimeline<Double>, over range: ExactRange) throws(CompositorError) {
    var held = property.value(at: range.start.mediaTime)
    for line in try lines(over: range) {
      if line.start != line.end {
        try property.setRamp(from: line.start, to: line.end, timeRange: try line.range.timeRange())
      } else if line.start != held {
        try property.set(line.start, at: line.range.start.mediaTime)
      }
      held = line.end
    }
  }

  private func values(_ stretches: [AutomationCurve.Stretch], at seconds: Double) -> [Double] {
    zip(curves, stretches).map { curve, stretch in
      switch stretch {
      case .held(let value): value
      case .piece(let piece): piece.value(at: seconds, within: curve.limits)
      }
    }
  }
}

/// A smooth function approximated by chords.
private struct Chords {
  let ticks: TickRange
  let function: (Double) -> Double

  /// Bisects the range until every chord is close enough.
  func lines() throws(CompositorError) -> [Automation.Line] {
    var lines: [Automation.Line] = []
    var waiting = [(ticks.start, ticks.end)]
    while let (start, end) = waiting.popLast() {
      let (from, to) = (value(start), value(end))
      if end - start >= 4, !isNear(start, end, from, to) {
        let middle = start + (end - start) / 2
        waiting += [(middle, end), (start, middle)]
      } else {
        lines.append(
          Automation.Line(range: ExactRange(try ticks.time(start), try ticks.time(end)), start: from, end: to))
      }
    }
    return lines
  }

  private func value(_ tick: Int64) -> Double { function(ticks.seconds(tick)) }

  private func isNear(_ start: Int64, _ end: Int64, _ from: Double, _ to: Double) -> Bool {
    [0.25, 0.5, 0.75].allSatisfy { fraction in
      let tick = start + Int64(Double(end - start) * fraction)
      let exact = value(tick)
      let chord = from + (to - from) * Double(tick - start) / Double(end - start)
      return abs(chord - exact) <= 0.0009 * abs(exact) + 1e-6
    }
  }
}
