import CompositorAPI

/// Checks that an audio mix refers to audio tracks and that its values are valid.
enum AudioChecks {
  static func run(_ edit: Edit, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let mix = edit.audioMix
    var known: Set<TrackID> = []
    for (index, parameters) in mix.inputParameters.enumerated() {
      let (path, trackID) = ("audioMix.inputParameters[\(index)]", parameters.trackID)
      if edit.composition.track(trackID)?.mediaType != .audio {
        try diagnostics.add(
          ValidationDiagnostic(
            .invalidVolume, "A volume is set for \(Named.track(trackID)), which is not an audio track of the composition.",
            track: trackID,
            recoverySuggestion: "Name an audio track.", path: path + ".trackID"))
      }
      if !known.insert(trackID).inserted {
        try diagnostics.add(
          ValidationDiagnostic(
            .invalidVolume, severity: .warning,
            "\(Named.track(trackID).capitalizedName) has a second volume, which is ignored.", track: trackID,
            recoverySuggestion: "Give each track one.", path: path))
      }
      try check(parameters.volume, "volume of \(Named.track(trackID))", trackID, path + ".volume", into: &diagnostics)
      try checkPan(parameters.pan, trackID, path + ".pan", into: &diagnostics)
    }
    try check(mix.volume, "volume of the mix", nil, "audioMix.volume", into: &diagnostics)
    for (index, ducking) in mix.ducking.enumerated() {
      try check(ducking, "audioMix.ducking[\(index)]", edit.composition, into: &diagnostics)
    }
    try checkLevels(mix, into: &diagnostics)
    try checkOutputs(edit, into: &diagnostics)
  }

  /// Checks the audio tracks of the output.
  private static func checkOutputs(_ edit: Edit, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    for (index, output) in edit.audioTracks.enumerated() {
      for trackID in output.trackIDs.sorted() where edit.composition.track(trackID)?.mediaType != .audio {
        try diagnostics.add(
          ValidationDiagnostic(
            .invalidVolume,
            "Audio track \(index) of the output mixes track \(trackID), which is not an audio track of the composition.",
            track: trackID, recoverySuggestion: "Name audio tracks.", path: "audioTracks[\(index)].trackIDs"))
      }
    }
    let hasAudio = edit.composition.tracks(.audio).contains { !$0.segments.allSatisfy(\.isEmpty) }
    for (index, output) in edit.audioTracks.enumerated() where output.trackIDs.isEmpty {
      let one = edit.audioTracks.count == 1
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidVolume, severity: .warning,
          "Audio track \(index) of the output mixes tracks without audio: \(one ? "the output" : "it") is silent.",
          recoverySuggestion: hasAudio
            ? "Name tracks whose clips have audio, or remove it." : "Add a clip with audio, or remove it.",
          path: "audioTracks[\(index)]"))
    }
    guard edit.audioTracks.count(where: \.isDefault) > 1 else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .invalidVolume, "More than one audio track of the output is the default.",
        recoverySuggestion: "Set it for one of them.",
        path: "audioTracks"))
  }

  private static func check(
    _ volume: PropertyTimeline<Double>, _ name: String, _ trackID: TrackID?, _ path: String,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard let (gain, time) = firstValue(in: volume, where: { !($0 >= 0 && $0.isFinite) }) else { return }
    let place = time.map { " at \($0.readable)" } ?? ""
    try diagnostics.add(
      ValidationDiagnostic(
        .invalidVolume, "The \(name)\(place) is \(gain).", track: trackID, foundTime: time,
        recoverySuggestion: "Give a linear gain of 0 or more; 1 leaves the audio as it is.", path: path))
  }

  private static func checkPan(
    _ pan: PropertyTimeline<Double>, _ trackID: TrackID, _ path: String, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard let (value, time) = firstValue(in: pan, where: { !($0 >= -1 && $0 <= 1) }) else { return }
    let place = time.map { " at \($0.readable)" } ?? ""
    try diagnostics.add(
      ValidationDiagnostic(
        .invalidVolume, "The pan of \(Named.track(trackID))\(place) is \(value).", track: trackID, foundTime: time,
        recoverySuggestion: "Give −1 (left) to 1 (right); 0 leaves the audio as it is.", path: path))
  }

  /// The first invalid value and its time.
  private static func firstValue(
    in timeline: PropertyTimeline<Double>, where isMistaken: (Double) -> Bool
  ) -> (value: Double, time: MediaTime?)? {
    if isMistaken(timeline.defaultValue) { return (timeline.defaultValue, nil) }
    for ramp in timeline.ramps {
      if isMistaken(ramp.start) { return (ramp.start, ramp.timeRange.start) }
      if isMistaken(ramp.end) { return (ramp.end, ramp.timeRange.end) }
    }
    return nil
  }

  private static func check(
    _ ducking: AudioDucking, _ path: String, _ composition: Composition, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    func add(_ message: String, _ key: String, _ suggestion: String, track: TrackID? = nil) throws(ValidationStopped) {
      try diagnostics.add(
        ValidationDiagnostic(.invalidVolume, message, track: track, recoverySuggestion: suggestion, path: "\(path).\(key)"))
    }
    for (tracks, key) in [(ducking.triggerTracks, "triggerTracks"), (ducking.loweredTracks, "loweredTracks")] {
      for trackID in tracks.sorted() where composition.track(trackID)?.mediaType != .audio {
        let message = "Ducking names \(Named.track(trackID)), which is not an audio track of the composition."
        try add(message, key, "Name an audio track.", track: trackID)
      }
      if tracks.isEmpty { try add("Ducking has no \(key).", key, "Name the tracks that lower, and those that are lowered.") }
    }
    if let both = ducking.triggerTracks.intersection(ducking.loweredTracks).min() {
      try add(
        "Ducking lowers \(Named.track(both)) while that track is heard.", "loweredTracks", "Let other tracks lower it.",
        track: both)
    }
    if !(ducking.reduction > 0 && ducking.reduction <= 120) {
      try add("Ducking lowers by \(ducking.reduction) dB.", "reduction", "Give a number of decibels above 0, at most 120.")
    }
    if case .level(let level) = ducking.trigger, !(level >= -120 && level <= 0) {
      try add("Ducking begins at a level of \(level) dBFS.", "trigger", "Give −120 to 0 dBFS; −40 is usual for speech.")
    }
    for (time, key) in [(ducking.attack, "attack"), (ducking.hold, "hold"), (ducking.release, "release")]
    where !(time.isNumeric && time >= .zero && time <= .seconds(600)) {
      try add("The \(key) of ducking is \(time.readable).", key, "Give a time of 0 to 600 s.")
    }
  }

  private static func checkLevels(_ mix: AudioMix, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    if let target = mix.loudness?.integrated, !(target >= -70 && target <= -5) {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidVolume, "The mix is to have a loudness of \(target) LUFS.",
          recoverySuggestion: "Give −70 to −5 LUFS: −23 for broadcast, −14 for the web.", path: "audioMix.loudness.integrated"))
    }
    if case .on(let ceiling) = mix.limiting, !(ceiling >= -20 && ceiling <= 0) {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidVolume, "The limiter has a ceiling of \(ceiling) dBTP.",
          recoverySuggestion: "Give −20 to 0 dBTP; −1 is usual for lossy codecs.", path: "audioMix.limiting"))
    }
  }
}
