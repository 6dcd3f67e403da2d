import CompositorAPI
import CompositorPlugins
import CompositorTimeline

/// The audio of clips, tracks and the output.
extension TimelineReader {
  /// Reads the audio keys of a clip.
  func readAudio(_ object: ProjectObject, into clip: inout TimelineClip) throws(CompositorError) {
    clip.volume = try object.read("volume", volume) ?? .constant(1)
    clip.fadeIn = try object.read("fadeIn", fade)
    clip.fadeOut = try object.read("fadeOut", fade)
    clip.pan = try object.read("pan", pan) ?? .constant(0)
    if try object.bool("mute") == true { clip.audio = .muted }
    clip.channels = try object.read("channels", channels)
    clip.audioEffects = try object.list("audioEffects", audioEffect) ?? []
    clip.loop = try object.read("loop", loop) ?? nil
  }

  /// Which audio track of media plays.
  func audioTrack(_ value: ProjectValue) throws(CompositorError) -> AudioTrackChoice {
    guard value.isWord else { return .index(try value.integer()) }
    let text = try value.string()
    return try value.placing { () throws(CompositorError) in try AudioTrackChoice(text) }
  }

  /// Reads the audio tracks of the output.
  func outputAudioTracks(
    _ project: ProjectObject, _ tracks: [TimelineTrack]
  ) throws(CompositorError) -> [TimelineAudioTrack] {
    let output = try project.read("output") { value throws(CompositorError) in try value.object(ProjectSchema.shape("output")) }
    guard let list = output?["audioTracks"] else { return [] }
    if let audio = output?["audio"], audio.isBool, try !audio.bool() {
      throw list.error("\"audio\" is false, so the output has no audio tracks.", recoverySuggestion: "Keep one of the two.")
    }
    let read = try output?.list("audioTracks") { value throws(CompositorError) in
      let object = try value.object(ProjectSchema.shape("outputAudioTrack"))
      let named = try object.list("tracks") { item throws(CompositorError) in try track(item, of: tracks) }
      return TimelineAudioTrack(
        try object.read("from", audioTrack), tracks: named.map { Set($0) }, language: try object.language("language"),
        title: try object.string("title"), isDefault: try object.bool("default") ?? false)
    }
    guard let read, !read.isEmpty else {
      throw list.error(
        "The output needs an audio track.", recoverySuggestion: "Add one, or write audio: false for a silent movie.")
    }
    guard read.count(where: \.isDefault) <= 1 else {
      throw list.error("More than one audio track is the default.", recoverySuggestion: "Write default: true for one of them.")
    }
    return read
  }

  func trackAudio(_ object: ProjectObject) throws(CompositorError) -> TrackAudio {
    var audio = TrackAudio()
    audio.volume = try object.read("volume", volume) ?? .constant(1)
    audio.fadeIn = try object.read("fadeIn", fade)
    audio.fadeOut = try object.read("fadeOut", fade)
    audio.pan = try object.read("pan", pan) ?? .constant(0)
    audio.isMuted = try object.bool("mute") ?? false
    audio.channels = try object.read("channels", channels) ?? .all
    audio.effects = try object.list("audioEffects", audioEffect) ?? []
    audio.ducking = try object.read("duck", ducking)
    return audio
  }

  /// Reads the mix settings of `output.audio`. Its encoding settings are read elsewhere.
  func outputAudio(_ project: ProjectObject) throws(CompositorError) -> TimelineAudio {
    var audio = TimelineAudio()
    let output = try project.read("output") { value throws(CompositorError) in try value.object(ProjectSchema.shape("output")) }
    guard let value = output?["audio"], !value.isBool else { return audio }
    let object = try value.object(ProjectSchema.shape("audio"))
    audio.volume = try object.read("volume", volume) ?? .constant(1)
    audio.fadeIn = try object.read("fadeIn", fade)
    audio.fadeOut = try object.read("fadeOut", fade)
    audio.isMuted = try object.bool("mute") ?? false
    audio.effects = try object.list("effects", audioEffect) ?? []
    audio.loudness = try object.read("loudness") { value throws(CompositorError) in
      LoudnessTarget(integrated: try value.loudness())
    }
    audio.limiting = try object.read("limiter", limiter) ?? .automatic
    audio.downmix = try object.choice("downmix", AudioDownmix.self) ?? .standard
    return audio
  }

  private func volume(_ value: ProjectValue) throws(CompositorError) -> Animated<Double> {
    guard value.isList else { return .constant(try value.gain()) }
    return try keyframes(value, ProjectSchema.shape("volumeKeyframe")) { object, _ throws(CompositorError) in
      try object.required("value").gain()
    }
  }

