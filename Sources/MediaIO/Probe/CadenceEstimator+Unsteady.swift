import CompositorAPI

/// Tracks whose clock is unsteady: frames come a little early or late.
extension CadenceEstimator {
  /// The greatest distance of a frame from the point that it means, in frames. Beyond half a frame another point is nearer.
  private static let farthest = 0.45

  /// The fewest frames whose mean rate tells a clock's.
  private static let fewestFramesOfMean = 8

  /// A regular cadence on whose grid every timestamp means the nearest point, if the given one doesn't show each frame; otherwise the
  /// given one.
  ///
  /// Cameras and recorders of screens state when a frame arrived, not when it was due: at a frame's time an output at the same rate
  /// would show the one before, and never that frame. Frames that come early and late in turn may even lie on the grid of a higher
  /// rate, with a gap after every second one.
  func steadied(_ cadence: FrameCadence) -> FrameCadence {
    if cadence.hasGaps, isLongAndShortInTurn, let steady = steadyOfMean, steady.rate.value * 1.1 < cadence.rate.value {
      return steady
    }
    guard cadence.hiddenFrameCount > 0, let steady = steady(at: cadence.rate, from: [cadence.origin]),
      steady.hiddenFrameCount < cadence.hiddenFrameCount
    else { return cadence }
    return steady
  }

  /// The same for an irregular cadence.
  ///
  /// - Parameter rate: The standard rate around whose grid the timestamps cluster. Without one, or if it doesn't fit, standard rates
  ///   near the mean are tried: the steps of frames that come early and late in turn are those of no rate.
  func steadied(_ cadence: FrameCadence, clusteredAt rate: Rational?) -> FrameCadence {
    guard let first = stamps.first, let last = stamps.last, last > first else { return cadence }
    let mean = Double(stamps.count - 1) / (Double(last - first) * timebase.seconds)
    let isRepeating = cadence.rate.value > mean * 1.1 && stamps.count >= Self.fewestFramesOfMean
    guard cadence.hiddenFrameCount > 0 || isRepeating else { return cadence }
    let clustered = cadence.hiddenFrameCount > 0 ? rate.flatMap { steady(at: $0, first: first) } : nil
    let hidden = max(cadence.hiddenFrameCount, 1)
    return [clustered, steadyOfMean].lazy.compactMap(\.self).first { $0.hiddenFrameCount < hidden } ?? cadence
  }

  /// The regular cadence of the standard rate near the mean to whose grid the timestamps are nearest; `nil` if there is none, or if
  /// there are too few frames to tell.
  private var steadyOfMean: FrameCadence? {
    guard stamps.count >= Self.fewestFramesOfMean, let first = stamps.first, let last = stamps.last else { return nil }
    let mean = Double(stamps.count - 1) / (Double(last - first) * timebase.seconds)
    // A last frame that comes late makes the mean of a short track lower than that of its clock: stated and whole rates first,
    // unless the timestamps are much nearer to another's grid.
    let near = StandardFrameRate.all.filter { abs($0.value / mean - 1) < 0.005 }
    let rates = near.filter(stated.contains) + near.filter { $0.denominator != 1001 } + near
    let found = rates.compactMap { steady(at: $0, first: first) }
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

  /// The regular cadence of a rate through media time 0, the first timestamp, or the middle of all deviations from that.
  private func steady(at rate: Rational, first: Int64) -> FrameCadence? {
    // A variable rate above that of outputs hides frames however steady it is.
    guard rate.value <= FrameCadence.highestVariableRate.value else { return nil }
    let origin = first + middle(of: first, ticks(perFrameAt: rate))
    return steady(at: rate, from: [.zero, timebase.time(first), timebase.time(origin)])
  }

  /// The regular cadence of a rate on whose grid, through one of some times, each timestamp means a point of its own; `nil` if there is
  /// none.
  private func steady(at rate: Rational, from origins: [MediaTime]) -> FrameCadence? {
    let period = ticks(perFrameAt: rate)
    for origin in origins {
      guard let distance = greatestDistance(from: origin, period) else { continue }
      let tolerance = (distance - 1e-6).rounded(.up)
      // Otherwise a timestamp would be within reach of two points.
      guard distance + tolerance < period else { continue }
      let points = Double(stamps[stamps.count - 1] - stamps[0]) / period
      var steady = FrameCadence(
        rate: rate.reduced, hasGaps: points.rounded() + 1 > Double(stamps.count), origin: origin,
        roundingStep: timebase.time(Int64(tolerance)))
      guard FrameGrid(steady) != nil else { continue }
      steady.hiddenFrameCount = hiddenCount(of: steady)
      return steady
    }
    return nil
  }

  /// The middle between the earliest and the latest timestamp in ticks, seen from their points of a grid.
  private func middle(of origin: Int64, _ period: Double) -> Int64 {
    let deviations = stamps.map { stamp in
      let points = Double(stamp - origin) / period
      return (points - points.rounded()) * period
    }
    return Int64((((deviations.min() ?? 0) + (deviations.max() ?? 0)) / 2).rounded())
  }

  /// The greatest distance in ticks of a timestamp from the nearest point of a grid; `nil` if two mean the same point, or one lies
  /// between two.
  private func greatestDistance(from origin: MediaTime, _ period: Double) -> Double? {
    let first = origin.seconds / timebase.seconds
    var (before, greatest) = (-Double.infinity, 0.0)
    for stamp in stamps {
      let points = (Double(stamp) - first) / period
      let point = points.rounded()
      guard point > before, abs(points - point) <= Self.farthest else { return nil }
      (before, greatest) = (point, max(greatest, abs(points - point) * period))
    }
    return greatest
  }
}
