package import CompositorAPI
import CompositorMedia

/// A clip with its position in time.
package struct PlacedClip: Hashable, Sendable {
  package var clip: TimelineClip { content.clip }
  package var media: ClipMedia { content.media }
  // A reference, because it is many times as large as the position and the same in every copy.
  private var content: Content
  /// The track and the index on it, as written.
  package var track: Int
  package var index: Int
  /// The range on the timeline.
  package var range: ExactRange
  /// The range in the media.
  package var sourceRange: ExactRange
  /// How the media plays between the two ranges.
  package var retiming: SegmentRetiming
  /// Which of the track's two composition tracks contains the clip. They alternate if a transition makes clips overlap.
  package var lane: Int
  /// The end of the transition from the previous clip; the clip's start if there is none.
  package var transitionInEnd: ExactTime
  /// The start of the transition to the next clip; the clip's end if there is none.
  package var transitionOutStart: ExactTime
  /// The cross-fade of audio to the next clip.
  package var crossFadeOut = AudioCrossFade.equalPower
  /// The media duration of one pass of a loop; `nil` if the media plays once. ``sourceRange`` spans all passes.
  package var passLength: ExactTime?

  /// A clip and its media.
  private final class Content: Hashable, Sendable {
    let clip: TimelineClip
    let media: ClipMedia
    let path: String?

    init(_ clip: TimelineClip, _ media: ClipMedia, path: String? = nil) {
      (self.clip, self.media, self.path) = (clip, media, path)
    }

    static func == (left: Content, right: Content) -> Bool {
      left === right || (left.clip == right.clip && left.media == right.media && left.path == right.path)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(clip)
      hasher.combine(media)
    }
  }

  init(
    clip: TimelineClip, media: ClipMedia, track: Int, index: Int, range: ExactRange, sourceRange: ExactRange,
    retiming: SegmentRetiming, lane: Int, transitionInEnd: ExactTime, transitionOutStart: ExactTime
  ) {
    content = Content(clip, media)
    (self.track, self.index, self.range, self.sourceRange) = (track, index, range, sourceRange)
    (self.retiming, self.lane) = (retiming, lane)
    (self.transitionInEnd, self.transitionOutStart) = (transitionInEnd, transitionOutStart)
  }

  /// The key path of the clip in a project.
  package var path: String { ownPath ?? "tracks[\(track)].clips[\(index)]" }
  /// The key path of the mask that the clip is; `nil` for a clip on a track.
  package var ownPath: String? {
    get { content.path }
    set { content = Content(clip, media, path: newValue) }
  }
}

/// Audio tracks of the clip's media.
extension PlacedClip {
  /// The audio tracks that the clip plays for a choice; its own choice if its media has no such track.
  func audioTracks(_ choice: AudioTrackChoice?) -> [ClipMedia.AudioTrack] {
    guard media.hasAudio, !media.audioTracks.isEmpty else { return [] }
    let wanted = choice?.tracks(of: media.audioTracks) ?? []
    return wanted.isEmpty ? (clip.audioChoice ?? .index(clip.audioTrackIndex)).tracks(of: media.audioTracks) : wanted
  }

  /// The clip with another audio track of its media; silent for `nil`.
  func playing(_ track: ClipMedia.AudioTrack?) -> PlacedClip {
    let isWhole = media.audioStart == track?.start && media.audioEnd == track?.end
    if let track, clip.audioTrackIndex == track.index, clip.audioChoice == nil, isWhole { return self }
    var (clip, media) = (clip, media)
    clip.audioChoice = nil
    if let track {
      clip.audioTrackIndex = track.index
      (media.audioStart, media.audioEnd, media.audioFrameDuration) = (track.start, track.end, track.frameDuration)
      (media.sampleRate, media.channelCount) = (track.sampleRate, track.channelCount)
    } else {
      clip.audio = .unused
    }
    var result = self
    result.content = Content(clip, media)
    return result
  }
}

