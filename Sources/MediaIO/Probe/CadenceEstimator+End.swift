import CompositorAPI

/// Tracks whose frames each state how long they are shown, the last one like the others: GIF, APNG and WebP.
extension CadenceEstimator {
  /// Frames per second of the finest grid for an end; a finer one would fit any. In a GIF its steps are four ticks.
  private static let finestRate = 25.0

  /// The cadence of a track that ends at a stated time.
  ///
  /// The last frame of a slideshow may be much shorter than a step. The grid is then the coarsest one of a standard rate that has
  /// the frames and the end, so that an output at its rate shows the last frame as long as it should.
  ///
  /// - Parameter end: The end of the last frame in ticks; `nil` if it isn't stated.
  /// - Returns: As ``cadence()``.
  package func cadence(endingAt end: Int64?) -> FrameCadence? {
    guard var cadence = cadence() else { return nil }
    guard let last = stamps.last, let end, end > last else { return cadence }
    if cadence.isRegular { return refined(cadence, toEndAt: end) }
    let clock = FrameStampClock(timebase: timebase, cadence: cadence)
    if isHidden(last, until: end, cadence, clock) { cadence.hiddenFrameCount += 1 }
    return cadence
  }

  /// A slideshow's cadence with further points, one of which is the end; the given cadence if it has that or if there is none.
  private func refined(_ cadence: FrameCadence, toEndAt end: Int64) -> FrameCadence {
    // The times of an unsteady clock are too far from their points for further ones between them.
    guard cadence.rate.value <= LastFrameEnd.highestRate, cadence.roundingStep.seconds <= Self.coarsestRounding * (1 + 1e-9),
      !hasEnd(end, cadence)
    else { return cadence }
    for rate in StandardFrameRate.all where rate.value <= Self.finestRate {
      let points = rate.value / cadence.rate.value
      guard points > 1.5, abs(points - points.rounded()) < 1e-9 else { continue }
      var finer = cadence
      (finer.rate, finer.hasGaps) = (rate, true)
      if CadenceGrid(finer) != nil, hasEnd(end, finer) { return finer }
    }
    return cadence
  }

  /// Whether an end is a point of a regular cadence's grid.
  private func hasEnd(_ end: Int64, _ cadence: FrameCadence) -> Bool {
    FrameStampClock(timebase: timebase, cadence: cadence).endOfRegularFrame(end) != nil
  }
}
