import CompositorAPI

/// A key of other programs, or of another object of a project, and the corresponding key here.
package struct FalseFriend {
  /// The key that accepts the same value; `nil` if there is none.
  let key: String?
  /// The suggestion for messages.
  let recoverySuggestion: String

  private init(_ key: String?, _ recoverySuggestion: String) {
    (self.key, self.recoverySuggestion) = (key, recoverySuggestion)
  }

  /// - Parameters:
  ///   - written: The unknown key.
  ///   - shape: The shape of its object.
  ///   - keys: The known keys: those of the shape and, of an effect, its parameters.
  /// - Returns: `nil` if one of `keys` is similar, so that the key is probably misspelled, or if nothing is known about it. `subtitles` is known, and
  ///   no misspelled `titles`.
  init?(of written: String, in shape: ObjectShape, among keys: [String]) {
    let certain = FalseFriend.certain[shape.name]?[written]?.friend ?? FalseFriend.axes(of: written, among: keys)
    guard let found = certain ?? FalseFriend.unlikeOthers(written, in: shape, among: keys) else { return nil }
    self = found
  }

  /// Both keys of a key without its axis: `scaleX` and `scaleY`.
  private static func axes(of written: String, among keys: [String]) -> FalseFriend? {
    let axes = ["X", "Y"].map { written + $0 }
    guard axes.allSatisfy(keys.contains) else { return nil }
    return FalseFriend(nil, "Did you mean both \(quoted(axes[0])) and \(quoted(axes[1]))?")
  }

  /// A key that is known to be written for another one, unless it is probably a misspelled third one.
  private static func unlikeOthers(_ written: String, in shape: ObjectShape, among keys: [String]) -> FalseFriend? {
    // A time where it ends is not a misspelled `ends`.
    let isEnd = ["end", "to", "until", "endTime", "out"].contains(written) && keys.contains("duration")
    let near = suggestion(for: written, among: keys)
    let isSlip = near.map { isMisspelling(written, of: $0) } == true
    let meant = isSlip ? nil : renamed.first { keys.contains($0.key) && $0.written.contains(written) }?.key
    guard isEnd || near == nil || meant != nil else { return nil }
    if let known = likely[shape.name]?[written] { return known.friend }
    // The value differs: the end minus the start.
    if isEnd { return FalseFriend(nil, "Did you mean \"duration\"? It is how long it takes: the end less the start.") }
    return meant.map { Meaning.key($0).friend }
  }

  /// What is meant by a key that an object doesn't have.
  private enum Meaning {
    /// A key that accepts the same value.
    case key(String)
    /// Something that is written differently, as a sentence says.
    case advice(String)

    var friend: FalseFriend {
      switch self {
      case .key(let key): FalseFriend(key, "Did you mean \(quoted(key))?")
      case .advice(let sentence): FalseFriend(nil, sentence)
      }
    }
  }

  /// A table with the same meaning for several keys.
  private static func table(_ rows: [([String], Meaning)]) -> [String: Meaning] {
    Dictionary(uniqueKeysWithValues: rows.flatMap { keys, meaning in keys.map { ($0, meaning) } })
  }
}

// The tables, by the names of shapes.

extension FalseFriend {
  /// Keys of which the object says what is meant, however similar another of its keys is.
  private static let certain: [String: [String: Meaning]] = [
    "transform": ofTransform, "transformKeyframe": ofTransform,
    "titleLayer": ofTitleLayer, "layerFilters": ofLayerFilters, "layerShadow": ofLayerShadow, "motionBlur": ofMotionBlur,
    // Those of titles turn about three axes.
    "layerTransform": table([
      (["rotation", "rotate", "angle", "rotateZ"], .key("rotationZ")), (["x", "translateX"], .key("translationX")),
      (["y", "translateY"], .key("translationY")), (["z", "translateZ"], .key("translationZ")),
    ]),
    "crop": ofCrop, "cropKeyframe": ofCrop, "layout": ofLayout, "flex": ofFlex, "layerPath": ofPath,
    // "images" is a pattern of numbered ones.
    "asset": ["image": .key("file"), "colors": .advice("Write from and to, the two colors of a gradient.")],
    "clip": ofClip, "track": ofTrack,
    "output": table([(["noAudio", "noSound"], .advice("Write audio: false."))]),
    "layerContent": ["noVideo": .advice("Write video: false.")],
    "title": table([
      (["fadeIn", "fadeOut"], .advice("Did you mean \"fade\"? It is how long a title fades in, and out again."))
    ]),
    "animation": table([(["keyframes", "keyFrames"], .advice("Did you mean \"values\" with \"keyTimes\"?"))]),
  ]

