package import CompositorAPI

extension Keyframes {
  /// The value at a progress of 0 … 1, and a path's direction there in radians; `nil` if there are no values.
  ///
  /// - Parameters:
  ///   - isBefore: Whether the animation waits there; see ``Easing``.
  ///   - areColors: Whether the numbers of the values are colors.
  package func value(
    at progress: Double, isBefore: Bool = false, areColors: Bool = false
  ) -> (value: AnimationValue, angle: Double?)? {
    if let path { return pathValue(path, at: progress, isBefore: isBefore) }
    guard !values.isEmpty else { return nil }
    guard values.count > 1 else { return (values[0], nil) }
    if mode == .discrete {
      let index = segment(of: progress, in: times(count: values.count + 1)).index
      return (values[min(index, values.count - 1)], nil)
    }
    let isPaced = mode == .paced || mode == .cubicPaced
    let (index, share) = segment(of: progress, in: isPaced ? pacedTimes : times(count: values.count))
    let eased = isPaced || index >= easings.count ? share : easings[index].value(at: share, isBefore: isBefore)
    guard mode == .cubic || mode == .cubicPaced else {
      return (values[index].interpolated(to: values[index + 1], eased, areColors: areColors), nil)
    }
    let value = values[index].cubic(
      before: values[max(index - 1, 0)], next: values[index + 1], after: values[min(index + 2, values.count - 1)], eased,
      areColors: areColors)
    return (value, nil)
  }

  /// The key times, or evenly spaced ones if their count does not match.
  private func times(count: Int) -> [Double] {
    if keyTimes.count == count { return keyTimes }
    if mode == .discrete, keyTimes.count == count - 1 { return keyTimes + [1] }
    return (0..<count).map { Double($0) / Double(count - 1) }
  }

  private var pacedTimes: [Double] {
    var sums = [0.0]
    for (from, to) in zip(values, values.dropFirst()) { sums.append((sums.last ?? 0) + from.distance(to: to)) }
    guard let total = sums.last, total > 0 else { return times(count: values.count) }
    return sums.map { $0 / total }
  }

  /// The segment between times that contains a progress, and the fraction within it. Before the first time: 0 of the first
  /// segment.
  private func segment(of progress: Double, in times: [Double]) -> (index: Int, share: Double) {
    var (low, high) = (0, times.count - 1)
    while low + 1 < high {
      let middle = (low + high) / 2
      if times[middle] <= progress + .progressTolerance { low = middle } else { high = middle }
    }
    let span = times[low + 1] - times[low]
    guard span > 0 else { return (low, progress + .progressTolerance >= times[low + 1] ? 1 : 0) }
    return (low, min(max((progress - times[low]) / span, 0), 1))
  }

  private func pathValue(_ path: ShapePath, at progress: Double, isBefore: Bool) -> (value: AnimationValue, angle: Double?)? {
    let measured = MeasuredPath(path)
    let marks = measured.stepDistances
    let distance: Double
    if mode == .paced || mode == .cubicPaced || marks.count < 2 {
      distance = progress * measured.length
    } else {
      let (index, share) = segment(of: progress, in: times(count: marks.count))
      let eased = index < easings.count ? easings[index].value(at: share, isBefore: isBefore) : share
      distance = mode == .discrete ? marks[index] : marks[index] + (marks[index + 1] - marks[index]) * eased
    }
    guard let place = measured.place(at: distance) else { return nil }
    let turn: Double? = rotation == .none ? nil : rotation == .auto ? place.angle : place.angle + .pi
    return (.point(x: place.point.x, y: place.point.y), turn)
  }
}
