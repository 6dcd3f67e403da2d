/// A segment of a composition's track: a range of a source's track, or a gap.
public struct CompositionTrackSegment: Hashable, Sendable {
  /// The source of the media; `nil` in an empty segment.
  public var source: MediaSource?
  /// The index of the source's track among its tracks of the same media type, from 0.
  public var sourceTrackIndex: Int
  /// The mapping from media time to track time. A source range of zero duration is a freeze frame.
  public var timeMapping: TimeMapping
  /// How the media plays between the two ranges. By default forward at constant speed.
  public var retiming = SegmentRetiming()
  /// The channels that are heard of audio. Default: all.
  public var channels = AudioChannels.all
  /// Whether its audio is silent, as with a volume of 0, but without being read.
  package var isMuted = false

  /// Creates a segment that plays a range of a source's track.
  public init(
    source: MediaSource, trackIndex: Int = 0, timeMapping: TimeMapping, retiming: SegmentRetiming = SegmentRetiming()
  ) {
    self.source = source
    self.sourceTrackIndex = trackIndex
    self.timeMapping = timeMapping
    self.retiming = retiming
  }

  /// Creates a gap.
  public init(empty timeRange: TimeRange) {
    self.source = nil
    self.sourceTrackIndex = 0
    self.timeMapping = TimeMapping(emptyEdit: timeRange)
  }

  /// Whether the segment is a gap.
  public var isEmpty: Bool { source == nil }

  /// Whether no audio of it is heard, whatever the volume.
  package var isSilent: Bool { isEmpty || isMuted }

  /// Whether one media time is shown for the whole segment.
  public var isFreezeFrame: Bool { !isEmpty && timeMapping.source.duration == .zero }
}

/// A media time in a source's track.
public struct MediaPosition: Hashable, Sendable, Codable {
  /// The source.
  public var source: MediaSource
  /// The index of the source's track among its tracks of the same media type, from 0.
  public var trackIndex: Int
  /// The media time.
  public var time: MediaTime

  /// Creates a position in a source's track.
  public init(source: MediaSource, trackIndex: Int = 0, time: MediaTime) {
    self.source = source
    self.trackIndex = trackIndex
    self.time = time
  }
}

/// A range of a source's track, to insert into a composition.
public struct SourceRange: Hashable, Sendable, Codable {
  /// The source.
  public var source: MediaSource
  /// The index of the source's track among its tracks of the same media type, from 0.
  public var trackIndex: Int
  /// The range in media time. Its duration is > 0.
  public var timeRange: TimeRange

  /// Creates a range of a source's track.
  public init(_ source: MediaSource, trackIndex: Int = 0, timeRange: TimeRange) {
    self.source = source
    self.trackIndex = trackIndex
    self.timeRange = timeRange
  }
}

extension CompositionTrackSegment {
  /// The media time at a track time; invalid in an empty segment. If the segment is reversed, the frame shown is the last one
  /// that starts before this time.
  /// Exact at constant speed if a timescale can represent it; accurate to the nanosecond along a curve.
  public func mediaTime(at time: MediaTime) -> MediaTime {
    guard !isEmpty, retiming.isReversed || retiming.curve != nil else { return timeMapping.sourceTime(forTarget: time) }
    let source = timeMapping.source
    let covered = mediaDuration(before: time)
    return retiming.isReversed ? source.end - covered : source.start + covered
  }

  /// The track time at which a media time is reached; the start of the target for a freeze frame, invalid in an empty segment.
  public func trackTime(ofMedia time: MediaTime) -> MediaTime {
    guard !isEmpty, !isFreezeFrame, retiming.isReversed || retiming.curve != nil else {
      return timeMapping.targetTime(forSource: time)
    }
    let (source, target) = (timeMapping.source, timeMapping.target)
    let covered = retiming.isReversed ? source.end - time : time - source.start
    guard let curve = retiming.curve else {
      return TimeMapping(source: TimeRange(start: .zero, duration: source.duration), target: target).targetTime(
        forSource: covered)
    }
    guard covered.isNumeric, covered != .zero else { return covered.isNumeric ? target.start : covered }
    guard covered != source.duration else { return target.end }
    let fraction = curve.timeFraction(at: covered.seconds / source.duration.seconds)
    return target.start + MediaTime(seconds: fraction * target.duration.seconds, preferredTimescale: Self.curveTimescale)
  }

  /// The speed at a track time, in media seconds per track second, regardless of direction; 0 for a freeze frame.
  public func speed(at time: MediaTime) -> Double {
    guard let curve = retiming.curve, time.isNumeric else { return timeMapping.rate }
    let fraction = (time - timeMapping.target.start).seconds / timeMapping.target.duration.seconds
    return curve.speed(at: curve.range.lowerBound + fraction * curve.duration) * curveScale(curve)
  }

  /// The lowest and highest speed; 0 … 0 for a freeze frame.
  public var speeds: ClosedRange<Double> {
    guard !isFreezeFrame, let curve = retiming.curve else { return timeMapping.rate...timeMapping.rate }
    let (speeds, scale) = (curve.speeds, curveScale(curve))
    guard scale.isFinite, scale >= 0 else { return timeMapping.rate...timeMapping.rate }
    return speeds.lowerBound * scale...speeds.upperBound * scale
  }

