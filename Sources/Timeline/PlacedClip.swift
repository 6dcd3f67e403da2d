import CompositorHost
package import CompositorAPI

/// A clip whose place in time is known.
package struct PlacedClip: Hashable, Sendable {
  package var clip: TimelineClip
  package var media: ClipMedia
  /// Track and position on it, as written.
  package var track: Int
  package var index: Int
  /// On the timeline.
  package var range: ExactRange
  /// In the media.
  package var sourceRange: ExactRange
  /// Which of the track's two composition tracks holds the clip: they alternate where a transition lets clips overlap.
  package var lane: Int
  /// The end of the transition from the clip before; the clip's start where it is cut.
  package var transitionInEnd: ExactTime
  /// The start of the transition to the clip after; the clip's end where it is cut.
  package var transitionOutStart: ExactTime

  /// Where the clip stands in a project.
  package var path: String { "tracks[\(track)].clips[\(index)]" }
}

extension PlacedClip {
  /// The part of the clip in which its media's sound plays: sound is often a little shorter than the pictures. Nil where
  /// there is none.
  package func audible() throws(CompositorError) -> PlacedClip? {
    guard media.hasAudio, clip.speed.numerator > 0 else { return nil }
    var result = self
    let perMediaTime = Rational(clip.speed.denominator, clip.speed.numerator)
    let audioStart = try ExactTime(media.audioStart)
    if sourceRange.start < audioStart {
      result.sourceRange.start = audioStart
      result.range.start = try range.start + (try audioStart - sourceRange.start) * perMediaTime
    }
    if let end = media.audioEnd, case let audioEnd = try ExactTime(end), audioEnd < sourceRange.end {
      result.sourceRange.end = audioEnd
      result.range.end = try range.end - (try sourceRange.end - audioEnd) * perMediaTime
    }
    return result.sourceRange.start < result.sourceRange.end ? result : nil
  }
}

