/// A constant frame rate as arithmetic: which frame is at a time, and at which time a frame is. Exact integer arithmetic.
public struct FrameTiming: Hashable, Sendable {
  /// Time from frame to frame.
  public let frameDuration: MediaTime

  /// Takes a frame duration.
  ///
  /// - Throws: `.invalidValue` where it is not numeric, not positive, or has an epoch.
  public init(frameDuration: MediaTime) throws(CompositorError) {
    guard frameDuration.isNumeric, frameDuration.value > 0, frameDuration.epoch == 0 else {
      throw CompositorError(
        .invalidValue, "A frame duration of \(frameDuration) is not a positive time.",
        recoverySuggestion: "Give the time from frame to frame, for example 1001/30000.")
    }
    self.frameDuration = frameDuration
  }

  /// How many frames start within `duration`, the first at 0: rounded up. 0 where it is negative, nil where it is not numeric
  /// or the count does not fit.
  public func frameCount(in duration: MediaTime) -> Int? {
    guard duration.isNumeric else { return nil }
    guard duration.value > 0 else { return 0 }
    let (quotient, remainder) = divided(duration)
    return Int(exactly: quotient + (remainder > 0 ? 1 : 0))
  }

  /// When frame `index` starts, frame 0 being at 0; ±∞ only where no timescale holds it.
  public func time(ofFrame index: Int) -> MediaTime {
    frameDuration.multiplied(by: Int64(index), over: 1)
  }

  /// The frame that is shown at `time`: rounded down, negative before 0. Nil where `time` is not numeric or the index does not
  /// fit.
  public func index(at time: MediaTime) -> Int? {
    guard time.isNumeric else { return nil }
    let (quotient, remainder) = divided(time)
    return Int(exactly: quotient - (remainder < 0 ? 1 : 0))
  }

  private func divided(_ time: MediaTime) -> (quotient: Int128, remainder: Int128) {
    let numerator = Int128(time.value) * Int128(frameDuration.timescale)
    return numerator.quotientAndRemainder(dividingBy: Int128(frameDuration.value) * Int128(time.timescale))
  }
}
