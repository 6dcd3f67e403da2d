import CompositorAPI
import CompositorTimeline

/// Names of ducking triggers.
enum DuckingTriggerName: String, CaseIterable {
  case sounding, clips
}

extension ProjectSchema {
  /// The valid amounts by which tracks are lowered, in dB.
  static let duckingRange = 0.1...120.0
  /// The valid levels that trigger ducking, in dBFS.
  static let thresholdRange = -120.0...0
  /// The valid ceilings of the limiter, in dBTP.
  static let ceilingRange = -20.0...0
  /// The valid numbers of passes of a loop.
  static let loopRange = 1...100_000

  /// An audio track of media.
  static let audioTrackShape = ValueShape.any([.integer(0...255), .text])
  static let audioTrackWords = "its index, its language (deu), default, mix (all of them as one) or mix:0,2"

  private static let volumeShape = ValueShape.any([.gain, .list(.object("volumeKeyframe"), minimum: 1)])
  private static let fadeShape = ValueShape.any([.time, .object("audioFade")])

  /// Keys shared by clips, tracks and the output.
  private static func common(_ owner: String, _ times: String) -> [KeyShape] {
    [
      KeyShape(
        "volume", volumeShape,
        "The \(owner)'s volume: \"-6dB\", a linear gain from 0 to 16, or keyframes with times relative to \(times); by default 1."
      ),
      KeyShape(
        "fadeIn", fadeShape, "The fade-in of the \(owner)'s audio: a time, or an object with a curve; by default at once."),
      KeyShape(
        "fadeOut", fadeShape, "The fade-out of the \(owner)'s audio: a time, or an object with a curve; by default at once."),
      KeyShape("mute", .bool, "Whether the \(owner)'s audio is silent; by default false."),
    ]
  }

  private static func pan(_ owner: String) -> KeyShape {
    KeyShape(
      "pan", .any([.number(-1...1), .list(.object("panKeyframe"), minimum: 1)]),
      "The pan position of the \(owner)'s audio: -1 left, 0 center, 1 right, or keyframes; by default 0.")
  }

  private static func channels(_ owner: String) -> KeyShape {
    KeyShape(
      "channels",
      .any([
        .choice(AudioChannels.words.map(\.word)), .integer(AudioChannels.indices),
        .list(.integer(AudioChannels.indices), minimum: 1, maximum: 8),
      ]),
      "The channels of the media that are heard of the \(owner), at full level: a side, or indices from 0; by default \(owner == "track" ? "all" : "the track's")."
    )
  }

  private static func effects(_ key: String, _ owner: String) -> KeyShape {
    KeyShape(key, .list(.object("audioEffectUse")), "The audio effects of the \(owner), in order.")
  }

  /// Keys for the audio of a clip.
  static let clipAudioKeys =
    common("clip", "the clip's start") + [
      pan("clip"), channels("clip"), effects("audioEffects", "clip"),
      KeyShape(
        "loop", .any([.bool, .integer(loopRange)]),
        "Whether the media loops until the end of the clip, or how often it plays; by default once."),
    ]

  /// Keys for the audio of a track.
  static let trackAudioKeys =
    common("track", "the timeline's start") + [
      pan("track"), channels("track"), effects("audioEffects", "track"),
      KeyShape("duck", .object("duck"), "Lowers other tracks while this one is heard, such as music under speech."),
    ]

  /// Keys for the audio of the output.
  static let outputAudioKeys =
    common("movie", "the timeline's start") + [
      effects("effects", "mix"),
      KeyShape(
        "loudness", .loudness, "The loudness to normalize the mix to, in LUFS, such as -14; by default it is left as it is."),
      KeyShape(
        "limiter", .any([.bool, .object("limiter")]),
        "The limiter that keeps peaks below full scale; by default for integers and lossy codecs."),
      KeyShape(
        "downmix", .words(AudioDownmix.self),
        "How 5.1 and 7.1 are reduced to fewer channels: at full level (standard, the default), or lowered so that nothing can clip (normalized)."
      ),
    ]

  private static let outputAudioTrackShape = ObjectShape(
    "outputAudioTrack", "an audio track of the output",
    [
      KeyShape(
        "from", audioTrackShape,
        "The audio track that media with several play in it: \(audioTrackWords); by default the one that the clip chooses."),
      KeyShape(
        "tracks", .list(.any([.text, .integer(0...65535)]), minimum: 1),
        "The tracks that are mixed, by name or index from 0; by default all."),
      KeyShape("language", .text, "The language, such as de; by default that of the media."),
      KeyShape("title", .text, "The title that players show."),
      KeyShape("default", .bool, "Whether players choose it by default; by default the first track is chosen."),
    ])

  private static let duckShape = ObjectShape(
    "duck", "how a track lowers others",
    [
      KeyShape("tracks", .list(.text, minimum: 1), "Names of the tracks that are lowered; by default all others."),
      KeyShape("by", .decibels(duckingRange), "The amount by which they are lowered; by default \"12dB\"."),
      KeyShape(
        "while", .words(DuckingTriggerName.self),
        "The trigger: the track's audio is above the threshold (sounding, the default), or one of its clips plays, loud or not (clips)."
      ),
      KeyShape("threshold", .decibels(thresholdRange), "The threshold of sounding; by default \"-40dB\"."),
      KeyShape("attack", .time, "The time to lower the tracks; by default 0.2s."),
      KeyShape("hold", .time, "The time that they stay lowered after the track falls silent; by default 0.5s."),
      KeyShape("release", .time, "The time to restore the volume; by default 0.8s."),
    ])

  /// The objects that are values of the keys above.
  static func audioShapes(_ time: KeyShape, _ easing: KeyShape) -> [ObjectShape] {
    [
      ObjectShape(
        "volumeKeyframe", "a volume at a time",
        [time, KeyShape("value", .gain, required: true, "\"-6dB\", or linear gain from 0 to 16."), easing]),
      ObjectShape(
        "panKeyframe", "a position between the loudspeakers at a time",
        [time, KeyShape("value", .number(-1...1), required: true, "-1 left, 0 center, 1 right."), easing]),
      ObjectShape(
        "audioFade", "a fade",
        [
          KeyShape("duration", .time, required: true, "The duration."),
          KeyShape(
            "easing", .any([.choice(["equal-power"]), .easing]),
            "The curve of its gain: equal-power (a quarter of a sine), or \(Easing.examples); by default linear."),
        ]),
      outputAudioTrackShape,
      ObjectShape(
        "audioEffectUse", "an audio effect in use",
        [
          KeyShape("use", .text, required: true, "The effect, such as \"avfilter.aecho\". Other keys are its parameters."),
          KeyShape("parameters", .map(.parameter), "Its parameters, instead of other keys."),
        ], others: .parameter),
      duckShape,
      ObjectShape(
        "limiter", "the limiter",
        [KeyShape("ceiling", .decibels(ceilingRange), "The maximum true peak, in dBTP; by default \"-1dB\".")]),
    ]
  }
}
