import CompositorAPI

/// How long a clip takes.
struct ClipLength {
  private let clip: TimelineClip
  private let media: ClipMedia
  private let speed: ClipSpeed
  private let start: ExactTime
  private let sourceStart: ExactTime
  private let placer: ClipPlacer

  /// The most passes of a loop.
  static let maximumPassCount = 100_000

  init(
    _ clip: TimelineClip, _ media: ClipMedia, _ speed: ClipSpeed, start: ExactTime, sourceStart: ExactTime, placer: ClipPlacer
  ) {
    self.clip = clip
    self.media = media
    self.speed = speed
    self.start = start
    self.sourceStart = sourceStart
    self.placer = placer
  }

  /// Its duration on the timeline.
  ///
  /// - Throws: `.invalidValue` where clip, media, loop and transition do not go together.
  func duration() throws(CompositorError) -> ExactTime {
    let remaining = try remainingMedia()
    if let remaining, remaining <= .zero {
      throw CompositorError(
        .invalidValue, "The clip starts at \(sourceStart.mediaTime) s of its media, which is over by then.",
        recoverySuggestion: "Start earlier.")
    }
    let pass = clip.loop == nil ? nil : try pass(remaining)
    let duration: ExactTime
    if clip.fillsTimeline {
      duration = try filling(remaining, pass)
    } else if let written = clip.duration {
      duration = try ExactTime(written)
      if let available = try available(remaining) { try check(duration, available) }
    } else {
      duration = try natural(remaining, pass)
    }
    guard duration > .zero else { throw CompositorError(.invalidValue, "The clip takes no time.") }
    try checkTransition(duration)
    return duration
  }

  /// How much media one pass of a loop plays; nil where it plays once.
  func passLength(of duration: ExactTime) throws(CompositorError) -> ExactTime? {
    guard clip.loop != nil else { return nil }
    let pass = try pass(try remainingMedia())
    guard try pass * Rational(ClipLength.maximumPassCount, 1) >= duration else {
      throw CompositorError(
        .invalidValue, "The clip would play its \(pass.mediaTime) s more than \(ClipLength.maximumPassCount) times.",
        recoverySuggestion: "Shorten it, or make longer media.")
    }
    return try pass * clip.speed
  }

  /// What the media has from the clip's start on; nil where it never ends.
  private func remainingMedia() throws(CompositorError) -> ExactTime? {
    try media.end.map { end throws(CompositorError) in try ExactTime(end) - sourceStart }
  }

  /// The same for all passes of a loop; nil where it never ends.
  private func available(_ remaining: ExactTime?) throws(CompositorError) -> ExactTime? {
    guard let remaining else { return nil }
    switch clip.loop {
    case nil: return remaining
    case .untilEnd: return nil
    case .count(let count): return try remaining * Rational(count, 1)
    }
  }

  /// How long one pass of a loop takes. Audio alone repeats to the sample, pictures after whole frames if they miss one by less than
  /// their containers' clock.
  private func pass(_ remaining: ExactTime?) throws(CompositorError) -> ExactTime {
    if case .count(let count) = clip.loop, !(1...ClipLength.maximumPassCount).contains(count) {
      throw CompositorError(
        .invalidValue, "A clip cannot loop \(count) times.",
        recoverySuggestion: "Use 1 to \(ClipLength.maximumPassCount), or let it loop until its end.")
    }
    guard clip.speedRamp == nil else {
      throw CompositorError(
        .invalidValue, "A clip with a speed ramp cannot loop.", recoverySuggestion: "Remove loop, or give it one speed.")
    }
    guard let remaining, let length = try speed.duration(ofMedia: remaining) else {
      throw CompositorError(
        .invalidValue, speed.isStill ? "A frame that stands still cannot loop." : "Media without an end cannot loop.",
        recoverySuggestion: "Remove loop.")
    }
    return media.picture == nil ? length : try once(remaining)
  }

  private func natural(_ remaining: ExactTime?, _ pass: ExactTime?) throws(CompositorError) -> ExactTime {
    guard let pass, let loop = clip.loop else { return try once(remaining) }
    guard case .count(let count) = loop else {
      throw CompositorError(
        .invalidValue, "A clip that loops until its end needs to know when that is.",
        recoverySuggestion: "Give it a duration (\"fill\" lasts as long as everything else), or a number of times to loop.")
    }
    return try pass * Rational(count, 1)
  }

