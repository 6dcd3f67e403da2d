import CompositorAPI

/// Determines the duration of a clip.
struct ClipLength {
  private let clip: TimelineClip
  private let media: ClipMedia
  private let speed: ClipSpeed
  private let start: ExactTime
  private let sourceStart: ExactTime
  private let placer: ClipPlacer

  /// The maximum number of passes of a loop.
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

  /// The clip's duration on the timeline.
  ///
  /// - Throws: `.invalidValue` if clip, media, loop and transition are incompatible.
  func duration() throws(CompositorError) -> ExactTime {
    let remaining = try remainingMedia()
    if let remaining, remaining <= .zero {
      throw CompositorError(
        .invalidValue,
        "The clip starts at \(sourceStart.mediaTime.readable) of its media, which ends at \((media.end ?? .zero).readable).",
        recoverySuggestion: "Start earlier in the media.")
    }
    if clip.holdsLastFrame { try checkHold() }
    let pass = clip.loop == nil ? nil : try pass(remaining)
    let duration: ExactTime
    switch clip.length {
    case .fill: duration = try filling(remaining, pass)
    case .time(let written):
      duration = try placer.placeable(ExactTime(written), media)
      if let available = try available(remaining) { try check(duration, available) }
    case .media: duration = try natural(remaining, pass)
    }
    guard duration > .zero else { throw CompositorError(.invalidValue, "The clip takes no time.") }
    try checkTransition(duration)
    return duration
  }

  /// The media duration of one pass of a loop; `nil` if the media plays once.
  func passLength(of duration: ExactTime) throws(CompositorError) -> ExactTime? {
    guard clip.loop != nil else { return nil }
    let pass = try pass(try remainingMedia())
    guard try pass * Rational(ClipLength.maximumPassCount, 1) >= duration else {
      throw CompositorError(
        .invalidValue, "The clip would play its \(pass.mediaTime.readable) more than \(ClipLength.maximumPassCount) times.",
        recoverySuggestion: "Shorten it, or make longer media.")
    }
    return try pass * clip.speed.constant
  }

  /// The duration of the media from the clip's start on; `nil` if it is endless.
  private func remainingMedia() throws(CompositorError) -> ExactTime? {
    try media.end.map { end throws(CompositorError) in try ExactTime(end) - sourceStart }
  }

  /// The duration of all passes of a loop; `nil` if it is endless.
  private func available(_ remaining: ExactTime?) throws(CompositorError) -> ExactTime? {
    guard let remaining else { return nil }
    switch clip.loop {
    case nil: return clip.holdsLastFrame && media.picture != nil ? nil : remaining
    case .untilEnd: return nil
    case .count(let count): return try remaining * Rational(count, 1)
    }
  }

