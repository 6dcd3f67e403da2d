package import CompositorAPI
import CompositorMediaIO

extension PlacedClip {
  /// The part of the clip in which its media's audio plays, muted or not, which is often slightly shorter than the video; `nil`
  /// if there is none.
  package func audible() throws(CompositorError) -> PlacedClip? {
    guard media.hasAudio, clip.audio != .unused, sourceRange.start < sourceRange.end else { return nil }
    var result = self
    let audioStart = try ExactTime(media.audioStart)
    if !clip.audioFollows, sourceRange.start < audioStart {
      guard audioStart < sourceRange.end else { return nil }
      try result.cut(at: audioStart, keepingLaterMedia: true)
    }
    if !clip.audioContinues, let end = media.audioEnd, case let audioEnd = try ExactTime(end), audioEnd < sourceRange.end {
      guard result.sourceRange.start < audioEnd else { return nil }
      try result.cut(at: audioEnd, keepingLaterMedia: false)
    }
    return result
  }

  /// The clip's video as parts: the first frame before the media's video begins, the video, and its last frame after it ends.
  ///
  /// - Parameter outputRate: The output's frames a second. A clip that ends with an output frame may exceed its media by less
  ///   than that, or by less than a frame of the media, without a part of its own.
  func visible(outputRate: Rational) throws(CompositorError) -> [PlacedClip] {
    guard let picture = media.picture, sourceRange.start < sourceRange.end else { return [self] }
    let shift = try delayOfLastFrame(picture, outputRate: outputRate)
    guard shift == .zero else {
      var later = self
      later.sourceRange = ExactRange(try sourceRange.start + shift, try sourceRange.end + shift)
      return try later.visible(outputRate: outputRate)
    }
    let first = try ExactTime(picture.start)
    // Clips that ask for earlier or later media than there is are reported later.
    let earliest = min(first, try ExactTime(media.start))
    let beginsEarlier = sourceRange.start < first && sourceRange.start >= earliest
    let end = try endOfVideo(picture, outputRate: outputRate)
    guard beginsEarlier || end != nil else { return [self] }
    if beginsEarlier, sourceRange.end <= first { return [try frozen(at: first, over: range)] }
    if let end, sourceRange.start >= end { return [try frozen(at: lastFrame(before: end, first), over: range)] }
    var moving = self
    if beginsEarlier { try moving.cut(at: first, keepingLaterMedia: true) }
    if let end { try moving.cut(at: end, keepingLaterMedia: false) }
    let (before, after) = (ExactRange(range.start, moving.range.start), ExactRange(moving.range.end, range.end))
    var parts: [PlacedClip] = []
    let head = first
    var tail = first
    if let end { tail = try lastFrame(before: end, first) }
    if before.start < before.end { parts.append(try frozen(at: retiming.isReversed ? tail : head, over: before)) }
    if moving.range.start < moving.range.end { parts.append(moving) }
    if after.start < after.end { parts.append(try frozen(at: retiming.isReversed ? head : tail, over: after)) }
    return parts
  }

  /// How much later the video has to play, less than a frame, so that the output shows the last frame of the media.
  ///
  /// A clip begins with the first output frame that shows it, and so does its media. If it ends less late, its last output frame
  /// may come just before the last frame of the media, which no other output frame would show.
  private func delayOfLastFrame(
    _ picture: ClipMedia.Picture, outputRate: Rational
  ) throws(CompositorError) -> ExactTime {
    // A duration that was written is meant.
    guard clip.length == .media, let last = picture.end, let duration = picture.frameDuration, retiming.curve == nil,
      !retiming.isReversed,
      clip.speed.constant == .one, passLength == nil
    else { return .zero }
    let (end, own, frame) = (try ExactTime(last), try ExactTime(duration), try ExactTime(frame: 1, rate: outputRate))
    let played = try range.end - range.start
    let lastShown = try sourceRange.start + played - frame
    let (earliestEnd, latestEnd) = (try end - own, try end + frame)
    // The clip ends where its media does, and at this rate the output can show each frame.
    guard frame <= own, sourceRange.end > earliestEnd, sourceRange.end < latestEnd, played > frame else { return .zero }
    let delay = try end - own - lastShown
    return delay > .zero && delay < frame ? delay : .zero
  }

