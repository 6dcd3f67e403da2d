import CompositorAPI

/// A key of other programs, or of another place of a project, and what it is called where it was written.
struct FalseFriend {
  /// The key that takes the same value; `nil` where none does.
  let key: String?
  /// What to write.
  let recoverySuggestion: String

  /// Keys that take the same value, by what is written for them.
  private static let renamed: [(key: String, written: Set<String>)] = [
    ("at", ["start", "from", "begin", "beginTime", "startTime", "time"]),
    ("start", ["at", "from", "begin", "beginTime", "startTime", "in"]),
    ("duration", ["length", "lasts"]), ("size", ["canvas", "resolution", "dimensions"]), ("frameRate", ["fps", "rate"]),
    ("in", ["offset", "trimStart", "sourceStart"]), ("file", ["src", "path", "url", "source"]),
    ("asset", ["source", "media", "src"]),
    ("tracks", ["timeline", "layers"]), ("assets", ["media", "sources", "inputs"]),
    ("output", ["export", "render", "settings"]),
    ("opacity", ["alpha"]), ("codec", ["encoder"]),
  ]

  /// - Parameters:
  ///   - written: The key that is not there.
  ///   - keys: The keys that are.
  /// - Returns: `nil` if a word of `keys` is near, so that it is misspelled, or nothing is known of it.
  init?(of written: String, among keys: [String]) {
    guard suggestion(for: written, among: keys) == nil else { return nil }
    let starts: Set = ["start", "from", "begin", "beginTime", "startTime"]
    if starts.contains(written), keys.contains("at"), keys.contains("in") {
      // A clip starts twice: on the timeline, and in its media.
      key = nil
      recoverySuggestion = "Did you mean \"at\" (when it starts in the movie) or \"in\" (where it starts in its media)?"
    } else if ["end", "to", "until", "endTime", "out"].contains(written), keys.contains("duration") {
      // The value is another one: the end less the start.
      key = nil
      recoverySuggestion = "Did you mean \"duration\"? It is how long it takes: the end less the start."
    } else if keys.contains("output"), keys.contains("assets"), let inner = FalseFriend.outputKeys[written] {
      key = nil
      recoverySuggestion = "Did you mean \"\(inner)\" in \"output\"?"
    } else if let found = FalseFriend.renamed.first(where: { keys.contains($0.key) && $0.written.contains(written) })?.key {
      key = found
      recoverySuggestion = "Did you mean \(quoted(found))?"
    } else {
      return nil
    }
  }

  /// Words of other programs for a value, by the word of a project.
  private static let values: [(value: String, written: Set<String>)] = [
    ("hevc", ["h265", "h.265", "x265", "libx265", "hvc1", "hev1"]), ("h264", ["h.264", "avc", "x264", "libx264", "avc1"]),
    ("bt709", ["rec709", "rec.709", "bt.709"]), ("bt2020", ["rec2020", "rec.2020", "bt.2020"]),
  ]

  /// What a word of other programs is called here; `nil` if nothing is known of it, or it is not among `words`.
  ///
  /// It comes before the nearest word: `h265` is one letter from `h264`, and is another codec.
  static func value(_ written: String, among words: [String]) -> String? {
    values.first { words.contains($0.value) && $0.written.contains(written.lowercased()) }?.value
  }

  /// What belongs into `output`, by what is written beside it.
  private static let outputKeys = [
    "canvas": "size", "size": "size", "resolution": "size", "width": "size", "height": "size", "fps": "frameRate",
    "frameRate": "frameRate", "rate": "frameRate", "background": "background", "color": "color", "preset": "preset",
    "format": "format", "video": "video", "audio": "audio", "codec": "video",
  ]
}
