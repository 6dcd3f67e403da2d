package import CompositorAPI

/// The output frames in a time range, at which nonlinear changes are sampled.
package struct SamplingGrid: Sendable {
  /// Frames per second.
  package var rate: Rational
  /// The range in composition time. Values outside of it needn't be correct.
  package var range: ExactRange

  package init(rate: Rational, range: ExactRange) {
    self.rate = rate
    self.range = range
  }

  /// The maximum number of frames at which one eased change is sampled.
  package static let limit: Int64 = 1_000_000

  /// The starts of the frames between two times, both excluded, that are in the range or adjacent to it.
  ///
  /// - Throws: `.invalidValue` if there are more than ``limit`` frames.
  package func times(after start: ExactTime, before end: ExactTime) throws(CompositorError) -> [ExactTime] {
    let first = max(start.frame(rate: rate) + 1, range.start.frame(rate: rate))
    let last = min(end.frameBefore(rate: rate), range.end.frameBefore(rate: rate) + 1)
    guard first <= last else { return [] }
    guard last - first < SamplingGrid.limit else {
      throw CompositorError(
        .invalidValue, "An eased change takes \(last - first + 1) frames; at most \(SamplingGrid.limit) can be eased.",
        recoverySuggestion: "Divide it by keyframes, or write it without easing.")
    }
    var times: [ExactTime] = []
    for frame in first...last { times.append(try ExactTime(frame: frame, rate: rate)) }
    return times
  }

  /// The start of the last frame before a time.
  package func time(before time: ExactTime) throws(CompositorError) -> ExactTime {
    try ExactTime(frame: time.frameBefore(rate: rate), rate: rate)
  }
}

extension ExactTime {
  /// The index of the frame shown at this time: the last one that starts no later.
  fileprivate func frame(rate: Rational) -> Int64 {
    let (dividend, divisor) = (Int128(numerator) * Int128(rate.numerator), Int128(denominator) * Int128(rate.denominator))
    let quotient = dividend / divisor
    return Int64(clamping: quotient * divisor > dividend ? quotient - 1 : quotient)
  }

  /// The index of the last frame that starts earlier.
  fileprivate func frameBefore(rate: Rational) -> Int64 {
    let (dividend, divisor) = (Int128(numerator) * Int128(rate.numerator), Int128(denominator) * Int128(rate.denominator))
    let frame = frame(rate: rate)
    return Int128(frame) * divisor == dividend ? frame - 1 : frame
  }

  /// The position of this time between `start` and `end`, 0 … 1; the nearest double if the ratio is one of small integers.
  func fraction(from start: ExactTime, to end: ExactTime) throws(CompositorError) -> Double {
    let (part, whole) = (try self - start, try end - start)
    return Double(Int128(part.numerator) * Int128(whole.denominator))
      / Double(Int128(whole.numerator) * Int128(part.denominator))
  }
}