  private func pan(_ value: ProjectValue) throws(CompositorError) -> Animated<Double> {
    guard value.isList else { return .constant(try value.number()) }
    return try keyframes(value, ProjectSchema.shape("panKeyframe")) { object, _ throws(CompositorError) in
      try object.required("value").number()
    }
  }

  private func channels(_ value: ProjectValue) throws(CompositorError) -> AudioChannels {
    if value.isList {
      let indices = try value.list().map { item throws(CompositorError) in try item.integer() }
      guard (1...8).contains(indices.count) else {
        throw value.error("\(indices.count) channels cannot be chosen.", recoverySuggestion: "List 1 to 8 channels.")
      }
      return .only(indices)
    }
    guard value.isWord else { return .only([try value.integer()]) }
    let word = try value.string()
    let words = AudioChannels.words
    guard let channels = words.first(where: { $0.word == word })?.value else {
      throw value.error("\(quoted(word)) is not a value of \"channels\".", for: word, among: words.map(\.word))
    }
    return channels
  }

  private func fade(_ value: ProjectValue) throws(CompositorError) -> AudioFade {
    guard value.isObject else { return AudioFade(try time(value)) }
    let object = try value.object(ProjectSchema.shape("audioFade"))
    let duration = try time(try object.required("duration"))
    let curve = try object.read("easing") { value throws(CompositorError) -> AudioFadeCurve in
      if value.isText, try value.string() == "equal-power" { return .equalPower }
      return .easing(try value.decoded(as: Easing.self))
    }
    return AudioFade(duration, curve: curve ?? .linear)
  }

  func loop(_ value: ProjectValue) throws(CompositorError) -> ClipLoop? {
    if value.isBool { return try value.bool() ? .untilEnd : nil }
    guard !value.isWord else {
      throw value.mismatch(
        "true, or a number of times", advice: "Write loop: true to repeat until the end, or a number such as 3.")
    }
    return .count(try value.integer())
  }

  private func limiter(_ value: ProjectValue) throws(CompositorError) -> AudioLimiting {
    if value.isBool { return try value.bool() ? .on(ceiling: -1) : .off }
    let object = try value.object(ProjectSchema.shape("limiter"))
    return .on(ceiling: try object["ceiling"]?.decibels(ProjectSchema.ceilingRange) ?? -1)
  }

  private func ducking(_ value: ProjectValue) throws(CompositorError) -> TrackDucking {
    let object = try value.object(ProjectSchema.shape("duck"))
    var ducking = TrackDucking()
    ducking.tracks = try object.list("tracks") { value throws(CompositorError) in try value.string() }
    if let tracks = object["tracks"], ducking.tracks?.isEmpty == true {
      throw tracks.error("The list of tracks is empty.", recoverySuggestion: "Leave it away to lower all others.")
    }
    ducking.reduction = try object["by"]?.decibels(ProjectSchema.duckingRange) ?? ducking.reduction
    let trigger = try object.choice("while", DuckingTriggerName.self) ?? .sounding
    let threshold = try object["threshold"]?.decibels(ProjectSchema.thresholdRange)
    switch trigger {
    case .sounding: ducking.trigger = .level(threshold ?? -40)
    case .clips:
      if let place = object["threshold"] {
        throw place.error(
          "A threshold means nothing while clips play, loud or not.",
          recoverySuggestion: "Remove it, or write while: \"sounding\".")
      }
      ducking.trigger = .segments
    }
    ducking.attack = try object.read("attack", time) ?? ducking.attack
    ducking.hold = try object.read("hold", time) ?? ducking.hold
    ducking.release = try object.read("release", time) ?? ducking.release
    return ducking
  }

  private func audioEffect(_ value: ProjectValue) throws(CompositorError) -> AudioProcessorUse {
    let object = try value.object(ProjectSchema.shape("audioEffectUse"))
    let place = try object.required("use")
    let name = try place.string()
    guard !name.isEmpty else {
      throw place.error("An audio effect has a name.", recoverySuggestion: "Write one such as \"avfilter.aecho\".")
    }
    var use = AudioProcessorUse(AudioProcessorID(rawValue: name))
    place.notes?.use(use.processor)
    let parameters = (registry ?? .builtIn).audioProcessor(use.processor)?.descriptor.parameters ?? []
    // Variables are converted to the types of the parameters. Validation checks whether the values fit.
    func read(_ key: String, _ value: ProjectValue) throws(CompositorError) {
      let kind = parameters.first { $0.key == key }?.kind
      let settled = if let kind { try value.settled(as: kind) } else { value }
      use.parameters[key] = try settled.parameter()
    }
    for (key, value) in try object["parameters"]?.map() ?? [] { try read(key, value) }
    for (member, value) in object.others {
      guard use.parameters[member.key] == nil else {
        throw value.error("The parameter \(quoted(member.key)) appears twice.", recoverySuggestion: "Keep one of them.")
      }
      try read(member.key, value)
    }
    return use
  }
}
