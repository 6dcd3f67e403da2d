public import CompositorAPI

/// The curve of a fade.
public enum AudioFadeCurve: Hashable, Sendable {
  /// Gain by an easing: in from 0 to 1, out from 1 to 0, as between two keyframes. What overshoots stays within 0 to 1.
  case easing(Easing)
  /// Gain by a quarter of a sine on the way in, of a cosine on the way out: two fades of this kind over the same time keep the power of
  /// what is not correlated.
  case equalPower

  /// A straight line of gain.
  public static let linear = AudioFadeCurve.easing(.linear)
}

/// How audio comes in or goes out.
public struct AudioFade: Hashable, Sendable {
  /// How long it takes, ≥ 0 and no longer than what it fades.
  public var duration: MediaTime
  /// How its gain moves between 0 and 1. Default linear.
  public var curve: AudioFadeCurve

  /// A fade.
  public init(_ duration: MediaTime, curve: AudioFadeCurve = .linear) {
    self.duration = duration
    self.curve = curve
  }
}

/// How often the media of a clip plays, from ``TimelineClip/sourceStart`` to its end. Each pass follows the one before without a gap.
public enum ClipLoop: Hashable, Sendable {
  /// A number of times, 1 … 100,000; the last is cut where the clip's duration is over.
  case count(Int)
  /// Until the clip's duration is over, which has to be given, or the clip fills the timeline.
  case untilEnd
}

/// How the audio of two clips is handed over along a transition.
public enum AudioCrossFade: String, Hashable, Sendable, Codable, CaseIterable {
  /// Sine and cosine: what is not correlated keeps its power. The default.
  case equalPower = "equal-power"
  /// Straight lines: what is the same in both keeps its level.
  case linear
  /// Both at full level for the whole of the transition.
  case none
}

/// A track that lowers others while it is heard; see `AudioDucking`.
public struct TrackDucking: Hashable, Sendable {
  /// Names of the tracks that are lowered; nil for all others that play audio.
  public var tracks: [String]?
  /// What lowers. Default: audio above −40 dBFS.
  public var trigger = AudioDucking.Trigger.level(-40)
  /// How far, in dB, > 0. Default 12.
  public var reduction = 12.0
  /// How long it takes to lower. Default 0.2 s.
  public var attack = MediaTime(value: 200, timescale: 1000)
  /// How long it stays low after the trigger is over. Default 0.5 s.
  public var hold = MediaTime(value: 500, timescale: 1000)
  /// How long it takes to come back. Default 0.8 s.
  public var release = MediaTime(value: 800, timescale: 1000)

  /// Lowers all other tracks by 12 dB.
  public init() {}
}

/// The audio of a track.
public struct TrackAudio: Hashable, Sendable {
  /// Linear gain, 0 … 1000. Times count from the timeline's start.
  public var volume: Animated<Double> = .constant(1)
  /// How it comes in at the start of its first clip.
  public var fadeIn: AudioFade?
  /// How it goes out at the end of its last clip.
  public var fadeOut: AudioFade?
  /// −1 left, 0 middle, 1 right; added to that of its clips. Times count from the timeline's start.
  public var pan: Animated<Double> = .constant(0)
  /// Whether it is silent. Its clips keep their places.
  public var isMuted = false
  /// What is done to its samples before volume and pan, in this order, after the effects of its clips.
  public var effects: [AudioProcessorUse] = []
  /// What it lowers while it is heard.
  public var ducking: TrackDucking?

  /// Audio as it is.
  public init() {}
}

/// The audio of a timeline.
public struct TimelineAudio: Hashable, Sendable {
  /// Linear gain, 0 … 1000. Times count from the timeline's start.
  public var volume: Animated<Double> = .constant(1)
  /// How it comes in at the start.
  public var fadeIn: AudioFade?
  /// How it goes out at the end.
  public var fadeOut: AudioFade?
  /// Whether it is silent.
  public var isMuted = false
  /// What is done to the mix, in this order.
  public var effects: [AudioProcessorUse] = []
  /// What the whole is brought to; nil leaves it.
  public var loudness: LoudnessTarget?
  /// What keeps peaks below full scale.
  public var limiting = AudioLimiting.automatic
  /// How more channels than the output's become fewer.
  public var downmix = AudioDownmix.standard

  /// The sum of the tracks.
  public init() {}
}
