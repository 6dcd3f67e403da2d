import CompositorAPI

/// Tracks whose clock is unsteady: frames come a little early or late.
extension CadenceEstimator {
  /// The greatest distance of a frame from the point that it means, in frames. Beyond half a frame another point is nearer.
  private static let farthest = 0.45

  /// A cadence on whose grid every timestamp means the nearest point, if that shows each frame once and the given cadence doesn't;
  /// otherwise the given cadence.
  ///
  /// Cameras and recorders of screens state when a frame arrived, not when it was due: at a frame's time an output at the same rate
  /// would show the one before, and never that frame.
  func unsteady(_ cadence: FrameCadence) -> FrameCadence {
    // A variable rate above that of outputs hides frames however steady it is.
    let isFast = !cadence.isRegular && cadence.rate.value > FrameCadence.highestVariableRate.value
    guard cadence.hiddenFrameCount > 0, cadence.rate.isPositive, !isFast, let first = stamps.first else { return cadence }
    let period = ticks(perFrameAt: cadence.rate)
    let origin = cadence.isRegular ? timebase.lastTick(notAfter: cadence.origin) : first
    let phases = cadence.isRegular ? [cadence.origin] : [.zero, timebase.time(first), timebase.time(middle(origin, period))]
    for phase in phases {
      guard let distance = greatestDistance(from: phase, period) else { continue }
      let tolerance = (distance - 1e-6).rounded(.up)
      // Otherwise a timestamp would be within reach of two points.
      guard distance + tolerance < period else { continue }
      var steadied = cadence
      (steadied.isRegular, steadied.origin) = (true, phase)
      steadied.roundingStep = timebase.time(Int64(tolerance))
      let points = Double(stamps[stamps.count - 1] - first) / period
      steadied.hasGaps = points.rounded() + 1 > Double(stamps.count)
      steadied.hiddenFrameCount = hiddenCount(of: steadied)
      if FrameGrid(steadied) != nil, steadied.hiddenFrameCount < cadence.hiddenFrameCount { return steadied }
    }
    return cadence
  }

  /// The tick in the middle between the earliest and the latest timestamp, seen from their points of a grid.
  private func middle(_ origin: Int64, _ period: Double) -> Int64 {
    let deviations = stamps.map { stamp in
      let points = Double(stamp - origin) / period
      return (points - points.rounded()) * period
    }
    return origin + Int64((((deviations.min() ?? 0) + (deviations.max() ?? 0)) / 2).rounded())
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
