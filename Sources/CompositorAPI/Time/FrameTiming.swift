/// Exact integer arithmetic for a constant frame rate: the frame at a given time, and the time of a frame.
public struct FrameTiming: Hashable, Sendable {
  /// The duration of a frame.
  public let frameDuration: MediaTime

  /// Creates a timing from a frame duration.
  ///
  /// - Throws: `.invalidValue` if it isn't numeric, isn't positive, or has an epoch.
  public init(frameDuration: MediaTime) throws(CompositorError) {
    guard frameDuration.isNumeric, frameDuration.value > 0, frameDuration.epoch == 0 else {
      throw CompositorError(
        .invalidValue, "A frame duration of \(frameDuration) is not a positive time.",
        recoverySuggestion: "Give the time from frame to frame, for example 1001/30000.")
    }
    self.frameDuration = frameDuration
  }

  /// The number of frames that start within `duration`, the first at 0, rounded up. 0 if it is negative; `nil` if it isn't
  /// numeric or the count doesn't fit.
  public func frameCount(in duration: MediaTime) -> Int? {
    guard duration.isNumeric else { return nil }
    guard duration.value > 0 else { return 0 }
    let (quotient, remainder) = divided(duration)
    return Int(exactly: quotient + (remainder > 0 ? 1 : 0))
  }

  /// The start of frame `index`, with frame 0 at 0; ±∞ only if no timescale can represent it.
  public func time(ofFrame index: Int) -> MediaTime {
    frameDuration.multiplied(by: Int64(index), over: 1)
  }

  /// The index of the frame shown at `time`, rounded down, negative before 0; `nil` if `time` isn't numeric or the index
  /// doesn't fit.
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
