import CCompositorKernels
import CompositorAPI

/// One axis of a separable filter: the position of each destination sample in the source, and the weights of its neighbors.
///
/// Edge samples repeat beyond the edges, so weights always add up to 1 and borders neither darken nor ring.
struct FilterAxis {
  /// The destination samples to make.
  let range: Range<Int>
  /// Neighbors per sample, an even number; those beyond the kernel's reach have a weight of 0.
  let taps: Int
  /// The source of the weights.
  private enum Shape {
    /// A kernel stretched by `scale`, at least 1.
    case kernel(ResamplingKernel, scale: Double)
    /// Linear interpolation between the means of `count` intervals.
    case means(of: Double, count: Int)
  }

  private let shape: Shape
  /// Position of destination sample 0, and the step to the next; integers are centers of samples or intervals.
  private let origin, step: Double
  private let sourceCount: Int
  /// Starts are multiples of this.
  private let alignment: Int

  /// - Parameters:
  ///   - footprint: Source samples per destination sample, at most ``SamplingQuality/largestReduction``.
  ///   - alignsStarts: Whether starts are even if there are many taps, as kernels that filter along rows require.
  init(
    _ kernel: ResamplingKernel, origin: Double, step: Double, footprint: Double, range: Range<Int>, sourceCount: Int,
    alignsStarts: Bool = false
  ) {
    let scale = max(footprint, 1)
    self.init(
      .kernel(kernel, scale: scale), origin: origin, step: step, reach: Int((2 * kernel.radius * scale).rounded(.up)),
      range: range, sourceCount: sourceCount, alignsStarts: alignsStarts)
  }

  /// Area means and linear interpolation between them in one step: each sample lies between the means of two of `meanCount`
  /// equal intervals, which make up the source.
  ///
  /// - Parameters:
  ///   - origin: In intervals; an integer is the center of one.
  init(meanCount: Int, origin: Double, step: Double, range: Range<Int>, sourceCount: Int, alignsStarts: Bool = false) {
    let interval = Double(sourceCount) / Double(meanCount)
    self.init(
      .means(of: interval, count: meanCount), origin: origin, step: step, reach: Int((2 * interval - 1e-9).rounded(.up)) + 1,
      range: range, sourceCount: sourceCount, alignsStarts: alignsStarts)
  }

  private init(
    _ shape: Shape, origin: Double, step: Double, reach: Int, range: Range<Int>, sourceCount: Int, alignsStarts: Bool
  ) {
    (self.shape, self.origin, self.step, self.range, self.sourceCount) = (shape, origin, step, range, sourceCount)
    let few = (reach + 1) / 2 * 2
    alignment = alignsStarts && few > Int(cpk_filter_few_taps) ? 2 : 1
    taps = alignment == 1 ? few : (reach + 2) / 2 * 2
  }

  /// The first neighbor of a destination sample; may lie outside the source.
  func start(_ index: Int) -> Int {
    let start: Int
    switch shape {
    case .kernel(let kernel, let scale):
      // The epsilon excludes a neighbor exactly at the kernel's end, however its distance was rounded.
      let first = (position(index) - kernel.radius * scale + 1e-9).rounded(.down) + 1
      start = clampedInt(first, in: -taps...sourceCount)
    case .means(let interval, let count):
      start = clampedInt(Double(means(index, count).first) * interval + 1e-9, in: 0...sourceCount - 1)
    }
    return alignment == 1 ? start : start & ~1
  }

  /// The two intervals around a sample, and the fraction of the way from the first center to the second; clamped to the
  /// outermost intervals.
  private func means(_ index: Int, _ count: Int) -> (first: Int, second: Int, fraction: Double) {
    let place = position(index), whole = place.rounded(.down)
    return (clampedInt(whole, in: 0...count - 1), clampedInt(whole + 1, in: 0...count - 1), place - whole)
  }

  private func position(_ index: Int) -> Double { origin + Double(index) * step }

  /// Source samples from the first to the last that contributes, plus two; may extend outside the source. Starts at an even
  /// index.
  var reached: Range<Int> {
    let (one, other) = (start(range.lowerBound), start(range.upperBound - 1))
    return (min(one, other) - 2) & ~1..<max(one, other) + taps + 2
  }

