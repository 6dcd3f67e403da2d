import CompositorAPI
import CompositorMediaIO

/// A track that coded samples are written to. Times are counted from the start of the session, in units of the track.
final class CodedTrackOutput {
  /// Units of times per second.
  let timescale: Int32
  private let writer: CopyingMovieWriter
  private let track: CopyingMovieWriter.Track

  private struct Stamped {
    let packet: CodedPacket
    let time: Int64
    let decodeTime: Int64?
    let duration: Int64
  }

  /// The first samples, whose decoding times follow from that of a later one.
  private var waiting: [Stamped] = []
  private var firstDecodeTime: Int64?
  private var lastDecodeTime: Int64?
  private var lastDuration: Int64 = 0
  private var (firstTime, end): (Int64, Int64) = (.max, .min)

  /// More samples than any codec reorders.
  private static let mostWaiting = 32

  init(_ writer: CopyingMovieWriter, _ track: CopyingMovieWriter.Track, timescale: Int32) {
    (self.writer, self.track, self.timescale) = (writer, track, timescale)
  }

  func append(_ sample: CodedSample, from start: MediaTime) throws(CompositorError) {
    guard let time = sample.presentationTime, time.isNumeric else {
      throw CompositorError(
        .unreadableMedia, "A sample has no presentation time.", recoverySuggestion: "State one, or encode the track.",
        at: ErrorLocation(file: writer.path))
    }
    let decodeTime = sample.decodeTime.flatMap { $0.isNumeric ? units($0 - start) : nil }
    let duration = sample.duration.isNumeric ? max(0, units(sample.duration)) : 0
    let stamped = Stamped(packet: sample.packet, time: units(time - start), decodeTime: decodeTime, duration: duration)
    guard lastDecodeTime == nil, decodeTime == nil, waiting.count < Self.mostWaiting else {
      try flush(before: decodeTime)
      return try write(stamped)
    }
    waiting.append(stamped)
  }

  /// Writes the samples held back.
  func finish() throws(CompositorError) { try flush(before: nil) }

  /// The edit list of a session that ends early; `nil` without samples.
  func edits(lasting session: MediaTime) -> [EditListEntry]? {
    guard let firstDecodeTime else { return nil }
    let start = time(max(0, firstTime))
    let pause = start > .zero ? [EditListEntry(mediaStart: nil, duration: min(start, session))] : []
    guard start < session else { return pause }
    let played = min(session, max(time(end), start)) - start
    return pause + [EditListEntry(mediaStart: start - time(firstDecodeTime), duration: played)]
  }

  private func units(_ time: MediaTime) -> Int64 { Timebase.clamped(time.rounded(toUnitsOf: Rational(1, Int(timescale)))) }

  private func time(_ units: Int64) -> MediaTime { MediaTime(value: units, timescale: timescale) }

  /// Writes the first samples. They are decoded one after another, the last one right before `next`, or when the first frame is presented.
  private func flush(before next: Int64?) throws(CompositorError) {
    let samples = waiting
    waiting = []
    guard let earliest = samples.map(\.time).min() else { return }
    let step = max(1, samples.map(\.duration).first { $0 > 0 } ?? 1)
    let last = next.map { $0 - step } ?? earliest
    for (index, sample) in samples.enumerated() {
      let decodeTime = min(sample.time, last - Int64(samples.count - 1 - index) * step)
      try write(
        Stamped(packet: sample.packet, time: sample.time, decodeTime: decodeTime, duration: sample.duration))
    }
  }

  private func write(_ sample: Stamped) throws(CompositorError) {
    // A time of decoding may be stated that is after that of presentation, if composition offsets are negative.
    let decodeTime = min(sample.time, sample.decodeTime ?? (lastDecodeTime ?? sample.time) + max(1, lastDuration))
    if let lastDecodeTime, decodeTime < lastDecodeTime || (decodeTime == lastDecodeTime && writer.container.holdsSessionLimits)
    {
      throw CompositorError(
        .invalidValue, "A sample is decoded no later than the previous one of its track.",
        recoverySuggestion: "Append the samples of a track in decoding order, with times of their own.",
        at: ErrorLocation(file: writer.path))
    }
    try writer.write(
      sample.packet, to: track, time: sample.time, decodeTime: decodeTime, duration: sample.duration, timescale: timescale)
    if firstDecodeTime == nil { firstDecodeTime = decodeTime }
    (lastDecodeTime, lastDuration) = (decodeTime, sample.duration)
    firstTime = min(firstTime, sample.time)
    end = max(end, sample.time + max(1, sample.duration))
  }
}
