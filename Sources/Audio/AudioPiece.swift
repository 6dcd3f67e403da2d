import CompositorAPI
import CompositorMediaIO

/// A segment of an audio track, in samples of the mix.
struct AudioPiece {
  let source: MediaSource
  let trackIndex: Int
  /// Range in samples, counted from composition time 0.
  private(set) var range: Range<Int64>
  /// Media seconds per second of the mix; the mean speed along a speed curve.
  let speed: Double
  /// Offset from a sample of the mix to the reader's.
  let offset: Int64
  /// The remainder of the offset, −1/2 … 1/2 samples, which readers that resample anyway take into account.
  private let fraction: Rational
  private var segment: CompositionTrackSegment
  /// Media times at which the piece begins and ends.
  var mediaRange: TimeRange { segment.timeMapping.source }

  /// `nil` if there is nothing to hear: for empty and muted segments, freeze frames, pieces shorter than half a sample, and speeds at which
  /// audio is silent.
  init?(_ segment: CompositionTrackSegment, sampleRate: Int) {
    let (mapping, unit) = (segment.timeMapping, Rational(1, sampleRate))
    guard let source = segment.source, !segment.isMuted, mapping.isValid, !mapping.isEmptyEdit, mapping.target.start.isNumeric
    else { return nil }
    let start = mapping.target.start.rounded(toUnitsOf: unit)
    let end = mapping.target.end.isNumeric ? mapping.target.end.rounded(toUnitsOf: unit) : .max
    guard start < end, mapping.rate > 0, mapping.source.start.isNumeric, segment.hasAudibleSpeeds else { return nil }
    self.source = source
    self.segment = segment
    trackIndex = segment.sourceTrackIndex
    range = start..<end
    speed = mapping.rate
    // Retimed samples are counted like those of the mix.
    let plain = AudioPiece.plainOffset(mapping, sampleRate: sampleRate)
    (offset, fraction) = segment.isReadPlainly ? plain : (0, Rational(0, 1))
  }

  /// The pieces of a track. Pieces that play one stream without a gap are merged.
  static func all(of track: CompositionTrack, sampleRate: Int) -> [AudioPiece] {
    track.segments.reduce(into: []) { pieces, segment in
      guard let piece = AudioPiece(segment, sampleRate: sampleRate) else { return }
      if let last = pieces.last, last.continues(in: piece) {
        pieces[pieces.count - 1].append(piece)
      } else {
        pieces.append(piece)
      }
    }
  }

  /// Whether the next piece continues with the following samples.
  private func continues(in next: AudioPiece) -> Bool {
    guard source == next.source, trackIndex == next.trackIndex, range.upperBound == next.range.lowerBound,
      segment.channels == next.segment.channels, segment.retiming == next.segment.retiming, segment.retiming.curve == nil,
      !segment.retiming.isReversed
    else { return false }
    guard segment.readsConstantly, next.segment.readsConstantly else {
      // Stretched media continues if nothing is left out.
      return mediaRange.end == next.mediaRange.start && speed == next.speed
    }
    // Times whose sum is too fine to be exact are rounded, which doesn't make a gap.
    let difference = Double(next.offset - offset) + (next.fraction.value - fraction.value)
    return speed == next.speed && abs(difference) < (speed == 1 ? 1e-3 : 1e-9)
  }

  /// Whether the next piece may be the next part of one recording: its file has the name of this one with the next number, and
  /// both play as they are.
  func mayContinue(in next: AudioPiece) -> Bool {
    guard case .file(let path) = source, case .file(let other) = next.source, trackIndex == next.trackIndex,
      range.upperBound == next.range.lowerBound, segment.isReadPlainly, next.segment.isReadPlainly
    else { return false }
    return ConsecutiveNames.areConsecutive(path, other)
  }

  /// The range in which the piece fades into the next one, because that one continues its media at another speed: samples of
  /// two speeds meet at different phases, which would click. `nil` if the seam is a cut, or needs no fade.
  func fade(into next: AudioPiece, sampleRate: Int) -> Range<Int64>? {
    guard source == next.source, trackIndex == next.trackIndex, range.upperBound == next.range.lowerBound,
      segment.retiming.isReversed == next.segment.retiming.isReversed, isStretched || next.isStretched
    else { return nil }
    let (end, start) =
      segment.retiming.isReversed
      ? (mediaRange.start, next.mediaRange.end) : (mediaRange.end, next.mediaRange.start)
    guard end.isNumeric, start.isNumeric, abs((end - start).seconds) * Double(sampleRate) < 1 else { return nil }
    // Five milliseconds on each side.
    let half = min(Int64(sampleRate / 200), Int64(range.count / 2), Int64(next.range.count / 2))
    return half > 0 ? range.upperBound - half..<range.upperBound + half : nil
  }

  /// Whether the samples come from a stretcher, whose phases are not those of the media.
  private var isStretched: Bool { !segment.readsConstantly && segment.retiming.pitch != .varispeed }

  private mutating func append(_ next: AudioPiece) {
    let (first, last) = (segment.timeMapping, next.segment.timeMapping)
    range = range.lowerBound..<next.range.upperBound
    segment.timeMapping = TimeMapping(
      source: TimeRange(start: first.source.start, end: last.source.end),
      target: TimeRange(start: first.target.start, end: last.target.end))
  }

