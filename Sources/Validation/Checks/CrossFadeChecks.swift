import CompositorAPI
import CompositorPlatform

/// Checks volumes against the media that plays: transitions without a cross-fade, audio that a ramp left silent, and tracks
/// that add up to more than full scale.
struct CrossFadeChecks {
  private struct Overlap {
    let range: TimeRange
    let instruction: Int
    let old, new: TrackID
    let isFaded: Bool
  }

  /// An equal-power cross-fade adds up to √2 in its middle, which real audio rarely reaches.
  private static let mostGain = 1.42

  private let edit: Edit
  private let audio: [CompositionTrack]
  private let volumes: [TrackID: PropertyTimeline<Double>]

  static func run(_ edit: Edit, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let checks = CrossFadeChecks(edit)
    guard !checks.audio.isEmpty else { return }
    let missing = checks.overlapsWithoutFade()
    for overlap in missing { try diagnostics.add(checks.diagnostic(of: overlap)) }
    // Instructions are in order of time; if not, that is an error of its own.
    let missingFades = Dictionary(grouping: missing, by: \.new).mapValues { overlaps in
      overlaps.map(\.range).sorted { $0.start < $1.start }
    }
    for track in checks.audio {
      for (index, segment) in track.segments.enumerated() where !segment.isSilent {
        let target = segment.timeMapping.target
        // A missing cross-fade at its start is the cause.
        guard target.isNumeric, missingFades[track.trackID]?.containsOverlap(with: target) != true else { continue }
        if let ramp = checks.rampThatSilenced(track.trackID, over: target) {
          try diagnostics.add(checks.silence(of: target, segment: index, track: track.trackID, after: ramp))
        } else if checks.isSilent(track.trackID, over: target), !checks.continues(track, index) {
          try diagnostics.add(checks.silence(of: target, segment: index, track: track.trackID))
        }
      }
    }
    try checks.checkMixVolume(into: &diagnostics)
    try checks.checkGains(into: &diagnostics)
  }

