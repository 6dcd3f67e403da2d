import CCompositorKernels
import CompositorAPI

/// One axis of a separable filter: where each sample of the destination lies in the source, and what its neighbors count.
///
/// Neighbors beyond the edges are those at the edge, so weights always add up to 1 and borders neither darken nor ring.
struct FilterAxis {
  /// Samples of the destination that are made.
  let range: Range<Int>
  /// Neighbors of each, an even number; those beyond the kernel's reach count nothing.
  let taps: Int
  private let kernel: ResamplingKernel
  /// Position of destination sample 0 and the way to the next; an integer is the center of a sample.
  private let origin, step: Double
  /// How much wider than a sample the kernel is, ≥ 1.
  private let scale: Double
  private let sourceCount: Int
  /// Starts are multiples of it.
  private let alignment: Int

  /// - Parameters:
  ///   - footprint: Source samples under one of the destination, at most ``SamplingQuality/largestReduction``.
  ///   - alignsStarts: Whether starts are even where taps are many, as kernels want that filter along rows.
  init(
    _ kernel: ResamplingKernel, origin: Double, step: Double, footprint: Double, range: Range<Int>, sourceCount: Int,
    alignsStarts: Bool = false
  ) {
    (self.kernel, self.origin, self.step, self.range, self.sourceCount) = (kernel, origin, step, range, sourceCount)
    scale = max(footprint, 1)
    let reach = Int((2 * kernel.radius * scale).rounded(.up))
    let few = (reach + 1) / 2 * 2
    alignment = alignsStarts && few > Int(cpk_filter_few_taps) ? 2 : 1
    taps = alignment == 1 ? few : (reach + 2) / 2 * 2
  }

  /// The first neighbor of a destination sample; may be outside of the source.
  func start(_ index: Int) -> Int {
    // A hair more: a neighbor just where the kernel ends is left out, whatever rounding has done to its distance.
    let first = (position(index) - kernel.radius * scale + 1e-9).rounded(.down) + 1
    let start = clampedInt(first, in: -taps...sourceCount)
    return alignment == 1 ? start : start & ~1
  }

  private func position(_ index: Int) -> Double { origin + Double(index) * step }

  /// Source samples from the first that counts anywhere to behind the last, and two more; may reach outside of the source. Begins at an even one.
  var reached: Range<Int> {
    let (one, other) = (start(range.lowerBound), start(range.upperBound - 1))
    return (min(one, other) - 2) & ~1..<max(one, other) + taps + 2
  }

  /// Bits of weights in fixed point. Those of a reduction are small.
  var weightBits: Int { scale >= 2 ? 15 : 14 }

  /// Writes starts, less `first`, and weights in fixed point, ``taps`` for each sample, which add up to 2^``weightBits`` exactly.
  func fill(starts: UnsafeMutablePointer<Int32>, from first: Int, weights: UnsafeMutablePointer<Int16>) {
    let one = Double(1 << weightBits)
    fill(starts: starts, from: first) { at, shares in
      // Sums are rounded, not weights: so they end where they must.
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

  /// The same in single precision.
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

  /// Weights of a sample's neighbors, which add up to 1.
  private func share(_ index: Int, from start: Int, _ shares: UnsafeMutablePointer<Double>) {
    let (position, scale) = (position(index), 1 / scale)
    var sum = 0.0
    for tap in 0..<taps {
      let value = kernel.value((position - Double(start + tap)) * scale)
      shares[tap] = value
      sum += value
    }
    for tap in 0..<taps { shares[tap] /= sum }
  }

  /// After how many samples the weights are the same again, if that is soon, and how much further they begin then: at ratios of small integers.
  private var period: (count: Int, way: Int)? {
    for count in 1...16 {
      let way = step * Double(count), whole = way.rounded()
      if abs(way - whole) * Double(range.count) < 1e-6, abs(whole) < 1e6, Int(whole) % alignment == 0 {
        return (count, Int(whole))
      }
    }
    return nil
  }
}
