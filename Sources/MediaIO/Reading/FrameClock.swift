package import CompositorAPI

/// Exact times of frames at a constant rate.
package struct FrameClock: Sendable, Hashable {
  /// Frames a second; both parts 1 … 2³¹ − 1.
  package let rate: Rational

  /// A clock of a checked rate.
  package init(rate: Rational) { self.rate = rate }

  /// The rate, if it is one.
  ///
  /// - Throws: `.invalidValue` unless both parts are 1 … 2³¹ − 1.
  package static func checked(_ rate: Rational, file: String) throws(CompositorError) -> Rational {
    let allowed = 1...Int(Int32.max)
    guard allowed.contains(rate.numerator), allowed.contains(rate.denominator) else {
      throw CompositorError(
        .invalidValue, "\(rate) is not a frame rate.", recoverySuggestion: "Give a rate above 0, for example 30000/1001.",
        at: ErrorLocation(file: file))
    }
    return rate
  }

  /// - Throws: `.invalidValue` for a time that is not numeric.
  package static func check(_ time: MediaTime, file: String) throws(CompositorError) {
    guard time.isNumeric else {
      throw CompositorError(
        .invalidValue, "A frame was asked for at a time that is not a number of seconds.",
        recoverySuggestion: "Ask for a finite time.",
        at: ErrorLocation(file: file))
    }
  }

  private var timebase: Timebase {
    Timebase(numerator: Int32(clamping: rate.denominator), denominator: Int32(clamping: rate.numerator))
  }

  /// When frame `index` is first shown.
  package func time(ofFrame index: Int64) -> MediaTime { timebase.time(index) }

  /// How long a frame is shown.
  package var duration: MediaTime { timebase.time(1) }

  /// The frame shown at a numeric time; negative before time 0.
  package func frame(at time: MediaTime) -> Int64 { timebase.lastTick(notAfter: time) }
}
