import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting

/// Copies the packets of a movie's audio. One owner, one thread at a time.
final class AudioCopier {
  /// Parts of the edit list: `start` counts samples of the written media; `nil` for silence.
  private(set) var entries: [(start: Int64?, duration: MediaTime)] = []

  private let pieces: [CopyPiece]
  private let sources: [CopySource: CodedAudio]
  private let writer: CopyingMovieWriter
  private let track: CopyingMovieWriter.Track
  private let sampleRate: Int
  private var index = 0
  private var isOpen = false
  private var ahead: CodedPacket?
  /// Expected position of the next packet, in samples of the source.
  private var expected: Int64?
  /// Offset from a source's samples to those of the written media.
  private var offset: Int64 = 0
  private var mediaEnd: Int64 = 0
  private var firstSample: Int64?
  /// Position of the last packet that was written, in samples of the source.
  private var lastPlace: Int64?
  /// Where the first packet begins that can be heard from its start, if audio can only start with a packet.
  private var firstHeard: Int64?
  private var pieceEnd: Int64 = 0
  /// End of the written audio in the output.
  private var outputEnd = MediaTime.zero

  init(
    _ pieces: [CopyPiece], sources: [CopySource: CodedAudio], writer: CopyingMovieWriter, track: CopyingMovieWriter.Track,
    sampleRate: Int
  ) {
    (self.pieces, self.sources, self.writer, self.track, self.sampleRate) = (pieces, sources, writer, track, sampleRate)
  }

  /// Position in the output, in seconds.
  var position: Double {
    guard index < pieces.count else { return .infinity }
    return pieces[index].start.seconds
      + max(0, Double(mediaEnd - offset) / Double(sampleRate) - pieces[index].media.start.seconds)
  }

  private func samples(_ time: MediaTime) -> Int64 { Timebase.clamped(time.rounded(toUnitsOf: Rational(1, sampleRate))) }

  /// Copies a packet. Returns false once everything is copied.
  func step() throws(CompositorError) -> Bool {
    guard index < pieces.count else { return false }
    let piece = pieces[index]
    guard let source = sources[CopySource(piece)] else {
      throw CompositorError(.internalFault, "A source was not opened.", at: ErrorLocation(file: piece.path))
    }
    let start = samples(piece.media.start)
    if !isOpen { try open(piece, source) }
    guard let packet = try next(of: source) else {
      close(piece)
      return true
    }
    let place = place(of: packet, in: source)
    let stated = packet.sampleCount > 0 ? packet.sampleCount : samples(source.timebase.time(packet.duration))
    let count = Int64(packet.samples?.count ?? Int(stated))
    expected = place + count
    guard place < samples(piece.media.end) else {
      close(piece)
      return true
    }
    guard place + count > start - source.preroll else { return true }
    if firstSample == nil {
      firstSample = place
      offset = mediaEnd - place
    }
    try writer.write(
      packet, to: track, time: place + offset, decodeTime: place + offset, duration: count, timescale: Int32(sampleRate))
    let isHeard = firstSample.map { place > $0 } ?? false
    if source.startsWithPacket, firstHeard == nil, isHeard, place >= start - source.rounding { firstHeard = place }
    mediaEnd = place + offset + count
    pieceEnd = place + count
    lastPlace = place
    return true
  }

  /// Where a packet begins, in samples of the source. A packet whose time isn't after that of the one before follows its samples: files
  /// need times that rise.
  private func place(of packet: CodedPacket, in source: CodedAudio) -> Int64 {
    let place = source.firstSample(of: packet, after: expected)
    guard let lastPlace, let expected, place <= lastPlace else { return place }
    return expected
  }

  private func next(of source: CodedAudio) throws(CompositorError) -> CodedPacket? {
    guard let packet = ahead else { return try source.next() }
    ahead = nil
    return packet
  }

  private func open(_ piece: CopyPiece, _ source: CodedAudio) throws(CompositorError) {
    (isOpen, firstSample, expected, lastPlace, firstHeard) = (true, nil, nil, nil, nil)
    let from = piece.media.start - MediaTime(value: source.preroll + 4096, timescale: Int32(sampleRate))
    try source.reader.seek(to: source.timebase.lastTick(notAfter: from), of: source.track)
    guard let first = try source.next() else { return }
    // Some containers seek to the next packet. If so, start from the beginning.
    if source.firstSample(of: first, after: nil) > samples(piece.media.start) - source.preroll {
      try source.reader.rewind()
    } else {
      ahead = first
    }
  }

