import CompositorAPI

/// Tracks whose end is stated.
extension CadenceEstimator {
  /// The cadence of a track that ends at a stated time.
  ///
  /// The times of a slideshow are meant as stated, and so are those of GIF, APNG and WebP if they are on no grid by themselves: see
  /// ``grid(of:endingAt:statesDurations:)``.
  ///
  /// - Parameters:
  ///   - end: The end of the last frame in ticks; `nil` if it isn't stated.
  ///   - statesDurations: Whether each frame states how long it is shown, the last one like the others: GIF, APNG and WebP.
  /// - Returns: As ``cadence()``.
  package func cadence(endingAt end: Int64?, statesDurations: Bool = true) -> FrameCadence? {
    guard var cadence = cadence() else { return nil }
    guard let last = stamps.last else { return cadence }
    var end = end.flatMap { $0 > last ? $0 : nil }
    if cadence.isRegular, !statesDurations, let stated = end {
      let steps = (Double(stated) - Double(last)) / ticks(perFrameAt: cadence.rate)
      if !LastFrameEnd.isMeant(steps) { end = nil }
    }
    if isSlideshow || statesDurations && !cadence.isRegular,
      let grid = grid(of: cadence, endingAt: end, statesDurations: statesDurations)
    {
      return grid
    }
    guard statesDurations, !cadence.isRegular, let end else { return cadence }
    let clock = FrameStampClock(timebase: timebase, cadence: cadence)
    if isHidden(last, until: end, cadence, clock) { cadence.hiddenFrameCount += 1 }
    return cadence
  }
}