  private init(_ edit: Edit) {
    self.edit = edit
    audio = edit.composition.tracks(.audio).filter(\.isEnabled)
    volumes = Dictionary(
      edit.audioMix.inputParameters.map { ($0.trackID, $0.volume) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Transitions

  /// Transitions without a fade, if others have one. An edit without any fades may be intended.
  private func overlapsWithoutFade() -> [Overlap] {
    guard audio.count > 1 else { return [] }
    let all = edit.videoComposition.instructions.indices.compactMap(overlap(ofInstruction:))
    return all.contains(where: \.isFaded) ? all.filter { !$0.isFaded } : []
  }

  /// The two audio tracks of which one ends with a transition and the other starts with it. Layers that don't change are no
  /// transition but two clips shown at once, such as a picture in picture that outlasts the clip below.
  private func overlap(ofInstruction index: Int) -> Overlap? {
    let instruction = edit.videoComposition.instructions[index]
    let range = instruction.timeRange
    guard instruction.compositor != .layer || instruction.changesPlacement else { return nil }
    guard range.isNumeric, range.duration > .zero, instruction.requiredTrackIDs.count == 2 else { return nil }
    let tolerance = edit.videoComposition.usableFrameDuration ?? .zero
    func isNear(_ one: MediaTime, _ other: MediaTime) -> Bool { (one - other).magnitude <= tolerance }
    func track(where isPart: (TimeRange) -> Bool) -> TrackID? {
      audio.first { track in
        guard let segment = track.segment(at: range.start) ?? track.segment(at: range.end - tolerance) else { return false }
        return !segment.isSilent && isPart(segment.timeMapping.target)
      }?.trackID
    }
    guard let old = track(where: { isNear($0.end, range.end) && $0.start < range.start }),
      let new = track(where: { isNear($0.start, range.start) && $0.end > range.end }), old != new
    else { return nil }
    let isFaded = [old, new].contains { volumes[$0]?.changes(in: range) == true }
    return Overlap(range: range, instruction: index, old: old, new: new, isFaded: isFaded)
  }

  private func diagnostic(of overlap: Overlap) -> ValidationDiagnostic {
    let (old, new) = (gain(of: overlap.old, at: overlap.range.start), gain(of: overlap.new, at: overlap.range.start))
    let outcome =
      new == 0
      ? "\(Named.track(overlap.new)) stays silent, because a ramp before left it at 0"
      : "both play at a volume of \(old) and \(new)"
    return ValidationDiagnostic(
      .missingCrossfade, severity: .warning,
      "The transition of \(Named.instruction(overlap.instruction)), from \(overlap.range.start.readable) to "
        + "\(overlap.range.end.readable), has no cross-fade of the audio of \(Named.track(overlap.old)) and \(Named.track(overlap.new)): \(outcome).",
      instruction: overlap.instruction, track: overlap.new, foundTime: overlap.range.start,
      cause: "Volume ramps were set for other transitions only, for example for the first one again and again.",
      recoverySuggestion: "Set volume ramps over the range of each transition.", timeRange: overlap.range,
      fix: DiagnosticFix(
        "Cross-fade \(Named.track(overlap.old)) to \(Named.track(overlap.new)) from \(overlap.range.start.readable) to "
          + "\(overlap.range.end.readable)", isSafe: false,
        change: .crossFade(from: overlap.old, to: overlap.new, overlap.range)))
  }

  private func gain(of track: TrackID, at time: MediaTime) -> Double { volumes[track]?.value(at: time) ?? 1 }

  // MARK: Silence

  /// The ramp that ended at 0 before a range in which the volume doesn't change; `nil` if it isn't silent, or was set to 0
  /// explicitly.
  private func rampThatSilenced(_ track: TrackID, over range: TimeRange) -> Ramp<Double>? {
    guard let volume = volumes[track], volume.value(at: range.start) == 0, !volume.changes(in: range) else { return nil }
    let next = volume.ramps.partitioningIndex { $0.timeRange.start > range.start }
    guard next > 0, case let ramp = volume.ramps[next - 1], ramp.timeRange.duration > .zero, ramp.timeRange.end <= range.start
    else { return nil }
    return ramp
  }

  /// Whether a track's volume is 0 throughout a range.
  private func isSilent(_ track: TrackID, over range: TimeRange) -> Bool {
    volumes[track]?.values(in: range).allSatisfy { $0 == 0 } == true
  }

  /// Whether a segment is part of the same clip as the silent one before it.
  private func continues(_ track: CompositionTrack, _ index: Int) -> Bool {
    guard index > 0, track.segments[index].continuesClip(track.segments[index - 1]) else { return false }
    return isSilent(track.trackID, over: track.segments[index - 1].timeMapping.target)
  }

  private func silence(of range: TimeRange, segment: Int, track: TrackID) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .silentAudio, severity: .warning,
      "\(Named.segment(segment, of: track).capitalizedName), from \(range.start.readable) to \(range.end.readable), is silent: its "
        + "volume is 0 all the time.",
      track: track, foundTime: range.start, cause: "A volume of 0 was meant for another time, or as 0 dB, which is 1.",
      recoverySuggestion: "Give it a volume above 0. If silence is meant, mute the clip instead.", timeRange: range)
  }

  private func checkMixVolume(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let whole = TimeRange(start: .zero, end: edit.composition.duration)
    guard whole.duration.isNumeric, edit.audioMix.volume.values(in: whole).allSatisfy({ $0 == 0 }) else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .silentAudio, severity: .warning, "The whole movie is silent: the volume of the mix is 0 all the time.",
        foundTime: .zero, cause: "A volume of 0 was meant for another time, or as 0 dB, which is 1.",
        recoverySuggestion: "Give it a volume above 0, or write a movie without audio.", path: "audioMix.volume",
        timeRange: whole))
  }

  private func silence(
    of range: TimeRange, segment: Int, track: TrackID, after ramp: Ramp<Double>
  ) -> ValidationDiagnostic {
    var volume = volumes[track] ?? PropertyTimeline(default: 1)
    let isSet: Bool
    do {
      try volume.set(1, at: range.start)
      isSet = true
    } catch {
      isSet = false
    }
    return ValidationDiagnostic(
      .silentAudio, severity: .warning,
      "\(Named.segment(segment, of: track).capitalizedName), from \(range.start.readable) to \(range.end.readable), is silent: the track's volume "
        + "falls to 0 at \(ramp.timeRange.end.readable) and stays there.",
      track: track, foundTime: range.start,
      cause: "A volume stays at the end of its last ramp, also for the clips that follow on the track.",
      recoverySuggestion: "Set the volume where the clip starts.", timeRange: range,
      fix: isSet
        ? DiagnosticFix(
          "Set the volume of \(Named.track(track)) to 1 at \(range.start.readable)", isSafe: false,
          change: .setVolume(track, volume))
        : nil)
  }

  // MARK: Full scale

  /// Checks for gains that add up to more than full scale in an edit without a limiter.
  private func checkGains(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    guard edit.audioMix.limiting == .off else { return }
    var highest: (gain: Double, time: MediaTime) = (0, .zero)
    let ramps = volumes.values.flatMap(\.ramps) + edit.audioMix.volume.ramps
    var times = Set(
      audio.flatMap { $0.segments.map(\.timeMapping.target.start) } + ramps.flatMap { [$0.timeRange.start, $0.timeRange.end] })
    // Where a clip ends that lowers others, these are louder again.
    if !edit.audioMix.ducking.isEmpty { times.formUnion(audio.flatMap { $0.segments.map(\.timeMapping.target.end) }) }
    for time in times.sorted() where time.isNumeric {
      let sum = greatestGain(at: time) * edit.audioMix.volume.value(at: time)
      if sum > highest.gain { highest = (sum, time) }
    }
    guard highest.gain > Self.mostGain else { return }
    let shown = (highest.gain * 100).rounded() / 100
    try diagnostics.add(
      ValidationDiagnostic(
        .audioClipped, severity: .warning,
        "At \(highest.time.readable) the volumes of the tracks add up to \(shown), and the limiter is off: loud audio exceeds full "
          + "scale, up to \(shown) times.",
        foundTime: highest.time, cause: "Tracks play together at full volume.",
        recoverySuggestion: "Turn the limiter on, or lower the tracks.", path: "audioMix.limiting"))
  }
}

