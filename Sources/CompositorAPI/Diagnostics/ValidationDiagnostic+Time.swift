extension ValidationDiagnostic {
  /// The part of the movie that it is about; `nil` if it concerns no time.
  ///
  /// - Parameter edit: The edit that was validated.
  package func movieRange(in edit: Edit) -> TimeRange? {
    if let timeRange { return timeRange }
    let instructions = edit.videoComposition.instructions
    if let instruction, instructions.indices.contains(instruction) { return instructions[instruction].timeRange }
    if let (index, _) = path.flatMap(Titles.layerIndex), edit.titles.layers.indices.contains(index) {
      return edit.titles.layers[index].timing.activeRange
    }
    if let foundTime {
      let other = expectedTime ?? foundTime
      return TimeRange(start: min(foundTime, other), end: max(foundTime, other))
    }
    return track.flatMap { edit.composition.track($0) }?.timeRange
  }

  /// The time in the movie at which it shows: ``foundTime`` if that is a time of the movie, otherwise the start of
  /// ``timeRange``. `nil` if it concerns no time.
  package var movieTime: MediaTime? {
    guard let timeRange, timeRange.start.isNumeric else { return nil }
    if code.traits.subject != .mediaTimes, let foundTime, foundTime.isNumeric, foundTime >= timeRange.start,
      foundTime <= timeRange.end
    {
      return foundTime
    }
    return timeRange.start
  }
}

extension LayerTiming {
  /// The active range of the layer in its parent's time, extended to the start or end if it is visible outside its time.
  package var activeRange: TimeRange {
    let pass = duration > 0 ? duration : .infinity
    let cycle = autoreverses ? 2 * pass : pass
    let passes = repeatDuration > 0 ? repeatDuration : repeatCount > 0 ? repeatCount * cycle : cycle
    let length = passes / abs(speed)
    let begin = speed == 0 || fillMode == .backwards || fillMode == .both ? min(0, beginTime) : beginTime
    let start = MediaTime.seconds(begin)
    let isEndless = speed == 0 || !length.isFinite || fillMode == .forwards || fillMode == .both
    guard !isEndless else { return TimeRange(start: start, duration: .positiveInfinity) }
    return TimeRange(start: start, end: .seconds(beginTime + length))
  }
}
