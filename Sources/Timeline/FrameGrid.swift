package import CompositorAPI

/// The output's frames in a stretch of time: where changes that aren't linear are sampled.
package struct FrameGrid: Sendable {
  /// Frames a second.
  package var rate: Rational
  /// The stretch in composition time. Nothing outside of it has to be right.
  package var range: ExactRange

  package init(rate: Rational, range: ExactRange) {
    self.rate = rate
    self.range = range
  }

  /// The most frames that one eased change is sampled at.
  package static let limit: Int64 = 1_000_000

  /// The starts of the frames between two times, both excluded, that are in the stretch or next to it.
  ///
  /// - Throws: `.invalidValue` for more than ``limit`` frames.
  package func times(after start: ExactTime, before end: ExactTime) throws(CompositorError) -> [ExactTime] {
    let first = max(start.frame(rate: rate) + 1, range.start.frame(rate: rate))
    let last = min(end.frameBefore(rate: rate), range.end.frameBefore(rate: rate) + 1)
    guard first <= last else { return [] }
    guard last - first < FrameGrid.limit else {
      throw CompositorError(
        .invalidValue, "An eased change takes \(last - first + 1) frames; at most \(FrameGrid.limit) can be eased.",
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
  /// The frame that is shown at this time: the last that starts no later.
  fileprivate func frame(rate: Rational) -> Int64 {
    let (dividend, divisor) = (Int128(numerator) * Int128(rate.numerator), Int128(denominator) * Int128(rate.denominator))
    let quotient = dividend / divisor
    return Int64(clamping: quotient * divisor > dividend ? quotient - 1 : quotient)
  }

  /// The last frame that starts earlier.
  fileprivate func frameBefore(rate: Rational) -> Int64 {
    let (dividend, divisor) = (Int128(numerator) * Int128(rate.numerator), Int128(denominator) * Int128(rate.denominator))
    let frame = frame(rate: rate)
    return Int128(frame) * divisor == dividend ? frame - 1 : frame
  }

  /// How far this time is from `start` to `end`, 0 … 1 between them; the nearest number if the ratio is one of small integers.
  func fraction(from start: ExactTime, to end: ExactTime) throws(CompositorError) -> Double {
    let (part, whole) = (try self - start, try end - start)
    return Double(Int128(part.numerator) * Int128(whole.denominator))
      / Double(Int128(whole.numerator) * Int128(part.denominator))
  }
}
