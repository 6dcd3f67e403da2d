import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting

/// Writes one movie from the packets of its parts. One owner, one thread at a time.
final class JoinJob {
  private let folder: PartsFolder
  private let movie: SegmentPlan.Movie
  private let writer: JoinedMovieWriter
  private let times: JoinedTimes
  private var audio: AudioFeed?
  private let indexByteCount: Int
  /// Whether the header, which the first segment describes, has been written.
  private var hasBegun = false

  /// The current segment.
  private var segment: (reader: PacketReader, frames: Range<Int>)?
  /// The frame number of each packet of the segment.
  private var frameNumbers: [Int] = []
  private var packetIndex = 0
  /// Number of video packets written.
  private var done = 0

  private static let track = PacketReader.Track(.video, 0)
  /// Number of packets written per step.
  private static let batch = 200

  init(
    _ folder: PartsFolder, _ movie: SegmentPlan.Movie, receipts: [PartReceipt], path: String, roomFactor: Int
  ) throws(CompositorError) {
    (self.folder, self.movie) = (folder, movie)
    let segments = receipts.filter { $0.part != .audio }
    times = JoinedTimes(movie, receipts: segments)
    var description = movie.description(audio: folder.file.plan.audio?.encoding)
    if let extras = segments.first?.extras {
      let path = "\(folder.path)/\(extras.file)"
      let bytes = try RegularFile.bytes(of: path, maximumByteCount: 256 << 20)
      let found = try MovieExtras(json: bytes, path: path)
      description.cover = try found.picture()
      description.subtitleTracks = found.captions.map { SubtitleTrackDescription($0, timeRange: movie.timeRange) }
    }
    if let receipt = receipts.first(where: { $0.part == .audio }) { audio = try AudioFeed(folder, receipt) }
    indexByteCount = Self.indexByteCount(receipts) * roomFactor
    let byteCount = receipts.reduce(Int64(indexByteCount)) { $0 + $1.byteCount }
    writer = try JoinedMovieWriter(description, path: path, byteCount: byteCount)
  }

  /// Space for the tables of the tracks in bytes: an upper bound for the entries of all packets.
  private static func indexByteCount(_ receipts: [PartReceipt]) -> Int {
    // Size, offset and position of its chunk; for video also decoding and presentation times, and key frames.
    let (audio, video) = (24, 40)
    return receipts.reduce(32_768) { $0 + audio * ($1.packetCount ?? 0) + video * $1.frameCount + 4 * $1.keyFrameCount }
  }

  /// Opens the next segment. Before the first one, writes the header.
  func begin(_ receipt: PartReceipt) throws(CompositorError) {
    let frames: Range<Int>
    if case .segment(let number) = receipt.part { frames = folder.file.plan.frames(ofSegment: number) } else { frames = 0..<0 }
    let path = folder.path(of: receipt.part)
    // The first segment describes the track; of the others, only packets are read.
    let reader =
      hasBegun
      ? try PacketReader(headerOf: path, tracks: [Self.track]) : try PacketReader(path: path, tracks: [Self.track], facts: nil)
    frameNumbers = receipt.frameNumbers ?? []
    (segment, packetIndex) = ((reader, frames), 0)
    guard !hasBegun else { return }
    hasBegun = true
    try writer.addVideo(like: Self.track, of: reader)
    if let audio { try writer.addAudio(like: AudioFeed.track, of: audio.reader, layout: audio.layout) }
    try writer.begin(indexByteCount: indexByteCount)
  }

  /// Writes some packets. Returns the number of frames done; `nil` once the segment is complete.
  func work() throws(CompositorError) -> Int? {
    for _ in 0..<Self.batch { guard try step() else { return nil } }
    return done
  }

  private func step() throws(CompositorError) -> Bool {
    guard let segment, packetIndex < frameNumbers.count else { return false }
    guard let packet = try segment.reader.next() else {
      throw CompositorError(
        .internalFault, "A part has \(packetIndex) packets, and its receipt says \(frameNumbers.count).",
        at: ErrorLocation(file: segment.reader.path))
    }
    let frame = segment.frames.lowerBound + frameNumbers[packetIndex]
    let stamp = times.stamp(packet: done, frame: frame)
    let seconds = Double(stamp.decodeTime) * movie.timing.unit.value
    try audio?.write(to: writer, before: seconds)
    if !writer.description.subtitleTracks.isEmpty { try writer.writeSubtitles(before: time(times.start(ofFrame: done + 1))) }
    try writer.writeVideo(packet, time: stamp.time, decodeTime: stamp.decodeTime, duration: stamp.duration)
    (packetIndex, done) = (packetIndex + 1, done + 1)
    return true
  }

  private func time(_ units: Int64) -> MediaTime {
    let unit = movie.timing.unit
    return MediaTime(value: units * Int64(unit.numerator), timescale: Int32(clamping: unit.denominator))
  }

  /// Writes the remaining packets and finishes the file.
  ///
  /// - Returns: Size of the file in bytes.
  func finish() throws(CompositorError) -> Int64 {
    try audio?.write(to: writer, before: .infinity)
    return try writer.finish()
  }

  func abandon() { writer.abandon() }

  var needsMoreRoom: Bool { writer.needsMoreRoom }
}

/// Feeds the packets of the audio part into the movie.
private final class AudioFeed {
  static let track = PacketReader.Track(.audio, 0)

  let reader: PacketReader
  let layout: AudioPacketLayout
  private var times: JoinedAudioTimes
  private let sampleRate: Double
  private var isEnded = false

  init(_ folder: PartsFolder, _ receipt: PartReceipt) throws(CompositorError) {
    guard let layout = receipt.layout, let packetCount = receipt.packetCount, let audio = folder.file.plan.audio else {
      throw CompositorError(
        .internalFault, "The receipt of the audio lacks something.", at: ErrorLocation(file: folder.receiptPath(of: .audio)))
    }
    reader = try PacketReader(path: folder.path(of: .audio), tracks: [Self.track], facts: nil)
    self.layout = layout
    times = JoinedAudioTimes(layout, sampleCount: audio.sampleCount, packetCount: packetCount)
    sampleRate = Double(audio.encoding.sampleRate)
  }

  /// Writes the packets that start before a time.
  func write(to writer: JoinedMovieWriter, before seconds: Double) throws(CompositorError) {
    while !isEnded, Double(times.position) / sampleRate < seconds {
      guard let packet = try reader.next() else {
        isEnded = true
        return
      }
      let stamp = times.next(count: packet.sampleCount)
      try writer.writeAudio(packet, time: stamp.time, duration: stamp.duration, discarded: stamp.discarded)
    }
  }
}
