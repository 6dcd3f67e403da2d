public import CompositorAPI

/// A movie file format that can be written.
public enum MovieContainer: String, Hashable, Sendable, Codable, CaseIterable {
  /// MPEG-4 part 14: H.264, HEVC or AV1 with AAC.
  case mp4
  /// QuickTime: every codec of this package but AV1.
  case mov
  /// MPEG-4 with Apple's brand: H.264 with AAC.
  case m4v
  /// Matroska: every codec of this package. Its times are integer milliseconds; the other containers are exact.
  case mkv
  /// MPEG-4 with Apple's brand, audio only: AAC.
  case m4a
  /// Matroska, audio only: every audio codec of this package.
  case mka

  /// The container that a file name stands for, by its extension, in any case.
  ///
  /// - Throws: `.unsupportedOutput` where the extension is none of `mp4`, `mov`, `m4v`, `mkv`, `m4a`, `mka`.
  public init(path: String) throws(CompositorError) {
    let name = path.split(separator: "/", omittingEmptySubsequences: true).last ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let suffix = parts.count > 1 ? parts.last?.lowercased() ?? "" : ""
    guard let container = MovieContainer(rawValue: suffix) else {
      throw CompositorError(
        .unsupportedOutput,
        suffix.isEmpty ? "The name has no extension." : "No movie can be written with the extension .\(suffix).",
        recoverySuggestion: "Name it \(MovieContainer.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")).",
        at: ErrorLocation(file: path))
    }
    self = container
  }

  /// Video codecs the container can hold, the usual one first; none for a container of audio alone.
  public var videoCodecs: [VideoEncodingSettings.Codec] {
    switch self {
    case .mp4: [.h264, .hevc, .av1]
    case .m4v: [.h264]
    case .mov: [.h264, .hevc, .proRes, .ffv1]
    case .mkv: [.h264, .hevc, .av1, .proRes, .ffv1]
    case .m4a, .mka: []
    }
  }

  /// Audio codecs the container can hold, the usual one first.
  public var audioCodecs: [AudioEncodingSettings.Codec] {
    switch self {
    case .mp4, .m4v, .m4a: [.aac]
    case .mov, .mkv, .mka: [.aac, .pcmInt16, .pcmInt24, .pcmFloat32]
    }
  }

  /// libavformat's name of the muxer.
  var muxerName: String {
    switch self {
    case .mp4: "mp4"
    case .mov: "mov"
    case .m4v, .m4a: "ipod"
    case .mkv, .mka: "matroska"
    }
  }

  /// Whether times are kept as exact fractions.
  var keepsExactTimes: Bool { !isMatroska }
  /// Whether a track can say that its frames are to be turned.
  var holdsTransforms: Bool { !isMatroska }
  /// Whether metadata entries of any name are kept, also those of tracks.
  var holdsAnyMetadata: Bool { isMatroska }
  private var isMatroska: Bool { self == .mkv || self == .mka }

  /// The metadata entries of a whole file that the container keeps, as libavformat writes it; empty for Matroska, which keeps any.
  public var metadataKeys: [String] {
    switch self {
    case .mp4, .m4v, .m4a:
      [
        "title", "artist", "album", "album_artist", "composer", "date", "comment", "genre", "copyright", "grouping", "lyrics",
        "description", "synopsis", "show", "episode_id", "network", "keywords",
      ]
    case .mov: ["title", "artist", "album", "date", "comment", "genre", "copyright", "location", "make", "model"]
    case .mkv, .mka: []
    }
  }
}
