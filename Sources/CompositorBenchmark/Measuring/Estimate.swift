/// A median with its confidence interval.
public struct Estimate: Sendable, Hashable, Codable {
  /// The median.
  public let median: Double
  /// Lower end of the median's 95 % confidence interval.
  public let low: Double
  /// Upper end of the median's 95 % confidence interval.
  public let high: Double
  /// The number of readings.
  public let count: Int

  /// The median of readings with its distribution-free 95 % confidence interval: between the readings of ranks n/2 ± 0.98 √n,
  /// from the binomial distribution (Conover, Practical Nonparametric Statistics, 3.2). With fewer than six readings, the
  /// interval contains all of them. NaN if there are none.
  public init(_ values: [Double]) {
    let sorted = values.sorted()
    count = sorted.count
    guard let first = sorted.first, let last = sorted.last else {
      (median, low, high) = (.nan, .nan, .nan)
      return
    }
    let middle = count / 2
    median = count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    guard count >= 6 else {
      (low, high) = (first, last)
      return
    }
    let half = Double(count) / 2
    let reach = 0.98 * Double(count).squareRoot()
    low = sorted[max(0, Int((half - reach).rounded(.down)) - 1)]
    high = sorted[min(count - 1, Int((half + reach).rounded(.up)))]
  }

  /// Half of the interval's width divided by the median: 0.03 is ±3 %.
  public var noise: Double { (high - low) / 2 / median }
}
