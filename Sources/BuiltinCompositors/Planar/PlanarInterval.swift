/// Converts any double to an integer within `range`; NaN gives the lower bound.
func clampedInt(_ value: Double, in range: ClosedRange<Int>) -> Int {
  guard value > Double(range.lowerBound) else { return range.lowerBound }
  guard value < Double(range.upperBound) else { return range.upperBound }
  return Int(value)
}

/// The integers of a range that satisfy linear conditions: an interval, narrowed condition by condition.
struct PlanarInterval {
  private(set) var low: Int
  private(set) var high: Int

  init(_ low: Int, _ high: Int) {
    (self.low, self.high) = (low, max(low, high))
  }

  var isEmpty: Bool { low >= high }
  var count: Int { high - low }

  /// Keeps the numbers i with `value + i · slope ≥ 0`.
  mutating func keep(value: Double, slope: Double) {
    guard !isEmpty else { return }
    if slope == 0 {
      if !(value >= 0) { high = low }
      return
    }
    let root = -value / slope
    if slope > 0 {
      low = clampedInt(root.rounded(.up), in: low...high)
    } else {
      high = clampedInt(root.rounded(.down) + 1, in: low...high)
    }
    // If the root is not a number, the interval is empty.
    if root.isNaN { high = low }
  }

  func intersection(_ other: PlanarInterval) -> PlanarInterval {
    PlanarInterval(max(low, other.low), min(high, other.high))
  }
}
