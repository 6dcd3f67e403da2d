import CCompositorFFmpeg
import CompositorAPI

/// Decoded sound of one track at its own rate, any stretch of it: decodes on, or goes back, as needed.
final class AudioDecoder {
  private struct Block {
    let position: Int64
    let channels: [[Float]]
  }

  /// Samples a second.
  let sampleRate: Int
  let channelCount: Int
  private let handle: OpaquePointer
  private let demuxer: Demuxer
  /// Decoded samples: position `start` stands at index 0.
  private var window: [[Float]]
  private var start: Int64 = 0
  private var hasEnded = false
  /// A block that begins after all that was asked for: silence lies between.
  private var ahead: Block?
  /// From here on there is nothing; what an encoder filled its last block up with is not heard.
  private let end: Int64
  let location: ErrorLocation
  let info: AudioTrackInfo
  let policy: DamagePolicy
  /// Samples that were promised and not decoded, with the number of their packets, rising.
  private(set) var losses: [(range: Range<Int64>, count: Int, reason: String)] = []
  /// Damage that was met and kept.
  var kept = DamageTally()
  var countedLosses: Set<Int64> = []
  /// Where samples end though more were promised, and why.
  private(set) var earlyEnd: (position: Int64, reason: String)?

  /// Opens an audio track of a file that was measured.
  init(
    path: String, info: AudioTrackInfo, facts: FileFacts?, options: AudioReaderOptions
  ) throws(CompositorError) {
    let (trackIndex, channelCount, end) = (info.index, options.channelCount, info.timeRange.end)
    let demuxer = try Demuxer(path: path, facts: facts, damaged: options.damaged)
    self.demuxer = demuxer
    self.info = info
    policy = options.damaged
    location = ErrorLocation(file: path)
    let stream = Int32(exactly: trackIndex).map { cff_demuxer_audio_stream(demuxer.handle, $0) } ?? -1
    guard trackIndex >= 0, stream >= 0 else {
      throw CompositorError(
        .trackNotFound, "The file has no audio track \(trackIndex).",
        recoverySuggestion: "`compositor probe` lists the tracks.",
        at: location)
    }
    var failure = cff_failure()
    var opened: OpaquePointer?
    let status = cff_audio_open(demuxer.handle, stream, Int32(channelCount), &opened, &failure)
    guard status == CFF_OK, let opened else {
      throw failure.readingError("The audio cannot be read", at: location)
    }
    handle = opened
    self.channelCount = channelCount
    sampleRate = Int(cff_audio_sample_rate(opened))
    let isExact = cff_audio_seeks_exactly(opened) && end.isNumeric
    self.end = isExact ? end.rounded(toUnitsOf: Rational(1, sampleRate)) : .max
    window = Array(repeating: [], count: channelCount)
  }

  deinit { cff_audio_close(handle) }

  /// Writes samples `position` ..< `position + count`; silence where there are none.
  func copy(from position: Int64, count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    for channel in channels { channel.update(repeating: 0, count: count) }
    let last = min(position.addingReportingOverflow(Int64(count)).partialValue, end)
    let first = max(position, 0)
    guard first < last else { return }
    try decode(from: first, to: last)
    let (low, high) = (max(first, start), min(last, windowEnd))
    guard low < high else { return }
    for (channel, samples) in zip(channels, window) {
      samples.withUnsafeBufferPointer { source in
        guard let base = source.baseAddress else { return }
        (channel + Int(low - position)).update(from: base + Int(low - start), count: Int(high - low))
      }
    }
  }

  /// Damaged packets that left no gap; nil if there were none.
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

  private var windowEnd: Int64 { start + Int64(window[0].count) }

  /// Makes the window hold everything there is in a stretch.
  private func decode(from first: Int64, to last: Int64) throws(CompositorError) {
    let reached = max(windowEnd, ahead?.position ?? .min)
    let isFarAhead = first > reached + Int64(sampleRate) * 2 && !hasEnded && cff_audio_seeks_exactly(handle)
    if first < start || isFarAhead { try seek(to: first) } else { drop(before: first) }
    while windowEnd < last, !hasEnded || ahead != nil {
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
    for channel in window.indices { window[channel].removeAll(keepingCapacity: true) }
    (start, hasEnded, ahead) = (position, false, nil)
  }

  private func drop(before first: Int64) {
    guard first > start else { return }
    let count = Int(min(first - start, Int64(window[0].count)))
    for channel in window.indices { window[channel].removeFirst(count) }
    start = first
  }

  private func next() throws(CompositorError) -> Block? {
    var block = cff_audio_block()
    var failure = cff_failure()
    let status = cff_audio_next(handle, &block, &failure)
    takeLosses()
    switch status {
    case CFF_OK: break
    case CFF_END:
      hasEnded = true
      if cff_audio_ended_early(handle) { earlyEnd = (windowEnd, reason) }
      return nil
    default:
      let error = failure.readingError("The audio cannot be decoded", at: place(windowEnd))
      guard policy == .keep, error.isDamage else { throw error }
      hasEnded = true
      kept.add(error.damage(at: place(windowEnd).time))
      return nil
    }
    let channels = (0..<channelCount).map { channel in
      Array(UnsafeBufferPointer(start: block.channels[channel], count: Int(block.count)))
    }
    return Block(position: block.position, channels: channels)
  }

  /// Adds a block where it belongs: silence fills a gap before it; what overlaps earlier samples is dropped.
  private func append(_ block: Block) {
    let gap = block.position - windowEnd
    for channel in window.indices {
      if gap > 0 { window[channel].append(contentsOf: repeatElement(0, count: Int(gap))) }
      window[channel].append(contentsOf: block.channels[channel].dropFirst(Int(min(max(0, -gap), Int64(Int32.max)))))
    }
  }

  func place(_ position: Int64) -> ErrorLocation {
    var place = location
    place.time = MediaTime(value: position, timescale: Int32(sampleRate))
    return place
  }
}

/// Samples that are missing: an error, or counted while there is silence.
extension AudioDecoder {
  /// The damage that was met so far.
  var damage: [MediaDamage] {
    var tally = kept
    if let concealed { tally.add(concealed) }
    return tally.all
  }

  /// Accounts for the samples of a range, after it was copied.
  ///
  /// - Throws: With ``DamagePolicy/fail`` `.decodeFailed` or `.truncatedMedia` if some of them are missing.
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
        .truncatedMedia, "The file has no audio from here on.", recoverySuggestion: Self.recoverySuggestion,
        cause: missing.reason,
        at: place(missing.range.lowerBound))
    }
    guard countedLosses.insert(missing.range.lowerBound).inserted else { return }
    kept.add(MediaDamage(.cutShort, firstTime: place(missing.range.lowerBound).time, reason: missing.reason))
  }

  /// What is promised after the samples that are there.
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

  private static var recoverySuggestion: String { "Fetch the file again, use only what is there, or keep damaged media." }
}
