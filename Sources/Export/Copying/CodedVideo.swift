import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO

/// The packets of a file's video track, and the meaning of their timestamps.
final class CodedVideo {
  /// The reader of the packets.
  let reader: PacketReader
  let track: PacketReader.Track
  let parameters: CopyParameters
  /// Maps timestamps to times.
  let clock: FrameStampClock
  private let info: VideoTrackInfo
  private let catalog: MediaCatalog
  /// A packet that was read ahead.
  private var ahead: CodedPacket?

  init(_ path: String, trackIndex: Int, catalog: MediaCatalog) throws(CompositorError) {
    let source = MediaSource.file(path: path)
    guard let info = try catalog.info(for: source).videoTracks.first(where: { $0.index == trackIndex }) else {
      throw CompositorError(.trackNotFound, "The source has no video track \(trackIndex).", at: ErrorLocation(file: path))
    }
    (self.info, self.catalog) = (info, catalog)
    track = PacketReader.Track(.video, trackIndex)
    reader = try PacketReader(path: path, tracks: [track], facts: catalog.facts(for: source))
    parameters = reader.copyParameters(track)
    clock = FrameStampClock(timebase: reader.timebase(track), cadence: info.cadence)
  }

  /// How players turn the frames.
  var transform: AffineMatrix { info.preferredTransform }

  /// Whether the frames' alpha is a layer beside them.
  var hasAlphaLayer: Bool { reader.hasAlphaLayer(track) }

  /// Frames per second.
  var rate: Rational { info.outputFrameRate }

  /// Whether its frames have irregular times.
  var isVariable: Bool { info.cadence?.isRegular != true }

  /// Maximum number of frames in a duration.
  func frameCount(in duration: MediaTime) -> Double {
    (duration.seconds * max(info.nominalFrameRate.value, info.outputFrameRate.value) * 1.1).rounded(.up) + 100
  }

  /// The next packet; `nil` after the last.
  func next() throws(CompositorError) -> CodedPacket? {
    if let packet = ahead {
      ahead = nil
      return packet
    }
    guard let packet = try reader.next() else { return nil }
    guard packet.hasTime else {
      throw CopyObstacles.refusal(
        "The packets of \(reader.path) have no times.", "Render the movie.",
        at: ErrorLocation(file: reader.path))
    }
    return packet
  }

  /// A time at which a packet is decoded, no later than the presentation times of the frames that need it. The first packets of Matroska
  /// have none: those of reordered frames are decoded before frames that are shown earlier. In MP4 and QuickTime, composition offsets may
  /// be negative; libavformat then states times of decoding that are up to the codec's reordering after those of presentation, if only
  /// the last two offsets are.
  func order(of packet: CodedPacket) -> Int64 {
    guard packet.hasDecodeTime else { return packet.time - ticks(max(Self.mostReordered * rate.frameDuration.seconds, 0.5)) }
    return packet.decodeTime - ticks(Double(parameters.reordering) * rate.frameDuration.seconds)
  }

  /// Seconds in ticks of the stream, rounded up.
  private func ticks(_ seconds: Double) -> Int64 { Int64(min((seconds / clock.timebase.seconds).rounded(.up), 1e15)) }

  /// The number of frames by which a codec reorders at most (ITU-T H.264, A.3.1: the buffer of decoded frames).
  private static let mostReordered = 16.0

  /// The packets from the last entry point that serves the frame shown at a timestamp, up to the first packet that is decoded
  /// after it.
  ///
  /// - Returns: The packets in order, starting with an entry point, and the timestamp of the frame.
  func head(of stamp: Int64) throws(CompositorError) -> (packets: [CodedPacket], first: Int64) {
    let halfSecond = max(1, Int64(0.5 / clock.timebase.seconds))
    var step = halfSecond
    var target = stamp
    while true {
      ahead = nil
      let isFromStart = target < -2 * halfSecond
      if isFromStart { try reader.rewind() } else { try reader.seek(to: target, of: track) }
      let packets = try read(to: stamp)
      let shown = packets.filter { !$0.isHidden }
      if let first = shown.filter({ $0.time <= stamp }).map(\.time).max(), let entry = packets.first, entry.time <= first {
        return (packets, first)
      }
      if isFromStart {
        guard let first = shown.map(\.time).min() else { break }
        return (packets, first)
      }
      target -= step
      step *= 2
    }
    throw CompositorError(
      .noFrame, "No frame can be decoded there.", recoverySuggestion: "Choose a later start.",
      at: ErrorLocation(file: reader.path))
  }

  /// Reads packets from the last entry point shown no later than a timestamp, up to the first packet that is decoded later.
  private func read(to stamp: Int64) throws(CompositorError) -> [CodedPacket] {
    var packets: [CodedPacket] = []
    while let packet = try next() {
      if order(of: packet) > stamp, !packets.isEmpty {
        ahead = packet
        break
      }
      if packet.entry != .none, packet.time <= stamp || packets.isEmpty { packets.removeAll(keepingCapacity: true) }
      if packet.entry != .none || !packets.isEmpty { packets.append(packet) }
    }
    return packets
  }

  /// Opens the track for decoding.
  func openFrames() throws(CompositorError) -> any VideoReader {
    try catalog.openVideo(
      .file(path: reader.path), trackIndex: track.index, options: VideoReaderOptions(threadCount: 2))
  }
}
