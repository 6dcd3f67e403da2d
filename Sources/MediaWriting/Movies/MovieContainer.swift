public import CompositorAPI
import CompositorMediaIO

/// A file format that can be written, for movies or audio alone.
public enum MovieContainer: String, Hashable, Sendable, Codable, CaseIterable {
  /// MPEG-4 part 14: H.264, HEVC or AV1 with AAC, ALAC, MP3 or Opus.
  case mp4
  /// QuickTime: H.264, HEVC, ProRes, DNxHR and FFV1, with AAC, ALAC or PCM.
  case mov
  /// MPEG-4 with Apple's brand: H.264 with AAC or ALAC.
  case m4v
  /// Matroska: every codec of this package but DNxHR, GIF and WebP. Its times, like WebM's, are integer milliseconds; those of
  /// MPEG-4 and QuickTime are exact.
  case mkv
  /// WebM: VP9 or AV1 with Opus.
  case webm
  /// Animated GIF, video only. Its times are hundredths of a second.
  case gif
  /// Animated WebP, video only. Its times are milliseconds.
  case webp
  /// MPEG-4 with Apple's brand, audio only: AAC or ALAC.
  case m4a
  /// Matroska, audio only: every audio codec of this package but ALAC.
  case mka
  /// RIFF WAVE, audio only: PCM. A file of more than 4 GiB is written as RF64.
  case wav
  /// FLAC, audio only.
  case flac
  /// MP3, audio only. A LAME header states the duration.
  case mp3
  /// Ogg, audio only: Opus.
  case opus
  /// Ogg, audio only: Opus or FLAC.
  case ogg
  /// NUT: uncompressed video or FFV1, and PCM, for another program. Times are exact. Color is stated in entries for people,
  /// which programs don't read (see `docs/pipes.md`).
  case nut
  /// YUV4MPEG2: uncompressed video at a constant rate, without audio, for another program.
  case y4m

  /// The container of a file name's extension. Case is ignored.
  ///
  /// - Throws: `.unsupportedOutput` for an unknown extension.
  public init(path: String) throws(CompositorError) {
    let suffix = path.fileExtension ?? ""
    guard let container = MovieContainer(rawValue: MovieContainer.otherNames[suffix] ?? suffix) else {
      throw CompositorError(
        .unsupportedOutput,
        suffix.isEmpty ? "The name has no extension." : "No movie can be written with the extension .\(suffix).",
        recoverySuggestion: "Name it \(MovieContainer.names { !$0.videoCodecs.isEmpty }); for audio alone "
          + "\(MovieContainer.names { $0.videoCodecs.isEmpty }).",
        at: ErrorLocation(file: path))
    }
    self = container
  }

  /// Other extensions of files of these formats: audiobooks, ringtones, and Ogg with audio.
  private static let otherNames = ["m4b": "m4a", "m4r": "m4a", "oga": "ogg"]

  /// Video codecs that the container can hold, the default first; none for an audio format.
  public var videoCodecs: [VideoEncodingSettings.Codec] {
    switch self {
    case .mp4: [.h264, .hevc, .av1]
    case .m4v: [.h264]
    case .mov: [.h264, .hevc, .proRes, .dnxhr, .ffv1]
    case .mkv: [.h264, .hevc, .av1, .vp9, .proRes, .ffv1]
    case .webm: [.vp9, .av1]
    case .gif: [.gif]
    case .webp: [.webp]
    case .nut: [.raw, .ffv1]
    case .y4m: [.raw]
    case .m4a, .mka, .wav, .flac, .mp3, .opus, .ogg: []
    }
  }

  /// Whether files of this format hold audio only.
  public var isAudioOnly: Bool { videoCodecs.isEmpty }

  /// Audio codecs that the container can hold, the default first.
  public var audioCodecs: [AudioEncodingSettings.Codec] {
    switch self {
    case .mp4: [.aac, .alac, .mp3, .opus]
    case .m4v, .m4a: [.aac, .alac]
    case .mov: [.aac, .alac, .pcmInt16, .pcmInt24, .pcmFloat32]
    case .mkv, .mka: [.aac, .opus, .flac, .mp3, .pcmInt16, .pcmInt24, .pcmFloat32]
    case .wav: [.pcmInt16, .pcmInt24, .pcmFloat32]
    case .flac: [.flac]
    case .mp3: [.mp3]
    case .opus, .webm: [.opus]
    case .ogg: [.opus, .flac]
    case .gif, .webp, .y4m: []
    case .nut: [.pcmInt24, .pcmInt16, .pcmFloat32]
    }
  }