/// Puts the clips of a track on the timeline. Pure.
package struct ClipPlacer {
  let track: Int
  let frameRate: Rational

  package init(track: Int, frameRate: Rational) {
    self.track = track
    self.frameRate = frameRate
  }

  /// Places clips one after another. O(n).
  ///
  /// - Throws: `.invalidValue`, located at the clip: a clip without duration whose media never ends, one that is shorter
  ///   than its transitions, that overlaps the one before without a transition, that asks for time its media does not have.
  package func place(_ clips: [(clip: TimelineClip, media: ClipMedia)]) throws(CompositorError) -> [PlacedClip] {
    var placed: [PlacedClip] = []
    for (index, entry) in clips.enumerated() {
      do {
        let next = try place(entry.clip, entry.media, index: index, after: placed.last)
        if let transition = entry.clip.transition, let last = placed.indices.last {
          placed[last].transitionOutStart = next.range.start
          try check(placed[last], before: transition)
        }
        placed.append(next)
      } catch {
        throw error.locating(ErrorLocation(path: "tracks[\(track)].clips[\(index)]"))
      }
    }
    return try onFrames(placed)
  }

  /// The same clips with every boundary on the frame that first shows it, so that audio starts with the frame and not up to a
  /// frame before it. Exact times add up; only their places are rounded, so that nothing accumulates. A track of audio alone
  /// keeps its times to the sample.
  private func onFrames(_ clips: [PlacedClip]) throws(CompositorError) -> [PlacedClip] {
    guard clips.contains(where: { $0.media.picture != nil }) else { return clips }
    var result: [PlacedClip] = []
    for clip in clips {
      do {
        result.append(try onFrames(clip))
      } catch {
        throw error.locating(ErrorLocation(path: clip.path))
      }
    }
    return result
  }

  private func onFrames(_ clip: PlacedClip) throws(CompositorError) -> PlacedClip {
    var result = clip
    result.range.start = try clip.range.start.roundedUpToFrame(rate: frameRate)
    result.range.end = try clip.range.end.roundedUpToFrame(rate: frameRate)
    result.transitionInEnd = try clip.transitionInEnd.roundedUpToFrame(rate: frameRate)
    result.transitionOutStart = try clip.transitionOutStart.roundedUpToFrame(rate: frameRate)
    guard result.range.start < result.range.end else {
      throw CompositorError(
        .invalidValue,
        "The clip lasts \(try (clip.range.end - clip.range.start).mediaTime) s, less than a frame, and no frame starts while it plays.",
        recoverySuggestion: "Lengthen it to at least one frame of \(frameRate.frameDuration) s.")
    }
    result.sourceRange.end = try clip.sourceRange.start + (result.range.end - result.range.start) * clip.clip.speed
    return result
  }

  private func place(
    _ clip: TimelineClip, _ media: ClipMedia, index: Int, after previous: PlacedClip?
  ) throws(CompositorError) -> PlacedClip {
    guard media.picture != nil || media.hasAudio else {
      if let undecodable = media.undecodable.first { throw undecodable.error }
      throw CompositorError(.trackNotFound, "\(clip.source) has nothing that the clip shows or plays.")
    }
    let overlap = try clip.transition.map { transition throws(CompositorError) in try ExactTime(transition.duration) }
    if overlap != nil, previous == nil {
      throw CompositorError(
        .invalidValue, "A transition needs a clip before it on the track.", recoverySuggestion: "Remove it.")
    }
    let earliest = try (previous?.range.end ?? .zero) - (overlap ?? .zero)
    let start = try clip.start.map { start throws(CompositorError) in try ExactTime(start) } ?? earliest
    try check(start: start, earliest: earliest, hasTransition: overlap != nil)
    let sourceStart = try ExactTime(clip.sourceStart ?? media.start)
    let duration = try duration(of: clip, media, from: sourceStart)
    let sourceEnd = try sourceStart + duration * clip.speed
    return PlacedClip(
      clip: clip, media: media, track: track, index: index, range: ExactRange(start, try start + duration),
      sourceRange: ExactRange(sourceStart, sourceEnd),
      lane: overlap == nil ? 0 : 1 - (previous?.lane ?? 1), transitionInEnd: try start + (overlap ?? .zero),
      transitionOutStart: try start + duration)
  }

  private func check(start: ExactTime, earliest: ExactTime, hasTransition: Bool) throws(CompositorError) {
    guard start >= .zero else {
      throw CompositorError(
        .invalidValue, "The transition is longer than what stands before it.", recoverySuggestion: "Shorten the transition.")
    }
    guard start >= earliest else {
      throw CompositorError(
        .invalidValue, "The clip starts at \(start.mediaTime), before the clip before it ends at \(earliest.mediaTime).",
        recoverySuggestion: "Add a transition, put it on a track of its own, or write at: \"auto\".")
    }
    guard !hasTransition || start == earliest else {
      throw CompositorError(
        .invalidValue, "With its transition the clip must start at \(earliest.mediaTime), not \(start.mediaTime).",
        recoverySuggestion: "Write at: \"auto\".")
    }
  }

  /// That the clip before a transition has time for it after its own.
  private func check(_ previous: PlacedClip, before transition: Transition) throws(CompositorError) {
    guard previous.transitionOutStart >= previous.transitionInEnd else {
      let length = try previous.range.end - previous.range.start
      throw CompositorError(
        .invalidValue, "The clip before takes \(length.mediaTime) s, less than the transitions on both its sides.",
        recoverySuggestion: "Shorten the transitions or lengthen that clip.")
    }
  }

  private func duration(
    of clip: TimelineClip, _ media: ClipMedia, from sourceStart: ExactTime
  ) throws(CompositorError) -> ExactTime {
    let available = try media.end.map { end throws(CompositorError) in try ExactTime(end) - sourceStart }
    if let available, available <= .zero {
      throw CompositorError(
        .invalidValue, "The clip starts at \(sourceStart.mediaTime) s of its media, which is over by then.",
        recoverySuggestion: "Start earlier.")
    }
    let duration: ExactTime
    if let written = clip.duration {
      duration = try ExactTime(written)
      try check(duration, of: clip, available: available)
    } else {
      duration = try naturalDuration(available, speed: clip.speed)
    }
    guard duration > .zero else { throw CompositorError(.invalidValue, "The clip takes no time.") }
    let transition =
      try clip.transition.map { transition throws(CompositorError) in try ExactTime(transition.duration) } ?? .zero
    guard transition <= duration, clip.transition == nil || transition > .zero else {
      throw CompositorError(
        .invalidValue, "The transition takes \(transition.mediaTime) s, the clip only \(duration.mediaTime) s.",
        recoverySuggestion: "A transition takes some time, and no more than its clips.")
    }
    return duration
  }

  /// All there is, to the last digit where a timescale that every clip of the timeline shares can say it: clips of any
  /// timescales then add up without ever outgrowing one. Containers that count milliseconds miss whole frames by up to one;
  /// it is not made a frame of its own.
  private func naturalDuration(_ available: ExactTime?, speed: Rational) throws(CompositorError) -> ExactTime {
    guard let available, speed.numerator > 0 else {
      throw CompositorError(
        .invalidValue, "The clip's media has no end of its own.", recoverySuggestion: "Give the clip a duration.")
    }
    let length = try available * Rational(speed.denominator, speed.numerator)
    let frames = try ExactTime(frame: length.wholeFrames(rate: frameRate), rate: frameRate)
    let millisecond = try ExactTime(MediaTime(value: 1, timescale: 1000))
    if frames > .zero, try length < frames + millisecond { return frames }
    return try length.roundedDown(toTimescale: ExactTime.sharedTimescale(frameRate: frameRate))
  }

  private func check(_ duration: ExactTime, of clip: TimelineClip, available: ExactTime?) throws(CompositorError) {
    guard let available else { return }
    let frame = try ExactTime(frame: 1, rate: frameRate)
    guard try duration * clip.speed <= available + frame else {
      throw CompositorError(
        .invalidValue,
        "The clip asks for \(try (duration * clip.speed).mediaTime) s of its media, which has \(available.mediaTime) s left.",
        recoverySuggestion: "Shorten the clip, slow it down or start earlier in the media.")
    }
  }
}
