/// The method of an export that copies packets instead of encoding frames.
public enum PassthroughMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// No frame is encoded. In `.mp4`, `.mov` and `.m4v` files, an edit list states which frames and samples are played. Players
  /// that honor edit lists show exactly those. Audio of several pieces is encoded, in its own codec, because players based on
  /// FFmpeg play whole packets at the ends of edits, which would add up.
  case editList = "edit-list"
  /// Only the groups of pictures at cuts are encoded again, so that any player shows exactly the requested frames. Supports
  /// H.264, and codecs that code each frame independently, which need no encoding.
  case smart
  /// ``editList`` if a single piece of media is requested and the container holds edit lists; else ``smart``.
  case automatic = "auto"
}

/// A report on an export with ``ExportSettings/passthrough``.
public struct PassthroughReport: Sendable, Hashable {
  /// How the audio was written.
  public enum Audio: String, Hashable, Sendable, Codable {
    /// There is no audio.
    case none
    /// Packets of the sources were copied.
    case copied
    /// It was decoded, assembled and encoded, exact to the sample.
    case encoded
  }

  /// The mode used, never ``PassthroughMode/automatic``.
  public internal(set) var mode: PassthroughMode
  /// Number of shown frames whose packets were copied.
  public internal(set) var copiedFrameCount = 0
  /// Number of frames that were encoded again.
  public internal(set) var encodedFrameCount = 0
  /// Number of runs of encoded frames: at most two at a cut.
  public internal(set) var encodedStretchCount = 0
  /// Number of successive pieces of media.
  public internal(set) var pieceCount = 0
  /// How the audio was written.
  public internal(set) var audio = Audio.none

  /// A summary for people, in one line.
  public var summary: String {
    var parts = ["\(mode.rawValue): \(copiedFrameCount) frames copied"]
    let places = encodedStretchCount == 1 ? "one place" : "\(encodedStretchCount) places"
    if encodedFrameCount > 0 { parts.append("\(encodedFrameCount) encoded in \(places)") }
    if audio != .none { parts.append("audio \(audio.rawValue)") }
    return parts.joined(separator: ", ")
  }
}
