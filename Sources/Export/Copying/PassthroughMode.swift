/// How an export copies what it does not have to encode.
public enum PassthroughMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing is encoded. An edit list says which frames and samples are played, in `.mp4`, `.mov` and `.m4v` files: players that honor
  /// edit lists show exactly those.
  case editList = "edit-list"
  /// Only the groups of pictures at cuts are encoded anew, so that any player shows exactly the frames asked for. H.264, and codecs in
  /// which each frame is coded by itself, which need no encoding.
  case smart
  /// ``editList`` if one piece of media is asked for and the container holds edit lists; else ``smart``.
  case automatic = "auto"
}

/// What an export with ``ExportSettings/passthrough`` copied.
public struct PassthroughReport: Sendable, Hashable {
  /// What happened to the audio.
  public enum Audio: String, Hashable, Sendable, Codable {
    /// There is none.
    case none
    /// Its packets are those of the sources.
    case copied
    /// It was decoded, put together and encoded, exact to the sample.
    case encoded
  }

  /// The mode that was used, never ``PassthroughMode/automatic``.
  public internal(set) var mode: PassthroughMode
  /// Frames that are shown and whose packets are those of the sources.
  public internal(set) var copiedFrameCount = 0
  /// Frames that were encoded anew.
  public internal(set) var encodedFrameCount = 0
  /// Stretches of frames that were encoded anew: at most two at a cut.
  public internal(set) var encodedStretchCount = 0
  /// Pieces of media that follow one another.
  public internal(set) var pieceCount = 0
  /// What happened to the audio.
  public internal(set) var audio = Audio.none

  /// One line for people.
  public var summary: String {
    var parts = ["\(mode.rawValue): \(copiedFrameCount) frames copied"]
    if encodedFrameCount > 0 { parts.append("\(encodedFrameCount) encoded in \(encodedStretchCount) places") }
    if audio != .none { parts.append("audio \(audio.rawValue)") }
    return parts.joined(separator: ", ")
  }
}
