import CompositorAPI

/// The vertical position of a curve in a row, and its range of values from 0 on.
struct CurveBox {
  let top, height, maximum: Double

  func y(_ value: Double) -> Double {
    let share = value.isNaN ? 0 : min(max(value / maximum, 0), 1)
    return top + height - share * height
  }

  /// The largest value of a property, ignoring non-finite values.
  static func largest(of property: PropertyTimeline<Double>) -> Double {
    property.ramps.reduce(property.defaultValue) { largest, ramp in
      [ramp.start, ramp.end].filter(\.isFinite).reduce(largest, max)
    }
  }
}

extension DiagramCanvas {
  /// Draws a property over time, in each of several time ranges.
  mutating func curve(
    _ property: PropertyTimeline<Double>, in ranges: [TimeRange], box: CurveBox, color: DiagramColor, kind: DiagramMark.Kind,
    name: String
  ) {
    for range in ranges {
      guard let extent = scale.extent(of: range) else { continue }
      let points = thinned(points(of: property, over: extent, box: box))
      guard points.count > 1 else { continue }
      var mark = DiagramMark(.line(points), kind: kind, stroke: color)
      mark.lineWidth = 1.5
      mark.timeRange = range
      mark.tooltip = "\(name)\n\(Self.steps(of: property, in: range))"
      add(mark)
    }
  }

  /// Vertices of a property's curve between two positions.
  private func points(of property: PropertyTimeline<Double>, over extent: ClosedRange<Double>, box: CurveBox) -> [Point] {
    var points: [Point] = []
    var value = property.defaultValue
    func add(_ x: Double, _ value: Double) { points.append(Point(x: x, y: box.y(value))) }
    for ramp in property.ramps {
      let seconds = DiagramScale.seconds(of: ramp.timeRange)
      let (low, high) = (position(seconds.lowerBound), position(seconds.upperBound))
      if low > extent.upperBound { break }
      guard high >= extent.lowerBound else {
        value = ramp.end
        continue
      }
      func at(_ x: Double) -> Double {
        high > low ? ramp.start.interpolated(to: ramp.end, fraction: (x - low) / (high - low)) : ramp.end
      }
      let (from, to) = (max(low, extent.lowerBound), min(high, extent.upperBound))
      if from > extent.lowerBound || points.isEmpty {
        if points.isEmpty, from > extent.lowerBound { add(extent.lowerBound, value) }
        if from > extent.lowerBound { add(from, value) }
      }
      add(from, at(from))
      if to > from { add(to, at(to)) }
      value = ramp.end
    }
    if points.isEmpty { add(extent.lowerBound, value) }
    if let last = points.last, last.x < extent.upperBound { points.append(Point(x: extent.upperBound, y: last.y)) }
    return points
  }

  /// Like ``DiagramScale/x(seconds:)``, but without clamping.
  private func position(_ seconds: Double) -> Double {
    scale.x0 + (seconds - scale.start) / scale.duration * (scale.x1 - scale.x0)
  }

  /// Reduces more than four points within half a unit to the first, lowest, highest and last.
  private func thinned(_ points: [Point]) -> [Point] {
    guard points.count > 64 else { return points }
    var result: [Point] = []
    var index = 0
    while index < points.count {
      var end = index + 1
      while end < points.count, points[end].x - points[index].x < 0.5 { end += 1 }
      let run = points[index..<end]
      if run.count > 4, let low = run.max(by: { $0.y < $1.y }), let high = run.min(by: { $0.y < $1.y }), let last = run.last {
        result += [points[index], low, high, last]
      } else {
        result += run
      }
      index = end
    }
    return result
  }

  /// A description of the changes in a time range.
  private static func steps(of property: PropertyTimeline<Double>, in range: TimeRange) -> String {
    let ramps = property.ramps.filter { $0.timeRange.start < range.end && $0.timeRange.end >= range.start }
    guard !ramps.isEmpty else { return DiagramText.short(property.value(at: range.start), 3) }
    let lines = ramps.prefix(8).map { ramp in
      let (start, end) = (DiagramText.short(ramp.start, 3), DiagramText.short(ramp.end, 3))
      return ramp.timeRange.isEmpty
        ? "\(end) from \(DiagramText.exact(ramp.timeRange.start))"
        : "\(start) to \(end), \(DiagramText.exact(ramp.timeRange.start)) to \(DiagramText.exact(ramp.timeRange.end))"
    }
    return (lines + (ramps.count > 8 ? ["and \(ramps.count - 8) more"] : [])).joined(separator: "\n")
  }

  /// Draws lines at a curve's largest value and at 0, with labels to the right of the row's title.
  mutating func axis(_ box: CurveBox, labels: (top: String, bottom: String)) {
    for (y, text, baseline) in [
      (box.top, labels.top, box.top + 8), (box.top + box.height, labels.bottom, box.top + box.height),
    ] {
      add(DiagramMark(.line([Point(x: scale.x0, y: y), Point(x: scale.x1, y: y)]), kind: .axis, stroke: .grid))
      add(
        DiagramMark(
          .text(text, at: Point(x: scale.x0 - 4, y: baseline), size: 9, anchor: .end), kind: .value, fill: .mutedText))
    }
  }
}
