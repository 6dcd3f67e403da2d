internal import Compositor
internal import Foundation

/// Samples that a program appended, one list for each channel.
struct AppendedAudio: Sendable {
  let channels: [[Float]]
  let format: AudioConverter.Format

  init(_ channels: [[Float]], sampleRate: Int) {
    self.channels = channels
    format = AudioConverter.Format(sampleRate: sampleRate, channelCount: channels.count)
  }
}

/// Audio of one input on its way to the file: cut to the session, without gaps, converted.
final class AudioTrackWriter {
  let settings: AudioInputSettings
  /// The index of the track in the file.
  let index: Int
  private var spool: AudioSpool?
  private let block: AudioBlock
  /// Converts what is appended now; `nil` before the first samples.
  private var conversion: AudioConversion?
  /// Samples of the program's rate that were taken, which end at this place of the session.
  private var taken: Int64 = 0
  /// Samples written.
  private(set) var written: Int64 = 0

  private var format: AudioConverter.Format {
    AudioConverter.Format(sampleRate: settings.encoding.sampleRate, channelCount: settings.encoding.channelCount)
  }
  /// The rate at which places are counted: that of the samples.
  private var rate: Int { conversion?.input.sampleRate ?? settings.encoding.sampleRate }

  /// How far times may be off without a gap or a cut: 2 ms. Clocks of recordings are rounded.
  private var tolerance: Int64 { Int64(rate / 500) }

  init(_ settings: AudioInputSettings, index: Int, folder: URL) {
    (self.settings, self.index) = (settings, index)
    let count = settings.encoding.channelCount
    spool = AudioSpool(channelCount: count, folder: folder)
    block = AudioBlock(channelCount: count, capacity: 8192)
  }

  /// The place of a time of the session, in samples of a rate.
  private func place(_ time: CMTime, at rate: Int) -> Int64 {
    let encoding = AudioEncodingSettings(codec: .aac, sampleRate: rate, channelCount: 1)
    return time < .zero ? -encoding.sampleCount(lasting: (CMTime.zero - time).media) : encoding.sampleCount(lasting: time.media)
  }

  /// Adds samples at a time of the session: silence before them if they come late, and not what comes before the session or after
  /// its end.
  func append(_ audio: AppendedAudio, at time: CMTime, until end: CMTime?, to writer: MovieWriter?) throws {
    try use(audio.format, to: writer)
    let start = place(time, at: rate)
    var (first, last) = (0, audio.channels.first?.count ?? 0)
    if start > taken + (taken == 0 ? 0 : tolerance) {
      try silence(min(start, end.map { place($0, at: rate) } ?? start) - taken, to: writer)
    } else if start < taken - (taken == 0 ? 0 : tolerance) {
      first = Int(min(Int64(last), taken - start))
    }
    if let end { last = min(last, max(first, first + Int(clamping: place(end, at: rate) - taken))) }
    guard first < last else { return }
    let isWhole = first == 0 && last == audio.channels[0].count
    try take(isWhole ? audio.channels : audio.channels.map { Array($0[first..<last]) }, to: writer)
  }

  /// Converts from a format from now on.
  private func use(_ input: AudioConverter.Format, to writer: MovieWriter?) throws {
    guard conversion?.input != input else { return }
    try endConversion(to: writer)
    conversion = try AudioConversion(from: input, to: format)
    // Places are counted at another rate.
    taken = place(CMTime(value: written, timescale: CMTimeScale(format.sampleRate)), at: rate)
  }

  private func endConversion(to writer: MovieWriter?) throws {
    guard let conversion else { return }
    self.conversion = nil
    try put(try conversion.finish(), to: writer)
  }

  /// Writes the rest.
  ///
  /// - Parameter end: The end of the session, up to which there is silence; `nil` if it has none.
  func finish(at end: CMTime?, to writer: MovieWriter?) throws {
    try endConversion(to: writer)
    guard let end else { return }
    var left = place(end, at: format.sampleRate) - written
    while left > 0 {
      let part = Int(min(left, 8192))
      try put(Array(repeating: Array(repeating: 0, count: part), count: format.channelCount), to: writer)
      left -= Int64(part)
    }
  }

  private func silence(_ count: Int64, to writer: MovieWriter?) throws {
    var left = count
    while left > 0 {
      let part = Int(min(left, 8192))
      try take(
        Array(repeating: Array(repeating: 0, count: part), count: conversion?.input.channelCount ?? format.channelCount),
        to: writer)
      left -= Int64(part)
    }
  }

  /// Converts samples of the program, and writes what that gives.
  private func take(_ channels: [[Float]], to writer: MovieWriter?) throws {
    taken += Int64(channels[0].count)
    try put(try conversion?.convert(channels) ?? channels, to: writer)
  }

  private func put(_ channels: [[Float]], to writer: MovieWriter?) throws {
    guard let count = channels.first?.count, count > 0 else { return }
    written += Int64(count)
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
