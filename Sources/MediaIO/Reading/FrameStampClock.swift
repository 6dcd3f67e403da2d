package import CompositorAPI

/// Maps timestamps to times and times to frames, by one rule.
///
/// A timestamp within the container's rounding of a point of the track's regular grid means that point. Any other timestamp
/// means itself, and its frame is shown up to half a tick (at most 1 ms) early, because the timestamp may have been rounded up.
/// The frame shown at a given time is the last one that starts no later. Both directions depend on the timestamp alone, so that
/// random access and reading in order agree.
package struct FrameStampClock: Sendable {
  /// Length of a tick.
  package let timebase: Timebase
  private let grid: CadenceGrid?
  /// The maximum distance in ticks of a timestamp from its grid point.
  private let tolerance: Int64

  /// A tenth of a microsecond: rounding errors of an edit's times up to this must not lose a frame.
  private static let slackPerSecond: Int128 = 10_000_000
  /// The longest time that an irregular frame is shown early, as a fraction of a second.
  private static let longestLeadPerSecond: Int128 = 1000

  /// - Parameters:
  ///   - timebase: Timebase of the timestamps.
  ///   - cadence: The track's cadence; `nil` takes every timestamp as it is.
  ///   - fieldRate: Whether each field is a frame of its own, on a grid twice as fine.
  package init(timebase: Timebase, cadence: FrameCadence?, fieldRate: Bool = false) {
    self.timebase = timebase
    guard var cadence, cadence.isRegular else {
      (grid, tolerance) = (nil, 0)
      return
    }
    let roundingStep = cadence.roundingStep
    if fieldRate { cadence.rate = Rational(cadence.rate.numerator * 2, cadence.rate.denominator).reduced }
    grid = CadenceGrid(cadence)
    let ticks = roundingStep.isNumeric ? timebase.lastTick(notAfter: roundingStep) : 0
    // Fields are half as far apart as the frames that the tolerance was measured for.
    let halfField = 0.5 / (cadence.rate.value * timebase.seconds)
    tolerance = fieldRate && Double(ticks) >= halfField ? Int64(max(0, (halfField - 1e-6).rounded(.down))) : ticks
  }

  /// The start time of the frame with a timestamp.
  package func time(of stamp: Int64) -> MediaTime {
    guard let grid, let point = point(of: stamp, on: grid), let time = grid.time(ofPoint: point) else {
      return timebase.time(stamp)
    }
    return time
  }

  /// The end of the frame with a timestamp, one period after its start; `nil` if the timestamp is not on the grid.
  func endOfRegularFrame(_ stamp: Int64) -> MediaTime? {
    guard let grid, let point = point(of: stamp, on: grid) else { return nil }
    return grid.time(ofPoint: point + 1)
  }

  /// The greatest timestamp whose frame starts no later than `time`, which must be numeric; clamped to ±
  /// ``Timebase/farthestTick``.
  package func lastStamp(notAfter time: MediaTime) -> Int64 {
    let (value, timescale) = (Int128(time.value), Int128(time.timescale))
    let lead = leadingStamp(notAfter: value, timescale)
    guard let grid else { return Timebase.clamped(Int64(clamping: lead)) }
    let point = grid.lastPoint(
      notAfter: value * Self.slackPerSecond + timescale, over: timescale * Self.slackPerSecond)
    let onGrid = lastStamp(within: tolerance, of: point, on: grid)
    // A timestamp that means a later point is not shown yet, however near it is.
    let beforeNext = firstStamp(within: tolerance, of: point + 1, on: grid) - 1
    return Timebase.clamped(Int64(clamping: max(onGrid, min(lead, beforeNext))))
  }

  /// The greatest timestamp whose frame starts before `time`, which must be numeric: the frame shown when time runs backward. A
  /// time that may have been rounded counts as equal to `time`, so that n frames at their own rate are shown once each in both
  /// directions.
  package func lastStamp(before time: MediaTime) -> Int64 {
    let (value, timescale) = (Int128(time.value), Int128(time.timescale))
    let trail = trailingStamp(before: value, timescale)
    guard let grid else { return Timebase.clamped(Int64(clamping: trail)) }
    let point = grid.lastPoint(
      notAfter: value * Self.slackPerSecond - timescale, over: timescale * Self.slackPerSecond)
    let onGrid = lastStamp(within: tolerance, of: point, on: grid)
    let beforeNext = firstStamp(within: tolerance, of: point + 1, on: grid) - 1
    return Timebase.clamped(Int64(clamping: max(onGrid, min(trail, beforeNext))))
  }

  // MARK: irregular timestamps

  /// The last timestamp that is before a time by more than half a tick or 1 ms.
  private func trailingStamp(before value: Int128, _ timescale: Int128) -> Int128 {
    let (numerator, denominator) = (Int128(timebase.numerator), Int128(timebase.denominator))
    let divisor = timescale * numerator
    let longest = 2 * timescale * denominator / Self.longestLeadPerSecond
    return floorDivide(2 * value * denominator - min(divisor, longest) - 1, 2 * divisor)
  }

  /// The last timestamp that is not after a time by more than half a tick or 1 ms.
  private func leadingStamp(notAfter value: Int128, _ timescale: Int128) -> Int128 {
    let (numerator, denominator) = (Int128(timebase.numerator), Int128(timebase.denominator))
    // Ticks: time + min(tick / 2, 1 ms), rounded down; in units of 1/(2 · timescale · numerator) of a tick.
    let divisor = timescale * numerator
    let halfTick = divisor
    let longest = 2 * timescale * denominator / Self.longestLeadPerSecond
    return floorDivide(2 * value * denominator + min(halfTick, longest), 2 * divisor)
  }

  // MARK: regular timestamps

  /// The grid point that a timestamp means; `nil` if it lies on none.
  private func point(of stamp: Int64, on grid: CadenceGrid) -> Int128? {
    let (numerator, denominator) = (Int128(timebase.numerator), Int128(timebase.denominator))
    let reach = Int128(stamp) + Int128(tolerance)
    let point = grid.lastPoint(notAfter: reach * numerator, over: denominator)
    return Int128(stamp) <= lastStamp(within: tolerance, of: point, on: grid) ? point : nil
  }

  /// The last timestamp at most `distance` ticks after a grid point.
  private func lastStamp(within distance: Int64, of point: Int128, on grid: CadenceGrid) -> Int128 {
    let (numerator, denominator) = (Int128(timebase.numerator), Int128(timebase.denominator))
    return floorDivide(grid.units(ofPoint: point) * denominator, grid.unitsPerSecond * numerator) + Int128(distance)
  }

  /// The first timestamp at most `distance` ticks before a grid point.
  private func firstStamp(within distance: Int64, of point: Int128, on grid: CadenceGrid) -> Int128 {
    let (numerator, denominator) = (Int128(timebase.numerator), Int128(timebase.denominator))
    return -floorDivide(-grid.units(ofPoint: point) * denominator, grid.unitsPerSecond * numerator) - Int128(distance)
  }

  private func floorDivide(_ dividend: Int128, _ divisor: Int128) -> Int128 {
    let quotient = dividend / divisor
    return dividend < 0 && quotient * divisor != dividend ? quotient - 1 : quotient
  }
}
