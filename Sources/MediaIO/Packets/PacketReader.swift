package import CCompositorFFmpeg
package import CompositorAPI

/// A packet as it is coded, with its place in media time.
package final class CodedPacket {
  /// What the shim knows of it. Times are ticks of its stream.
  package let facts: cff_packet

  /// Takes over a packet of the shim.
  package init(_ facts: cff_packet) { self.facts = facts }

  deinit { cff_packet_release(facts.reference) }

  /// When it is shown or heard, in ticks of the stream, cut off at ± ``Timebase/farthestTick``.
  package var time: Int64 { Timebase.clamped(facts.time) }
  /// When it is decoded at the latest, in ticks of the stream, cut off as ``time`` is.
  package var decodeTime: Int64 { Timebase.clamped(facts.decode_time) }
  /// Bytes of coded media.
  package var byteCount: Int { Int(facts.byte_count) }
}

/// Reads the packets of some tracks of a file, in its order, without decoding them. One owner, one thread at a time.
package final class PacketReader {
  /// A track whose packets are read.
  package struct Track: Hashable, Sendable {
    /// Video or audio.
    package var mediaType: MediaType
    /// Index among the file's tracks of this type.
    package var index: Int

    package init(_ mediaType: MediaType, _ index: Int) { (self.mediaType, self.index) = (mediaType, index) }
  }

  private let demuxer: Demuxer
  private let streams: [Track: Int32]

  /// Opens a file for the packets of some of its tracks.
  ///
  /// - Parameter facts: What was found when the file was measured; nil finds anew what reading relies on.
  /// - Throws: What opening a file throws; `.trackNotFound`; `.mediaChanged`, here and from reading.
  package init(path: String, tracks: [Track], facts: FileFacts?) throws(CompositorError) {
    demuxer = try Demuxer(path: path, facts: facts, damaged: .fail)
    var streams: [Track: Int32] = [:]
    for track in tracks {
      let stream =
        track.mediaType == .video
        ? cff_demuxer_video_stream(demuxer.handle, Int32(track.index))
        : cff_demuxer_audio_stream(demuxer.handle, Int32(track.index))
      guard stream >= 0 else {
        throw CompositorError(
          .trackNotFound, "The source has no \(track.mediaType) track \(track.index).",
          recoverySuggestion: "`compositor probe` lists the tracks.", at: ErrorLocation(file: path))
      }
      streams[track] = stream
    }
    self.streams = streams
    try select()
  }

  /// The file, as the caller named it.
  package var path: String { demuxer.path }
  /// The shim's demuxer, which lives as long as the reader.
  package var handle: OpaquePointer { demuxer.handle }
  /// Short name of the container.
  package var containerName: String { demuxer.containerName }
  /// The file's own metadata.
  package var metadata: [String: String] { demuxer.metadata }

  /// The shim's number of a track.
  package func stream(_ track: Track) -> Int32 { streams[track] ?? -1 }

  /// Short name of a track's codec.
  package func codec(_ track: Track) -> String { demuxer.codec(Int(stream(track))) }

  /// What the container says of a track.
  package func description(_ track: Track) -> cff_stream { demuxer.stream(Int(stream(track))) }

  /// What a track's timestamps count.
  package func timebase(_ track: Track) -> Timebase {
    let description = description(track)
    return Timebase(numerator: description.time_base_numerator, denominator: description.time_base_denominator)
  }

  /// What decoders of a track have to be told.
  package func parameters(_ track: Track) -> cff_parameters { cff_copy_parameters(demuxer.handle, stream(track)) }

  /// The next packet of any of the tracks; nil after the last.
  package func next() throws(CompositorError) -> CodedPacket? {
    var packet = cff_packet()
    var failure = cff_failure()
    switch cff_packets_next(demuxer.handle, &packet, &failure) {
    case CFF_OK: return CodedPacket(packet)
    case CFF_END: return nil
    default: throw failure.readingError("A packet cannot be read", at: ErrorLocation(file: path))
    }
  }

  /// Goes to a packet at or before a time of a track; to the start of the file if the container knows none. It may be a later one.
  package func seek(to time: Int64, of track: Track) throws(CompositorError) {
    var failure = cff_failure()
    switch cff_packets_seek(demuxer.handle, stream(track), time, &failure) {
    case CFF_OK: return
    case CFF_END: try rewind()
    default: throw failure.readingError("The file cannot be read", at: ErrorLocation(file: path))
    }
  }

  /// Goes to the start of the file.
  package func rewind() throws(CompositorError) {
    try demuxer.rewind()
    try select()
  }

  /// Bytes of the file.
  package var byteCount: Int64 { cff_demuxer_file_size(demuxer.handle) }

  /// Counts the packets of its tracks, and goes back to the start.
  package func packetCount() throws(CompositorError) -> Int {
    try rewind()
    var count = 0
    while try next() != nil { count += 1 }
    try rewind()
    return count
  }

  private func select() throws(CompositorError) {
    var failure = cff_failure()
    let wanted = Array(streams.values)
    guard cff_packets_select(demuxer.handle, wanted, Int32(wanted.count), &failure) == CFF_OK else {
      throw failure.readingError("The file cannot be read", at: ErrorLocation(file: path))
    }
  }
}
