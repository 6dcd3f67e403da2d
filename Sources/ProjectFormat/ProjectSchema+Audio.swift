import CompositorAPI
import CompositorTimeline

/// What triggers ducking, by name.
enum DuckingTriggerName: String, CaseIterable {
  case sounding, clips
}

extension ProjectSchema {
  /// How far a track may lower others, in dB.
  static let duckingRange = 0.1...120.0
  /// Levels that trigger ducking, in dBFS.
  static let thresholdRange = -120.0...0
  /// Ceilings of the limiter, in dBTP.
  static let ceilingRange = -20.0...0
  /// How often a clip can loop.
  static let loopRange = 1...100_000

  private static let volumeShape = ValueShape.any([.gain, .list(.object("volumeKeyframe"), minimum: 1)])
  private static let fadeShape = ValueShape.any([.time, .object("audioFade")])

  /// Keys that clips, tracks and the output share.
  private static func common(_ owner: String, _ times: String) -> [KeyShape] {
    [
      KeyShape(
        "volume", volumeShape,
        "The \(owner)'s level: \"-6dB\", or linear gain from 0 to 16, or keyframes, whose times count from \(times); by default 1."
      ),
      KeyShape(
        "fadeIn", fadeShape, "How the \(owner)'s audio comes in: a time, or an object with a curve; by default at once."),
      KeyShape(
        "fadeOut", fadeShape, "How the \(owner)'s audio goes out: a time, or an object with a curve; by default at once."),
      KeyShape("mute", .bool, "Whether the \(owner)'s audio is silent; by default false."),
    ]
  }

  private static func pan(_ owner: String) -> KeyShape {
    KeyShape(
      "pan", .any([.number(-1...1), .list(.object("panKeyframe"), minimum: 1)]),
      "Where the \(owner)'s audio stands: -1 left, 0 middle, 1 right, or keyframes; by default 0.")
  }

  private static func effects(_ key: String, _ owner: String) -> KeyShape {
    KeyShape(key, .list(.object("audioEffectUse")), "What is done to the \(owner)'s samples, in this order.")
  }

  /// The audio of a clip.
  static let clipAudioKeys =
    common("clip", "the clip's start") + [
      pan("clip"), effects("audioEffects", "clip"),
      KeyShape(
        "loop", .any([.bool, .integer(loopRange)]),
        "Whether the media plays again and again until the duration is over, or how often it plays; by default once."),
    ]

  /// The audio of a track.
  static let trackAudioKeys =
    common("track", "the timeline's start") + [
      pan("track"), effects("audioEffects", "track"),
      KeyShape("duck", .object("duck"), "Which tracks it lowers while it is heard: music under speech."),
    ]

  /// The audio of the whole.
  static let outputAudioKeys =
    common("movie", "the timeline's start") + [
      effects("effects", "mix"),
      KeyShape("loudness", .loudness, "What the whole is brought to, in LUFS, such as -14; by default it is left as it is."),
      KeyShape(
        "limiter", .any([.bool, .object("limiter")]),
        "Whether peaks are kept below full scale; by default for integers and lossy codecs."),
      KeyShape(
        "downmix", .words(AudioDownmix.self),
        "How 5.1 and 7.1 become fewer channels: at full level (standard, the default), or lowered so that nothing can clip (normalized)."
      ),
    ]

  /// Objects of the keys above.
  static func audioShapes(_ time: KeyShape, _ easing: KeyShape) -> [ObjectShape] {
    [
      ObjectShape(
        "volumeKeyframe", "a volume at a time",
        [time, KeyShape("value", .gain, required: true, "\"-6dB\", or linear gain from 0 to 16."), easing]),
      ObjectShape(
        "panKeyframe", "a position between the loudspeakers at a time",
        [time, KeyShape("value", .number(-1...1), required: true, "-1 left, 0 middle, 1 right."), easing]),
      ObjectShape(
        "audioFade", "a fade",
        [
          KeyShape("duration", .time, required: true, "How long it takes."),
          KeyShape(
            "easing", .any([.choice(["equal-power"]), .easing]),
            "How its gain moves: equal-power (a quarter of a sine), or \(Easing.examples); by default linear."),
        ]),
      ObjectShape(
        "audioEffectUse", "an audio effect in use",
        [
          KeyShape("use", .text, required: true, "The effect, such as \"avfilter.aecho\". Other keys are its parameters."),
          KeyShape("parameters", .map(.parameter), "Its parameters, in place of other keys."),
        ], others: .parameter),
      ObjectShape(
        "duck", "how a track lowers others",
        [
          KeyShape("tracks", .list(.text, minimum: 1), "Names of the tracks that are lowered; by default all others."),
          KeyShape("by", .decibels(duckingRange), "How far; by default \"12dB\"."),
          KeyShape(
            "while", .words(DuckingTriggerName.self),
            "When: while the track's audio is above the threshold (sounding, the default), or while its clips play, loud or not (clips)."
          ),
          KeyShape("threshold", .decibels(thresholdRange), "The level that counts as sounding; by default \"-40dB\"."),
          KeyShape("attack", .time, "How long it takes to lower; by default 0.2s."),
          KeyShape("hold", .time, "How long it stays low after the track falls silent; by default 0.5s."),
          KeyShape("release", .time, "How long it takes to come back; by default 0.8s."),
        ]),
      ObjectShape(
        "limiter", "what keeps peaks below full scale",
        [KeyShape("ceiling", .decibels(ceilingRange), "The highest true peak, in dBTP; by default \"-1dB\".")]),
    ]
  }
}
