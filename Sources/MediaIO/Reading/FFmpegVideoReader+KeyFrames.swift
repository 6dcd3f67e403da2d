import CompositorAPI

/// Finds frames that decode independently of others.
extension FFmpegVideoReader {
  func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) throws(CompositorError) -> MediaTime? {
    try checkNumeric(time)
    try start()
    (current, following) = (nil, nil)
    let tick = clock.lastStamp(notAfter: time)
    if let start = try keyTime(notAfter: tick), start >= earliest { return start }
    guard latest > time else { return nil }
    let last = clock.lastStamp(notAfter: latest.isNumeric ? latest : info.timeRange.end)
    // Demuxers find the last key frame before a time. The first one after a time is therefore among those before slightly later
    // times.
    var distance = decoder.timebase.ticks(seconds: 0.25)
    while case let target = min(last, tick + min(distance, last - tick)), target > tick {
      if let start = try keyTime(notAfter: target), start >= earliest, start > time { return start }
      guard target < last else { return nil }
      distance = distance.multipliedReportingOverflow(by: 2).partialValue
    }
    return nil
  }

  /// The time of the last key frame that is not after a tick; `nil` if there is none or it is not found quickly.
  private func keyTime(notAfter tick: Int64) throws(CompositorError) -> MediaTime? {
    var target = tick
    var step = decoder.timebase.ticks(seconds: 0.25)
    for _ in 0..<8 {
      guard target >= firstTime ?? .min, let key = try keyPicture(for: target) else { return nil }
      if key <= tick { return clock.time(of: key) }
      let earlier = min(target, key).subtractingReportingOverflow(step)
      if earlier.overflow { return nil }
      target = earlier.partialValue
      step = step.multipliedReportingOverflow(by: 2).partialValue
    }
    return nil
  }
}
