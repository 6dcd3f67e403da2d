package import CompositorAPI

extension PiecewiseLinear {
  /// Creates a property of a clip or layer from keyframes with times relative to `origin`. Between two keyframes of which the
  /// first has an easing, the value is sampled at every frame of `grid`, so that it is exact there; other pieces remain two
  /// points.
  ///
  /// - Parameter between: Interpolates between two keyframes' values by a fraction, which is below 0 or above 1 if an easing
  ///   overshoots.
  /// - Throws: `.invalidValue` if keyframes are missing or out of order, if an easing is invalid, or if an eased change has too
  ///   many frames.
  package init<Source>(
    _ animated: Animated<Source>, from origin: ExactTime, sampling grid: SamplingGrid, _ convert: (Source) -> Value,
    between: (Source, Source, Double) -> Value
  ) throws(CompositorError) {
    switch animated {
    case .constant(let value): self.init(constant: convert(value))
    case .keyframes(let keyframes):
      var points: [Point] = []
      for (index, keyframe) in keyframes.enumerated() {
        let point = Point(time: try origin + ExactTime(keyframe.time), value: convert(keyframe.value))
        guard index + 1 < keyframes.count, keyframe.easing != .linear else {
          points.append(point)
          continue
        }
        let next = keyframes[index + 1]
        let piece = EasedPiece(start: point, end: try origin + ExactTime(next.time), easing: keyframe.easing)
        points += try piece.points(after: points.last, grid) { between(keyframe.value, next.value, $0) }
      }
      guard let checked = PiecewiseLinear(points) else {
        throw CompositorError(.invalidValue, "Keyframes must be in rising order of time, and at least one.")
      }
      self = checked
    }
  }

  /// Creates a change from one value to another over a range: two points, or one at every frame if there is an easing. Values
  /// that overshoot are limited to the nearer end.
  ///
  /// - Throws: `.invalidValue` if the range is empty, if the easing is invalid, or if it has too many frames.
  package init(
    from start: Value, to end: Value, over range: ExactRange, easing: Easing, frameRate: Rational
  ) throws(CompositorError) {
    let first = Point(time: range.start, value: start)
    var points = [first]
    if easing != .linear {
      let piece = EasedPiece(start: first, end: range.end, easing: easing)
      points = try piece.points(after: nil, SamplingGrid(rate: frameRate, range: range)) {
        start.interpolated(to: end, fraction: min(max($0, 0), 1))
      }
    }
    guard let checked = PiecewiseLinear(points + [Point(time: range.end, value: end)]) else {
      throw CompositorError(.invalidValue, "A transition has no duration.", recoverySuggestion: "Give it one above 0.")
    }
    self = checked
  }
}

/// The change from a keyframe with an easing to the next one.
private struct EasedPiece<Value: Interpolatable> {
  let start: PiecewiseLinear<Value>.Point
  let end: ExactTime
  let easing: Easing

  /// The points that represent the piece, without its end.
  ///
  /// - Parameters:
  ///   - last: The previous point.
  ///   - between: Returns the value at an eased progress.
  func points(
    after last: PiecewiseLinear<Value>.Point?, _ grid: SamplingGrid, _ between: (Double) -> Value
  ) throws(CompositorError) -> [PiecewiseLinear<Value>.Point] {
    try easing.requireUsable()
    guard start.time < end else { return [start] }
    var points: [PiecewiseLinear<Value>.Point] = []
    // Steps may jump at the start.
    let jump = easing.value(at: 0)
    if jump != 0 { points += try held(after: last, grid) }
    points.append(jump == 0 ? start : .init(time: start.time, value: between(jump)))
    for time in try grid.times(after: start.time, before: end) {
      points.append(.init(time: time, value: between(easing.value(at: try time.fraction(from: start.time, to: end)))))
    }
    return points
  }

  /// The value at the last frame before a jump. Without it, the line to the jump would bend toward the value after it.
  private func held(
    after last: PiecewiseLinear<Value>.Point?, _ grid: SamplingGrid
  ) throws(CompositorError) -> [PiecewiseLinear<Value>.Point] {
    let time = try grid.time(before: start.time)
    if let last, last.time >= time { return [] }
    let line = PiecewiseLinear([last, start].compactMap { $0 })
    return [.init(time: time, value: line?.value(at: time) ?? start.value)]
  }
}
