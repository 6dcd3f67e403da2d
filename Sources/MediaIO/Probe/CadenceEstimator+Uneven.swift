import CompositorAPI

/// Frames of uneven length: pictures of which some are shown briefly, such as those of an animation that was timed by hand, or of a
/// recording that has a frame for each change.
extension CadenceEstimator {
  /// Frames per second from which on an output at an irregular track's own rate is near to any time.
  private static let nearRate = StandardFrameRate.film.value

  /// Whether the frames have no low rate, so that an output at the one that was found would move them, or miss some: they don't cluster
  /// around its points, or they are so few, with gaps, that any times would.
  ///
  /// - Parameters:
  ///   - cadence: The cadence by the frames alone.
  ///   - end: The end of the last frame in ticks; `nil` if it isn't known.
  ///   - statesDurations: Whether each frame states how long it is shown.
  func isUneven(_ cadence: FrameCadence, endingAt end: Int64?, statesDurations: Bool) -> Bool {
    guard !isSlideshow, stamps.count > 1, cadence.rate.value < Self.nearRate else { return false }
    let (times, period) = (stamps + (end.map { [$0] } ?? []), ticks(perFrameAt: cadence.rate))
    if cadence.isRegular {
      let isRounded = cadence.roundingStep.seconds <= max(Self.rounding, timebase.seconds) * (1 + 1e-9)
      guard cadence.hasGaps, !isTold(period), !isRounded || statesDurations && !has(times, cadence) else { return false }
    }
    // A few frames, one of which an output at that rate would miss, are a clock's only if all of them are.
    let share = stamps.count < Self.fewestFramesWithGaps && cadence.hiddenFrameCount > 0 ? 1 : Self.regularShare
    return ![period, meanPeriod(near: period), meanPeriod(near: middleStep)].contains { isNear(times, to: $0, share: share) }
  }

  /// Whether a share of the times is near to points of a clock: of a steady one, or of one that runs faster and slower.
  private func isNear(_ times: [Int64], to period: Double, share: Double) -> Bool {
    guard stamps.count >= Self.fewestFramesOfMean else { return false }
    // Not many frames with gaps between them are near to some points by chance.
    let reach = isTold(period) ? reach(period) : period / 20
    let (even, near) = (evenSteps(times, period, reach), timesOnGrid(times, period, reach))
    return Double(even) >= share * Double(times.count - 1) || Double(near) >= share * Double(times.count)
  }

  /// The number of steps that are about as long as one or more frames.
  private func evenSteps(_ times: [Int64], _ period: Double, _ reach: Double) -> Int {
    zip(times, times.dropFirst()).count { time, next in
      let frames = (Double(next - time) / period).rounded()
      return frames > 0 && abs(Double(next - time) - frames * period) <= reach
    }
  }

  /// The number of times that are near to points of their own of a grid through the mean of all phases.
  private func timesOnGrid(_ times: [Int64], _ period: Double, _ reach: Double) -> Int {
    let origin = meanPhase(period: period) * period
    var (count, before) = (0, -Double.infinity)
    for time in times {
      let points = (Double(time - stamps[0]) - origin) / period
      guard points.rounded() > before, abs(points - points.rounded()) * period <= reach else { continue }
      (count, before) = (count + 1, points.rounded())
    }
    return count
  }

  /// The mean length of a frame, of which a step near `period` has one, and longer ones have more.
  private func meanPeriod(near period: Double) -> Double {
    let frames = steps.reduce(0.0) { $0 + max(1, (Double($1) / period).rounded()) }
    return Double(stamps[stamps.count - 1] - stamps[0]) / frames
  }

  /// The median step in ticks.
  private var middleStep: Double { Double(steps.sorted()[steps.count / 2]) }
}
