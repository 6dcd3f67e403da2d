/// The name of an audio processor: `avfilter.aecho`, or that of a plugin or of a type of the program.
public struct AudioProcessorID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The name.
  public let rawValue: String
  /// Names a processor.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Names a processor.
  public init(stringLiteral name: String) { rawValue = name }
}

/// The use of an audio processor for a track, a stretch of it, or the mix.
public struct AudioProcessorUse: Hashable, Sendable, Codable {
  /// Which processor.
  public var processor: AudioProcessorID
  /// Its parameters; those that are absent have their defaults.
  public var parameters: ParameterValues
  /// Composition time in which it works, for what a clip's processor is to be kept to; nil for always.
  public var timeRange: TimeRange?

  /// Names a use.
  public init(_ processor: AudioProcessorID, parameters: ParameterValues = [:], timeRange: TimeRange? = nil) {
    self.processor = processor
    self.parameters = parameters
    self.timeRange = timeRange
  }
}

/// One track's part in the mix over time.
public struct AudioMixInputParameters: Hashable, Sendable, Codable {
  /// The track.
  public var trackID: TrackID
  /// Linear gain, ≥ 0; 1 before the first entry.
  public var volume: PropertyTimeline<Double>
  /// Where it stands between the loudspeakers: −1 left, 0 (before the first entry) middle, 1 right.
  public var pan = PropertyTimeline<Double>(default: 0)
  /// What is done to its samples before volume and pan, in this order.
  public var processors: [AudioProcessorUse] = []

  /// A track at volume 1, in the middle.
  public init(trackID: TrackID) {
    self.trackID = trackID
    self.volume = PropertyTimeline(default: 1)
  }

  /// Reads parameters; those of before pan and processors have neither.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    trackID = try container.decode(TrackID.self, forKey: .trackID)
    volume = try container.decode(PropertyTimeline<Double>.self, forKey: .volume)
    pan = try container.read(.pan, or: PropertyTimeline(default: 0))
    processors = try container.read(.processors, or: [])
  }
}

/// Tracks that are lowered while others are heard: music under speech.
public struct AudioDucking: Hashable, Sendable, Codable {
  /// What lowers.
  public enum Trigger: Hashable, Sendable, Codable {
    /// Audio above a level, in dBFS (RMS over a few milliseconds).
    case level(Double)
    /// A segment that plays, loud or not.
    case segments
  }

  /// The tracks that lower others.
  public var triggerTracks: Set<TrackID>
  /// The tracks that are lowered.
  public var loweredTracks: Set<TrackID>
  /// When. Default: audio above −40 dBFS.
  public var trigger = Trigger.level(-40)
  /// How far, in dB, > 0. Default 12.
  public var reduction = 12.0
  /// How long it takes to lower, ≥ 0; it is down when the trigger has lasted that long. Default 0.2 s.
  public var attack = MediaTime(value: 200, timescale: 1000)
  /// How long it stays low after the trigger is over, ≥ 0, so that pauses between words are not filled. Default 0.5 s.
  public var hold = MediaTime(value: 500, timescale: 1000)
  /// How long it takes to come back, ≥ 0. Default 0.8 s.
  public var release = MediaTime(value: 800, timescale: 1000)

  /// Tracks that lower others by 12 dB.
  public init(triggerTracks: Set<TrackID>, loweredTracks: Set<TrackID>) {
    self.triggerTracks = triggerTracks
    self.loweredTracks = loweredTracks
  }
}

/// What keeps the peaks of the mix below full scale.
public enum AudioLimiting: Hashable, Sendable, Codable {
  /// On for outputs that cannot hold more than full scale: integers and lossy codecs; off for floats.
  case automatic
  /// On, with a ceiling in dBTP (ITU-R BS.1770), −20 … 0.
  case on(ceiling: Double)
  /// Off: what is above full scale is clipped where the output cannot hold it.
  case off
}

/// What the loudness of the mix is brought to, measured as EBU R 128 says.
public struct LoudnessTarget: Hashable, Sendable, Codable {
  /// Integrated loudness in LUFS, −70 … −5: −23 for broadcast, −14 for the web.
  public var integrated: Double

  /// Names a loudness.
  public init(integrated: Double) { self.integrated = integrated }
}

/// How 5.1, 7.1 and other layouts become fewer channels.
public enum AudioDownmix: String, Hashable, Sendable, Codable, CaseIterable {
  /// By the coefficients of ITU-R BS.775, at full level: dialogue keeps its level, and the limiter catches what is too loud.
  case standard
  /// The same, lowered so that no input can exceed full scale.
  case normalized
}

/// The sound of a composition: tracks without parameters play at volume 1, in the middle.
public struct AudioMix: Hashable, Sendable, Codable {
  /// Parameters by track, each track at most once.
  public var inputParameters: [AudioMixInputParameters]
  /// Linear gain of the whole mix, ≥ 0; 1 before the first entry.
  public var volume = PropertyTimeline<Double>(default: 1)
  /// Tracks that lower others.
  public var ducking: [AudioDucking] = []
  /// What is done to the samples of the mix before its volume, in this order.
  public var processors: [AudioProcessorUse] = []
  /// What the whole is brought to, after the volume; nil leaves it.
  public var loudness: LoudnessTarget?
  /// What keeps peaks below full scale, last of all.
  public var limiting = AudioLimiting.automatic
  /// How sources with more channels than the mix are brought into it.
  public var downmix = AudioDownmix.standard

  /// Makes a mix.
  public init(inputParameters: [AudioMixInputParameters] = []) {
    self.inputParameters = inputParameters
  }

  /// Reads a mix; what it says nothing about has its default.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    inputParameters = try container.decode([AudioMixInputParameters].self, forKey: .inputParameters)
    volume = try container.read(.volume, or: PropertyTimeline(default: 1))
    ducking = try container.read(.ducking, or: [])
    processors = try container.read(.processors, or: [])
    loudness = try container.decodeIfPresent(LoudnessTarget.self, forKey: .loudness)
    limiting = try container.read(.limiting, or: .automatic)
    downmix = try container.read(.downmix, or: .standard)
  }

  /// A track's linear gain at a composition time; 1 without parameters. Of several for one track the first counts.
  public func volume(ofTrack trackID: TrackID, at time: MediaTime) -> Double {
    inputParameters.first { $0.trackID == trackID }?.volume.value(at: time) ?? 1
  }
}