  /// libavformat's name of the muxer.
  var muxerName: String {
    switch self {
    case .y4m: "yuv4mpegpipe"
    case .mp4: "mp4"
    case .mov: "mov"
    case .m4v, .m4a: "ipod"
    case .mkv, .mka: "matroska"
    case .wav, .flac, .mp3, .opus, .ogg, .webm, .gif, .webp, .nut: rawValue
    }
  }

  /// Options of the muxer as `key=value` lines.
  ///
  /// - Parameter isStream: Whether written bytes cannot be changed.
  func muxerOptions(timescale: Int, playCount: Int?, hasFastStart: Bool, isStream: Bool) -> String {
    switch self {
    // An index grows with the stream, and a pipe's reader cannot seek.
    case .nut: isStream ? "write_index=0" : ""
    // Allows more than 8 bits. Their names are widely read although they are not in the specification.
    case .y4m: "strict=-1"
    case .mp4, .mov, .m4v, .m4a: (hasFastStart ? "movflags=+faststart\n" : "") + "movie_timescale=\(timescale)"
    case .wav: "rf64=auto"
    // GIF counts repetitions after the first time, WebP counts all of them.
    case .gif: "loop=\(playCount.map { $0 == 1 ? -1 : max($0 - 1, 0) } ?? 0)"
    case .webp: "loop=\(playCount ?? 0)"
    case .mkv, .mka, .webm, .flac, .mp3, .opus, .ogg: ""
    }
  }

  /// Whether times are kept as exact fractions.
  var keepsExactTimes: Bool { !isMatroska && !isAnimation }
  /// Whether a track can have a display matrix.
  var holdsTransforms: Bool { !isMatroska && !isSingleTrack && !isAnimation && self != .nut }
  /// Whether the file is an animated image, without audio.
  public var isAnimation: Bool { self == .gif || self == .webp }
  /// Units of all times per second in containers that count coarsely; `nil` for the others.
  package var timescale: Int32? { self == .gif ? 100 : self == .webp ? 1000 : nil }
  /// Whether files of this format can hold any metadata for the file as a whole.
  public var holdsMetadata: Bool { holdsAnyMetadata || !metadataKeys.isEmpty }
  /// Whether the file can hold metadata with any key, as far as the format can represent it.
  public var holdsAnyMetadata: Bool { isMatroska || self == .nut || [.flac, .mp3, .opus, .ogg].contains(self) }
  /// Whether a track can hold metadata with any key.
  var holdsAnyTrackMetadata: Bool { isMatroska || self == .nut }
  private var isMatroska: Bool { self == .mkv || self == .mka || self == .webm }
  /// Whether the file has a single track, without metadata of its own.
  var isSingleTrack: Bool { [.wav, .flac, .mp3, .opus, .ogg, .y4m].contains(self) }

  /// The metadata keys of a whole file that the container holds, in libavformat's notation; empty for containers that hold any
  /// key (``holdsAnyMetadata``) and for those that hold none (`gif`, `webp`, `y4m`).
  public var metadataKeys: [String] {
    switch self {
    case .mp4, .m4v, .m4a:
      [
        "title", "artist", "album", "album_artist", "composer", "date", "comment", "genre", "copyright", "grouping", "lyrics",
        "description", "synopsis", "show", "episode_id", "network", "keywords", "location", "track", "disc",
      ]
    case .mov: ["title", "artist", "album", "date", "comment", "genre", "copyright", "location", "make", "model"]
    case .wav: ["title", "artist", "album", "track", "date", "comment", "genre", "copyright", "language"]
    case .nut, .mkv, .mka, .webm, .flac, .mp3, .opus, .ogg, .gif, .webp, .y4m: []
    }
  }
}
