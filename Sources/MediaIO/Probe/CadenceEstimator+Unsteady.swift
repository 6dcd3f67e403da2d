import CompositorAPI

/// Tracks whose clock is unsteady: frames come a little early or late.
extension CadenceEstimator {
  /// The greatest distance of a frame from the point that it means, in frames. Beyond half a frame another point is nearer.
  private static let farthest = 0.45

  /// The same in seconds: that of a frame at 22.5 frames a second. What is farther is no delay of a camera or a recorder, but the time
  /// that an author chose.
  private static let longestDelay = 0.02

  /// The fewest frames whose mean rate tells a clock's.
  static let fewestFramesOfMean = 8

  /// A regular cadence on whose grid every timestamp means the nearest point, if an output at the given one's rate may miss a frame;
  /// otherwise the given one.
  ///
  /// Cameras and recorders of screens state when a frame arrived, not when it was due: at a frame's time an output at the same rate
  /// would show the one before, and never that frame. Frames that come early and late in turn may even lie on the grid of a higher
  /// rate, with a gap after every second one.
  func steadied(_ cadence: FrameCadence) -> FrameCadence {
    if cadence.hasGaps, isLongAndShortInTurn, let steady = steadyOfMean(keepsStart: false),
      steady.rate.value * 1.1 < cadence.rate.value
    {
      return steady
    }
    guard cadence.hiddenFrameCount > 0 || hasShortFrame(cadence),
      let steady = steady(at: cadence.rate, from: [cadence.origin] + middles(ticks(perFrameAt: cadence.rate))),
      steady.hiddenFrameCount < max(cadence.hiddenFrameCount, 1)
    else { return cadence }
    return steady
  }

  /// The same for an irregular cadence. The times of a slideshow are meant as stated.
  ///
  /// - Parameter rate: The standard rate around whose grid the timestamps cluster. Without one, or if it doesn't fit, standard rates
  ///   near the mean are tried: the steps of frames that come early and late in turn are those of no rate.
  func steadied(_ cadence: FrameCadence, clusteredAt rate: Rational?) -> FrameCadence {
    guard !isSlideshow, let first = stamps.first, let last = stamps.last, last > first else { return cadence }
    let mean = Double(stamps.count - 1) / (Double(last - first) * timebase.seconds)
    let isRepeating = cadence.rate.value > mean * 1.1 && stamps.count >= Self.fewestFramesOfMean
    let isShown = cadence.hiddenFrameCount == 0
    guard !isShown || isRepeating || stamps.count >= Self.fewestFramesOfMean && hasShortFrame(cadence) else { return cadence }
    let clustered = rate.flatMap { steady(at: $0, first: first, keepsStart: isShown) }
    let ofMean = steadyOfMean(keepsStart: isShown && !isRepeating)
    guard isShown else {
      return [clustered, ofMean].lazy.compactMap(\.self).first { $0.hiddenFrameCount < cadence.hiddenFrameCount } ?? cadence
    }
    let told = [clustered, ofMean].compactMap(\.self).filter { isTold(ticks(perFrameAt: $0.rate)) }
    let found = (isRepeating ? [ofMean] : []) + told
    return found.lazy.compactMap(\.self).first { $0.hiddenFrameCount == 0 } ?? cadence
  }

  /// Whether the frames are enough to tell a clock. A few of any times may lie near to some points of a grid that are far apart.
  ///
  /// - Parameter period: The length of a frame in ticks.
  func isTold(_ period: Double) -> Bool {
    let points = Double(stamps[stamps.count - 1] - stamps[0]) / period + 1
    return stamps.count >= Self.fewestFramesWithGaps || Double(stamps.count) >= Self.leastFilledShare * points.rounded()
  }

  static let fewestFramesWithGaps = 30
  private static let leastFilledShare = 0.8

  /// Whether a frame is shown for less than a frame of an output at the cadence's rate: an output whose frames begin elsewhere than
  /// those of a clip at the start of a movie, as after a cut, may miss it.
  private func hasShortFrame(_ cadence: FrameCadence) -> Bool {
    let clock = FrameStampClock(timebase: timebase, cadence: cadence)
    let shortest = cadence.outputRate.frameDuration.seconds - Self.slack
    return zip(stamps, stamps.dropFirst()).contains { frame, next in
      (clock.time(of: next) - clock.time(of: frame)).seconds < shortest
    }
  }

  /// Seconds by which a frame may be shorter than another for no other reason than the precision of numbers.
  private static let slack = 1e-7

