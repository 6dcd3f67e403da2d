import CompositorAPI

/// The audio of a timeline track: its clips with audio, muted or not, with their volume, pan and processors.
struct TrackMix {
  /// The parts of clips that have audio.
  private(set) var audible: [PlacedClip] = []
  private let audio: TrackAudio
  private var clips: [ClipMix] = []

  /// - Throws: `.invalidValue`, located at the clip's or the track's key, if a volume, pan position or fade is invalid.
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
      // Checked whether or not it is audible.
      let mix = try ClipMix(clip, trackVolume: [volume] + fades, trackPan: pan)
      var parts: [PlacedClip] = []
      for pass in try clip.passes() {
        if let part = try pass.audible() { parts.append(part) }
      }
      guard !parts.isEmpty else { continue }
      audible += parts
      clips.append(mix)
    }
  }

  /// Whether a clip is silent without being read.
  func isMuted(_ clip: PlacedClip) -> Bool { audio.isMuted || clip.clip.audio == .muted }

  /// The mix parameters of the composition track for a lane; `nil` if it plays unchanged.
  func parameters(ofLane lane: Int, as trackID: TrackID) throws(CompositorError) -> AudioMixInputParameters? {
    var parameters = AudioMixInputParameters(trackID: trackID)
    let clips = clips.filter { $0.placed.lane == lane }
    if !clips.isEmpty, clips.allSatisfy({ isMuted($0.placed) }) { return nil }
    for clip in clips {
      if isMuted(clip.placed) {
        // What the track's processors still give of other clips is silent, too.
        if !audio.effects.isEmpty { try Automation.silence().write(to: &parameters.volume, over: clip.placed.range) }
        continue
      }
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

/// The audio settings of a clip.
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
    // Alignment to frames may shorten a clip by less than a frame; a fade of the specified duration then covers all of it.
    let written = try clip.duration.map { time throws(CompositorError) in try ExactTime(time) }
    let fades = Fades(clip.fadeIn, clip.fadeOut, over: range, writtenLength: written, of: "clip", path: placed.path)
    volume = Automation([own] + (try fades.curves()) + (try placed.crossFades()) + trackVolume, .product)
    pan = Automation([ownPan, trackPan], .sum(Automation.positions))
  }
}

extension PlacedClip {
  /// The cross-fades from the previous clip and to the next clip.
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
  /// `nil` if nothing fades.
  fileprivate var curve: AudioFadeCurve? {
    switch self {
    case .equalPower: .equalPower
    case .linear: .linear
    case .none: nil
    }
  }
}

extension Automation {
  /// The valid range of linear gains.
  static let gains = 0.0...1000
  /// The valid range of pan positions.
  static let positions = -1.0...1.0

  /// A volume of 0.
  static func silence() throws(CompositorError) -> Automation {
    Automation([try AutomationCurve(.constant(0), from: .zero, limits: gains, name: "volume")], .product)
  }

  /// Adds a location to errors.
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