/// Places the clips of a track on the timeline. Pure.
package struct ClipPlacer {
  let track: Int
  let frameRate: Rational
  /// The end of all clips that don't fill the timeline.
  let timelineEnd: ExactTime?
  /// Whether the boundaries of tracks with video are moved to output frames.
  let alignsToFrames: Bool

  package init(track: Int, frameRate: Rational, timelineEnd: ExactTime? = nil, alignsToFrames: Bool = true) {
    self.track = track
    self.frameRate = frameRate
    self.timelineEnd = timelineEnd
    self.alignsToFrames = alignsToFrames
  }

  /// Places clips one after another. O(n).
  ///
  /// - Throws: `.invalidValue`, located at the clip, if a clip without duration has endless media, is shorter than its
  ///   transitions, overlaps the previous one without a transition, or uses time that its media doesn't have.
  package func place(_ clips: [(clip: TimelineClip, media: ClipMedia)]) throws(CompositorError) -> [PlacedClip] {
    var placed: [PlacedClip] = []
    placed.reserveCapacity(clips.count)
    for (index, entry) in clips.enumerated() {
      do throws(CompositorError) {
        if let missing = entry.media.missingTrack { throw missing.error(inClip: "tracks[\(track)].clips[\(index)]") }
        let next = try place(entry.clip, entry.media, index: index, after: placed.last)
        if let transition = entry.clip.transition, let last = placed.indices.last {
          placed[last].transitionOutStart = next.range.start
          placed[last].crossFadeOut = transition.audio
          try check(placed[last], before: transition)
        }
        placed.append(next)
      } catch {
        throw error.locating(ErrorLocation(path: "tracks[\(track)].clips[\(index)]"))
      }
    }
    return try onFrames(placed)
  }

  /// The clips with every boundary on the frame that first shows it, so that audio starts with the frame and not up to a frame
  /// earlier. Durations are added exactly and only positions are rounded, so that errors don't accumulate. A track of audio
  /// alone keeps its times with sample accuracy.
  private func onFrames(_ clips: [PlacedClip]) throws(CompositorError) -> [PlacedClip] {
    guard alignsToFrames, clips.contains(where: { $0.media.picture != nil }) else { return clips }
    var result = clips
    for index in result.indices {
      do {
        result[index] = try onFrames(result[index])
      } catch {
        throw error.locating(ErrorLocation(path: result[index].path))
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
        "The clip lasts \(try (clip.range.end - clip.range.start).mediaTime.readable), less than a frame, and no frame starts while it plays.",
        recoverySuggestion: "Lengthen it to at least one frame of \(frameRate.frameDuration.readable).")
    }
    let (speed, duration) = (try ClipSpeed(clip.clip), try result.range.end - result.range.start)
    result.sourceRange = try sourceRange(
      of: speed.media(in: duration, from: clip.sourceRange.start), near: clip.sourceRange, clip)
    result.retiming = try speed.retiming(over: duration)
    return result
  }

  /// A range of media from where it begins to play, which is its end in reverse, as far as there is media.
  private func sourceRange(
    of media: ExactTime, near range: ExactRange, _ clip: PlacedClip
  ) throws(CompositorError) -> ExactRange {
    guard clip.clip.isReversed, clip.passLength == nil else { return ExactRange(range.start, try range.start + media) }
    let start = max(try range.end - media, min(range.start, try ExactTime(clip.media.start)))
    return ExactRange(start, try start + media)
  }

  private func place(
    _ clip: TimelineClip, _ media: ClipMedia, index: Int, after previous: PlacedClip?
  ) throws(CompositorError) -> PlacedClip {
    try checkTracks(of: media, clip)
    let overlap = try clip.transition.map { transition throws(CompositorError) in try ExactTime(transition.duration) }
    if overlap != nil, previous == nil {
      throw CompositorError(
        .invalidValue, "A transition needs a clip before it on the track.", recoverySuggestion: "Remove it.",
        at: .init(subject: .transition))
    }
    let earliest = try (previous?.range.end ?? .zero) - (overlap ?? .zero)
    let start = try clip.start.map { start throws(CompositorError) in try placeable(ExactTime(start), media) } ?? earliest
    if let overlap, let previous, start < .zero {
      throw CompositorError(
        .invalidValue,
        "The transition takes \(overlap.mediaTime.readable), longer than the \(previous.range.end.mediaTime.readable) before it.",
        recoverySuggestion: "Shorten the transition.",
        at: ErrorLocation(path: "tracks[\(track)].clips[\(index)].transition"))
    }
    try check(start: start, earliest: earliest, hasTransition: overlap != nil)
    let sourceStart = try placeable(ExactTime(clip.sourceStart ?? media.start), media)
    let speed: ClipSpeed
    do throws(CompositorError) {
      speed = try ClipSpeed(clip)
    } catch {
      throw error.within("tracks[\(track)].clips[\(index)]")
    }
    let length = ClipLength(clip, media, speed, start: start, sourceStart: sourceStart, placer: self)
    let duration = try length.duration()
    let sourceEnd = try sourceStart + speed.media(in: duration, from: sourceStart)
    var placed = PlacedClip(
      clip: clip, media: media, track: track, index: index, range: ExactRange(start, try start + duration),
      sourceRange: ExactRange(sourceStart, sourceEnd), retiming: try speed.retiming(over: duration),
      lane: overlap == nil ? 0 : 1 - (previous?.lane ?? 1), transitionInEnd: try start + (overlap ?? .zero),
      transitionOutStart: try start + duration)
    placed.passLength = try length.passLength(of: duration)
    return placed
  }

  private func checkTracks(of media: ClipMedia, _ clip: TimelineClip) throws(CompositorError) {
    guard media.picture == nil, !media.hasAudio else { return }
    if let undecodable = media.undecodable.first { throw undecodable.error }
    throw CompositorError(
      .trackNotFound, "\(clip.source) has nothing that the clip shows or plays.",
      recoverySuggestion: "Let it show its video or play its audio, or choose other media.", at: .init(subject: .media))
  }

  /// A time that can be added to those of samples: audio alone keeps its times to the sample, and the sums of samples and of
  /// times with more than six decimals are too fine to be exact.
  func placeable(_ time: ExactTime, _ media: ClipMedia) throws(CompositorError) -> ExactTime {
    guard media.picture == nil, time.denominator > 1_000_000 else { return time }
    return try time.rounded(toTimescale: ExactTime.flicks)
  }

  private func check(start: ExactTime, earliest: ExactTime, hasTransition: Bool) throws(CompositorError) {
    guard start >= .zero else {
      throw CompositorError(
        .invalidValue, "The clip starts at \(start.mediaTime.readable), before the timeline.",
        recoverySuggestion: "Start it at 0 or later.")
    }
    guard !hasTransition || start == earliest else {
      throw CompositorError(
        .invalidValue,
        "With its transition the clip must start at \(earliest.mediaTime.readable), not \(start.mediaTime.readable).",
        advice: .write(.string("auto"), key: "at"))
    }
    guard start >= earliest else {
      throw CompositorError(
        .invalidValue,
        "The clip starts at \(start.mediaTime.readable), before the clip before it ends at \(earliest.mediaTime.readable).",
        advice: "Add a transition, put it on a track of its own, or write \(setting: .clipStart, value: "auto").")
    }
  }

  /// Checks that the clip before a transition has media for it after its own end.
  private func check(_ previous: PlacedClip, before transition: Transition) throws(CompositorError) {
    guard previous.transitionOutStart >= previous.transitionInEnd else {
      let length = try previous.range.end - previous.range.start
      let hundredths = (length.mediaTime.seconds * 50).rounded(.down)
      throw CompositorError(
        .invalidValue, "The clip between the transitions takes \(length.mediaTime.readable), less than both.",
        recoverySuggestion: "Shorten the transitions, to \(hundredths / 100) s each, or use a longer clip.",
        at: .init(subject: .clipBefore))
    }
  }
}
