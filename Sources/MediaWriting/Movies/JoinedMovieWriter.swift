import CCompositorFFmpeg
package import CompositorAPI
package import CompositorMediaIO

/// Writes a movie from the packets of its parts, producing the file ``MovieWriter`` would from the frames.
///
/// Packets stay unchanged; the caller provides their times. Tracks are those of the description: one of video, at most one of
/// audio, captions. The caller gives the file its final name. Not thread-safe: one owner at a time.
package final class JoinedMovieWriter: MuxerWriting {
  /// The movie's description. No encoder is opened for it.
  package let description: MovieDescription
  /// The file's path, as the caller gave it.
  package var path: String { file.path }
  /// Whether the index did not fit into the space reserved before the media.
  package var needsMoreRoom: Bool { file.needsMoreRoom }

  private let file: PacketFile
  private var muxer: OpaquePointer? { file.muxer }
  private var video: Int32 = -1
  private var audio: Int32 = -1
  private var subtitles: [SubtitleWriting] = []

  /// Creates the file.
  ///
  /// - Parameter byteCount: The movie's approximate size in bytes.
  package init(_ description: MovieDescription, path: String, byteCount: Int64) throws(CompositorError) {
    self.description = description
    file = try PacketFile(description.container, path: path)
    cff_muxer_expect(file.muxer, byteCount)
  }

  /// Adds the video track with the description that a part's file has for its own.
  package func addVideo(like track: PacketReader.Track, of reader: PacketReader) throws(CompositorError) {
    guard let described = description.video else { return }
    let rate = described.timing.nominalFrameRate
    var part = cff_part_track()
    part.timescale = Int32(clamping: described.timing.timescale)
    (part.rate_numerator, part.rate_denominator) = (Int32(clamping: rate.numerator), Int32(clamping: rate.denominator))
    let aspect = described.attributes.pixelAspectRatio
    (part.aspect_numerator, part.aspect_denominator) = (Int32(clamping: aspect.numerator), Int32(clamping: aspect.denominator))
    if case .bitRate(let bitsPerSecond) = described.encoding.quality { part.bit_rate = Int64(bitsPerSecond) }
    video = try add(track, of: reader, part)
  }

  /// Adds the audio track.
  package func addAudio(
    like track: PacketReader.Track, of reader: PacketReader, layout: AudioPacketLayout
  ) throws(CompositorError) {
    guard let encoding = description.audio else { return }
    var part = cff_part_track()
    part.timescale = Int32(clamping: encoding.sampleRate)
    part.bit_rate = encoding.encoderBitRate
    (part.priming, part.frame_size) = (Int32(clamping: layout.priming), Int32(clamping: layout.frameSize))
    audio = try add(track, of: reader, part)
  }

  private func add(
    _ track: PacketReader.Track, of reader: PacketReader, _ part: cff_part_track
  ) throws(CompositorError) -> Int32 {
    var (index, part): (Int32, cff_part_track) = (-1, part)
    try check { cff_muxer_add_part_track(muxer, reader.handle, reader.stream(track), &part, &index, &$0) }
    return index
  }

  /// Adds captions and writes the header. Call it after adding video and audio.
  ///
  /// - Parameter indexByteCount: Space for the tables of the tracks before the media, for MP4 and QuickTime files with
  ///   ``MovieDescription/hasFastStart``. Space for the rest of the index is added.
  package func begin(indexByteCount: Int) throws(CompositorError) {
    let header = HeaderWriting(muxer: muxer, path: path)
    for track in description.subtitleTracks {
      subtitles.append(try header.addSubtitles(track, container: description.container))
    }
    var options = description.container.muxerOptions(
      timescale: description.timescale, playCount: nil, hasFastStart: false, isStream: false)
    if description.container.holdsEditLists, description.hasFastStart {
      let room = min(indexByteCount + describedByteCount, HeaderWriting.maximumRoom)
      file.hasRoom = room < HeaderWriting.maximumRoom
      options += "\nmoov_size=\(room)"
    }
    try header.write(description, options: options)
  }

  /// An upper bound for the size of the index without the tables of video and audio.
  private var describedByteCount: Int {
    let cues = subtitles.reduce(0) { $0 + 8192 + 64 * $1.eventCount }
    return 8192 + description.headerTextByteCount + cues
  }

  /// Writes a packet of video, with times in units of the track's timing. Packets come in decoding order.
  package func writeVideo(
    _ packet: CodedPacket, time: Int64, decodeTime: Int64, duration: Int64
  ) throws(CompositorError) {
    guard let unit = description.video?.timing.unit else { return }
    let stamp = cff_part_stamp(
      time: time, decode_time: decodeTime, duration: duration, discarded: 0,
      tick_numerator: Int32(clamping: unit.numerator), tick_denominator: Int32(clamping: unit.denominator))
    try write(packet, to: video, stamp)
  }

  /// Writes a packet of audio, with time and duration in samples.
  ///
  /// - Parameter discarded: Number of samples to discard at the packet's end.
  package func writeAudio(
    _ packet: CodedPacket, time: Int64, duration: Int64, discarded: Int64
  ) throws(CompositorError) {
    guard let encoding = description.audio else { return }
    let stamp = cff_part_stamp(
      time: time, decode_time: time, duration: duration, discarded: discarded, tick_numerator: 1,
      tick_denominator: Int32(clamping: encoding.sampleRate))
    try write(packet, to: audio, stamp)
  }

  private func write(_ packet: CodedPacket, to track: Int32, _ stamp: cff_part_stamp) throws(CompositorError) {
    var stamp = stamp
    try check { cff_muxer_write_part(muxer, track, packet.facts.reference, &stamp, &$0) }
  }

  /// Writes the remaining captions that start before a time.
  package func writeSubtitles(before time: MediaTime) throws(CompositorError) {
    for index in subtitles.indices { try subtitles[index].write(to: muxer, before: time, path: path) }
  }

  /// Writes the remaining captions and the index, and closes the file, which is durable when this method returns.
  ///
  /// - Returns: Size of the file in bytes.
  package func finish() throws(CompositorError) -> Int64 {
    try writeSubtitles(before: .positiveInfinity)
    return try file.finish()
  }

  /// Closes and removes the file, unless it was finished.
  package func abandon() { file.abandon() }
}
