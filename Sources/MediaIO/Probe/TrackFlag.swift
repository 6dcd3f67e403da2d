/// A flag of a track that players act on.
public enum TrackFlag: String, Sendable, Hashable, Codable, CaseIterable {
  /// Players choose the track by default. In MP4 and QuickTime files: the track is enabled.
  case `default`
  /// Players show the subtitles even if subtitles are off.
  case forced
  /// For people who are hard of hearing.
  case hearingImpaired = "hearing-impaired"
  /// For people who are visually impaired.
  case visualImpaired = "visual-impaired"
  /// A comment on the movie.
  case commentary
  /// In the language of the original.
  case original
  /// Dubbed into another language.
  case dub
  /// Lyrics of a song.
  case lyrics
  /// Karaoke.
  case karaoke
  /// Music and effects without voices.
  case cleanEffects = "clean-effects"
  /// Closed captions.
  case captions
  /// Descriptions of what is seen.
  case descriptions
  /// A still image.
  case still = "still-image"
  /// Must be combined with another track.
  case dependent

  /// The flag of libavformat's name; `nil` for those that say only what kind of stream it is.
  init?(libavName: String) {
    let name = libavName == "comment" ? "commentary" : libavName.replacing("_", with: "-")
    self.init(rawValue: name)
  }
}
