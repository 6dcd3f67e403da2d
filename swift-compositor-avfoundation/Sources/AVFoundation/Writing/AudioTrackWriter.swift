internal import Compositor
internal import Foundation

/// Audio of one input on its way to the file: converted, cut to the session, without gaps.
final class AudioTrackWriter {
  let settings: AudioInputSettings
  /// The index of the track in the file.
  let index: Int
  private var spool: AudioSpool?
  private let block: AudioBlock
  /// Samples written, which end at this place of the session.
  private(set) var written: Int64 = 0

  /// How far times may be off without a gap or a cut: 2 ms. Clocks of recordings are rounded.
  private var tolerance: Int64 { Int64(settings.encoding.sampleRate / 500) }

  init(_ settings: AudioInputSettings, index: Int, folder: URL) {
    (self.settings, self.index) = (settings, index)
    let count = settings.encoding.channelCount
    spool = AudioSpool(channelCount: count, folder: folder)
    block = AudioBlock(channelCount: count, capacity: 8192)
  }

  /// The place of a time of the session.
  private func place(_ time: CMTime) -> Int64 {
    time < .zero
      ? -settings.encoding.sampleCount(lasting: (CMTime.zero - time).media)
      : settings.encoding.sampleCount(lasting: time.media)
  }

  /// Adds samples at a time of the session: silence before them if they come late, and not what comes before the session or after
  /// its end.
  func append(
    _ channels: [[Float]], at time: CMTime, until end: CMTime?, to writer: MovieWriter?
  ) throws {
    let start = place(time)
    var (first, last) = (0, channels.first?.count ?? 0)
    if start > written + (written == 0 ? 0 : tolerance) {
      try silence(min(start, end.map { place($0) } ?? start) - written, to: writer)
    } else if start < written - (written == 0 ? 0 : tolerance) {
      first = Int(min(Int64(last), written - start))
    }
    if let end { last = min(last, max(first, first + Int(clamping: place(end) - written))) }
    guard first < last else { return }
    let isWhole = first == 0 && last == channels[0].count
    try put(isWhole ? channels : channels.map { Array($0[first..<last]) }, to: writer)
  }

  /// Adds silence up to a time of the session.
  func fill(until end: CMTime, to writer: MovieWriter?) throws { try silence(place(end) - written, to: writer) }

  private func silence(_ count: Int64, to writer: MovieWriter?) throws {
    var left = count
    while left > 0 {
      let part = Int(min(left, 8192))
      try put(Array(repeating: Array(repeating: 0, count: part), count: settings.encoding.channelCount), to: writer)
      left -= Int64(part)
    }
  }

  private func put(_ channels: [[Float]], to writer: MovieWriter?) throws {
    written += Int64(channels[0].count)
    guard let writer else {
      try spool?.append(channels)
      return
    }
    try send(channels, to: writer)
  }

  /// Writes what was held.
  func open(_ writer: MovieWriter) throws {
    guard let held = spool else { return }
    spool = nil
    try held.drain { channels in try send(channels, to: writer) }
  }

  private func send(_ channels: [[Float]], to writer: MovieWriter) throws {
    var offset = 0
    let count = channels[0].count
    while offset < count {
      let part = min(count - offset, block.capacity)
      for (target, samples) in zip(block.channels, channels) {
        samples.withUnsafeBufferPointer { samples in
          guard let base = samples.baseAddress else { return }
          target.update(from: base + offset, count: part)
        }
      }
      try writer.append(block, count: part, track: index)
      offset += part
    }
  }
}

extension AudioInputSettings {
  /// Samples of a program's format as those of the file.
  ///
  /// - Throws: `.formatUnsupported` if rate or channels cannot be converted.
  func converted(_ channels: [[Float]], from format: PCMFormat) throws(AVError) -> [[Float]] {
    guard format.sampleRate == encoding.sampleRate else {
      throw AVError(
        .formatUnsupported,
        "Audio of \(format.sampleRate) samples a second cannot be written as one of \(encoding.sampleRate).",
        suggestion: "Set AVSampleRateKey of the input to that of the samples, or that of the reader's output to this one.")
    }
    switch (channels.count, encoding.channelCount) {
    case let (from, to) where from == to: return channels
    case (1, 2): return [channels[0], channels[0]]
    case (2, 1): return [zip(channels[0], channels[1]).map { ($0 + $1) / 2 }]
    case let (from, to):
      throw AVError(
        .formatUnsupported, "Audio of \(from) channels cannot be written as one of \(to).",
        suggestion: "Set AVNumberOfChannelsKey of the input to that of the samples, or that of the reader's output to this one."
      )
    }
  }
}
