import CompositorAPI

/// Reading in order, by the frames' own timestamps.
extension FFmpegVideoReader {
  func frame(after time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    let tick = clock.lastStamp(notAfter: time)
    guard let shown = try frame(at: time) else { return try firstFrame(at: time) }
    // A frame in place of a lost one.
    guard shown.presentationTime <= time else { return shown }
    guard let (start, end) = ticks(ofFrameAt: tick) else { return nil }
    let next = end.flatMap { $0 > tick ? $0 : nil }
    // A lost frame between the two is not held, as it is at a time of its own.
    try check(next.map { $0 - 1 } ?? clock.lastStamp(before: info.timeRange.end), shown: start, at: location(time))
    guard let next else {
      try checkComplete()
      return nil
    }
    return try frame(clock.time(of: next), tick: next)
  }

  /// The timestamps of the frame that was last returned for a tick, and of the one after it; `nil` for the end of the track.
  private func ticks(ofFrameAt tick: Int64) -> (start: Int64, end: Int64?)? {
    if let current, current.time <= tick { return (current.time, following?.time) }
    return history.entry(at: tick).map { ($0.picture.time, $0.end) }
  }

  /// The first frame of the track, for a time before it.
  private func firstFrame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    guard let firstTime else { return nil }
    try check(firstTime - 1, shown: nil, at: location(time))
    return try frame(clock.time(of: firstTime), tick: firstTime)
  }

  /// Accounts for the frames that a truncated file promises after the last one.
  ///
  /// - Throws: `.truncatedMedia` with ``DamagePolicy/fail``.
  private func checkComplete() throws(CompositorError) {
    if let end = info.readableEnd { try checkReadable(end, clock.lastStamp(notAfter: end)) }
    guard let current else { return }
    let end = current.time + max(1, current.statedDuration)
    try checkEnd(end, after: current, at: location(clock.time(of: end)))
  }
}