  /// The offset from a sample of the mix to that of a reader that plays forward at the piece's speed.
  private static func plainOffset(_ mapping: TimeMapping, sampleRate: Int) -> (offset: Int64, fraction: Rational) {
    let speed = mapping.rate
    if speed == 1 {
      let shift = mapping.source.start - mapping.target.start
      let offset = shift.rounded(toUnitsOf: Rational(1, sampleRate))
      let rest = shift - MediaTime(value: offset, timescale: Int32(clamping: sampleRate))
      guard rest.isNumeric, rest.value != 0 else { return (offset, Rational(0, 1)) }
      let (value, overflows) = Int(rest.value).multipliedReportingOverflow(by: sampleRate)
      let fraction = overflows ? Rational(0, 1) : Rational(value, Int(rest.timescale)).reduced
      // If times are too fine for exact sums, at most half a sample is missing.
      return (offset, abs(fraction.value) <= 0.5 ? fraction : Rational(0, 1))
    }
    let samples = (mapping.source.start.seconds / speed - mapping.target.start.seconds) * Double(sampleRate)
    return (Int64(exactly: samples.rounded()) ?? 0, Rational(0, 1))
  }
}

extension AudioPiece {
  /// Opens the piece's media, to be read at samples of the mix plus ``offset``.
  ///
  /// - Parameter options: Reader options of the mix, whose speed is replaced by the piece's.
  /// - Throws: The errors of opening the source; `.invalidValue` for a time-domain stretch along a curve; `.conversionNotPossible` if the installed libavfilter lacks the stretcher.
  func open(
    from sources: any AudioSourceProvider, options: AudioReaderOptions
  ) throws(CompositorError) -> any AudioReader {
    try checkCurve()
    try checkPlaces(sampleRate: options.sampleRate)
    var options = options
    options.speed = segment.readsConstantly ? speed : 1
    options.positionFraction = fraction
    options.channels = segment.channels
    let reader = try sources.openAudio(source, trackIndex: trackIndex, options: options)
    guard !segment.isReadPlainly else { return reader }
    return RetimedAudioReader(reader, try samples(of: reader, sampleRate: options.sampleRate))
  }

  private func samples(of reader: any AudioReader, sampleRate: Int) throws(CompositorError) -> any SampleStream {
    let (mapping, retiming, rate) = (segment.timeMapping, segment.retiming, Double(sampleRate))
    if segment.readsConstantly {
      // Backward: the samples that play forward, the last one first.
      let sum = range.lowerBound + range.upperBound - 1 + AudioPiece.plainOffset(mapping, sampleRate: sampleRate).offset
      return ReversedSamples(reader, sum: sum)
    }
    // Sample 0 of the media is the one at the start, or the one before the end. The segment starts a fraction of a sample after
    // it.
    let edge = (retiming.isReversed ? mapping.source.end : mapping.source.start).seconds * rate
    let first = Int64(edge.rounded())
    let played: any SampleStream =
      retiming.isReversed ? ReversedSamples(reader, sum: first - 1) : ForwardSamples(reader, offset: first)
    let path = SamplePath(
      segment, start: Double(range.lowerBound), phase: retiming.isReversed ? Double(first) - edge : edge - Double(first),
      sampleRate: sampleRate)
    let media = reader.info.timeRange
    let begin = (retiming.isReversed ? media.end : media.start).seconds * rate
    // The beginning of the media, which silence precedes.
    let beginning =
      begin.isFinite ? Int64((retiming.isReversed ? Double(first) - begin : begin - Double(first)).rounded(.up)) : .min
    switch (retiming.pitch, retiming.curve) {
    case (.varispeed, _): return VarispeedSamples(played, path: path, channelCount: reader.options.channelCount)
    case (.spectral, nil), (.timeDomain, _):
      return try StretchedSamples(
        played, path: path, algorithm: retiming.pitch, options: reader.options, firstSample: beginning)
    case (.spectral, _):
      return try CurvedSamples(played, path: path, options: reader.options, firstSample: beginning)
    }
  }

  /// Checks that retimed samples can be counted; a plain reader checks its own.
  private func checkPlaces(sampleRate: Int) throws(CompositorError) {
    guard !segment.isReadPlainly else { return }
    let (mapping, limit) = (segment.timeMapping, Double(AudioReaderOptions.positionLimit))
    for time in [mapping.source.start, mapping.source.end, mapping.target.start, mapping.target.end] {
      guard abs(time.seconds) * Double(sampleRate) < limit else {
        throw CompositorError(
          .invalidValue, "Audio at \(time.readable) cannot be retimed.",
          recoverySuggestion: "Use times of less than \(Int(limit) / sampleRate) s.")
      }
    }
  }

  private func checkCurve() throws(CompositorError) {
    guard segment.retiming.pitch != .timeDomain || segment.retiming.curve == nil else {
      throw CompositorError(
        .invalidValue, "The time-domain stretcher cannot follow a speed that changes.",
        recoverySuggestion: "Choose the pitch algorithm spectral or varispeed for a speed ramp, or a constant speed.")
    }
  }
}

extension CompositionTrackSegment {
  /// Whether a reader of the source returns the samples unchanged.
  fileprivate var isReadPlainly: Bool { readsConstantly && !retiming.isReversed }

  /// Whether each sample of the mix is a sample of a reader at a constant speed.
  fileprivate var readsConstantly: Bool {
    retiming.curve == nil && (timeMapping.rate == 1 || retiming.pitch == .varispeed)
  }
}