  private static let ofClip = table([
    (["noAudio", "noSound"], .advice("Write audio: false.")), (["noVideo"], .advice("Write video: false.")),
    (
      ["mask", "matte"],
      .advice(
        "Give an effect a mask: effects: [{ use: …, mask: { … } }]. An instruction with the compositor builtin.mask shows a clip through "
          + "another one.")
    ),
    (
      ["blendMode", "blend", "mixBlendMode"],
      .advice("Write an instruction with both layers, compositor: \"builtin.blend\" and parameters: { mode: … }.")
    ),
  ])

  private static let ofTrack = table([
    (["effects", "opacity", "transform", "crop", "fit"], .advice("Clips have it: write it in each clip of the track."))
  ])

  private static let ofTransform = table([
    (["rotationZ", "rotateZ", "rotate", "angle"], .key("rotation")),
    (["scaleX"], .advice("Did you mean \"scale\" with both sides, such as [0.5, 1]?")),
    (["scaleY"], .advice("Did you mean \"scale\" with both sides, such as [1, 0.5]?")),
    (["translationX", "translateX"], .advice("Did you mean \"x\"? It is where the center is, not how far it moves.")),
    (["translationY", "translateY"], .advice("Did you mean \"y\"? It is where the center is, not how far it moves.")),
  ])

  // Names of CSS.
  private static let ofLayout = table([
    (["minWidth"], .key("minimumWidth")), (["maxWidth"], .key("maximumWidth")), (["minHeight"], .key("minimumHeight")),
    (["maxHeight"], .key("maximumHeight")), (["flexGrow"], .key("grow")), (["flexShrink"], .key("shrink")),
    (["flexBasis"], .key("basis")),
  ])

  // Names of design programs and of SVG.
  private static let ofPath = table([
    (["unite", "add", "merge"], .key("union")), (["intersect"], .key("intersection")),
    (["subtract", "minus"], .key("difference")),
    (["exclude", "xor"], .key("exclusion")), (["rectangle"], .key("rect")),
  ])

  private static let ofTitleLayer = table([
    (
      ["boxShadow", "textShadow", "dropShadow", "innerShadow"],
      .advice("Did you mean \"shadows\", such as [{ offset: [0, 4], radius: 6, opacity: 0.5 }]?")
    ),
    (["backdropFilter"], .key("backdropFilters")), (["filter"], .key("filters")),
    (["glow"], .advice("Did you mean filters: { glowRadius: … }, or a bright one of \"shadows\"?")),
    (["blur", "blurRadius"], .advice("Write filters: { blurRadius: … }.")),
  ])

  private static let ofLayerFilters = table([
    (["blur"], .key("blurRadius")), (["glow"], .key("glowRadius")), (["hue", "hueRotate"], .key("hueRotation")),
    (["saturate"], .key("saturation")),
  ])

  /// What to write for a shutter angle.
  static let exposureAdvice = "Write exposure, how long the shutter is open: at 25 frames a second, 180 degrees are \"20ms\"."

  private static let ofMotionBlur = table([
    (["shutterAngle", "shutter", "angle"], .advice(exposureAdvice)),
    (["sampleCount", "count"], .key("samples")),
  ])

  private static let ofLayerShadow = table([
    (["shadowColor"], .key("color")), (["shadowOpacity"], .key("opacity")), (["shadowOffset"], .key("offset")),
    (["shadowRadius", "blur", "blurRadius", "sigma"], .key("radius")), (["inset", "inner"], .key("isInner")),
  ])

  private static let ofFlex = table([
    (["flexDirection"], .key("direction")),
    (["wrap", "flexWrap"], .advice("Write wraps: true if what doesn't fit begins another row or column.")),
    (
      ["rowGap", "columnGap"],
      .advice("Write gap for the space between neighbors, and lineGap for that between rows or columns that wrap.")
    ),
  ])

  private static let ofCrop = table([
    (
      ["left", "right", "top", "bottom"],
      .advice("Write the part that is shown, in pixels from the top left corner: x, y, width and height.")
    )
  ])

  /// Keys that are meant so unless they are a misspelling of one of the object's own.
  private static let likely: [String: [String: Meaning]] = [
    // A clip has two starts: on the timeline, and in its media.
    "clip": table([
      (
        ["start", "from", "begin", "beginTime", "startTime", "offset"],
        .advice("Did you mean \"at\" (when it starts in the movie) or \"in\" (where it starts in its media)?")
      )
    ]),
    "project": outputKeys.mapValues { .advice("Did you mean \"\($0)\" in \"output\"?") },
    "output": encodingKeys.mapValues { .advice("\($0.key) belongs in \"\($0.object)\": \($0.object): { \($0.key): … }.") },
  ]

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

  /// Keys that accept the same value as others that are written instead, in every object that has them.
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
}
