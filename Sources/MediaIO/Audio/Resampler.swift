import CCompositorFFmpeg
import CompositorAPI

/// Changes sample rate or speed; each output sample depends on its position alone.
final class Resampler {
  private let handle: OpaquePointer

  /// - Parameter ratio: Input samples for each output sample, > 0.
  init(ratio: Rational) throws(CompositorError) {
    guard let handle = cff_resampler_create(Int64(ratio.numerator), Int64(ratio.denominator)) else {
      throw CompositorError(.resourceExhausted, "There is no memory for a change of sample rate.")
    }
    self.handle = handle
  }

  deinit { cff_resampler_destroy(handle) }

  /// The input samples that output samples `first` ..< `first + count` are made of; `count` ≥ 1.
  func inputRange(first: Int64, count: Int) -> Range<Int64> {
    let reach = Int64(cff_resampler_reach(handle))
    let low = cff_resampler_input_position(handle, first)
    let high = cff_resampler_input_position(handle, first + Int64(count) - 1)
    return low - reach..<high + reach + 1
  }

  /// Makes output samples from input that starts at `inputStart` and covers ``inputRange(first:count:)``.
  func run(
    _ input: UnsafePointer<Float>, inputStart: Int64, first: Int64, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    cff_resampler_run(handle, input, inputStart, first, Int32(count), output)
  }
}