  private func close(_ piece: CopyPiece) {
    (isOpen, index) = (false, index + 1)
    guard let firstSample else { return }
    // Samples that the source lacks become silence.
    let wanted = samples(piece.media.start)
    let start = firstHeard ?? max(firstSample, wanted)
    let end = min(pieceEnd, samples(piece.media.end))
    guard end > start else { return }
    let begins = piece.start + MediaTime(value: max(0, start - wanted), timescale: Int32(sampleRate))
    if begins > outputEnd { entries.append((nil, begins - outputEnd)) }
    let duration = MediaTime(value: end - max(start, wanted), timescale: Int32(sampleRate))
    entries.append((start + offset, duration))
    outputEnd = max(outputEnd, begins) + duration
  }
}

/// The packets of a file's audio track.
final class CodedAudio {
  let reader: PacketReader
  let track: PacketReader.Track
  let parameters: CopyParameters
  let timebase: Timebase
  let info: AudioTrackInfo

  init(_ path: String, trackIndex: Int, catalog: MediaCatalog) throws(CompositorError) {
    let source = MediaSource.file(path: path)
    guard let info = try catalog.info(for: source).audioTracks.first(where: { $0.index == trackIndex }) else {
      throw CompositorError(.trackNotFound, "The source has no audio track \(trackIndex).", at: ErrorLocation(file: path))
    }
    self.info = info
    track = PacketReader.Track(.audio, trackIndex)
    reader = try PacketReader(path: path, tracks: [track], facts: catalog.facts(for: source))
    (parameters, timebase) = (reader.copyParameters(track), reader.timebase(track))
    try reader.countSamples(of: track)
  }

  /// The next packet; `nil` after the last.
  func next() throws(CompositorError) -> CodedPacket? {
    guard let packet = try reader.next() else { return nil }
    guard packet.hasTime else {
      throw CopyObstacles.refusal(
        "The packets of audio of \(reader.path) have no times.", "Render the movie.",
        at: ErrorLocation(file: reader.path))
    }
    return packet
  }

  /// Whether the file's edit list has several parts of audio.
  var hasSeveralParts: Bool { info.edits.count { $0.mediaStart != nil } > 1 }

  /// Number of samples that a decoder needs before its output is correct.
  var preroll: Int64 {
    let frame = Int64(max(parameters.frameSize, 1024))
    if parameters.codec.hasPrefix("pcm") || parameters.codec == "flac" || parameters.codec == "alac" { return 0 }
    switch parameters.codec {
    case "opus": return 3840
    case "mp3": return 10 * frame
    default: return 2 * frame
    }
  }

  /// The first sample of a packet: where a decoder places it. Those that an edit list leaves out are where their times say. In
  /// containers that round times, successive packets are assumed to be contiguous.
  func firstSample(of packet: CodedPacket, after expected: Int64?) -> Int64 {
    if let samples = packet.samples { return samples.lowerBound }
    let stated = Timebase.clamped(timebase.time(packet.time).rounded(toUnitsOf: Rational(1, info.sampleRate)))
    guard let expected, rounding > 0, abs(stated - expected) <= rounding else { return stated }
    return expected
  }

  /// Samples by which the container's times are inexact, since it rounds them.
  var rounding: Int64 {
    let tick = Int64((timebase.seconds * Double(info.sampleRate)).rounded(.up))
    return tick > 1 ? tick : 0
  }

  /// Whether audio can only start with a packet: where an edit list begins within a packet of Vorbis, libavformat leaves out all of it, and
  /// what follows is early.
  var startsWithPacket: Bool { parameters.codec == "vorbis" }
}

extension CodedAudio {
  /// The codec to encode with if the audio cannot be copied: its own, or one of its samples' depth.
  var codec: AudioEncodingSettings.Codec? {
    switch parameters.codec {
    case "pcm_s16le", "pcm_s16be": .pcmInt16
    case "pcm_s24le", "pcm_s24be": .pcmInt24
    case "pcm_f32le", "pcm_f32be": .pcmFloat32
    default: AudioEncodingSettings.Codec(rawValue: parameters.codec)
    }
  }
}

extension AudioEncodingSettings {
  /// Whether the settings request something that a track lacks, so that it has to be encoded. Default values don't count as
  /// requests.
  func asksForMore(than source: CodedAudio) -> Bool {
    let usual = AudioEncodingSettings()
    let names: [Codec: String] = [.pcmInt16: "pcm_s16le", .pcmInt24: "pcm_s24le", .pcmFloat32: "pcm_f32le"]
    if let chosenCodec, names[chosenCodec] ?? chosenCodec.rawValue != source.parameters.codec { return true }
    return bitRate != nil || bitDepth != nil || (sampleRate != usual.sampleRate && sampleRate != source.info.sampleRate)
      || (channelCount != usual.channelCount && channelCount != source.info.channelCount)
  }
}
