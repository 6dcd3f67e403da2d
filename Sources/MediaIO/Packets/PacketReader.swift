package import CCompositorFFmpeg
package import CompositorAPI

/// A coded packet with its time.
package final class CodedPacket {
  /// The shim's description of the packet. Times are ticks of its stream.
  package let facts: cff_packet

  /// Takes ownership of a packet of the shim.
  package init(_ facts: cff_packet) { self.facts = facts }

  deinit { cff_packet_release(facts.reference) }

  /// Presentation time in ticks of the stream, clamped to ± ``Timebase/farthestTick``.
  package var time: Int64 { Timebase.clamped(facts.time) }
  /// Decoding time in ticks of the stream, clamped like ``time``.
  package var decodeTime: Int64 { Timebase.clamped(facts.decode_time) }
  /// Size of the coded media in bytes.
  package var byteCount: Int { Int(facts.byte_count) }
}

/// Reads the packets of some tracks in file order, without decoding them. One owner, one thread at a time.
package final class PacketReader {
  /// A track to read packets of.
  package struct Track: Hashable, Sendable {
    /// Video or audio.
    package var mediaType: MediaType
    /// Index among the file's tracks of this type.
    package var index: Int

    package init(_ mediaType: MediaType, _ index: Int) { (self.mediaType, self.index) = (mediaType, index) }
  }

  private let demuxer: Demuxer
  private let streams: [Track: Int32]

  /// Opens a file to read the packets of some of its tracks.
  ///
  /// - Parameter facts: The facts from measuring the file; `nil` measures again what reading relies on.
  /// - Throws: The errors of opening a file; `.trackNotFound`; `.mediaChanged`, here and from reading.
  package convenience init(path: String, tracks: [Track], facts: FileFacts?) throws(CompositorError) {
    try self.init(try Demuxer(path: path, facts: facts, damaged: .fail), tracks)
  }

  /// Opens an MP4, QuickTime or Matroska file whose contents are known, which takes no time: the descriptions of its tracks are
  /// those of its header.
  ///
  /// - Throws: As ``init(path:tracks:facts:)``.
  package convenience init(headerOf path: String, tracks: [Track]) throws(CompositorError) {
    let demuxer = try Demuxer(path: path, readsHeaderOnly: true)
    cff_demuxer_forbid_change(demuxer.handle)
    try self.init(demuxer, tracks)
  }

  private init(_ demuxer: Demuxer, _ tracks: [Track]) throws(CompositorError) {
    self.demuxer = demuxer
    var streams: [Track: Int32] = [:]
    for track in tracks {
      let stream =
        track.mediaType == .video
        ? cff_demuxer_video_stream(demuxer.handle, Int32(track.index))
        : cff_demuxer_audio_stream(demuxer.handle, Int32(track.index))
      guard stream >= 0 else {
        throw CompositorError(
          .trackNotFound, "The source has no \(track.mediaType) track \(track.index).",
          advice: "\(operation: .probe) lists the tracks.", at: ErrorLocation(file: demuxer.path))
      }
      streams[track] = stream
    }
    self.streams = streams
    try select()
  }

  /// The file's path, as the caller gave it.
  package var path: String { demuxer.path }
  /// The shim's demuxer, which lives as long as the reader.
  package var handle: OpaquePointer { demuxer.handle }
  /// Short name of the container.
  package var containerName: String { demuxer.containerName }
  /// The file's own metadata.
  package var metadata: [String: String] { demuxer.metadata }

  /// The shim's stream index of a track.
  package func stream(_ track: Track) -> Int32 { streams[track] ?? -1 }

  /// Short name of a track's codec.
  package func codec(_ track: Track) -> String { demuxer.codec(Int(stream(track))) }

  /// The container's description of a track.
  package func description(_ track: Track) -> cff_stream { demuxer.stream(Int(stream(track))) }

  /// Whether a track has the alpha of its frames in a layer beside them, as VP8 and VP9 in Matroska.
  package func hasAlphaLayer(_ track: Track) -> Bool { description(track).has_alpha_layer }

  /// The timebase of a track's timestamps.
  package func timebase(_ track: Track) -> Timebase {
    let description = description(track)
    return Timebase(numerator: description.time_base_numerator, denominator: description.time_base_denominator)
  }

  /// The parameters that a track's decoder needs.
  package func parameters(_ track: Track) -> cff_parameters { cff_copy_parameters(demuxer.handle, stream(track)) }

  /// The next packet of any of the tracks; `nil` after the last.
  package func next() throws(CompositorError) -> CodedPacket? {
    var packet = cff_packet()
    var failure = cff_failure()
    switch cff_packets_next(demuxer.handle, &packet, &failure) {
    case CFF_OK: return CodedPacket(packet)
    case CFF_END: return nil
    default: throw failure.readingError("A packet cannot be read", at: ErrorLocation(file: path))
    }
  }

  /// Counts the samples of an audio track's packets from now on: ``CodedPacket/samples``. To be called before any packet is read.
  package func countSamples(of track: Track) throws(CompositorError) {
    var failure = cff_failure()
    guard cff_packets_count_samples(demuxer.handle, stream(track), &failure) == CFF_OK else {
      throw failure.readingError("The packets cannot be counted", at: ErrorLocation(file: path))
    }
  }

  /// Seeks to a packet at or before a time of a track; to the start of the file if the container knows none. The packet may be
  /// a later one.
  package func seek(to time: Int64, of track: Track) throws(CompositorError) {
    var failure = cff_failure()
    switch cff_packets_seek(demuxer.handle, stream(track), time, &failure) {
    case CFF_OK: return
    case CFF_END: try rewind()
    default: throw failure.readingError("The file cannot be read", at: ErrorLocation(file: path))
    }
  }

  /// Seeks to the start of the file.
  package func rewind() throws(CompositorError) {
    try demuxer.rewind()
    try select()
  }

  /// Size of the file in bytes.
  package var byteCount: Int64 { cff_demuxer_file_size(demuxer.handle) }

  /// Counts the packets of the tracks and returns to the start.
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
