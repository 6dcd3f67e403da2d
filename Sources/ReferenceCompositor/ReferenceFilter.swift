import CompositorAPI
import CompositorPlatform

/// The filters of ``SamplingQuality``, computed directly from their formulas.
struct ReferenceFilter {
  let enlarging, reducing: ReferenceKernel
  let takesTurned: Bool

  init?(_ quality: SamplingQuality) {
    switch quality {
    case .fast: return nil
    case .good: (enlarging, reducing, takesTurned) = (.cubic, .lanczos, false)
    case .best: (enlarging, reducing, takesTurned) = (.lanczos, .lanczos, true)
    }
  }

  func kernel(_ footprint: Double) -> ReferenceKernel { footprint > 1 + 1e-9 ? reducing : enlarging }

  /// The neighbors of a position and their weights, whose sum is 1.
  static func weights(
    _ kernel: ReferenceKernel, at position: Double, footprint: Double, count: Int
  ) -> [(index: Int, weight: Double)] {
    let scale = max(footprint, 1)
    let reach = kernel.radius * scale
    // Farther outside, only the edge contributes.
    let position = min(max(position, -2 * reach), Double(count) + 2 * reach)
    let first = Int((position - reach).rounded(.up)), last = Int((position + reach).rounded(.down))
    var weights = (first...max(first, last)).map { (index: $0, weight: kernel.value(abs(position - Double($0)) / scale)) }
    let sum = weights.reduce(0) { $0 + $1.weight }
    for index in weights.indices {
      weights[index].weight /= sum
      weights[index].index = min(max(weights[index].index, 0), count - 1)
    }
    return weights
  }
}

/// The weight of a neighbor by its distance.
enum ReferenceKernel {
  /// Keys' cubic convolution, a = −0.6.
  case cubic
  /// Lanczos, three lobes.
  case lanczos

  var radius: Double { self == .cubic ? 2 : 3 }

  func value(_ x: Double) -> Double {
    guard x < radius else { return 0 }
    switch self {
    case .cubic:
      let (x2, x3) = (x * x, x * x * x)
      return x < 1 ? 1.4 * x3 - 2.4 * x2 + 1 : -0.6 * x3 + 3 * x2 - 4.8 * x + 2.4
    case .lanczos:
      guard x > 0 else { return 1 }
      return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
    }
  }
}

extension SampleGrid {
  /// The grid, filtered to samples at the given positions of columns and rows.
  func filtered(
    _ filter: ReferenceFilter, columns: [Double], rows: [Double], footprint: (x: Double, y: Double)
  ) -> SampleGrid {
    var narrow = SampleGrid(width: columns.count, height: height)
    for x in columns.indices {
      let weights = ReferenceFilter.weights(filter.kernel(footprint.x), at: columns[x], footprint: footprint.x, count: width)
      for y in 0..<height { narrow[x, y] = weights.reduce(0) { $0 + self[$1.index, y] * $1.weight } }
    }
    var result = SampleGrid(width: columns.count, height: rows.count)
    for y in rows.indices {
      let weights = ReferenceFilter.weights(filter.kernel(footprint.y), at: rows[y], footprint: footprint.y, count: height)
      for x in columns.indices { result[x, y] = weights.reduce(0) { $0 + narrow[x, $1.index] * $1.weight } }
    }
    return result
  }

  /// The filtered value at a position between samples.
  func wide(_ x: Double, _ y: Double) -> Double {
    let columns = ReferenceFilter.weights(.lanczos, at: x, footprint: 1, count: width)
    return ReferenceFilter.weights(.lanczos, at: y, footprint: 1, count: height).reduce(0) { sum, row in
      sum + row.weight * columns.reduce(0) { $0 + self[$1.index, row.index] * $1.weight }
    }
  }

  func limited(to range: ClosedRange<Double>?) -> SampleGrid {
    guard let range else { return self }
    return map { min(max($0, range.lowerBound), range.upperBound) }
  }
}
