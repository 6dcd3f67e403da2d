import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting

/// A video track that is written from packets. It decides the packets' decoding times.
final class VideoTrackOutput {
  /// Units of times per second.
  let timescale: Int32
  private let writer: CopyingMovieWriter
  private let track: CopyingMovieWriter.Track
  /// Reordering delay in frames.
  private let delay: Int
  /// Duration of a frame in units.
  private let step: Int64
  /// Whether the last packet lasts to the end of the track, which makes its length right if it is the sum of decoding
  /// durations.
  private let closesTrack: Bool
  private var waiting: [Int64] = []
  private var count = 0
  private var last: (packet: CodedPacket, time: Int64, decodeTime: Int64, duration: Int64)?
  private var end: Int64 = 0
  /// Decoding time of the first packet; `nil` before it is written.
  private(set) var firstDecodeTime: Int64?
  /// Whether frames turned out to be reordered more than stated.
  private(set) var needsMoreDelay = false

  init(
    _ writer: CopyingMovieWriter, _ track: CopyingMovieWriter.Track, timescale: Int32, delay: Int, step: Int64,
    closesTrack: Bool
  ) {
    (self.writer, self.track, self.timescale) = (writer, track, timescale)
    (self.delay, self.step, self.closesTrack) = (delay, max(1, step), closesTrack)
  }

  /// Writes the next packet in decoding order. Decoding times are unique.
  func append(_ packet: CodedPacket, at time: Int64, duration: Int64) throws(CompositorError) {
    let index = waiting.firstIndex { $0 > time } ?? waiting.count
    waiting.insert(time, at: index)
    // A frame is decoded when the frame is shown that precedes it by the reordering delay.
    let decodeTime = count < delay ? time0(time) - Int64(delay - count) * step : waiting.removeFirst()
    count += 1
    // The times of MP4 and QuickTime are sums of durations, which are not 0.
    let earliest = last.map { closesTrack ? $0.decodeTime + 1 : $0.decodeTime } ?? .min
    if closesTrack, waiting.contains(decodeTime) || decodeTime == last?.decodeTime {
      throw CopyObstacles.refusal(
        "Two frames have the same time.", "Write .mkv, or render the movie.", at: ErrorLocation(file: writer.path))
    }
    guard decodeTime <= time, decodeTime >= earliest else {
      needsMoreDelay = true
      throw CompositorError(
        .unreadableMedia, "Frames are decoded further ahead of being shown than the file says.",
        recoverySuggestion: "Render the movie.")
    }
    try flush()
    if firstDecodeTime == nil { firstDecodeTime = decodeTime }
    last = (packet, time, decodeTime, duration > 0 ? duration : step)
    end = max(end, time + (duration > 0 ? duration : step))
  }

  /// Writes the packets held back.
  func finish() throws(CompositorError) {
    if closesTrack, let last { self.last?.duration = max(last.duration, end - last.decodeTime) }
    try flush()
  }

  private var origin: Int64?

  /// The time of the first packet.
  private func time0(_ time: Int64) -> Int64 {
    let first = origin ?? time
    origin = first
    return first
  }

  private func flush() throws(CompositorError) {
    guard let last else { return }
    try writer.write(
      last.packet, to: track, time: last.time, decodeTime: last.decodeTime, duration: last.duration, timescale: timescale)
    self.last = nil
  }
}