  /// Whether the neighbors of each sample begin two after those of the previous one and have the same weights: a reduction by
  /// exactly two.
  var isHalving: Bool { period.map { $0 == (1, 2) } ?? false }

  /// Fractional bits of fixed-point weights. Weights of a reduction are small.
  var weightBits: Int {
    switch shape {
    case .kernel(_, let width), .means(let width, _): width >= 2 ? 15 : 14
    }
  }

  /// Writes starts relative to `first`, and ``taps`` fixed-point weights per sample, which add up to exactly
  /// 2^``weightBits``.
  func fill(starts: UnsafeMutablePointer<Int32>, from first: Int, weights: UnsafeMutablePointer<Int16>) {
    let one = Double(1 << weightBits)
    fill(starts: starts, from: first) { at, shares in
      // Running sums are rounded instead of weights, so the total is exact.
      var (sum, written) = (0.0, 0)
      for tap in 0..<taps {
        sum += shares[tap]
        let rounded = Int((sum * one).rounded())
        weights[at * taps + tap] = Int16(clamping: rounded - written)
        written = rounded
      }
    } copy: { at, other in
      (weights + at * taps).update(from: weights + other * taps, count: taps)
    }
  }

  /// Writes starts and weights in single precision.
  ///
  /// - Parameter byTap: Whether the first weights of all samples come first, then the second ones.
  func fill(
    starts: UnsafeMutablePointer<Int32>, from first: Int, weights: UnsafeMutablePointer<Float>, byTap: Bool = false
  ) {
    let (sampleStep, tapStep) = byTap ? (1, range.count) : (taps, 1)
    fill(starts: starts, from: first) { at, shares in
      for tap in 0..<taps { weights[at * sampleStep + tap * tapStep] = Float(shares[tap]) }
    } copy: { at, other in
      for tap in 0..<taps { weights[at * sampleStep + tap * tapStep] = weights[other * sampleStep + tap * tapStep] }
    }
  }

  private func fill(
    starts: UnsafeMutablePointer<Int32>, from first: Int, write: (Int, UnsafeMutablePointer<Double>) -> Void,
    copy: (Int, Int) -> Void
  ) {
    let (period, way) = period ?? (Int.max, 0)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: taps) { shares in
      guard let shares = shares.baseAddress else { return }
      for at in 0..<range.count {
        if at >= period {
          starts[at] = starts[at - period] + Int32(clamping: way)
          copy(at, at - period)
        } else {
          let start = start(range.lowerBound + at)
          starts[at] = Int32(clamping: start - first)
          share(range.lowerBound + at, from: start, shares)
          write(at, shares)
        }
      }
    }
  }

  /// The weights of a sample's neighbors, which add up to 1.
  private func share(_ index: Int, from start: Int, _ shares: UnsafeMutablePointer<Double>) {
    switch shape {
    case .kernel(let kernel, let scale):
      let (position, scale) = (position(index), 1 / scale)
      var sum = 0.0
      for tap in 0..<taps {
        let value = kernel.value((position - Double(start + tap)) * scale)
        shares[tap] = value
        sum += value
      }
      for tap in 0..<taps { shares[tap] /= sum }
    case .means(let interval, let count):
      let (first, second, fraction) = means(index, count)
      let (one, other) = (Double(first) * interval - Double(start), Double(second) * interval - Double(start))
      let weights = ((1 - fraction) / interval, fraction / interval)
      for tap in 0..<taps {
        let low = Double(tap), high = low + 1
        shares[tap] =
          max(0, min(high, one + interval) - max(low, one)) * weights.0
          + max(0, min(high, other + interval) - max(low, other)) * weights.1
      }
    }
  }

  /// The number of samples after which the weights repeat, if small, and the distance between the starts: for ratios of small
  /// integers.
  private var period: (count: Int, way: Int)? {
    guard case .kernel = shape else { return nil }
    for count in 1...16 {
      let way = step * Double(count), whole = way.rounded()
      if abs(way - whole) * Double(range.count) < 1e-6, abs(whole) < 1e6, Int(whole) % alignment == 0 {
        return (count, Int(whole))
      }
    }
    return nil
  }
}
