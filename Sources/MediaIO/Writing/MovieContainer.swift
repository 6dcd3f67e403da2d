public import CompositorAPI

/// A movie file format that can be written.
public enum MovieContainer: String, Hashable, Sendable, Codable, CaseIterable {
  /// MPEG-4 part 14: H.264, HEVC or AV1 with AAC.
  case mp4
  /// QuickTime: every codec of this package but AV1.
  case mov
  /// MPEG-4 with Apple's brand: H.264 with AAC.
  case m4v
  /// Matroska: every codec of this package. Its times are whole milliseconds; the other containers are exact.
  case mkv

  /// The container that a file name stands for, by its extension, in any case.
  ///
  /// - Throws: `.unsupportedOutput` where the extension is none of `mp4`, `mov`, `m4v`, `mkv`.
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

  /// Picture codecs the container can hold, the usual one first.
  public var videoCodecs: [VideoEncodingSettings.Codec] {
    switch self {
    case .mp4: [.h264, .hevc, .av1]
    case .m4v: [.h264]
    case .mov: [.h264, .hevc, .proRes, .ffv1]
    case .mkv: [.h264, .hevc, .av1, .proRes, .ffv1]
    }
  }

  /// Sound codecs the container can hold, the usual one first.
  public var audioCodecs: [AudioEncodingSettings.Codec] {
    switch self {
    case .mp4, .m4v: [.aac]
    case .mov, .mkv: [.aac, .pcmInt16, .pcmInt24, .pcmFloat32]
    }
  }

  /// libavformat's name of the muxer.
  var muxerName: String {
    switch self {
    case .mp4: "mp4"
    case .mov: "mov"
    case .m4v: "ipod"
    case .mkv: "matroska"
    }
  }

  /// Whether times are kept as exact fractions.
  var keepsExactTimes: Bool { self != .mkv }
}
