import CompositorAPI

/// A key of other programs, or of another object of a project, and the corresponding key here.
package struct FalseFriend {
  /// The key that accepts the same value; `nil` if there is none.
  let key: String?
  /// The suggestion for messages.
  let recoverySuggestion: String

  /// Keys that accept the same value as others that are written instead.
  private static let renamed: [(key: String, written: Set<String>)] = [
    ("at", ["start", "from", "begin", "beginTime", "startTime", "time"]),
    ("start", ["at", "from", "begin", "beginTime", "startTime", "in"]),
    ("duration", ["length", "lasts"]), ("size", ["canvas", "resolution", "dimensions"]), ("frameRate", ["fps", "rate"]),
    ("in", ["offset", "trimStart", "sourceStart"]), ("file", ["src", "path", "url", "source"]),
    ("asset", ["source", "media", "src"]),
    ("tracks", ["timeline", "layers"]), ("assets", ["media", "sources", "inputs"]),
    ("output", ["export", "render", "settings"]),
    ("captions", ["subtitles", "subs"]), ("titles", ["texts", "overlays"]),
    ("opacity", ["alpha"]), ("codec", ["encoder"]), ("width", ["w"]), ("height", ["h"]),
    ("shadowRadius", ["shadowBlur", "shadowBlurRadius"]), ("color", ["textColor", "fontColor", "foreground"]),
    ("strokeColor", ["lineColor", "outlineColor"]), ("birthRate", ["rate", "emissionRate", "spawnRate"]),
    ("velocity", ["speed"]), ("velocityRange", ["speedRange", "velocityVariation"]),
  ]

  /// Keys of transforms that accept the same value as others: those of titles and of other programs turn about three axes.
  private static let transforms: [(key: String, written: Set<String>)] = [
    ("rotationZ", ["rotation", "rotate", "angle", "rotateZ"]), ("rotation", ["rotationZ", "rotateZ", "rotate", "angle"]),
    ("translationX", ["x", "translateX"]), ("translationY", ["y", "translateY"]), ("translationZ", ["z", "translateZ"]),
  ]

  /// What to write for a key that has the value of no other key; `nil` for other keys.
  private static func advice(on written: String, among keys: [String]) -> String? {
    let axes = ["X", "Y"].map { written + $0 }
    if axes.allSatisfy(keys.contains) { return "Did you mean both \(quoted(axes[0])) and \(quoted(axes[1]))?" }
    let has = { (known: [String]) in known.allSatisfy(keys.contains) }
    switch written {
    case "scaleX" where has(["scale", "rotation"]): return "Did you mean \"scale\" with both sides, such as [0.5, 1]?"
    case "scaleY" where has(["scale", "rotation"]): return "Did you mean \"scale\" with both sides, such as [1, 0.5]?"
    case "left", "right", "top", "bottom":
      guard keys.sorted() == ["height", "width", "x", "y"] else { return nil }
      return "Write the part that is shown, in pixels from the top left corner: x, y, width and height."
    case "translationX", "translateX", "translationY", "translateY":
      guard has(["x", "y", "rotation", "scale"]) else { return nil }
      return "Did you mean \"\(written.suffix(1).lowercased())\"? It is where the center is, not how far it moves."
    case "noAudio", "noVideo", "noSound":
      let key = written == "noVideo" ? "video" : "audio"
      return has([key]) ? "Write \(key): false." : nil
    case "keyframes", "keyFrames": return has(["values", "keyTimes"]) ? "Did you mean \"values\" with \"keyTimes\"?" : nil
    case "fadeIn", "fadeOut":
      guard has(["fade", "text", "template"]) else { return nil }
      return "Did you mean \"fade\"? It is how long a title fades in, and out again."
    default: return nil
    }
  }

  private init(_ key: String?, _ recoverySuggestion: String) {
    (self.key, self.recoverySuggestion) = (key, recoverySuggestion)
  }

  /// - Parameters:
  ///   - written: The unknown key.
  ///   - keys: The known keys.
  /// - Returns: `nil` if one of `keys` is similar, so that the key is probably misspelled, or if nothing is known about it. `subtitles` is known, and
  ///   no misspelled `titles`.
  init?(of written: String, among keys: [String]) {
    guard let found = FalseFriend.ofObject(written, among: keys) ?? FalseFriend.unlikeOthers(written, among: keys) else {
      return nil
    }
    self = found
  }

  /// A key of which the keys around it say what is meant, however similar one of them is.
  private static func ofObject(_ written: String, among keys: [String]) -> FalseFriend? {
    let isTransform = keys.contains("rotationZ") || keys.contains("rotation") && keys.contains("scale")
    if isTransform, let known = transforms.first(where: { keys.contains($0.key) && $0.written.contains(written) }) {
      return FalseFriend(known.key, "Did you mean \(quoted(known.key))?")
    }
    if written == "image", ["file", "images"].allSatisfy(keys.contains) {
      // "images" is a pattern of numbered ones.
      return FalseFriend("file", "Did you mean \"file\"?")
    }
    return advice(on: written, among: keys).map { FalseFriend(nil, $0) }
  }

  /// A key that is known to be written for another one, unless it is probably a misspelled third one.
  private static func unlikeOthers(_ written: String, among keys: [String]) -> FalseFriend? {
    // A time where it ends is not a misspelled `ends`.
    let isEnd = ["end", "to", "until", "endTime", "out"].contains(written) && keys.contains("duration")
    let near = suggestion(for: written, among: keys)
    let isSlip = near.map { isMisspelling(written, of: $0) } == true
    let meant = isSlip ? nil : renamed.first { keys.contains($0.key) && $0.written.contains(written) }?.key
    guard isEnd || near == nil || meant != nil else { return nil }
    if let advice = adviceOnTime(written, isEnd: isEnd, among: keys) ?? adviceOnOutput(written, among: keys) {
      return FalseFriend(nil, advice)
    }
    return meant.map { FalseFriend($0, "Did you mean \(quoted($0))?") }
  }

  /// What to write for a start or an end, whose value is that of no other key; `nil` for other keys.
  private static func adviceOnTime(_ written: String, isEnd: Bool, among keys: [String]) -> String? {
    let starts = ["start", "from", "begin", "beginTime", "startTime", "offset"]
    if starts.contains(written), keys.contains("at"), keys.contains("in") {
      // A clip has two starts: on the timeline, and in its media.
      return "Did you mean \"at\" (when it starts in the movie) or \"in\" (where it starts in its media)?"
    }
    // The value differs: the end minus the start.
    return isEnd ? "Did you mean \"duration\"? It is how long it takes: the end less the start." : nil
  }

  /// Where a key of the output or of its encoding belongs; `nil` for other keys.
  private static func adviceOnOutput(_ written: String, among keys: [String]) -> String? {
    if keys.contains("output"), keys.contains("assets"), let inner = outputKeys[written] {
      return "Did you mean \"\(inner)\" in \"output\"?"
    }
    if keys.contains("video"), keys.contains("frameRate"), let inner = encodingKeys[written] {
      return "\(inner.key) belongs in \"\(inner.object)\": \(inner.object): { \(inner.key): … }."
    }
    return nil
  }

  /// Values of other programs, by the value that projects use.
  private static let values: [(value: String, written: Set<String>)] = [
    ("hevc", ["h265", "h.265", "x265", "libx265", "hvc1", "hev1"]), ("h264", ["h.264", "avc", "x264", "libx264", "avc1"]),
    (
      "dissolve",
      ["crossfade", "cross-fade", "crossdissolve", "cross-dissolve", "xfade", "fade", "mix", "fade-in", "fade-out"]
    ),
    ("dip-to-black", ["fade-to-black", "fadeblack", "fadetoblack", "black"]), ("push", ["slide"]),
    ("fill", ["cover", "crop-to-fill"]), ("fit", ["contain", "letterbox"]), ("opacity", ["alpha", "fade", "transparency"]),
    ("transform.rotation", ["rotate", "rotation", "angle"]), ("transform.scale", ["scale", "zoom"]),
    ("position.x", ["x", "left"]), ("position.y", ["y", "top"]), ("zPosition", ["position.z", "z", "z-index", "zindex"]),
    ("pq", ["bt2020-pq", "bt2020pq", "bt2100-pq", "rec2100-pq", "rec2020-pq", "hdr10", "hdr10+", "smpte2084", "st2084"]),
    ("hlg", ["bt2020-hlg", "bt2020hlg", "bt2100-hlg", "rec2100-hlg", "rec2020-hlg", "arib-std-b67"]),
    ("hevc-pq", ["hevc-hdr10", "h265-pq", "hdr10"]), ("hevc-hlg", ["h265-hlg"]),
    ("straight", ["unpremultiplied", "un-premultiplied", "non-premultiplied", "unassociated"]),
    ("plus-lighter", ["lighter", "plus", "add", "additive", "linear-dodge"]),
    ("emitter.birthRate", ["emitter.rate"]), ("emitter.velocity", ["emitter.speed"]),
    ("veryslow", ["slowest"]), ("ultrafast", ["fastest"]),
    ("bt709", ["rec709", "rec.709", "bt.709"]), ("bt2020", ["rec2020", "rec.2020", "bt.2020"]),
  ]

  /// Names of other programs with several values here.
  private static let ambiguous: [(values: [String], written: Set<String>)] = [
    (["hevc-pq", "hevc-hlg"], ["hevc-hdr", "h265-hdr", "hevc-10-hdr"]),
    (["pq", "hlg"], ["hdr", "bt2020-hdr", "bt2100", "rec2100"]),
  ]

  /// The values for a name used by other programs; empty if nothing is known about it. Of several, the author has to choose.
  package static func values(_ written: String, among words: [String]) -> [String] {
    if let value = value(written, among: words) { return [value] }
    let word = written.lowercased()
    if let known = ambiguous.first(where: { $0.written.contains(word) && $0.values.allSatisfy(words.contains) }) {
      return known.values
    }
    // In other programs the rotation in the plane is that about the third axis.
    let plane = [".rotation.z", ".rotationz"].first { word.hasSuffix($0) }
    return plane.flatMap { turned in
      let name = written.dropLast(turned.count) + ".rotation"
      return words.contains(String(name)) ? [String(name)] : nil
    } ?? []
  }

  /// The value for a name used by other programs; `nil` if nothing is known about it, or the value isn't among `words`.
  ///
  /// It takes precedence over the most similar value: `h265` differs from `h264` by one letter, but is another codec.
  package static func value(_ written: String, among words: [String]) -> String? {
    values.first { words.contains($0.value) && $0.written.contains(written.lowercased()) }?.value
  }

  /// Keys that belong into an object of `output`, by what is written next to it.
  private static let encodingKeys: [String: (object: String, key: String)] = [
    "codec": ("video", "codec"), "quality": ("video", "quality"), "crf": ("video", "quality"),
    "bitRate": ("video", "bitRate"), "bitrate": ("video", "bitRate"), "twoPass": ("video", "twoPass"),
    "profile": ("video", "profile"), "lossless": ("video", "lossless"), "encoderSpeed": ("video", "encoderSpeed"),
    "keyFrameInterval": ("video", "keyFrameInterval"), "sampleRate": ("audio", "sampleRate"),
    "channels": ("audio", "channels"), "loudness": ("audio", "loudness"),
  ]

  /// Keys that belong into `output`, by the keys that are written next to it.
  private static let outputKeys = [
    "canvas": "size", "size": "size", "resolution": "size", "width": "size", "height": "size", "fps": "frameRate",
    "frameRate": "frameRate", "rate": "frameRate", "background": "background", "color": "color", "preset": "preset",
    "format": "format", "video": "video", "audio": "audio", "codec": "video",
  ]
}