  /// Whether audio is heard at all speeds of the segment, allowing for rounded times. Otherwise it is silent.
  package var hasAudibleSpeeds: Bool {
    let (speeds, audible) = (speeds, SegmentRetiming.audibleSpeeds)
    return speeds.lowerBound >= audible.lowerBound * (1 - 1e-6) && speeds.upperBound <= audible.upperBound * (1 + 1e-6)
  }

  /// The factor by which the curve's speeds are multiplied so that the source range exactly covers the target range.
  private func curveScale(_ curve: SpeedCurve) -> Double { timeMapping.rate / (curve.mediaDuration / curve.duration) }

  /// Flicks: a multiple of every common frame and sample rate.
  private static let curveTimescale: Int32 = 705_600_000

  /// The duration of the media that has played before a track time.
  private func mediaDuration(before time: MediaTime) -> MediaTime {
    let (source, target) = (timeMapping.source, timeMapping.target)
    let played = TimeRange(start: .zero, duration: source.duration)
    guard let curve = retiming.curve, !isFreezeFrame, time.isNumeric, time != target.start, time != target.end else {
      return time.mapped(from: target, to: played)
    }
    let fraction = curve.mediaFraction(at: (time - target.start).seconds / target.duration.seconds)
    return MediaTime(seconds: fraction * source.duration.seconds, preferredTimescale: Self.curveTimescale)
  }

  /// The position that plays at a track time; `nil` in an empty segment.
  func position(at time: MediaTime) -> MediaPosition? {
    guard let source else { return nil }
    return MediaPosition(source: source, trackIndex: sourceTrackIndex, time: mediaTime(at: time))
  }

  /// The parts before and after `time`, which is inside the segment. Each part plays what it played before.
  package func split(at time: MediaTime) -> (before: CompositionTrackSegment, after: CompositionTrackSegment) {
    var (before, after) = (self, self)
    let (source, target) = (timeMapping.source, timeMapping.target)
    before.timeMapping.target = TimeRange(start: target.start, end: time)
    after.timeMapping.target = TimeRange(start: time, end: target.end)
    guard !isEmpty else { return (before, after) }
    let middle = mediaTime(at: time)
    let (early, late) = (TimeRange(start: source.start, end: middle), TimeRange(start: middle, end: source.end))
    before.timeMapping.source = retiming.isReversed ? late : early
    after.timeMapping.source = retiming.isReversed ? early : late
    if let curve = retiming.curve {
      let fraction = (time - target.start).seconds / target.duration.seconds
      before.retiming.curve = curve.part(from: 0, to: fraction)
      after.retiming.curve = curve.part(from: fraction, to: 1)
    }
    return (before, after)
  }

  /// Checks the segment on its own.
  ///
  /// - Throws: `.invalidSegmentDuration`, `.invalidSourceStart`, `.invalidSourceDuration`.
  func validate(index: Int, at location: ErrorLocation) throws(CompositorError) {
    let target = timeMapping.target
    guard target.duration.isNumeric, target.duration > .zero, target.duration.epoch == 0 else {
      throw CompositorError(
        .invalidSegmentDuration, "Segment \(index) lasts \(target.duration).",
        recoverySuggestion: "Give it a duration above 0.", at: location)
    }
    guard !isEmpty else { return }
    guard timeMapping.source.start.isNumeric else {
      throw CompositorError(
        .invalidSourceStart, "Segment \(index) starts at \(timeMapping.source.start.readable) of its media.",
        recoverySuggestion: "Give a finite media time.", at: location)
    }
    let duration = timeMapping.source.duration
    guard duration.isNumeric, duration >= .zero, duration.epoch == 0, timeMapping.source.end.isNumeric else {
      throw CompositorError(
        .invalidSourceDuration, "Segment \(index) takes \(duration.readable) of its media.",
        recoverySuggestion: "Take a finite duration, or 0 for a freeze frame.", at: location)
    }
  }
}

extension CompositionTrackSegment: Codable {
  private enum CodingKeys: String, CodingKey {
    case source, sourceTrackIndex, timeMapping, retiming, channels, isMuted
  }

  /// Decodes a segment. Without `retiming` the segment plays forward at constant speed.
  ///
  /// - Throws: `DecodingError`; ``CompositorError`` `.invalidValue` if a speed curve is malformed.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    source = try values.decodeIfPresent(MediaSource.self, forKey: .source)
    sourceTrackIndex = try values.decode(Int.self, forKey: .sourceTrackIndex)
    timeMapping = try values.decode(TimeMapping.self, forKey: .timeMapping)
    retiming = try values.decodeIfPresent(SegmentRetiming.self, forKey: .retiming) ?? SegmentRetiming()
    channels = try values.decodeIfPresent(AudioChannels.self, forKey: .channels) ?? .all
    isMuted = try values.decodeIfPresent(Bool.self, forKey: .isMuted) ?? false
  }

  /// Encodes a segment, with `retiming`, `channels` and `isMuted` only if they differ from the defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(source, forKey: .source)
    try values.encode(sourceTrackIndex, forKey: .sourceTrackIndex)
    try values.encode(timeMapping, forKey: .timeMapping)
    if retiming != SegmentRetiming() { try values.encode(retiming, forKey: .retiming) }
    if channels != .all { try values.encode(channels, forKey: .channels) }
    if isMuted { try values.encode(isMuted, forKey: .isMuted) }
  }
}
