import CCompositorFFmpeg
package import CompositorAPI

/// Decoded audio of one track at its own rate. Any range can be requested: the decoder continues or seeks back as needed.
final class AudioDecoder {
  /// Sample rate in Hz.
  let sampleRate: Int
  let channelCount: Int
  private let handle: OpaquePointer
  private let demuxer: Demuxer
  private var window: SampleWindow
  private let hasMarks: Bool
  private var hasEnded = false
  /// The position at which decoding reached the end.
  private var foundEnd: Int64?
  /// A block that begins after the requested range, with silence before it. The decoder owns its samples until the next
  /// request.
  private var ahead: cff_audio_block?
  /// The end of the audible samples; what an encoder padded its last block with lies beyond.
  private let end: Int64
  /// The first position that is read: below 0 if the track continues another file's.
  private var beginning: Int64 = 0
  let location: ErrorLocation
  let info: AudioTrackInfo
  let policy: DamagePolicy
  /// Samples that were promised but not decoded, with the number of their packets, in rising order.
  private(set) var losses: [(range: Range<Int64>, count: Int, reason: String)] = []
  /// Damage encountered and tolerated so far.
  var kept = DamageTally()
  var countedLosses: Set<Int64> = []
  /// The position and cause of an end earlier than promised.
  private(set) var earlyEnd: (position: Int64, reason: String)?

  /// Opens an audio track of a measured file.
  init(
    path: String, info: AudioTrackInfo, facts: FileFacts?, options: AudioReaderOptions
  ) throws(CompositorError) {
    let (trackIndex, channelCount, end) = (info.index, options.channelCount, info.timeRange.end)
    let demuxer = try Demuxer(path: path, facts: facts, damaged: options.damaged)
    // Only its packets tell whether the times of a movie of boxes count samples.
    if facts == nil, demuxer.isMovieOfBoxes { _ = try demuxer.measure() }
    self.demuxer = demuxer
    self.info = info
    policy = options.damaged
    location = ErrorLocation(file: path)
    let stream = Int32(exactly: trackIndex).map { cff_demuxer_audio_stream(demuxer.handle, $0) } ?? -1
    guard trackIndex >= 0, stream >= 0 else {
      throw CompositorError(
        .trackNotFound, "The file has no audio track \(trackIndex).",
        advice: "\(operation: .probe) lists the tracks.",
        at: location)
    }
    var failure = cff_failure()
    var opened: OpaquePointer?
    let isNormalized = options.downmix == .normalized
    var take = try options.channels.take(of: info, at: location)
    let status = cff_audio_open(
      demuxer.handle, stream, Int32(channelCount), isNormalized, &take, &opened, &failure)
    guard status == CFF_OK, let opened else {
      throw failure.readingError("The audio cannot be read", at: location)
    }
    handle = opened
    let marks = facts?.audioMarks(ofStream: Int(stream)) ?? demuxer.audioMarks(Int(stream))
    guard cff_audio_use_marks(opened, marks, Int32(clamping: marks.count), &failure) == CFF_OK else {
      cff_audio_close(opened)
      throw failure.readingError("The audio cannot be read", at: location)
    }
    hasMarks = !marks.isEmpty
    self.channelCount = channelCount
    sampleRate = Int(cff_audio_sample_rate(opened))
    // A time in samples was counted; others may be rounded.
    let isCounted = Int(end.timescale) == sampleRate
    let isExact = (cff_audio_seeks_exactly(opened) || isCounted) && end.isNumeric
    self.end = isExact ? end.rounded(toUnitsOf: Rational(1, sampleRate)) : .max
    window = SampleWindow(channelCount: channelCount)
  }

  deinit { cff_audio_close(handle) }

  /// Writes samples `position` ..< `position + count`, with silence if there are none.
  ///
  /// - Parameter isAhead: Whether earlier samples will still be requested and must be kept.
  func copy(
    from position: Int64, count: Int, into channels: [UnsafeMutablePointer<Float>], isAhead: Bool = false
  ) throws(CompositorError) {
    let last = min(position.addingReportingOverflow(Int64(count)).partialValue, end)
    let first = max(position, beginning)
    var copied = first..<first
    if first < last {
      try decode(from: first, to: last, isAhead: isAhead)
      let (low, high) = (max(first, window.start), min(last, window.end))
      if low < high { copied = low..<high }
    }
    let (before, size) = (Int(copied.lowerBound - position), copied.count)
    for (index, channel) in channels.enumerated() {
      guard size > 0 else {
        channel.update(repeating: 0, count: count)
        continue
      }
      channel.update(repeating: 0, count: before)
      (channel + before).update(from: window.samples(of: index, at: copied.lowerBound), count: size)
      (channel + before + size).update(repeating: 0, count: count - before - size)
    }
  }

