import CompositorAPI

/// The audio of a timeline track: what plays when, and how loud, where and through what.
struct TrackMix {
  /// Pieces of media that are heard.
  private(set) var audible: [PlacedClip] = []
  private let audio: TrackAudio
  private var clips: [ClipMix] = []

  /// - Throws: `.invalidValue`, located at the clip's or the track's key, for volumes, positions and fades that are not possible.
  init(_ placed: [PlacedClip], _ audio: TrackAudio) throws(CompositorError) {
    self.audio = audio
    guard let first = placed.first, let last = placed.last else { return }
    let path = "tracks[\(first.track)]"
    let volume = try Automation.located(path + ".volume") { () throws(CompositorError) in
      try AutomationCurve(audio.volume, from: .zero, limits: Automation.gains, name: "volume")
    }
    let pan = try Automation.located(path + ".pan") { () throws(CompositorError) in
      try AutomationCurve(audio.pan, from: .zero, limits: Automation.positions, name: "pan")
    }
    let span = ExactRange(first.range.start, last.range.end)
    let fades = try Fades(audio.fadeIn, audio.fadeOut, over: span, of: "track", path: path).curves()
    for clip in placed {
      // Checked whether it is heard or not.
      let mix = try ClipMix(clip, trackVolume: [volume] + fades, trackPan: pan)
      guard !audio.isMuted else { continue }
      var parts: [PlacedClip] = []
      for pass in try clip.passes() {
        if let part = try pass.audible() { parts.append(part) }
      }
      guard !parts.isEmpty else { continue }
      audible += parts
      clips.append(mix)
    }
  }

  /// What the mix says of the composition track that holds a lane; nil where it plays as it is.
  func parameters(ofLane lane: Int, as trackID: TrackID) throws(CompositorError) -> AudioMixInputParameters? {
    var parameters = AudioMixInputParameters(trackID: trackID)
    let clips = clips.filter { $0.placed.lane == lane }
    for clip in clips {
      try clip.volume.write(to: &parameters.volume, over: clip.placed.range)
      try clip.pan.write(to: &parameters.pan, over: clip.placed.range)
      for effect in clip.placed.clip.audioEffects {
        var effect = effect
        effect.timeRange = try clip.placed.range.timeRange()
        parameters.processors.append(effect)
      }
    }
    parameters.processors += audio.effects
    let isPlain = parameters.volume.isConstant && parameters.pan.isConstant && parameters.processors.isEmpty
    return isPlain ? nil : parameters
  }
}

/// What is done to the audio of a clip.
private struct ClipMix {
  let placed: PlacedClip
  let volume: Automation
  let pan: Automation

  init(_ placed: PlacedClip, trackVolume: [AutomationCurve], trackPan: AutomationCurve) throws(CompositorError) {
    self.placed = placed
    let (clip, range) = (placed.clip, placed.range)
    let own = try Automation.located(placed.path + ".volume") { () throws(CompositorError) in
      try AutomationCurve(clip.volume, from: range.start, limits: Automation.gains, name: "volume")
    }
    let ownPan = try Automation.located(placed.path + ".pan") { () throws(CompositorError) in
      try AutomationCurve(clip.pan, from: range.start, limits: Automation.positions, name: "pan")
    }
    // Cutting on frames may shorten a clip by less than one; a fade of the written length then takes all of it.
    let written = try clip.duration.map { time throws(CompositorError) in try ExactTime(time) }
    let fades = Fades(clip.fadeIn, clip.fadeOut, over: range, writtenLength: written, of: "clip", path: placed.path)
    volume = Automation([own] + (try fades.curves()) + (try placed.crossFades()) + trackVolume, .product)
    pan = Automation([ownPan, trackPan], .sum(Automation.positions))
  }
}

extension PlacedClip {
  /// How its audio is handed over from the clip before and to the clip after.
  fileprivate func crossFades() throws(CompositorError) -> [AutomationCurve] {
    var curves: [AutomationCurve] = []
    if transitionInEnd > range.start, let curve = clip.transition?.audio.curve {
      curves.append(try AutomationCurve(curve, rising: true, over: ExactRange(range.start, transitionInEnd)))
    }
    if transitionOutStart < range.end, let curve = crossFadeOut.curve {
      curves.append(try AutomationCurve(curve, rising: false, over: ExactRange(transitionOutStart, range.end)))
    }
    return curves
  }
}

extension AudioCrossFade {
  /// Nil where nothing fades.
  fileprivate var curve: AudioFadeCurve? {
    switch self {
    case .equalPower: .equalPower
    case .linear: .linear
    case .none: nil
    }
  }
}

extension Automation {
  /// Linear gains that a volume may have.
  static let gains = 0.0...1000
  /// Positions between the loudspeakers.
  static let positions = -1.0...1.0

  /// The same error with its place.
  static func located<T>(
    _ path: String, _ body: () throws(CompositorError) -> T
  ) throws(CompositorError) -> T {
    do throws(CompositorError) {
      return try body()
    } catch {
      throw error.locating(ErrorLocation(path: path))
    }
  }
}