  /// The end of the video if the clip exceeds it and holds its last frame; `nil` otherwise.
  private func endOfVideo(
    _ picture: ClipMedia.Picture, outputRate: Rational
  ) throws(CompositorError) -> ExactTime? {
    guard let last = picture.end else { return nil }
    let end = try ExactTime(last)
    var frame = try ExactTime(frame: 1, rate: outputRate) * clip.speed.constant
    if let own = picture.frameDuration { frame = max(frame, try ExactTime(own)) }
    guard try sourceRange.end >= end + frame else { return nil }
    guard !clip.holdsLastFrame, let known = media.end else { return end }
    return try ExactTime(known) > end ? end : nil
  }

  /// A media time at which the last frame is shown.
  private func lastFrame(before end: ExactTime, _ first: ExactTime) throws(CompositorError) -> ExactTime {
    max(first, try end - ExactTime(MediaTime(value: 1, timescale: 1000)))
  }

  /// One frame of the media, held for a time.
  private func frozen(at time: ExactTime, over range: ExactRange) throws(CompositorError) -> PlacedClip {
    var result = self
    result.sourceRange = ExactRange(time, time)
    result.range = range
    result.retiming = SegmentRetiming()
    result.passLength = nil
    return result
  }

  /// Keeps only the part of the clip that plays media after, or before, a media time inside it.
  private mutating func cut(at time: ExactTime, keepingLaterMedia: Bool) throws(CompositorError) {
    if retiming.curve == nil {
      let perMediaTime = Rational(clip.speed.constant.denominator, clip.speed.constant.numerator)
      let away = try (keepingLaterMedia ? try time - sourceRange.start : try sourceRange.end - time) * perMediaTime
      if keepingLaterMedia { sourceRange.start = time } else { sourceRange.end = time }
      if keepingLaterMedia != retiming.isReversed {
        range.start = try range.start + away
      } else {
        range.end = try range.end - away
      }
      return
    }
    let whole = try segment(trackIndex: clip.audioTrackIndex)
    let place = whole.trackTime(ofMedia: time.mediaTime)
    let cut = MediaTime(seconds: place.seconds, preferredTimescale: 90_000)
    guard cut > whole.timeMapping.target.start, cut < whole.timeMapping.target.end else { return }
    let parts = whole.split(at: cut)
    let kept = keepingLaterMedia != retiming.isReversed ? parts.after : parts.before
    let (source, target) = (kept.timeMapping.source, kept.timeMapping.target)
    sourceRange = ExactRange(try ExactTime(source.start), try ExactTime(source.end))
    range = ExactRange(try ExactTime(target.start), try ExactTime(target.end))
    retiming = kept.retiming
  }

  /// The channels that are heard.
  ///
  /// - Throws: `.trackNotFound`, located at the key of the clip or the track, if the media has no such channel.
  func checkedChannels(orOfTrack channels: AudioChannels) throws(CompositorError) -> AudioChannels {
    let chosen = clip.channels ?? channels
    guard let missing = chosen.indices(of: media.channelCount)?.first(where: { $0 >= media.channelCount }) else {
      return chosen
    }
    throw AudioChannels.missing(missing, of: media.channelCount)
      .locating(ErrorLocation(path: (clip.channels == nil ? "tracks[\(track)]" : path) + ".channels"))
  }

  /// The clip as a segment.
  package func segment(trackIndex: Int) throws(CompositorError) -> CompositionTrackSegment {
    CompositionTrackSegment(
      source: clip.source, trackIndex: trackIndex,
      timeMapping: TimeMapping(source: try sourceRange.timeRange(), target: try range.timeRange()), retiming: retiming)
  }
}