  private func filling(_ remaining: ExactTime?, _ pass: ExactTime?) throws(CompositorError) -> ExactTime {
    guard clip.duration == nil else {
      throw CompositorError(
        .invalidValue, "A clip that fills the timeline has no duration of its own.", recoverySuggestion: "Remove one of them.")
    }
    guard let end = placer.timelineEnd else {
      throw CompositorError(
        .invalidValue, "There is nothing whose length the clip could take.",
        recoverySuggestion: "Only the last clip of a track can fill the timeline, and some other clip has to have a length.")
    }
    guard start < end else {
      throw CompositorError(
        .invalidValue, "The clip starts at \(start.mediaTime) s, when everything else is over (\(end.mediaTime) s).",
        recoverySuggestion: "Start it earlier, or give it a duration.")
    }
    let wanted = try end - start
    if clip.loop == .untilEnd { return wanted }
    if speed.isStill || remaining == nil { return wanted }
    return min(wanted, try natural(remaining, pass))
  }

  /// All there is, to the last digit where a timescale that every clip of the timeline shares can say it: clips of any
  /// timescales then add up without ever outgrowing one. Containers that count milliseconds miss whole frames by up to one;
  /// it is not made a frame of its own.
  private func once(_ available: ExactTime?) throws(CompositorError) -> ExactTime {
    guard let available, let length = try speed.duration(ofMedia: available) else {
      throw CompositorError(
        .invalidValue, "The clip's media has no end of its own.", recoverySuggestion: "Give the clip a duration.")
    }
    let frames = try ExactTime(frame: length.wholeFrames(rate: placer.frameRate), rate: placer.frameRate)
    let millisecond = try ExactTime(MediaTime(value: 1, timescale: 1000))
    if frames > .zero, try length < frames + millisecond { return frames }
    return try length.roundedDown(toTimescale: ExactTime.sharedTimescale(frameRate: placer.frameRate))
  }

  private func check(_ duration: ExactTime, _ available: ExactTime) throws(CompositorError) {
    let frame = try ExactTime(frame: 1, rate: placer.frameRate)
    let wanted = try speed.media(in: duration, from: sourceStart)
    guard try wanted <= available + frame else {
      throw CompositorError(
        .invalidValue,
        "The clip asks for \(wanted.mediaTime) s of its media, which has \(available.mediaTime) s left.",
        recoverySuggestion: "Shorten the clip, slow it down, start earlier in the media, or let it loop.")
    }
  }

  private func checkTransition(_ duration: ExactTime) throws(CompositorError) {
    let transition =
      try clip.transition.map { transition throws(CompositorError) in try ExactTime(transition.duration) } ?? .zero
    guard transition <= duration, clip.transition == nil || transition > .zero else {
      throw CompositorError(
        .invalidValue, "The transition takes \(transition.mediaTime) s, the clip only \(duration.mediaTime) s.",
        recoverySuggestion: "A transition takes some time, and no more than its clips.")
    }
  }
}

extension PlacedClip {
  /// The clip as pieces that each play their media once: one for each pass of a loop.
  func passes() throws(CompositorError) -> [PlacedClip] {
    guard let passLength, try sourceRange.start + passLength < sourceRange.end else { return [self] }
    let limit = if case .count(let count) = clip.loop { count } else { ClipLength.maximumPassCount + 1 }
    let perMediaTime = Rational(clip.speed.denominator, clip.speed.numerator)
    var passes: [PlacedClip] = []
    var played = ExactTime.zero
    let all = try sourceRange.end - sourceRange.start
    while played < all {
      var end = try played + passLength
      // A count's last pass may be shown for the part of a frame longer that a cut on a frame makes it.
      if end > all || passes.count + 1 == limit { end = all }
      var pass = self
      let part = try end - played
      // Backward, a pass that is cut short plays the end of its media.
      let first = clip.isReversed ? max(sourceRange.start, try sourceRange.start + passLength - part) : sourceRange.start
      pass.sourceRange = ExactRange(first, try first + part)
      pass.range = ExactRange(try range.start + played * perMediaTime, try range.start + end * perMediaTime)
      passes.append(pass)
      played = end
    }
    return passes
  }
}
