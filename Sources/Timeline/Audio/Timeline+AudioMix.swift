import CompositorAPI

extension Timeline {
  /// The mix of the composition tracks that contain the timeline's audio.
  ///
  /// - Throws: `.invalidValue`, located at the key, if a value is invalid or a track doesn't exist.
  func audioMix(of tracks: TimelineTracks) throws(CompositorError) -> AudioMix {
    var mix = AudioMix(inputParameters: tracks.audioParameters)
    let range = ExactRange(.zero, tracks.end)
    if range.start < range.end { try masterVolume(over: range).write(to: &mix.volume, over: range) }
    mix.processors = audio.effects
    mix.loudness = audio.loudness
    mix.limiting = audio.limiting
    mix.downmix = audio.downmix
    if let target = audio.loudness?.integrated, !(-70...(-5)).contains(target) {
      throw CompositorError(
        .invalidValue, "A loudness of \(target) LUFS is not possible.",
        recoverySuggestion: "Use -70 to -5: -23 for broadcast, -14 for the web.", at: ErrorLocation(path: "audio.loudness"))
    }
    if case .on(let ceiling) = audio.limiting, !(-20...0).contains(ceiling) {
      throw CompositorError(
        .invalidValue, "A ceiling of \(ceiling) dBTP is not possible.", recoverySuggestion: "Use -20 to 0.",
        at: ErrorLocation(path: "audio.limiter"))
    }
    for index in self.tracks.indices {
      if let ducking = try ducking(by: index, tracks) { mix.ducking.append(ducking) }
    }
    return mix
  }

  private func masterVolume(over range: ExactRange) throws(CompositorError) -> Automation {
    let volume = try Automation.located("audio.volume") { () throws(CompositorError) in
      try AutomationCurve(
        audio.isMuted ? .constant(0) : audio.volume, from: .zero, limits: Automation.gains, name: "volume")
    }
    let fades = Fades(audio.fadeIn, audio.fadeOut, over: range, of: "timeline", path: "audio")
    return Automation([volume] + (try fades.curves()), .product)
  }

  /// The ducking triggered by a track; `nil` if it lowers nothing, or plays nothing.
  private func ducking(by index: Int, _ placed: TimelineTracks) throws(CompositorError) -> AudioDucking? {
    guard let written = tracks[index].audio.ducking else { return nil }
    let path = "tracks[\(index)].duck"
    try written.check(path)
    var lowered: Set<TrackID> = []
    for other in try loweredTracks(written, by: index, path) { lowered.formUnion(placed.soundingTrackIDs(ofTrack: other)) }
    let triggers = Set(placed.soundingTrackIDs(ofTrack: index))
    guard !triggers.isEmpty, !lowered.isEmpty else { return nil }
    var ducking = AudioDucking(triggerTracks: triggers, loweredTracks: lowered)
    ducking.trigger = written.trigger
    ducking.reduction = written.reduction
    ducking.attack = written.attack
    ducking.hold = written.hold
    ducking.release = written.release
    return ducking
  }

  private func loweredTracks(
    _ ducking: TrackDucking, by index: Int, _ path: String
  ) throws(CompositorError) -> [Int] {
    guard let names = ducking.tracks else { return tracks.indices.filter { $0 != index } }
    var result: [Int] = []
    for (position, name) in names.enumerated() {
      let place = ErrorLocation(path: "\(path).tracks[\(position)]")
      guard let other = tracks.firstIndex(where: { $0.name == name }) else {
        throw CompositorError(
          .invalidValue, "There is no track \(quoted(name)).",
          recoverySuggestion: recoverySuggestion(for: name, among: tracks.compactMap(\.name)), at: place)
      }
      guard other != index else {
        throw CompositorError(
          .invalidValue, "The track \(quoted(name)) cannot lower itself.", recoverySuggestion: "Name other tracks.", at: place)
      }
      result.append(other)
    }
    return result
  }
}

extension TrackDucking {
  /// - Throws: `.invalidValue` if a number or time is invalid.
  fileprivate func check(_ path: String) throws(CompositorError) {
    func fail(_ key: String, _ message: String, _ suggestion: String) -> CompositorError {
      CompositorError(
        .invalidValue, message, recoverySuggestion: suggestion, at: ErrorLocation(path: "\(path).\(key)"))
    }
    guard reduction > 0, reduction <= 120 else {
      throw fail("by", "Lowering by \(reduction) dB is not possible.", "Use more than 0 dB, and at most 120 dB.")
    }
    if case .level(let threshold) = trigger, !(-120...0).contains(threshold) {
      throw fail("threshold", "A threshold of \(threshold) dBFS is not possible.", "Use -120 to 0.")
    }
    for (key, time) in [("attack", attack), ("hold", hold), ("release", release)] {
      guard time.isNumeric, time >= .zero, time <= .seconds(600) else {
        throw fail(key, "A time of \(time.readable) is not possible.", "Use 0 to 600 seconds.")
      }
    }
  }
}
