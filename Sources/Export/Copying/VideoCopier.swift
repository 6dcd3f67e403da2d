import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting

/// Copies the pieces of a movie's video, one packet or frame at a time. One owner, one thread at a time.
final class VideoCopier {
  /// A run of frames that is encoded again.
  private struct Stretch {
    let times: [Int64]
    let reader: any VideoReader
    let encoder: PieceEncoder
    var sent = 0
    /// Whether packets of the same piece follow.
    let continues: Bool
  }

  private enum Stage {
    case between
    case copying
    case encoding(Stretch)
    case ended
  }

  /// Entries of the edit list: the start of each piece in the written media, in units.
  private(set) var entries: [(start: Int64, duration: MediaTime)] = []
  private(set) var copiedFrameCount = 0
  private(set) var encodedFrameCount = 0
  private(set) var encodedStretchCount = 0

  private let pieces: [CopyPiece]
  private let sources: [CopySource: CodedVideo]
  private let isSmart: Bool
  private let output: VideoTrackOutput
  private let makeEncoder: (CodedVideo, PixelFormat, Int) throws(CompositorError) -> PieceEncoder
  private var stage = Stage.between
  private var index = 0

  // State of the piece that is copied.
  private var queue: [CodedPacket] = []
  private var held: [CodedPacket] = []
  /// Timestamps of the first frame, of the last frame that may be shown, and of the packet from which decoding starts.
  private var (first, last, entry): (Int64, Int64, Int64) = (0, 0, 0)
  /// Offset added to a frame's position in its piece.
  private var offset: Int64 = 0
  /// End of everything written, in units of the media.
  private var mediaEnd: Int64 = 0
  private var shownInPiece = 0
  private var latest = Int64.min

  /// Number of frames whose packets wait until it is known whether they can be copied, more than any encoder reorders.
  private static let windowLength = 64
  /// Maximum number of groups of pictures encoded at a cut; more would amount to rendering.
  private static let maximumOpenEntries = 2

  init(
    _ pieces: [CopyPiece], sources: [CopySource: CodedVideo], isSmart: Bool, output: VideoTrackOutput,
    makeEncoder: @escaping (CodedVideo, PixelFormat, Int) throws(CompositorError) -> PieceEncoder
  ) {
    (self.pieces, self.sources, self.isSmart) = (pieces, sources, isSmart)
    (self.output, self.makeEncoder) = (output, makeEncoder)
  }

  /// Position in the output, in seconds.
  var position: Double { index < pieces.count ? pieces[index].start.seconds + placed : .infinity }
  private var placed: Double {
    latest == .min ? 0 : Double(latest - offset) / Double(output.timescale)
  }

  /// Copies or encodes a little. Returns false once everything is done.
  func step() throws(CompositorError) -> Bool {
    switch stage {
    case .between:
      if index < pieces.count { try begin() } else { stage = .ended }
    case .copying: try isSmart ? copySmart() : copyForEditList()
    case .encoding(var stretch):
      stage = .ended
      try encode(&stretch)
    case .ended: return false
    }
    if case .ended = stage {
      try output.finish()
      return false
    }
    return true
  }

  // MARK: pieces

  private func source() throws(CompositorError) -> CodedVideo {
    guard let source = sources[CopySource(pieces[index])] else {
      throw CompositorError(.internalFault, "A source was not opened.", at: ErrorLocation(file: pieces[index].path))
    }
    return source
  }

  private func begin() throws(CompositorError) {
    let (piece, source) = (pieces[index], try source())
    let head = try source.head(of: source.clock.lastStamp(notAfter: piece.media.start))
    (first, last) = (head.first, source.clock.lastStamp(before: piece.media.end))
    guard first <= last, let entryPacket = head.packets.first else {
      throw CompositorError(
        .noFrame, "No frame is shown in a piece.", recoverySuggestion: "Choose a longer one.",
        at: ErrorLocation(file: piece.path, time: piece.start))
    }
    (entry, held, shownInPiece, latest) = (entryPacket.time, [], 0, .min)
    if isSmart {
      offset = units(piece.start)
      // If nothing was decoded before, an open group cannot refer to the wrong frames.
      if entry == first, entryPacket.entry == .closed || index == 0 {
        (queue, stage) = (head.packets.reversed(), .copying)
      } else {
        try encodeHead(head.packets)
      }
    } else {
      // Frames decoded before the first one are placed at the end of the previous piece.
      offset = 0
      offset = mediaEnd - place(of: entry)
      (queue, stage) = (head.packets.reversed(), .copying)
    }
  }

