import CompositorAPI

/// Tracks whose end is stated.
extension CadenceEstimator {
  /// The cadence of a track that ends at a stated time.
  ///
  /// The times of a slideshow are meant as stated, and so are those of frames of uneven length, and those of GIF, APNG and WebP if they are
  /// on no grid by themselves: see ``grid(of:endingAt:statesDurations:)``.
  ///
  /// - Parameters:
  ///   - end: The end of the last frame in ticks; `nil` if it isn't stated.
  ///   - statesDurations: Whether each frame states how long it is shown, the last one like the others: GIF, APNG and WebP.
  /// - Returns: As ``cadence()``.
  package func cadence(endingAt end: Int64?, statesDurations: Bool = true) -> FrameCadence? {
    measure(endingAt: end, statesDurations: statesDurations)?.cadence
  }

  /// The same, and whether the times of the track's frames are meant as stated: those of a slideshow, or of frames of uneven length.
  func measure(endingAt end: Int64?, statesDurations: Bool) -> (cadence: FrameCadence, isStated: Bool)? {
    guard var cadence = cadence() else { return nil }
    guard let last = stamps.last else { return (cadence, isSlideshow) }
    var end = end.flatMap { $0 > last ? $0 : nil }
    let isStated = isSlideshow || isUneven(cadence, endingAt: end, statesDurations: statesDurations)
    if cadence.isRegular, !statesDurations, let stated = end {
      let steps = (Double(stated) - Double(last)) / ticks(perFrameAt: cadence.rate)
      if !LastFrameEnd.isMeant(steps) { end = nil }
    }
    if isStated || statesDurations && !cadence.isRegular,
      let grid = grid(of: cadence, endingAt: end, statesDurations: statesDurations, isUneven: isStated && !isSlideshow)
    {
      cadence = grid
    }
    guard statesDurations, !cadence.isRegular, let end else { return (cadence, isStated) }
    let clock = FrameStampClock(timebase: timebase, cadence: cadence)
    if isHidden(last, until: end, cadence, clock) { cadence.hiddenFrameCount += 1 }
    return (cadence, isStated)
  }
}
