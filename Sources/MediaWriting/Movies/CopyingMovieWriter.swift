import CCompositorFFmpeg
package import CompositorAPI
package import CompositorMediaIO

/// Writes a movie from packets: unchanged ones of other files, and those of encoders.
///
/// The caller gives the file its final name. Not thread-safe: one owner at a time.
package final class CopyingMovieWriter: MuxerWriting {
  /// A track of the movie.
  package struct Track: Hashable, Sendable {
    let index: Int32
  }

  /// The kind of file.
  package let container: MovieContainer
  /// The file's path, as the caller gave it.
  package var path: String { file.path }
  /// Whether the index did not fit into the space before the media, or could not be written there for another reason.
  package var needsMoreRoom: Bool { file.needsMoreRoom }

  private let file: PacketFile
  private var muxer: OpaquePointer? { file.muxer }
  private var encoders: [(encoder: AudioEncoder, track: Int32, sampleCount: Int64)] = []

  /// Creates the file.
  package init(_ container: MovieContainer, path: String) throws(CompositorError) {
    self.container = container
    file = try PacketFile(container, path: path)
  }

  /// Whether the container can hold a file's track as it is coded.
  package static func holds(_ track: PacketReader.Track, of reader: PacketReader, in container: MovieContainer) -> Bool {
    cff_container_holds(container.muxerName, reader.handle, reader.stream(track))
  }

  /// The containers that can hold a file's track as it is coded, of those that copies are usually written to.
  package static func holders(of track: PacketReader.Track, of reader: PacketReader) -> [MovieContainer] {
    [.mp4, .mov, .mkv].filter { holds(track, of: reader, in: $0) }
  }

  /// Adds a track for the packets of a file's track. Keeps everything that the file states about it.
  ///
  /// - Parameters:
  ///   - timescale: Units of the track's times per second.
  ///   - header: The decoder's initialization data; empty to use the file's.
  package func addTrack(
    copying track: PacketReader.Track, of reader: PacketReader, timescale: Int32, header: [UInt8], tag: String?
  ) throws(CompositorError) -> Track {
    var index: Int32 = 0
    let stream = reader.stream(track)
    try check { failure in
      guard let tag else {
        return cff_muxer_add_copied_track(
          muxer, reader.handle, stream, timescale, header, Int32(header.count), nil, &index, &failure)
      }
      return cff_muxer_add_copied_track(
        muxer, reader.handle, stream, timescale, header, Int32(header.count), tag, &index, &failure)
    }
    return Track(index: index)
  }

  /// States what players show of a copied track, in place of what its file states.
  package func describe(
    _ track: Track, language: String?, title: String?, isDefault: Bool
  ) throws(CompositorError) {
    try HeaderWriting(muxer: muxer, path: path).describe(
      track.index, language, container.holdsTrackTitles ? title : nil, [:], in: container)
    cff_muxer_set_default(muxer, track.index, isDefault)
  }

  /// A track of encoded audio.
  package struct EncodedTrack: Hashable, Sendable {
    fileprivate let index: Int
  }

  /// Adds a track of encoded audio.
  package func addAudio(_ description: AudioTrackDescription) throws(CompositorError) -> EncodedTrack {
    let encoder = try AudioEncoder(description.encoding, muxer: muxer, path: path)
    let track = try HeaderWriting(muxer: muxer, path: path).addAudio(
      encoder, description, container: container, isDefault: description.isDefault)
    encoders.append((encoder, track, 0))
    return EncodedTrack(index: encoders.count - 1)
  }

  /// Number of samples per channel appended to a track.
  package func sampleCount(of track: EncodedTrack) -> Int64 { encoders[track.index].sampleCount }

  /// Writes the header.
  ///
  /// - Parameters:
  ///   - entries: Metadata of the file as a whole; its tracks are ignored.
  ///   - timescale: Units of edit lists per second.
  ///   - reservedByteCount: Space for the index of the tracks before the media, in MP4 and QuickTime files.
  package func begin(
    _ entries: MovieDescription, timescale: Int, reservedByteCount: Int
  ) throws(CompositorError) {
    let room = reservedByteCount.addingReportingOverflow(entries.headerTextByteCount + 4096)
    guard !container.holdsEditLists || (!room.overflow && room.partialValue <= HeaderWriting.maximumRoom) else {
      throw CompositorError(
        .unsupportedOutput, "The index of the movie would take more than \(HeaderWriting.maximumRoom >> 20) MiB.",
        recoverySuggestion: "Copy a shorter part, write .mkv, or render the movie.", at: ErrorLocation(file: path))
    }
    file.hasRoom = container.holdsEditLists
    let options = container.holdsEditLists ? "moov_size=\(room.partialValue)\nmovie_timescale=\(timescale)" : ""
    try HeaderWriting(muxer: muxer, path: path).write(entries, options: options)
  }

  /// Writes the header of a movie of which nothing else is known.
  ///
  /// - Parameters:
  ///   - entries: Metadata of the file as a whole; its tracks are ignored.
  ///   - timescale: Units of edit lists per second.
  package func begin(_ entries: MovieDescription, timescale: Int) throws(CompositorError) {
    let options = container.muxerOptions(
      timescale: timescale, playCount: nil, hasFastStart: entries.hasFastStart, isStream: false)
    // Without edit lists, everything is later by what precedes time 0, such as an encoder's priming.
    let shift = container.holdsSessionLimits ? "" : (options.isEmpty ? "" : "\n") + "avoid_negative_ts=make_non_negative"
    try HeaderWriting(muxer: muxer, path: path).write(entries, options: options + shift)
  }

  /// Writes a packet, with times in units of 1/`timescale` seconds. Tracks may be interleaved in any order; packets of a track
  /// must be in decoding order.
  package func write(
    _ packet: CodedPacket, to track: Track, time: Int64, decodeTime: Int64, duration: Int64, timescale: Int32
  ) throws(CompositorError) {
    try check {
      cff_muxer_write_copied(muxer, track.index, packet.facts.reference, time, decodeTime, duration, timescale, &$0)
    }
  }

  /// Encodes and writes audio.
  package func append(_ block: AudioBlock, count: Int, to track: EncodedTrack) throws(CompositorError) {
    var offset = 0
    while offset < count {
      offset += try encoders[track.index].encoder.take(block.channels, offset: offset, count: count - offset)
      try writePackets(of: track.index)
    }
    encoders[track.index].sampleCount += Int64(count)
  }

  /// Flushes the audio encoder, writes the index and closes the file.
  ///
  /// - Returns: Size of the file in bytes.
  package func finish() throws(CompositorError) -> Int64 {
    for index in encoders.indices {
      try encoders[index].encoder.sendEnd()
      try writePackets(of: index)
    }
    return try file.finish()
  }

  /// Closes and removes the file, unless it was finished.
  package func abandon() { file.abandon() }

  private func writePackets(of index: Int) throws(CompositorError) {
    let (encoder, track, _) = encoders[index]
    while try encoder.receive() { try check { cff_muxer_write(muxer, track, encoder.handle, &$0) } }
  }
}

extension MovieContainer {
  /// Whether copied tracks keep the orientation that players show them in. That depends on the version of libavformat.
  package var copiesOrientation: Bool { cff_container_holds_rotation(muxerName) }
  /// Whether copied tracks keep the alpha of VP8 and VP9, which is a layer beside the frames.
  package var copiesAlphaLayers: Bool { cff_container_holds_alpha_layer(muxerName) }
  /// Whether tracks can have edit lists: MP4 and QuickTime.
  package var holdsEditLists: Bool { [.mp4, .mov, .m4v].contains(self) }
}
