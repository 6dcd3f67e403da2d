import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting

/// A track of video that is written from packets. It decides when each is decoded.
final class VideoTrackOutput {
  /// What times are counted in, per second.
  let timescale: Int32
  private let writer: CopyingMovieWriter
  private let track: CopyingMovieWriter.Track
  /// Frames that decoding runs ahead of showing.
  private let delay: Int
  /// Length of a frame, in units.
  private let step: Int64
  /// Whether the last packet lasts to the end of all: the length of a track is then right where it is the sum of decoding times.
  private let closesTrack: Bool
  private var waiting: [Int64] = []
  private var count = 0
  private var last: (packet: CodedPacket, time: Int64, decodeTime: Int64, duration: Int64)?
  private var end: Int64 = 0
  /// When the first packet is decoded; nil before.
  private(set) var firstDecodeTime: Int64?
  /// Frames turned out to be reordered more than was said.
  private(set) var needsMoreDelay = false

  init(
    _ writer: CopyingMovieWriter, _ track: CopyingMovieWriter.Track, timescale: Int32, delay: Int, step: Int64,
    closesTrack: Bool
  ) {
    (self.writer, self.track, self.timescale) = (writer, track, timescale)
    (self.delay, self.step, self.closesTrack) = (delay, max(1, step), closesTrack)
  }

  /// Writes the next packet in order of decoding. No two have the same time.
  func append(_ packet: CodedPacket, at time: Int64, duration: Int64) throws(CompositorError) {
    let index = waiting.firstIndex { $0 > time } ?? waiting.count
    waiting.insert(time, at: index)
    // A picture is decoded when the picture is shown that comes as many pictures earlier as decoding runs ahead.
    let decodeTime = count < delay ? time0(time) - Int64(delay - count) * step : waiting.removeFirst()
    count += 1
    guard decodeTime <= time else {
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

  /// Writes what was held back.
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
