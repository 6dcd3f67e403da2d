import CompositorAPI

/// Slideshows: tracks of so few frames a second that each may be shown for a time of its own.
extension CadenceEstimator {
  /// Frames per second of a slideshow at most. At higher rates, clocks and habits of writers may make a frame short.
  private static let highestSlideshowRate = 4.0

  /// Frames per second of the finest grid for frames whose times are meant as stated, and of an output without a grid; a finer one would
  /// fit any.
  private static let finestRate = FrameCadence.plainRate

  /// Seconds by which the times of a slideshow may be rounded, or a tick if that is longer: files may have gone through Matroska.
  static let rounding = 0.001

  /// Whether no frame but the last one is shown more briefly than a frame at 4 frames per second, give or take a tick.
  var isSlideshow: Bool {
    !steps.isEmpty && steps.allSatisfy { Double($0) + 1 >= 1 / (Self.highestSlideshowRate * timebase.seconds) }
  }

  /// The coarsest grid of a standard rate that has all frames and the end of the track, so that an output at its rate shows each frame
  /// as long as it should; for a slideshow without one, and for frames of uneven length, the frames' own times and the rate of an output
  /// that is near to any.
  ///
  /// - Parameters:
  ///   - cadence: The cadence by the frames alone.
  ///   - end: The end of the last frame in ticks; `nil` if it isn't known.
  ///   - statesDurations: Whether each frame states how long it is shown.
  ///   - isUneven: As ``isUneven(_:endingAt:statesDurations:)``.
  /// - Returns: `nil` if the given cadence is right: its grid has the frames and the end, or no output follows its rate, which is lower
  ///   than any standard one.
  func grid(of cadence: FrameCadence, endingAt end: Int64?, statesDurations: Bool, isUneven: Bool) -> FrameCadence? {
    let isFollowed = isUneven || cadence.rate.value >= StandardFrameRate.all[0].value
    guard isFollowed || cadence.isRegular && statesDurations else { return nil }
    let times = stamps + (end.map { [$0] } ?? [])
    guard isUneven || !has(times, cadence) else { return nil }
    let rates = StandardFrameRate.all.filter { $0.value <= Self.finestRate.value }
    // Few times are near to points of many grids. Those that are on one exactly were not rounded.
    let found = [false, true].lazy.compactMap { isRounded in
      rates.lazy.compactMap { statedGrid($0, times, isRounded: isRounded) }.first
    }
    if let grid = found.first { return grid }
    guard isSlideshow && isFollowed || isUneven else { return nil }
    var own = FrameCadence(
      rate: Self.finestRate, isRegular: false, origin: timebase.time(stamps[0]), roundingStep: timebase.time(1))
    own.hiddenFrameCount = hiddenCount(of: own)
    return own
  }

  /// The grid of a rate whose points, all rounded in the same way or not at all, are the timestamps and the end; `nil` if they are not.
  private func statedGrid(_ rate: Rational, _ times: [Int64], isRounded: Bool) -> FrameCadence? {
    let (period, rounding) = (ticks(perFrameAt: rate), max(1, Self.rounding / timebase.seconds))
    guard period >= Self.fewestStepsPerFrame * rounding else { return nil }
    for phase in [0, stamps[0]] {
      guard let residual = roundedResidual(of: times, period: period, phase: phase, rounding: rounding),
        isRounded || residual < 1e-6
      else { continue }
      let points = Double(stamps[stamps.count - 1] - stamps[0]) / period
      var grid = FrameCadence(
        rate: rate, hasGaps: points.rounded() + 1 > Double(stamps.count), origin: phase == 0 ? .zero : timebase.time(phase),
        roundingStep: timebase.time(Int64((residual - 1e-6).rounded(.up))))
      guard CadenceGrid(grid) != nil else { continue }
      grid.hiddenFrameCount = hiddenCount(of: grid)
      return grid
    }
    return nil
  }

  /// Whether times are points of a cadence's grid.
  func has(_ times: [Int64], _ cadence: FrameCadence) -> Bool {
    let clock = FrameStampClock(timebase: timebase, cadence: cadence)
    return times.allSatisfy { clock.endOfRegularFrame($0) != nil }
  }
}