  private func endPiece() throws(CompositorError) {
    let piece = pieces[index]
    guard shownInPiece > 0 else {
      throw CompositorError(.noFrame, "No frame is shown in a piece.", at: ErrorLocation(file: piece.path, time: piece.start))
    }
    let length = units(piece.media.duration)
    mediaEnd = max(mediaEnd, offset + length)
    if isSmart {
      entries = [(0, piece.end)]
    } else if let before = entries.last, before.start + units(before.duration) == offset {
      entries[entries.count - 1].duration = before.duration + piece.media.duration
    } else {
      entries.append((offset, piece.media.duration))
    }
    index += 1
    stage = .between
  }

  private func units(_ time: MediaTime) -> Int64 {
    Timebase.clamped(time.rounded(toUnitsOf: Rational(1, Int(output.timescale))))
  }

  /// The position of a timestamp's frame in the written media. The first frame of a piece is at its start.
  private func place(of stamp: Int64) -> Int64 {
    guard stamp != first, let source = sources[CopySource(pieces[index])] else { return offset }
    return offset + units(source.clock.time(of: stamp) - pieces[index].media.start)
  }

  private func write(_ packet: CodedPacket, isShown: Bool) throws(CompositorError) {
    let source = try source()
    let time = place(of: packet.time)
    let duration = packet.duration > 0 ? units(source.clock.timebase.time(packet.duration)) : 0
    try output.append(packet, at: time, duration: duration)
    mediaEnd = max(mediaEnd, time + max(1, duration))
    guard isShown else { return }
    latest = max(latest, time)
    copiedFrameCount += 1
    shownInPiece += 1
  }

  /// Whether a packet may be decoded before the last frame of the piece.
  private func isNeeded(_ packet: CodedPacket) throws(CompositorError) -> Bool { try source().order(of: packet) <= last }

  private func next() throws(CompositorError) -> CodedPacket? {
    if let packet = queue.popLast() { return packet }
    return try source().next()
  }

  // MARK: edit lists

  /// Hidden frames in the midst of a piece precede another part of its file's edit list.
  private func checkParts(_ packet: CodedPacket) throws(CompositorError) {
    guard packet.isHidden, packet.time >= first, packet.time <= last else { return }
    throw CopyObstacles.refusal(
      "\(pieces[index].path) has an edit list of several parts.", "Render the movie.",
      at: ErrorLocation(file: pieces[index].path))
  }

  private func copyForEditList() throws(CompositorError) {
    guard let packet = try next(), try isNeeded(packet) else { return try endPiece() }
    let isShown = !packet.isHidden && packet.time >= first && packet.time <= last
    // Frames shown before the entry but decoded after it refer to missing frames.
    guard packet.time >= entry else { return }
    try checkParts(packet)
    // Packets after the last frame are needed only if a shown frame follows them.
    guard isShown || packet.time < first else {
      held.append(packet)
      return
    }
    for other in held { try write(other, isShown: false) }
    held = []
    try write(packet, isShown: isShown)
  }

  // MARK: smart rendering

  /// Encodes from the first frame up to the next one from which packets can be copied.
  private func encodeHead(_ packets: [CodedPacket]) throws(CompositorError) {
    var times: [Int64] = []
    var openCount = 0
    queue = packets.reversed()
    while let packet = try next(), try isNeeded(packet) {
      if packet.entry == .closed, packet.time > first, packet.time <= last {
        queue.append(packet)
        entry = packet.time
        return try encode(times.filter { $0 < packet.time }, continues: true)
      }
      if packet.entry == .open, packet.time > first, packet.time <= last { openCount += 1 }
      guard openCount <= Self.maximumOpenEntries else {
        throw CopyObstacles.refusal(
          "The groups of pictures of \(pieces[index].path) are open: nothing after a cut can be copied.",
          "Use edit-list, or render the movie.", at: ErrorLocation(file: pieces[index].path, time: pieces[index].start))
      }
      if !packet.isHidden, packet.time >= first, packet.time <= last { times.append(packet.time) }
    }
    queue = []
    try encode(times, continues: false)
  }

