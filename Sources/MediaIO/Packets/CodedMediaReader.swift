import CCompositorFFmpeg
public import CompositorAPI

/// Reads the coded samples of a file without decoding them, in the order of the file.
///
/// Not thread-safe: one owner at a time. Samples can be used on any thread, and outlive the reader.
///
/// ```swift
/// let reader = try CodedMediaReader(path: "clip.mp4")
/// while let sample = try reader.next() { print(sample.track, sample.byteCount, sample.isKeyFrame) }
/// ```
public final class CodedMediaReader {
  /// The description of the file.
  public let info: MediaInfo
  /// The tracks that are read.
  public let tracks: [CodedTrack]
  /// The reader of packets.
  package let reader: PacketReader
  private let byStream: [Int32: (track: CodedTrack, timebase: Timebase)]

  /// Opens a file, and measures it as ``MediaProbe/probe(_:)`` does.
  ///
  /// - Parameter tracks: The tracks to read; `nil`, the default, for all that can be decoded. Tracks without a decoder can be read
  ///   if they are named.
  /// - Throws: The errors of ``MediaProbe/probe(_:)``; `.trackNotFound`; `.sourceRefused` for images.
  public init(path: String, tracks: [CodedTrack]? = nil) throws(CompositorError) {
    let (info, facts) = try MediaProbe.examine(.file(path: path))
    guard !info.videoTracks.contains(where: \.isStill), info.container != "webp" else {
      throw CompositorError(
        .sourceRefused, "An image has no coded samples.", recoverySuggestion: "Read its frame.", at: ErrorLocation(file: path))
    }
    let wanted =
      tracks ?? info.videoTracks.map { .video($0.index) } + info.audioTracks.map { .audio($0.index) }
    let reader = try PacketReader(path: path, tracks: wanted.map(PacketReader.Track.init), facts: facts)
    (self.info, self.tracks, self.reader) = (info, wanted, reader)
    byStream = Dictionary(
      wanted.map {
        let track = PacketReader.Track($0)
        return (reader.stream(track), ($0, reader.timebase(track)))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The format of a track's samples.
  ///
  /// - Throws: `.trackNotFound` if the track is not read.
  public func format(of track: CodedTrack) throws(CompositorError) -> CodedFormat {
    try check(track)
    let key = PacketReader.Track(track)
    let (parameters, timebase) = (reader.copyParameters(key), reader.timebase(key))
    let (found, isVideo) = (reader.parameters(key), track.mediaType == .video)
    // libavcodec's numbers of unknown profiles and levels are negative.
    return CodedFormat(
      mediaType: track.mediaType, codec: parameters.codec, codecTag: storage(of: track)?.codecTag, extraData: parameters.header,
      profile: parameters.profile >= 0 ? parameters.profile : nil, level: parameters.level >= 0 ? parameters.level : nil,
      size: isVideo ? PixelSize(width: Int(found.width), height: Int(found.height)) : nil,
      sampleRate: isVideo ? nil : Int(found.sample_rate), channelCount: isVideo ? nil : Int(found.channel_count),
      samplesPerPacket: isVideo || found.frame_size <= 0 ? nil : Int(found.frame_size), timescale: timebase.denominator)
  }

  /// The next sample of any of the tracks; `nil` after the last.
  ///
  /// - Throws: `.readFailed`; `.truncatedMedia`; `.mediaChanged` if the file was modified since it was opened.
  public func next() throws(CompositorError) -> CodedSample? {
    while let packet = try reader.next() {
      if let (track, timebase) = byStream[packet.facts.stream] { return CodedSample(packet, of: track, timebase) }
    }
    return nil
  }

  /// Continues with a sample of a track that is decoded no later than a time, usually a key frame, as far as the container knows where
  /// they are; otherwise with one soon after it, or from the start.
  ///
  /// - Parameter time: Media time, numeric.
  /// - Throws: `.invalidValue` for another time; `.trackNotFound`; the errors of reading.
  public func seek(to time: MediaTime, of track: CodedTrack) throws(CompositorError) {
    try time.requireNumeric(file: reader.path)
    try check(track)
    let key = PacketReader.Track(track)
    try reader.seek(to: reader.timebase(key).lastTick(notAfter: time), of: key)
  }

  /// Continues with the first sample.
  ///
  /// - Throws: The errors of reading.
  public func rewind() throws(CompositorError) { try reader.rewind() }

  /// - Throws: `.trackNotFound` if the track is not read.
  package func check(_ track: CodedTrack) throws(CompositorError) {
    guard !tracks.contains(track) else { return }
    throw CompositorError(
      .trackNotFound, "The reader doesn't read \(track.mediaType) track \(track.index).",
      recoverySuggestion: "Name the track when the file is opened.", at: ErrorLocation(file: reader.path))
  }

  private func storage(of track: CodedTrack) -> TrackStorage? {
    let known: TrackStorage?
    switch track.mediaType {
    case .video: known = info.videoTracks.first { $0.index == track.index }?.storage
    case .audio: known = info.audioTracks.first { $0.index == track.index }?.storage
    }
    return known ?? info.otherTracks.first { $0.kind == .init(track.mediaType) && $0.trackIndex == track.index }?.storage
  }
}

extension PacketReader.Track {
  /// The same track.
  package init(_ track: CodedTrack) { self.init(track.mediaType, track.index) }
}
