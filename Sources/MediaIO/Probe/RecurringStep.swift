/// The shortest step between frames that recurs, among steps in ticks.
struct RecurringStep {
  /// Ticks, > 0.
  let mean: Double
  /// Standard deviation of the steps that count as this one, relative.
  let jitter: Double

  /// Nil without steps.
  init?(_ steps: [Int64]) {
    let sorted = steps.filter { $0 > 0 }.sorted().map(Double.init)
    guard !sorted.isEmpty else { return nil }
    let fewest = sorted.count < 4 ? 1 : max(2, sorted.count / 10)
    for index in (sorted.count / 10)..<sorted.count {
      let cluster = RecurringStep.cluster(around: sorted[index], in: sorted)
      guard cluster.count >= fewest || index == sorted.count - 1 else { continue }
      mean = cluster.reduce(0, +) / Double(cluster.count)
      let (mean, count) = (mean, Double(cluster.count))
      jitter = (cluster.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot() / mean
      return
    }
    return nil
  }

  /// The steps within 15 % of their own mean, found by moving from `start` to the mean of what is near until that stays.
  private static func cluster(around start: Double, in sorted: [Double]) -> ArraySlice<Double> {
    var (center, cluster) = (start, sorted[...])
    for _ in 0..<16 {
      let low = sorted.partitioningIndex { $0 >= center * 0.85 }
      let high = sorted.partitioningIndex { $0 > center * 1.15 }
      cluster = sorted[low..<high]
      let mean = cluster.reduce(0, +) / Double(cluster.count)
      if abs(mean - center) <= center * 1e-9 { break }
      center = mean
    }
    return cluster
  }
}

extension [Double] {
  /// The first index whose element satisfies a predicate that is false, then true. O(log n).
  fileprivate func partitioningIndex(where predicate: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
