import CompositorAPI

/// Missing frames: an error, or counted while the last good frame is held.
extension FFmpegVideoReader {
  /// The damage found so far.
  var damageSoFar: [MediaDamage] {
    var tally = kept
    if let concealed = decoder.concealed { tally.add(concealed) }
    return tally.all
  }

  /// Accounts for the frame at a given time if it was lost and another one is shown instead.
  ///
  /// - Throws: `.decodeFailed` with ``DamagePolicy/fail``.
  func check(_ tick: Int64, shown: Int64?, at place: ErrorLocation) throws(CompositorError) {
    guard let loss = decoder.loss(at: tick, showing: shown) else { return }
    let time = clock.time(of: loss.time)
    guard options.damaged == .keep else {
      var place = place
      place.time = time
      throw CompositorError(
        .decodeFailed, "A frame of video track \(info.index) cannot be decoded.", recoverySuggestion: Self.recoverySuggestion,
        cause: loss.reason,
        at: place)
    }
    if decoder.count(loss) { kept.add(MediaDamage(.undecodable, firstTime: time, reason: loss.reason)) }
  }

  /// Accounts for a time after the last frame of a file that is known to be truncated.
  ///
  /// - Throws: `.truncatedMedia` with ``DamagePolicy/fail``.
  func checkReadable(_ time: MediaTime, _ tick: Int64) throws(CompositorError) {
    guard let end = info.readableEnd, time >= end else { return }
    try miss(tick, "its last frame ends at \(end.readable)", at: location(time))
  }

  /// Accounts for a time after the last frame if packets ended before the end of the file.
  ///
  /// - Throws: `.truncatedMedia` with ``DamagePolicy/fail``.
  func checkEnd(_ tick: Int64, after last: VideoDecoder.Picture, at place: ErrorLocation) throws(CompositorError) {
    guard let reason = decoder.earlyEnd, tick - last.time >= max(1, last.statedDuration) else { return }
    try miss(tick, reason, at: place)
  }

  private func miss(_ tick: Int64, _ reason: String, at place: ErrorLocation) throws(CompositorError) {
    guard options.damaged == .keep else {
      throw CompositorError(
        .truncatedMedia, "The file ends before this time.", recoverySuggestion: Self.recoverySuggestion, cause: reason,
        at: place)
    }
    guard missed.insert(tick).inserted else { return }
    kept.add(MediaDamage(.cutShort, firstTime: clock.time(of: tick), reason: reason))
  }

  /// The next frame; `nil` after the last one, and after an unreadable one if damage is tolerated.
  func nextPicture() throws(CompositorError) -> VideoDecoder.Picture? {
    try keeping { () throws(CompositorError) in try decoder.next() }
  }

  /// The time of the key frame to decode from for a time; `nil` if there is none, or none is readable and damage is tolerated.
  func keyPicture(for tick: Int64) throws(CompositorError) -> Int64? {
    try keeping { () throws(CompositorError) in try decoder.seek(to: tick) }
  }

  private func keeping<Result>(_ body: () throws(CompositorError) -> Result?) throws(CompositorError) -> Result? {
    do {
      return try body()
    } catch {
      guard options.damaged == .keep, error.isDamage else { throw error }
      kept.add(error.damage(at: nil))
      return nil
    }
  }

  private static var recoverySuggestion: String { DamageAdvice.ofReading }
}
