public import CompositorAPI

/// The curve of a fade.
public enum AudioFadeCurve: Hashable, Sendable {
  /// A gain that follows an easing from 0 to 1, or from 1 to 0. Values that overshoot are limited to 0 … 1.
  case easing(Easing)
  /// A gain that is a quarter of a sine for fade-ins and of a cosine for fade-outs. Two simultaneous fades preserve the power
  /// of uncorrelated signals.
  case equalPower

  /// A linear gain.
  public static let linear = AudioFadeCurve.easing(.linear)
}

/// A fade-in or fade-out of audio.
public struct AudioFade: Hashable, Sendable {
  /// The duration, ≥ 0 and no longer than what the fade applies to.
  public var duration: MediaTime
  /// The curve of the gain between 0 and 1. Default linear.
  public var curve: AudioFadeCurve

  /// Creates a fade.
  public init(_ duration: MediaTime, curve: AudioFadeCurve = .linear) {
    self.duration = duration
    self.curve = curve
  }
}

/// How often the media of a clip plays, from ``TimelineClip/sourceStart`` to its end. The passes follow each other without
/// gaps.
public enum ClipLoop: Hashable, Sendable {
  /// A number of times, 1 … 100,000. The last pass is cut at the clip's duration.
  case count(Int)
  /// Until the end of the clip, whose duration must be set, or which fills the timeline.
  case untilEnd
}

/// How the audio of two clips is cross-faded during a transition.
public enum AudioCrossFade: String, Hashable, Sendable, Codable, CaseIterable {
  /// Sine and cosine, which preserve the power of uncorrelated signals. The default.
  case equalPower = "equal-power"
  /// Linear gains, which preserve the level of a signal that is the same in both clips.
  case linear
  /// No cross-fade: both clips play at full level during the transition.
  case none
}

/// Makes a track lower others while it plays; see `AudioDucking`.
public struct TrackDucking: Hashable, Sendable {
  /// The names of the tracks that are lowered; `nil` for all others that play audio.
  public var tracks: [String]?
  /// The condition under which tracks are lowered. Default: a level above −40 dBFS.
  public var trigger = AudioDucking.Trigger.level(-40)
  /// The amount by which tracks are lowered, in dB, > 0. Default 12.
  public var reduction = 12.0
  /// The time to lower the tracks. Default 0.2 s.
  public var attack = MediaTime(value: 200, timescale: 1000)
  /// The time that tracks stay lowered after the trigger ends. Default 0.5 s.
  public var hold = MediaTime(value: 500, timescale: 1000)
  /// The time to restore the volume. Default 0.8 s.
  public var release = MediaTime(value: 800, timescale: 1000)

  /// Creates ducking of all other tracks by 12 dB.
  public init() {}
}

/// The audio settings of a track.
public struct TrackAudio: Hashable, Sendable {
  /// Linear gain, 0 … 1000. Times are relative to the timeline's start.
  public var volume: Animated<Double> = .constant(1)
  /// The fade-in at the start of the track's first clip.
  public var fadeIn: AudioFade?
  /// The fade-out at the end of the track's last clip.
  public var fadeOut: AudioFade?
  /// The pan position: −1 left, 0 center, 1 right, added to that of its clips. Times are relative to the timeline's start.
  public var pan: Animated<Double> = .constant(0)
  /// Whether the track is silent. Its clips keep their positions.
  public var isMuted = false
  /// The channels that are heard of clips that don't set ``TimelineClip/channels``. Default: all.
  public var channels = AudioChannels.all
  /// The processors to apply before volume and pan, in order, after those of its clips.
  public var effects: [AudioProcessorUse] = []
  /// The ducking of other tracks while this one plays; `nil` for none.
  public var ducking: TrackDucking?

  /// Creates settings that leave audio unchanged.
  public init() {}
}

/// The audio settings of a timeline.
public struct TimelineAudio: Hashable, Sendable {
  /// Linear gain, 0 … 1000. Times are relative to the timeline's start.
  public var volume: Animated<Double> = .constant(1)
  /// The fade-in at the start.
  public var fadeIn: AudioFade?
  /// The fade-out at the end.
  public var fadeOut: AudioFade?
  /// Whether all audio is silent.
  public var isMuted = false
  /// The processors to apply to the mix, in order.
  public var effects: [AudioProcessorUse] = []
  /// The loudness to normalize the mix to; `nil` to leave the loudness as it is.
  public var loudness: LoudnessTarget?
  /// The limiter that keeps peaks below full scale.
  public var limiting = AudioLimiting.automatic
  /// How sources with more channels than the output are reduced.
  public var downmix = AudioDownmix.standard

  /// Creates settings that only sum the tracks.
  public init() {}
}