  private func copySmart() throws(CompositorError) {
    guard let packet = try next(), try isNeeded(packet) else { return try finishCopying(missing: []) }
    guard packet.time <= last else {
      var missing: [Int64] = []
      while let other = try next(), try isNeeded(other) {
        if !other.isHidden, other.time <= last { missing.append(other.time) }
      }
      return try finishCopying(missing: missing)
    }
    guard !packet.isHidden else {
      try checkParts(packet)
      // An edit list of the copy would do, unless the file's own has more parts.
      while let other = try next(), try isNeeded(other) { try checkParts(other) }
      throw CopyObstacles.refusal(
        "\(pieces[index].path) has frames that are never shown.", "Use edit-list, or render the movie.",
        at: ErrorLocation(file: pieces[index].path))
    }
    guard packet.time >= entry else { return }
    held.append(packet)
    if held.count > Self.windowLength { try write(held.removeFirst(), isShown: true) }
  }

  /// Writes the waiting packets up to the first missing frame, and encodes the rest.
  private func finishCopying(missing: [Int64]) throws(CompositorError) {
    var missing = missing
    while let earliest = missing.min(), let index = held.firstIndex(where: { $0.time > earliest }) {
      missing += held[index...].map(\.time)
      held.removeSubrange(index...)
    }
    for packet in held { try write(packet, isShown: true) }
    held = []
    if let earliest = missing.min(), place(of: earliest) < latest {
      throw CopyObstacles.refusal(
        "The frames of \(pieces[index].path) are decoded far from where they are shown.", "Use edit-list, or render the movie.",
        at: ErrorLocation(file: pieces[index].path))
    }
    if missing.isEmpty { try endPiece() } else { try encode(missing, continues: false) }
  }

  private func encode(_ times: [Int64], continues: Bool) throws(CompositorError) {
    guard !times.isEmpty else {
      stage = .copying
      if !continues { try endPiece() }
      return
    }
    let source = try source()
    let reader = try source.openFrames()
    let encoder = try makeEncoder(source, reader.info.format, encodedStretchCount)
    encodedStretchCount += 1
    stage = .encoding(Stretch(times: times.sorted(), reader: reader, encoder: encoder, continues: continues))
  }

  private func encode(_ stretch: inout Stretch) throws(CompositorError) {
    let source = try source()
    if stretch.sent < stretch.times.count {
      let time = source.clock.time(of: stretch.times[stretch.sent])
      guard let decoded = try stretch.reader.frame(at: time) else {
        throw CompositorError(.noFrame, "A frame cannot be decoded.", at: ErrorLocation(file: source.reader.path, time: time))
      }
      try stretch.encoder.send(decoded.frame)
      stretch.sent += 1
      if stretch.sent == stretch.times.count { try stretch.encoder.sendEnd() }
    }
    let isDone = stretch.sent == stretch.times.count
    while let packet = try stretch.encoder.receive() {
      let number = Int(packet.time)
      guard stretch.times.indices.contains(number) else {
        throw CompositorError(.internalFault, "The encoder made a frame of its own.")
      }
      let time = place(of: stretch.times[number])
      try output.append(packet, at: time, duration: 0)
      latest = max(latest, time)
      encodedFrameCount += 1
      shownInPiece += 1
    }
    if !isDone { stage = .encoding(stretch) } else if stretch.continues { stage = .copying } else { try endPiece() }
  }
}

/// A track of a file.
struct CopySource: Hashable {
  let path: String
  let trackIndex: Int

  init(_ piece: CopyPiece) { (path, trackIndex) = (piece.path, piece.trackIndex) }
}