  /// The duration of one pass of a loop. Audio alone repeats with sample accuracy; video after an integer number of frames if its
  /// duration differs from that by less than the resolution of its container's timestamps.
  private func pass(_ remaining: ExactTime?) throws(CompositorError) -> ExactTime {
    if case .count(let count) = clip.loop, !(1...ClipLength.maximumPassCount).contains(count) {
      throw CompositorError(
        .invalidValue, "A clip cannot loop \(count) times.",
        recoverySuggestion: "Use 1 to \(ClipLength.maximumPassCount), or let it loop until its end.")
    }
    if case .ramp = clip.speed {
      throw CompositorError(
        .invalidValue, "A clip with a speed ramp cannot loop.", recoverySuggestion: "Remove loop, or give it one speed.")
    }
    guard let remaining, let length = try speed.duration(ofMedia: remaining) else {
      throw CompositorError(
        .invalidValue, speed.isStill ? "A still frame cannot loop." : "Media without an end cannot loop.",
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
    guard let end = placer.timelineEnd else {
      throw CompositorError(
        .invalidValue, "The clip's duration is \"fill\", but nothing else on the timeline has a length.",
        recoverySuggestion: "Give it a duration, such as \"5s\", or add a track with clips that have one.")
    }
    guard start < end else {
      throw CompositorError(
        .invalidValue,
        "The clip starts at \(start.mediaTime.readable), when everything else is over (\(end.mediaTime.readable)).",
        recoverySuggestion: "Start it earlier, or give it a duration.")
    }
    let wanted = try end - start
    if clip.loop == .untilEnd { return wanted }
    if speed.isStill || remaining == nil || (clip.holdsLastFrame && media.picture != nil) { return wanted }
    return min(wanted, try natural(remaining, pass))
  }

  private func checkHold() throws(CompositorError) {
    guard clip.loop != nil || clip.isReversed else { return }
    throw CompositorError(
      .invalidValue, "A clip that \(clip.loop != nil ? "loops" : "plays backward") cannot hold its last frame.",
      recoverySuggestion: "Remove hold, or \(clip.loop != nil ? "loop" : "reverse").")
  }

  /// All available media. That of audio alone is exact to the sample. The duration of video is exact if the timescale shared by all clips of the timeline can represent it, so that
  /// adding clips of any timescale never exceeds that timescale. Containers with millisecond timestamps miss whole frames by up
  /// to a millisecond, which doesn't become an extra frame.
  private func once(_ available: ExactTime?) throws(CompositorError) -> ExactTime {
    guard let available, let length = try speed.duration(ofMedia: available) else {
      throw CompositorError(
        .invalidValue, "The clip's media has no end of its own.", recoverySuggestion: "Give the clip a duration.")
    }
    guard media.picture != nil else {
      return try length.roundedDown(toTimescale: ExactTime.sampleTimescale(frameRate: placer.frameRate))
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
        "The clip asks for \(wanted.mediaTime.readable) of its media, which has \(available.mediaTime.readable) left.",
        advice: media.picture == nil || clip.loop != nil || clip.isReversed
          ? "Shorten the clip, slow it down, start earlier in the media, or let it loop."
          : """
          Shorten the clip, slow it down, start earlier in the media, let it loop, or let it hold its last frame \
          (\(setting: .holdsLastFrame, value: "true")).
          """)
    }
  }

  private func checkTransition(_ duration: ExactTime) throws(CompositorError) {
    let transition =
      try clip.transition.map { transition throws(CompositorError) in try ExactTime(transition.duration) } ?? .zero
    guard transition <= duration, clip.transition == nil || transition > .zero else {
      throw CompositorError(
        .invalidValue, "The transition takes \(transition.mediaTime.readable), the clip only \(duration.mediaTime.readable).",
        recoverySuggestion: "A transition takes some time, and no more than its clips.")
    }
  }
}

extension PlacedClip {
  /// The clip as parts that each play their media once: one for each pass of a loop.
  func passes() throws(CompositorError) -> [PlacedClip] {
    guard let passLength, try sourceRange.start + passLength < sourceRange.end else { return [self] }
    let limit = if case .count(let count) = clip.loop { count } else { ClipLength.maximumPassCount + 1 }
    let perMediaTime = Rational(clip.speed.constant.denominator, clip.speed.constant.numerator)
    var passes: [PlacedClip] = []
    var played = ExactTime.zero
    let all = try sourceRange.end - sourceRange.start
    while played < all {
      var end = try played + passLength
      // The last pass of a counted loop may be extended by a fraction of a frame, because cuts are on frames.
      if end > all || passes.count + 1 == limit { end = all }
      var pass = self
      let part = try end - played
      // In reverse, a pass that is cut short plays the end of its media.
      let first = clip.isReversed ? max(sourceRange.start, try sourceRange.start + passLength - part) : sourceRange.start
      pass.sourceRange = ExactRange(first, try first + part)
      pass.range = ExactRange(try range.start + played * perMediaTime, try range.start + end * perMediaTime)
      passes.append(pass)
      played = end
    }
    return passes
  }
}