  /// Number of packets of the track read so far.
  var packetCount: Int64 { cff_audio_packet_count(handle) }

  /// Starts over as the continuation of another decoder's track, which was read to its end.
  ///
  /// - Returns: The position of the first sample; `nil` if the tracks differ or there is none.
  func begin(after previous: AudioDecoder) throws(CompositorError) -> Int64? {
    guard cff_audio_can_continue(handle, previous.handle) else { return nil }
    try startOver(after: previous)
    ahead = try next()
    guard let first = ahead?.position else { return nil }
    beginning = min(first, 0)
    window.restart(at: first)
    return first
  }

  /// Starts over; alone if there is no previous track.
  func startOver(after previous: AudioDecoder?) throws(CompositorError) {
    var failure = cff_failure()
    guard cff_audio_continue(handle, previous?.handle, &failure) == CFF_OK else {
      throw failure.readingError("The audio cannot be found", at: location)
    }
    beginning = 0
    window.restart(at: 0)
    (hasEnded, ahead) = (false, nil)
  }

  /// The end of the samples; `nil` until it is known.
  var contentEnd: Int64? { end < .max ? end : foundEnd }

  /// The end of what was decoded, once reading has reached it: containers may state more for their last packet.
  var decodedEnd: Int64? { foundEnd.map { min($0, end) } ?? contentEnd }

  /// Damaged packets that left no gap; `nil` if there were none.
  var concealed: MediaDamage? {
    let count = Int(cff_audio_concealed_count(handle))
    return count > 0 ? MediaDamage(.concealed, count: count, reason: reason) : nil
  }

  private var reason: String { String(cString: cff_audio_reason(handle)) }

  private func takeLosses() {
    var loss = cff_audio_loss()
    while cff_audio_take_loss(handle, &loss) {
      let range = loss.start..<loss.end
      guard !losses.contains(where: { $0.range.overlaps(range) }) else { continue }
      losses.append((range, Int(loss.count), reason.isEmpty ? "the decoder gave no samples for the packets" : reason))
    }
  }

  /// Fills the window with all samples of a range.
  private func decode(from first: Int64, to last: Int64, isAhead: Bool) throws(CompositorError) {
    let reached = max(window.end, ahead?.position ?? .min)
    let isFarAhead = first > reached + Int64(sampleRate) * 2 && !hasEnded && (cff_audio_seeks_exactly(handle) || hasMarks)
    if first < window.start || isFarAhead { try seek(to: first) } else if !isAhead { window.drop(before: first) }
    while window.end < last, !hasEnded || ahead != nil {
      if ahead == nil { ahead = try next() }
      guard let block = ahead, block.position < last else { return }
      ahead = nil
      append(block)
    }
  }

  private func seek(to position: Int64) throws(CompositorError) {
    var failure = cff_failure()
    guard cff_audio_seek(handle, position, &failure) == CFF_OK else {
      throw failure.readingError("The audio cannot be found", at: place(position))
    }
    window.restart(at: position)
    (hasEnded, ahead) = (false, nil)
  }

  private func next() throws(CompositorError) -> cff_audio_block? {
    var block = cff_audio_block()
    var failure = cff_failure()
    let status = cff_audio_next(handle, &block, &failure)
    takeLosses()
    switch status {
    case CFF_OK: return block
    case CFF_END:
      hasEnded = true
      foundEnd = window.end
      if cff_audio_ended_early(handle) { earlyEnd = (window.end, reason) }
    default:
      let error = failure.readingError("The audio cannot be decoded", at: place(window.end))
      guard policy == .keep, error.isDamage else { throw error }
      hasEnded = true
      kept.add(error.damage(at: place(window.end).time))
    }
    return nil
  }

