import CCompositorFFmpeg
public import CompositorAPI

/// A video or audio track of a file, by its index among those of its media type.
public struct CodedTrack: Hashable, Sendable {
  /// Video or audio.
  public var mediaType: MediaType
  /// Index among the file's tracks of this type, from 0, as in ``VideoTrackInfo/index``.
  public var index: Int

  /// Creates a track's name.
  public init(_ mediaType: MediaType, _ index: Int) { (self.mediaType, self.index) = (mediaType, index) }

  /// A video track.
  public static func video(_ index: Int) -> CodedTrack { CodedTrack(.video, index) }
  /// An audio track.
  public static func audio(_ index: Int) -> CodedTrack { CodedTrack(.audio, index) }
}

/// What a decoder has to know of a track's samples.
public struct CodedFormat: Hashable, Sendable {
  /// Video or audio.
  public let mediaType: MediaType
  /// Short name of the codec: `h264`, `aac`, `pcm_s16le` …
  public let codec: String
  /// The four-character code of the codec, if the container has one; see ``TrackStorage/codecTag``.
  public let codecTag: String?
  /// Initialization data in the container's form; see ``TrackStorage/extraData``.
  public let extraData: [UInt8]
  /// The numbers of the profile and the level in the codec's standard; `nil` if they are unknown.
  public let profile, level: Int?
  /// Stored size of the frames in pixels; `nil` for audio.
  public let size: PixelSize?
  /// Sample rate in Hz and number of channels; `nil` for video.
  public let sampleRate, channelCount: Int?
  /// Samples per channel in a coded sample of audio; `nil` for video, and if their number varies.
  public let samplesPerPacket: Int?
  /// Units of the samples' times per second.
  public let timescale: Int32
}

/// A coded sample of a track: a frame of video or some samples of audio, in the form in which its file holds them (libav's packet).
///
/// A value whose bytes are shared and don't change. Times may be replaced before it is written to another file.
public struct CodedSample: Sendable {
  /// The track that the sample was read from.
  public let track: CodedTrack
  /// When it is presented, in media time after the file's edit list; `nil` if the file doesn't state it. An encoder's priming lies before 0.
  public var presentationTime: MediaTime?
  /// When it is decoded; `nil` if the file doesn't state it, as for the first frames of Matroska files whose frames are reordered.
  public var decodeTime: MediaTime?
  /// Its duration; 0 if the file doesn't state it.
  public var duration: MediaTime
  /// Whether decoding can start with it. Frames that follow it but are presented before it may still refer to earlier ones.
  public let isKeyFrame: Bool
  /// Whether the file's edit list leaves it out: it is only decoded, because others refer to it.
  public let isHidden: Bool
  /// Size in bytes.
  public var byteCount: Int { memory.packet.byteCount }
  private let memory: Memory

  /// The packet. Nothing changes it, so that it can be read on any thread.
  private final class Memory: Sendable {
    nonisolated(unsafe) let packet: CodedPacket
    init(_ packet: CodedPacket) { self.packet = packet }
  }

  init(_ packet: CodedPacket, of track: CodedTrack, _ timebase: Timebase) {
    self.track = track
    memory = Memory(packet)
    presentationTime = packet.hasTime ? timebase.time(packet.time) : nil
    decodeTime = packet.hasDecodeTime ? timebase.time(packet.decodeTime) : nil
    duration = timebase.time(packet.duration)
    isKeyFrame = packet.entry != .none
    isHidden = packet.isHidden
  }

  /// The packet, for writing it.
  package var packet: CodedPacket { memory.packet }

  /// Lends the sample's bytes, which are valid during the call.
  ///
  /// - Throws: The errors of `body`.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: cff_packet_bytes(packet.facts.reference), count: byteCount))
  }
}
