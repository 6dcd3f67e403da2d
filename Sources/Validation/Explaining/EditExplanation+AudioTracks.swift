public import CompositorAPI
import CompositorMediaIO

extension EditExplanation {
  /// An audio track of the output.
  public struct AudioTrack: Hashable, Sendable, Codable {
    /// The audio tracks of the composition that it mixes, in ascending order.
    public var tracks: [TrackID]
    /// The language as a BCP 47 tag; `nil` for none.
    public var language: String?
    /// The title for people; `nil` for none.
    public var title: String?
    /// Whether players choose it by default.
    public var isDefault: Bool

    init(_ track: AudioOutputTrack, isDefault: Bool) {
      (tracks, language, title) = (track.trackIDs.sorted(), track.language, track.title)
      self.isDefault = isDefault
    }

    /// `tracks 2, 3; language de; “Deutsch”; default`.
    var text: String {
      let mixed =
        tracks.isEmpty
        ? "no track" : (tracks.count == 1 ? "track " : "tracks ") + tracks.map(\.description).joined(separator: ", ")
      let parts = [mixed, language.map { "language \($0)" }, title.map { "“\($0)”" }, isDefault ? "default" : nil]
      return parts.compactMap(\.self).joined(separator: "; ")
    }
  }

  /// The audio tracks of an edit's output; empty if it states none. Without a default, it is the first.
  static func audioTracks(_ edit: Edit) -> [AudioTrack] {
    let standard = edit.audioTracks.firstIndex(where: \.isDefault) ?? 0
    return edit.audioTracks.enumerated().map { AudioTrack($0.element, isDefault: $0.offset == standard) }
  }
}

extension MediaInfo {
  /// `audio track 1, de` if the media has several tracks of a type; otherwise `nil`.
  func name(ofTrack index: Int, _ mediaType: MediaType) -> String? {
    switch mediaType {
    case .video: return videoTracks.count > 1 ? "video track \(index)" : nil
    case .audio:
      guard audioTracks.count > 1 else { return nil }
      let language = audioTracks.first { $0.index == index }?.language
      return "audio track \(index)" + (language.map { ", \($0)" } ?? "")
    }
  }
}
