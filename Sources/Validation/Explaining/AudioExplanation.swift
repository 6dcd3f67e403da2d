public import CompositorAPI
import CompositorPlatform

/// An explanation of the audio mix, with numbers for programs and text for people.
public struct AudioExplanation: Hashable, Sendable, Codable {
  /// Tracks that lower others.
  public struct Ducking: Hashable, Sendable, Codable {
    /// The tracks that lower others.
    public var triggerTracks: [TrackID]
    /// The tracks that are lowered.
    public var loweredTracks: [TrackID]
    /// The trigger level in dBFS; `nil` if clips trigger regardless of their level.
    public var threshold: Double?
    /// The amount by which tracks are lowered, in dB.
    public var reduction: Double
    /// The times to lower the tracks, to stay low, and to restore the volume.
    public var attack, hold, release: MediaTime
  }

  /// Audio effects of a track.
  public struct Effects: Hashable, Sendable, Codable {
    /// The track.
    public var track: TrackID
    /// Effects with their times and parameters, in order.
    public var effects: [String]
  }

  /// The linear gain of the mix at its set points and at the ends of ramps; empty if it is always 1.
  public var volume: [EditExplanation.VolumePoint]
  /// The pan positions of tracks that aren't always centered, −1 … 1.
  public var pan: [EditExplanation.Volume]
  /// Effects of tracks.
  public var trackEffects: [Effects]
  /// Effects of the mix.
  public var effects: [String]
  /// Tracks that lower others.
  public var ducking: [Ducking]
  /// The loudness target in LUFS; `nil` if loudness isn't changed.
  public var loudness: Double?
  /// `automatic`, `on` or `off`.
  public var limiter: String
  /// The limiter's ceiling in dBTP, if the edit sets one.
  public var ceiling: Double?
  /// How channels are reduced.
  public var downmix: AudioDownmix

  package init(_ mix: AudioMix) {
    volume = mix.volume.isConstant && mix.volume.defaultValue == 1 ? [] : mix.volume.explainedPoints
    pan = mix.inputParameters.filter { !$0.pan.isConstant || $0.pan.defaultValue != 0 }.map {
      EditExplanation.Volume(track: $0.trackID, points: $0.pan.explainedPoints)
    }
    trackEffects = mix.inputParameters.filter { !$0.processors.isEmpty }.map {
      Effects(track: $0.trackID, effects: $0.processors.map(\.explanation))
    }
    effects = mix.processors.map(\.explanation)
    ducking = mix.ducking.map { ducking in
      Ducking(
        triggerTracks: ducking.triggerTracks.sorted(), loweredTracks: ducking.loweredTracks.sorted(),
        threshold: ducking.trigger.threshold, reduction: ducking.reduction, attack: ducking.attack, hold: ducking.hold,
        release: ducking.release)
    }
    loudness = mix.loudness?.integrated
    switch mix.limiting {
    case .automatic: (limiter, ceiling) = ("automatic", nil)
    case .on(let ceiling): (limiter, self.ceiling) = ("on", ceiling)
    case .off: (limiter, ceiling) = ("off", nil)
    }
    downmix = mix.downmix
  }

  /// One line for each property that differs from its default, except the volumes of tracks.
  var lines: [String] {
    var lines = pan.map { pan in
      "pan of track \(pan.track)   \(pan.points.map { "\($0.gain.short) at \($0.time.short)" }.joined(separator: ", "))"
    }
    for effects in trackEffects {
      lines += effects.effects.map { "audio of track \(effects.track)   through \($0)" }
    }
    for ducking in ducking {
      let trigger = ducking.threshold.map { "is above \($0.short) dBFS" } ?? "has clips, loud or not"
      lines.append(
        "ducking   \(names(ducking.loweredTracks)) \(ducking.reduction.short) dB lower while \(names(ducking.triggerTracks)) \(trigger)"
      )
      lines.append(
        "            in \(ducking.attack.short), held for \(ducking.hold.short), back in \(ducking.release.short)")
    }
    lines += effects.map { "audio of the mix   through \($0)" }
    if !volume.isEmpty { lines.append("volume of the mix   \(volume.explanation)") }
    if let loudness { lines.append("loudness   brought to \(loudness.short) LUFS (EBU R 128)") }
    switch limiter {
    case "on": lines.append("limiter   on, true peaks stay below \((ceiling ?? 0).short) dBTP")
    case "off": lines.append("limiter   off: what is above full scale clips in integers and lossy codecs")
    default: break
    }
    if downmix != .standard { lines.append("downmix   \(downmix.rawValue)") }
    return lines
  }

  private func names(_ tracks: [TrackID]) -> String {
    "\(tracks.count == 1 ? "track" : "tracks") \(tracks.map(\.description).joined(separator: ", "))"
  }
}

extension AudioDucking.Trigger {
  /// The level in dBFS; `nil` if segments trigger.
  fileprivate var threshold: Double? { if case .level(let level) = self { level } else { nil } }
}

extension AudioProcessorUse {
  /// `avfilter.aecho (delays: 60), 0 s to 4 s`.
  fileprivate var explanation: String {
    let values = parameters.map { "\($0.key): \($0.value.text)" }.sorted()
    let name = values.isEmpty ? processor.rawValue : "\(processor.rawValue) (\(values.joined(separator: ", ")))"
    return timeRange.map { "\(name), \($0.start.short) to \($0.end.short)" } ?? name
  }
}

extension PropertyTimeline where Value == Double {
  /// The times at which the value is set or a ramp starts or ends, with the value there.
  var explainedPoints: [EditExplanation.VolumePoint] {
    var points: [EditExplanation.VolumePoint] = []
    for ramp in ramps {
      if points.last.map({ $0.time != ramp.timeRange.start || $0.gain != ramp.start }) ?? true {
        points.append(EditExplanation.VolumePoint(time: ramp.timeRange.start, gain: ramp.start))
      }
      if ramp.timeRange.duration > .zero {
        points.append(EditExplanation.VolumePoint(time: ramp.timeRange.end, gain: ramp.end))
      }
    }
    return points.isEmpty ? [EditExplanation.VolumePoint(time: .zero, gain: defaultValue)] : points
  }
}

extension [EditExplanation.VolumePoint] {
  /// `silent at 0 s, 0 dB at 2 s, -6 dB at 4 s`: the corners of a curve rather than each of its ramps.
  var explanation: String {
    let turns = indices.filter { index in
      guard index > 0, index + 1 < count else { return true }
      let (before, after) = (self[index].gain - self[index - 1].gain, self[index + 1].gain - self[index].gain)
      let isJump = self[index].time == self[index - 1].time || self[index].time == self[index + 1].time
      return isJump || !(before > 0 && after > 0 || before < 0 && after < 0)
    }
    return turns.map { "\(self[$0].gain.level) at \(self[$0].time.short)" }.joined(separator: ", ")
  }
}

extension Double {
  /// The number with at most three decimals, without trailing zeros.
  var short: String {
    guard isFinite, abs(self) < 1e12 else { return "\(self)" }
    let rounded = (self * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// A linear gain in dB.
  fileprivate var level: String {
    guard self > 0 else { return "silent" }
    return "\(((20 * log10(self) * 10).rounded() / 10).short) dB"
  }
}

extension MediaTime {
  /// Seconds with at most three decimals.
  var short: String { "\(seconds.short) s" }
}