  /// Inserts a block at its position: silence fills a gap before it, and samples that overlap earlier ones are dropped.
  private func append(_ block: cff_audio_block) {
    let gap = block.position - window.end
    if gap > 0 { window.appendSilence(Int(gap)) }
    let skipped = Int(min(max(0, -gap), Int64(block.count)))
    window.append(Int(block.count) - skipped) { channel in
      block.channels[channel].map { $0 + skipped }
    }
  }

  func place(_ position: Int64) -> ErrorLocation {
    var place = location
    place.time = MediaTime(value: position, timescale: Int32(sampleRate))
    return place
  }
}

/// Missing samples: an error, or counted and replaced by silence.
extension AudioDecoder {
  /// The damage that was met so far.
  var damage: [MediaDamage] {
    var tally = kept
    if let concealed { tally.add(concealed) }
    return tally.all
  }

  /// Accounts for the samples of a range after it was copied.
  ///
  /// - Throws: `.decodeFailed` or `.truncatedMedia` if samples are missing and the policy is ``DamagePolicy/fail``.
  func check(_ range: Range<Int64>) throws(CompositorError) {
    for loss in losses where loss.range.overlaps(range) {
      guard policy == .keep else {
        throw CompositorError(
          .decodeFailed, "Audio track \(info.index) cannot be decoded here.", recoverySuggestion: Self.recoverySuggestion,
          cause: loss.reason,
          at: place(loss.range.lowerBound))
      }
      guard countedLosses.insert(loss.range.lowerBound).inserted else { continue }
      kept.add(
        MediaDamage(
          .undecodable, count: loss.count, firstTime: place(loss.range.lowerBound).time, reason: loss.reason))
    }
    guard let missing = missingRange, missing.range.overlaps(range) else { return }
    guard policy == .keep else {
      throw CompositorError(
        .truncatedMedia, "The file has no audio after this point.", recoverySuggestion: Self.recoverySuggestion,
        cause: missing.reason,
        at: place(missing.range.lowerBound))
    }
    guard countedLosses.insert(missing.range.lowerBound).inserted else { return }
    kept.add(MediaDamage(.cutShort, firstTime: place(missing.range.lowerBound).time, reason: missing.reason))
  }

  /// The promised range after the end of the samples.
  private var missingRange: (range: Range<Int64>, reason: String)? {
    guard info.timeRange.end.isNumeric else { return nil }
    let unit = Rational(1, sampleRate)
    let promised = info.timeRange.end.rounded(toUnitsOf: unit)
    if let end = info.readableEnd?.rounded(toUnitsOf: unit), end < promised {
      return (end..<promised, "the file is cut short")
    }
    guard let earlyEnd, earlyEnd.position < promised else { return nil }
    return (earlyEnd.position..<promised, earlyEnd.reason)
  }

  private static var recoverySuggestion: String { DamageAdvice.ofReading }
}

extension AudioChannels {
  /// The selection for a track.
  ///
  /// - Throws: `.trackNotFound` if the track has no such channel.
  fileprivate func take(of info: AudioTrackInfo, at location: ErrorLocation) throws(CompositorError) -> cff_audio_take {
    var take = cff_audio_take()
    take.mixes_down = self == .mono
    guard let indices = indices(of: info.channelCount) else { return take }
    if let error = error(of: info, indices) { throw error.locating(location) }
    take.count = Int32(indices.count)
    withUnsafeMutableBytes(of: &take.channels) { bytes in
      for (place, index) in zip(bytes.bindMemory(to: Int32.self).indices, indices) {
        bytes.bindMemory(to: Int32.self)[place] = Int32(index)
      }
    }
    return take
  }

  private func error(of info: AudioTrackInfo, _ indices: [Int]) -> CompositorError? {
    guard let missing = indices.first(where: { $0 >= info.channelCount }) else { return nil }
    return AudioChannels.missing(missing, of: info.channelCount)
  }

  /// The error for a channel that a track doesn't have.
  package static func missing(_ index: Int, of count: Int) -> CompositorError {
    CompositorError(
      .trackNotFound, "The audio has no channel \(index): it has \(count), and channels count from 0.",
      recoverySuggestion: count == 1 ? "Use channel 0." : "Use channels from 0 to \(count - 1).")
  }
}
