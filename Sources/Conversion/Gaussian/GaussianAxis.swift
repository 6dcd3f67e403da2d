import CompositorPlatform

/// One direction of a Gaussian: how often samples are halved, and the weights applied afterward.
package struct GaussianAxis: Sendable {
  /// The number of halvings, and the samples per sample of the halved plane: 2 to that power.
  package let halvings: Int, factor: Int
  /// The number of samples, and of samples of the halved plane that cover them.
  package private(set) var length: Int, count: Int
  /// The number of neighbors on each side, and the weights of all of them.
  package let reach: Int
  let weights: [Float]
  /// Weights of a cubic B-spline over the five nearest samples of the halved plane, consecutively for each of the `factor`
  /// phases within the middle sample.
  let splines: [Float]
  /// Samples of the halved plane needed beyond each end, because the splines reach there.
  var border: Int { factor > 1 ? GaussianPyramid.border : 0 }

  /// The largest standard deviation, in samples, that is not halved. At half of it the total error stays below half a code of
  /// 8 bits.
  static let widest = 2.5

  package init(sigma: Double, length: Int) {
    var halvings = 0
    while sigma / Double(1 << halvings) >= GaussianAxis.widest, 2 << halvings < length { halvings += 1 }
    let factor = 1 << halvings
    self.halvings = halvings
    self.factor = factor
    self.length = length
    count = (length + factor - 1) / factor
    let reduced = sigma / Double(factor)
    // k halvings blur by a variance of 3/4 · (1 + 4 + … + 4^(k − 1)) samples².
    let known = factor > 1 ? 0.25 * (1 - 1 / Double(factor * factor)) + 1.0 / 3 : 0
    let variance = max(reduced * reduced - known, 1e-4)
    let reach = min(Int((4 * variance.squareRoot()).rounded(.up)), 4 * max(count, 16))
    let values = (-reach...reach).map { exp(-Double($0 * $0) / (2 * variance)) }
    let sum = values.reduce(0, +)
    self.reach = reach
    weights = values.map { Float($0 / sum) }
    splines = (-2...2).flatMap { sample in
      (0..<factor).map { place in
        Float(GaussianAxis.spline((Double(place) + 0.5) / Double(factor) - 0.5 - Double(sample)))
      }
    }
  }

  /// The samples to blur so that those between two positions, in pixels, are the same as if all were: the ends are aligned with
  /// the halved plane, and what repeated edge samples change lies outside.
  package func samples(from start: Double, to end: Double, perPixel scale: Double) -> Range<Int> {
    // Halving changes one sample of the halved plane at each end, and the cubic B-spline reaches two further.
    let margin = Double((reach + 4) * factor)
    let lower = max((start * scale - margin) / Double(factor), 0).rounded(.down)
    let upper = min((end * scale + margin) / Double(factor), Double(count)).rounded(.up)
    guard lower < upper else { return 0..<min(factor, length) }
    return Int(lower) * factor..<min(Int(upper) * factor, length)
  }

  /// The same filter for a part of the samples, which begins at a multiple of ``factor``.
  package func shortened(to length: Int) -> GaussianAxis {
    var part = self
    part.length = length
    part.count = (length + factor - 1) / factor
    return part
  }

  /// The cubic B-spline.
  private static func spline(_ distance: Double) -> Double {
    let u = abs(distance)
    if u < 1 { return 2.0 / 3 - u * u + u * u * u / 2 }
    return u < 2 ? (2 - u) * (2 - u) * (2 - u) / 6 : 0
  }
}
