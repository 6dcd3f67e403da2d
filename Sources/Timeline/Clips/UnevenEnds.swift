import CompositorAPI

extension PlacedClip {
  /// The places at which the clip's video or audio begins later or ends earlier than the other, and those at which media that
  /// the other lacks is left out.
  ///
  /// - Parameters:
  ///   - outputRate: The output's frames a second.
  ///   - isChosen: Whether the timeline states which end applies.
  ///   - outputs: The audio tracks of the output; empty for one.
  func unevenEnds(
    outputRate: Rational, isChosen: Bool, outputs: [TimelineAudioTrack]
  ) throws(CompositorError) -> [UnevenEnd] {
    guard media.picture != nil, sourceRange.start < sourceRange.end else { return [] }
    var pass = sourceRange
    var passCount = 1
    if let passLength {
      pass.end = min(pass.end, try pass.start + passLength)
      passCount = try passes().count
    }
    let stated = isChosen || clip.ends != nil || clip.holdsLastFrame
    var ends: [UnevenEnd] = []
    for isBeginning in [true, false] {
      let finder = UnevenEndFinder(
        clip: self, pass: pass, isBeginning: isBeginning, outputRate: outputRate, isChosen: stated)
      ends += try finder.found() + finder.silence(ofShorterTracksIn: outputs)
    }
    return ends.map { end in
      var end = end
      end.passCount = passCount
      return end
    }
  }
}

/// Compares the beginnings or the ends of a clip's video and audio.
private struct UnevenEndFinder {
  let clip: PlacedClip
  /// The media of one pass.
  let pass: ExactRange
  let isBeginning: Bool
  let outputRate: Rational
  let isChosen: Bool

  private var media: ClipMedia { clip.media }

  func found() throws(CompositorError) -> [UnevenEnd] {
    guard let picture = media.picture else { return [] }
    var ends: [UnevenEnd] = []
    if let edge = isBeginning ? picture.start : picture.end {
      try add(.held, missing(from: edge), count: { $0 * outputRate.value }, to: &ends)
      let rate = 1 / (picture.frameDuration?.seconds ?? outputRate.frameDuration.seconds)
      if media.hasAudio {
        // A frame that is partly inside is shown.
        try add(.videoLeftOut, leftOut(beyond: edge), count: { ($0 * rate + 1e-6).rounded(.down) }, to: &ends)
      }
    }
    if media.hasAudio, clip.clip.audio == .played, let edge = isBeginning ? media.audioStart : media.audioEnd {
      let rate = Double(media.sampleRate)
      if isBeginning ? !clip.clip.audioFollows : !clip.clip.audioContinues {
        try add(.silent, missing(from: edge), count: { $0 * rate }, to: &ends)
      }
      try add(.audioLeftOut, leftOut(beyond: edge), count: { $0 * rate }, to: &ends)
    }
    return ends
  }

  /// The silence of audio tracks of the output that play less of the clip's media than others.
  func silence(ofShorterTracksIn outputs: [TimelineAudioTrack]) throws(CompositorError) -> [UnevenEnd] {
    guard outputs.count > 1, media.hasAudio, clip.clip.audio == .played,
      let last = isBeginning ? media.audioStart : media.audioEnd,
      isBeginning ? !clip.clip.audioFollows : !clip.clip.audioContinues
    else { return [] }
    var known: Set<[ClipMedia.AudioTrack]> = []
    var ends: [UnevenEnd] = []
    for output in outputs where output.tracks?.contains(clip.track) ?? true {
      let played = clip.audioTracks(output.choice)
      let edge = isBeginning ? played.map(\.start).min() : played.compactMap(\.end).max()
      guard known.insert(played).inserted, let edge, edge != last else { continue }
      guard isBeginning || played.allSatisfy({ $0.end != nil }) else { continue }
      let rate = Double(played.first?.sampleRate ?? media.sampleRate)
      try add(.silent, missing(from: edge), tracks: played.map(\.index), count: { $0 * rate }, to: &ends)
    }
    return ends
  }

  /// The duration of a pass for which a track has no media.
  private func missing(from edge: MediaTime) throws(CompositorError) -> MediaTime? {
    let edge = try ExactTime(edge)
    let missing = try isBeginning ? min(edge, pass.end) - pass.start : pass.end - max(edge, pass.start)
    // A clip ends with an output frame, which may exceed its media by less than that.
    let step = try ExactTime(frame: 1, rate: outputRate) * clip.clip.speed.constant
    return missing.mediaTime > max(media.endTolerance, step.mediaTime) ? missing.mediaTime : nil
  }

  /// The duration of a track's media outside of the pass, if the clip itself doesn't choose its part of the media.
  private func leftOut(beyond edge: MediaTime) throws(CompositorError) -> MediaTime? {
    let isCut = isBeginning ? clip.clip.sourceStart != nil : clip.clip.length != .media
    guard !isCut else { return nil }
    let edge = try ExactTime(edge)
    let leftOut = try isBeginning ? pass.start - edge : edge - pass.end
    return leftOut.mediaTime > media.endTolerance ? leftOut.mediaTime : nil
  }

  /// - Parameter tracks: The indices of the media's audio tracks; `nil` for all that are played.
  private func add(
    _ outcome: UnevenEnd.Outcome, _ duration: MediaTime?, tracks: [Int]? = nil, count: (Double) -> Double,
    to ends: inout [UnevenEnd]
  ) throws(CompositorError) {
    guard let missing = duration else { return }
    // What is left out is counted in the media, what is filled in the movie.
    let speed = outcome == .held || outcome == .silent ? max(clip.clip.speed.constant.value, 1e-9) : 1
    let seconds = missing.seconds / speed
    let duration = speed == 1 ? missing : MediaTime(seconds: seconds, preferredTimescale: 90_000)
    var end = UnevenEnd(
      source: clip.clip.source, path: clip.path, outcome: outcome, isBeginning: isBeginning,
      isReversed: clip.retiming.isReversed, timeRange: try place(of: outcome, lasting: duration), duration: duration,
      count: Int(clamping: Int64(min(count(seconds), 1e15).rounded())), isChosen: isChosen)
    end.audioTracks = tracks
    ends.append(end)
  }

  /// The part of the timeline that a difference of a duration in the movie takes, at the end of the clip that plays it.
  private func place(of outcome: UnevenEnd.Outcome, lasting duration: MediaTime) throws(CompositorError) -> TimeRange {
    let isAtStart = isBeginning != clip.retiming.isReversed
    let edge = isAtStart ? clip.range.start : clip.range.end
    guard outcome == .held || outcome == .silent else { return TimeRange(start: edge.mediaTime, duration: .zero) }
    let whole = try clip.range.timeRange()
    let length = min(whole.duration, duration)
    return TimeRange(start: isAtStart ? whole.start : whole.end - length, duration: length)
  }
}