extension CrossFadeChecks {
  /// The greatest sum of the tracks' gains at a time: of loud audio, once it has lowered the tracks that it ducks, or of audio that
  /// is just too quiet to lower them.
  private func greatestGain(at time: MediaTime) -> Double {
    let playing = audio.filter { $0.segment(at: time)?.isSilent == false }
    let tracks = Set(playing.map(\.trackID))
    let active = edit.audioMix.ducking.filter { !$0.triggerTracks.isDisjoint(with: tracks) }
    var (loud, quiet) = (0.0, 0.0)
    for track in playing {
      let own = gain(of: track.trackID, at: time)
      let level = active.filter { $0.triggerTracks.contains(track.trackID) }.compactMap(\.triggerGain).min()
      let lowering = active.filter { $0.loweredTracks.contains(track.trackID) }
      loud += lowering.reduce(own) { $0 * $1.loweredGain }
      quiet += lowering.filter { $0.triggerGain == nil }.reduce(min(own, level ?? own)) { $0 * $1.loweredGain }
    }
    return max(loud, quiet)
  }
}

extension AudioDucking {
  /// The gain of lowered tracks.
  fileprivate var loweredGain: Double { pow(10, -reduction / 20) }
  /// The amplitude from which tracks lower others; `nil` if they always do.
  fileprivate var triggerGain: Double? {
    if case .level(let level) = trigger { pow(10, level / 20) } else { nil }
  }
}

extension [TimeRange] {
  /// Whether one of several consecutive ranges overlaps another range. O(log n).
  fileprivate func containsOverlap(with range: TimeRange) -> Bool {
    let next = partitioningIndex { $0.end > range.start }
    return next < endIndex && self[next].overlaps(range)
  }
}
