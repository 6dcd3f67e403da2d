import CompositorAPI

/// Movie time as a function of host time: a value that is replaced when the rate or the position changes.
struct MovieClock: Sendable {
  /// The movie time at ``instant``.
  private(set) var anchor: MediaTime
  private(set) var instant: ContinuousClock.Instant
  /// Movie seconds per second; 0 while paused.
  private(set) var rate: Double
  /// Whether movie time is held although the rate is not 0, because a seek waits for its frame.
  private(set) var isHeld = false

  init(at time: MediaTime, instant: ContinuousClock.Instant) {
    (anchor, self.instant, rate) = (time, instant, 0)
  }

  /// Whether movie time moves.
  var isRunning: Bool { rate != 0 && !isHeld }

  /// The movie time at an instant, rounded to a nanosecond; exactly the anchor while movie time doesn't move.
  func time(at now: ContinuousClock.Instant) -> MediaTime {
    guard isRunning else { return anchor }
    let elapsed = now - instant
    guard elapsed != .zero else { return anchor }
    return anchor + MediaTime(nanosecondsOf: elapsed, times: rate)
  }

  /// The instant at which movie time is `time`; `nil` while movie time doesn't move.
  func instant(of time: MediaTime) -> ContinuousClock.Instant? {
    guard isRunning, time.isNumeric else { return nil }
    let distance = (time - anchor).seconds / rate
    guard distance.isFinite, abs(distance) < 1e9 else { return nil }
    return instant + .seconds(distance)
  }

  mutating func setRate(_ rate: Double, at now: ContinuousClock.Instant) {
    (anchor, instant) = (time(at: now), now)
    self.rate = rate
  }

  mutating func set(_ time: MediaTime, at now: ContinuousClock.Instant) { (anchor, instant) = (time, now) }

  /// Holds movie time at a value until ``release(at:)``.
  mutating func hold(_ time: MediaTime, at now: ContinuousClock.Instant) {
    (anchor, instant, isHeld) = (time, now, true)
  }

  mutating func release(at now: ContinuousClock.Instant) {
    guard isHeld else { return }
    (instant, isHeld) = (now, false)
  }
}

extension MediaTime {
  /// A duration times a rate, rounded to a nanosecond.
  init(nanosecondsOf duration: Duration, times rate: Double) {
    let (seconds, attoseconds) = duration.components
    if rate == 1 || rate == -1 {
      let value = (Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)) * Int128(rate)
      self.init(value: Int64(clamping: value), timescale: 1_000_000_000)
    } else {
      self.init(seconds: (Double(seconds) + Double(attoseconds) / 1e18) * rate, preferredTimescale: 1_000_000_000)
    }
  }
}