  /// The regular cadence of the standard rate near the mean to whose grid the timestamps are nearest; `nil` if there is none, or if
  /// there are too few frames to tell.
  private func steadyOfMean(keepsStart: Bool) -> FrameCadence? {
    guard stamps.count >= Self.fewestFramesOfMean, let first = stamps.first, let last = stamps.last else { return nil }
    let mean = Double(stamps.count - 1) / (Double(last - first) * timebase.seconds)
    // A last frame that comes late makes the mean of a short track lower than that of its clock: stated and whole rates first,
    // unless the timestamps are much nearer to another's grid.
    let near = StandardFrameRate.all.filter { abs($0.value / mean - 1) < 0.005 }
    let rates = near.filter(stated.contains) + near.filter { $0.denominator != 1001 } + near
    let found = rates.compactMap { steady(at: $0, first: first, keepsStart: keepsStart) }
    return found.dropFirst().reduce(found.first) { best, other in
      best.map { other.roundingStep.seconds < 0.8 * $0.roundingStep.seconds ? other : $0 }
    }
  }

  /// Whether nearly every step that is longer than the one before is followed by a shorter one, and the other way round.
  private var isLongAndShortInTurn: Bool {
    guard steps.count >= Self.fewestFramesOfMean else { return false }
    let changes = zip(steps.dropFirst(), steps).map { $0 - $1 }
    let turns = zip(changes.dropFirst(), changes).count { ($0 < 0 && $1 > 0) || ($0 > 0 && $1 < 0) }
    return Double(turns) >= Self.regularShare * Double(changes.count - 1)
  }

  /// The regular cadence of a rate through media time 0, the first timestamp, or the middle of all deviations.
  ///
  /// - Parameter keepsStart: Whether the track starts with its first timestamp if it can, not with a point of the grid through 0.
  private func steady(at rate: Rational, first: Int64, keepsStart: Bool) -> FrameCadence? {
    // A variable rate above that of outputs hides frames however steady it is.
    guard rate.value <= FrameCadence.highestVariableRate.value else { return nil }
    let start = (keepsStart ? [] : [.zero]) + [timebase.time(first)]
    return steady(at: rate, from: start + middles(ticks(perFrameAt: rate)))
  }

  /// The regular cadence of a rate on whose grid, through one of some times, each timestamp means a point of its own; `nil` if there is
  /// none.
  private func steady(at rate: Rational, from origins: [MediaTime]) -> FrameCadence? {
    let period = ticks(perFrameAt: rate)
    for origin in origins {
      guard startsAtOrAfterZero(from: origin, period), let distance = greatestDistance(from: origin, period) else { continue }
      let tolerance = (distance - 1e-6).rounded(.up)
      // Otherwise a timestamp would be within reach of two points.
      guard distance + tolerance < period else { continue }
      let points = Double(stamps[stamps.count - 1] - stamps[0]) / period
      var steady = FrameCadence(
        rate: rate.reduced, hasGaps: points.rounded() + 1 > Double(stamps.count), origin: origin,
        roundingStep: timebase.time(Int64(tolerance)))
      guard CadenceGrid(steady) != nil else { continue }
      steady.hiddenFrameCount = hiddenCount(of: steady)
      return steady
    }
    return nil
  }

  /// Whether the first timestamp's point of a grid isn't before media time 0, unless the timestamp is: a late grid begins with the frame.
  private func startsAtOrAfterZero(from origin: MediaTime, _ period: Double) -> Bool {
    guard let first = stamps.first, first >= 0 else { return true }
    let start = origin.seconds / timebase.seconds
    return start + ((Double(first) - start) / period).rounded() * period > -0.5
  }

  /// The middles between the earliest and the latest frame, seen from their points of a grid, as times of a point: a frame that is half
  /// a frame from its point may be late or early. The one between which frames are nearer comes first.
  private func middles(_ period: Double) -> [MediaTime] {
    let origin = stamps[0]
    let phases = stamps.map { stamp in
      let points = Double(stamp - origin) / period
      return points - points.rounded(.down)
    }.sorted()
    // Phases are those of a circle. All of them lie between the end of a gap and its start.
    let gaps = zip(phases, phases.dropFirst() + [phases[0] + 1]).map { before, after in
      (size: after - before, middle: (after - 1 + before) / 2)
    }
    return gaps.filter { $0.size >= 1 - 2 * Self.farthest }.sorted { $0.size > $1.size }.prefix(2).map { gap in
      timebase.time(origin + Int64(((gap.middle - gap.middle.rounded()) * period).rounded()))
    }
  }

  /// The greatest distance in ticks of a frame from the point that it means.
  func reach(_ period: Double) -> Double { min(Self.farthest * period, Self.longestDelay / timebase.seconds) }

  /// The greatest distance in ticks of a timestamp from the nearest point of a grid; `nil` if two mean the same point, or one is too
  /// far from any.
  private func greatestDistance(from origin: MediaTime, _ period: Double) -> Double? {
    let first = origin.seconds / timebase.seconds
    let reach = reach(period)
    var (before, greatest) = (-Double.infinity, 0.0)
    for stamp in stamps {
      let points = (Double(stamp) - first) / period
      let point = points.rounded()
      guard point > before, abs(points - point) * period <= reach else { return nil }
      (before, greatest) = (point, max(greatest, abs(points - point) * period))
    }
    return greatest
  }
}
