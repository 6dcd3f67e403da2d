import CCompositorFFmpeg
import CompositorAPI

/// Timestamps of audio that jump or waver.
extension FFmpegProbe {
  /// The jumps of an audio stream's timestamps.
  func gaps(ofStream index: Int, sampleRate: Int32) -> [AudioGap] {
    demuxer.audioGaps(index).map { gap in
      AudioGap(
        start: MediaTime(value: gap.position, timescale: sampleRate),
        duration: MediaTime(value: gap.length, timescale: sampleRate))
    }
  }

  /// Reports jumps that sum up to more than a frame of the codec, and timestamps that waver audibly.
  ///
  /// - Parameters:
  ///   - lostCount: Number of lost packets, whose gaps ``noteLostPackets(of:_:_:_:)`` reports.
  ///   - missing: The time of missing frames, which ``noteMissingAudio(of:_:)`` reports.
  mutating func noteGaps(of track: AudioTrackInfo, wander: MediaTime, lostCount: Int, except missing: MediaTime?) {
    let holes = lostCount > 0 ? [] : track.gaps.filter { $0.duration > .zero && $0.start != missing }
    let overlaps = track.gaps.filter { $0.duration < .zero }
    let least = max(track.codecFrameDuration.seconds, Self.audibleGap)
    var parts: [String] = []
    if let sentence = Self.sum(of: holes, one: "a gap", many: "gaps", verb: "silent", atLeast: least) { parts.append(sentence) }
    if let sentence = Self.sum(of: overlaps, one: "an overlap", many: "overlaps", verb: "left out", atLeast: least) {
      parts.append(sentence)
    }
    if abs(wander.seconds) > Self.visibleWander {
      let side = wander < .zero ? "later" : "earlier"
      parts.append("its samples follow one another, up to \(wander.inMilliseconds) \(side) than its timestamps, which waver")
    }
    guard !parts.isEmpty else { return }
    warnings.append(
      MediaWarning(
        .unsteadyAudio, "The timestamps of audio track \(track.index) are unsteady: \(parts.joined(separator: "; "))."))
  }

  /// Reports frames of an MP3 that its encoder states and that are not there.
  mutating func noteMissingAudio(of track: AudioTrackInfo, _ extent: cff_extent) {
    guard extent.missing_frames > 0 else { return }
    let rate = Int32(clamping: track.sampleRate)
    let duration = MediaTime(value: extent.missing_samples, timescale: rate).inMilliseconds
    let isOne = extent.missing_frames == 1
    let effect =
      Self.timeOfMissing(extent, sampleRate: rate).map { "\(duration) at \($0.plainSeconds) are silent" }
      ?? "what follows them is heard \(duration) early, but where they were is unknown"
    warnings.append(
      MediaWarning(
        .incompletePackets,
        "Parts of audio track \(track.index) were lost: \(extent.missing_frames) of the \(extent.stated_frames) frames that the file states "
          + "\(isOne ? "is" : "are") missing; \(effect)."))
  }

  /// The time at which frames of an MP3 are missing; `nil` if none are, or if that is unknown.
  static func timeOfMissing(_ extent: cff_extent, sampleRate: Int32) -> MediaTime? {
    guard extent.missing_frames > 0, extent.missing_position != Int64.min else { return nil }
    return MediaTime(value: extent.missing_position, timescale: sampleRate)
  }

  /// Reports a number of channels that changes within a stream, as at the breaks of broadcasts.
  mutating func noteChannels(of track: AudioTrackInfo, _ extent: cff_extent) {
    guard extent.other_channels > 0 else { return }
    let start = MediaTime(value: extent.other_position, timescale: Int32(clamping: track.sampleRate)).plainSeconds
    warnings.append(
      MediaWarning(
        .changingChannels,
        "The number of channels of audio track \(track.index) changes, at first at \(start), to as many as \(extent.other_channels): "
          + "all of it is mixed to \(track.channelCount)."))
  }

  /// The least silence in seconds that is worth a word in codecs that store any number of samples.
  private static let audibleGap = 0.02
  /// The least distance in seconds of audio from its place that is worth a word: one that is visible in lips.
  private static let visibleWander = 0.05

  private static func sum(of gaps: [AudioGap], one: String, many: String, verb: String, atLeast least: Double) -> String? {
    let total = gaps.reduce(MediaTime.zero) { $0 + $1.duration }
    guard let first = gaps.first, abs(total.seconds) > least else { return nil }
    let start = first.start.plainSeconds
    guard gaps.count > 1 else { return "\(one) of \(total.inMilliseconds) at \(start) is \(verb)" }
    return
      "\(gaps.count) \(many) of \(total.inMilliseconds) in all are \(verb), the first one (\(first.duration.inMilliseconds)) at \(start)"
  }
}

/// Alpha of image sequences.
extension FFmpegProbe {
  /// An AVIF sequence (ISO/IEC 23000-22, 7.2.3.2) has alpha in an auxiliary track, which libavformat lists as another video track.
  mutating func noteAlphaTracks(of info: MediaInfo) {
    guard info.container == "avif", let shown = info.videoTracks.first else { return }
    for track in info.videoTracks.dropFirst() where track.size == shown.size {
      warnings.append(
        MediaWarning(
          .unusedAlpha,
          "The alpha of the frames is a track of its own (video \(track.index)), which is not used: they are opaque."))
    }
  }
}

extension Demuxer {
  /// The jumps of an audio stream's timestamps, as far as ``measure()`` found them.
  fileprivate func audioGaps(_ index: Int) -> [cff_audio_gap] {
    let count = Int(cff_demuxer_audio_gaps(handle, Int32(index), nil, 0))
    return [cff_audio_gap](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      _ = cff_demuxer_audio_gaps(handle, Int32(index), buffer.baseAddress, Int32(count))
      initializedCount = count
    }
  }
}

extension MediaTime {
  /// The size of a duration, such as `25 ms`.
  fileprivate var inMilliseconds: String { "\(Int64((abs(seconds) * 1000).rounded())) ms" }

  /// Seconds to the millisecond.
  fileprivate var plainSeconds: String {
    let (whole, rest) = Int64((max(0, seconds) * 1000).rounded()).quotientAndRemainder(dividingBy: 1000)
    return "\(whole).\(String(rest + 1000).dropFirst()) s"
  }
}
