/// The identifier of an audio processor: `avfilter.aecho`, or the ID of a plugin or of a Swift type.
public struct AudioProcessorID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The identifier.
  public let rawValue: String
  /// Creates an identifier. It need not name a registered processor.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates an identifier. It need not name a registered processor.
  public init(stringLiteral name: String) { rawValue = name }
}

/// The use of an audio processor on a track, a stretch of a track, or the mix.
public struct AudioProcessorUse: Hashable, Sendable, Codable {
  /// The identifier of the processor to use.
  public var processor: AudioProcessorID
  /// Parameter values by key. Absent parameters have their defaults.
  public var parameters: ParameterValues
  /// The stretch of composition time that is processed; `nil` for all of it.
  public var timeRange: TimeRange?

  /// Creates a use of a processor.
  public init(_ processor: AudioProcessorID, parameters: ParameterValues = [:], timeRange: TimeRange? = nil) {
    self.processor = processor
    self.parameters = parameters
    self.timeRange = timeRange
  }
}

/// Volume, pan and processors of one track.
public struct AudioMixInputParameters: Hashable, Sendable, Codable {
  /// The track that these parameters apply to.
  public var trackID: TrackID
  /// Linear gain, ≥ 0. 1 before the first entry.
  public var volume: PropertyTimeline<Double>
  /// The position between the loudspeakers: −1 left, 0 center, 1 right. 0 before the first entry.
  public var pan = PropertyTimeline<Double>(default: 0)
  /// The processors to apply before volume and pan, in order.
  public var processors: [AudioProcessorUse] = []

  /// Creates parameters at volume 1, panned to the center.
  public init(trackID: TrackID) {
    self.trackID = trackID
    self.volume = PropertyTimeline(default: 1)
  }

  /// Decodes parameters. Absent pan and processors have their defaults.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    trackID = try container.decode(TrackID.self, forKey: .trackID)
    volume = try container.decode(PropertyTimeline<Double>.self, forKey: .volume)
    pan = try container.read(.pan, or: PropertyTimeline(default: 0))
    processors = try container.read(.processors, or: [])
  }
}

/// Lowers tracks while others play, such as music under speech. If several lower one track, the deepest counts at each sample.
public struct AudioDucking: Hashable, Sendable, Codable {
  /// The condition under which tracks are lowered.
  public enum Trigger: Hashable, Sendable, Codable {
    /// The trigger tracks exceed a level in dBFS (RMS over a few milliseconds).
    case level(Double)
    /// A segment of a trigger track plays, whether or not it is loud.
    case segments
  }

  /// The tracks that lower others.
  public var triggerTracks: Set<TrackID>
  /// The tracks that are lowered.
  public var loweredTracks: Set<TrackID>
  /// The condition under which tracks are lowered. Default: a level above −40 dBFS.
  public var trigger = Trigger.level(-40)
  /// The amount by which tracks are lowered, in dB, > 0. Default 12.
  public var reduction = 12.0
  /// The time to lower the tracks fully once the trigger begins, ≥ 0. Default 0.2 s.
  public var attack = MediaTime(value: 200, timescale: 1000)
  /// The time that tracks stay lowered after the trigger ends, ≥ 0, which bridges the pauses of speech. Default 0.5 s.
  public var hold = MediaTime(value: 500, timescale: 1000)
  /// The time to restore the volume, ≥ 0. Default 0.8 s.
  public var release = MediaTime(value: 800, timescale: 1000)

  /// Creates ducking by 12 dB.
  public init(triggerTracks: Set<TrackID>, loweredTracks: Set<TrackID>) {
    self.triggerTracks = triggerTracks
    self.loweredTracks = loweredTracks
  }
}

/// Controls the limiter that keeps the peaks of the mix below full scale.
public enum AudioLimiting: Hashable, Sendable, Codable {
  /// Limits outputs that cannot hold more than full scale (integer samples and lossy codecs), but not floating-point ones.
  case automatic
  /// Limits to a ceiling in dBTP (ITU-R BS.1770), −20 … 0.
  case on(ceiling: Double)
  /// Never limits. Samples above full scale are clipped if the output cannot hold them.
  case off
}

/// The loudness to normalize the mix to, measured according to EBU R 128.
public struct LoudnessTarget: Hashable, Sendable, Codable {
  /// Integrated loudness in LUFS, −70 … −5: −23 for broadcast, −14 for the web.
  public var integrated: Double

  /// Creates a target of `integrated` LUFS.
  public init(integrated: Double) { self.integrated = integrated }
}

/// How layouts such as 5.1 and 7.1 are reduced to fewer channels.
public enum AudioDownmix: String, Hashable, Sendable, Codable, CaseIterable {
  /// Uses the coefficients of ITU-R BS.775 at full level: dialogue keeps its level, and the limiter handles peaks.
  case standard
  /// Uses the same coefficients, scaled so that no input can exceed full scale.
  case normalized
}

/// The audio mix of a composition. Tracks without parameters play at volume 1, panned to the center.
public struct AudioMix: Hashable, Sendable, Codable {
  /// Parameters by track, at most one entry per track.
  public var inputParameters: [AudioMixInputParameters]
  /// Linear gain of the whole mix, ≥ 0. 1 before the first entry.
  public var volume = PropertyTimeline<Double>(default: 1)
  /// Tracks that lower others.
  public var ducking: [AudioDucking] = []
  /// The processors to apply to the mix before its volume, in order.
  public var processors: [AudioProcessorUse] = []
  /// The loudness to normalize the mix to, after its volume; `nil` to leave the loudness as it is.
  public var loudness: LoudnessTarget?
  /// The limiter, which is applied last.
  public var limiting = AudioLimiting.automatic
  /// How sources with more channels than the mix are reduced.
  public var downmix = AudioDownmix.standard

  /// Creates a mix.
  public init(inputParameters: [AudioMixInputParameters] = []) {
    self.inputParameters = inputParameters
  }

  /// Decodes a mix. Absent values have their defaults.
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

  /// The linear gain of a track at a composition time; 1 if the track has no parameters. If it has several, the first ones
  /// apply.
  public func volume(ofTrack trackID: TrackID, at time: MediaTime) -> Double {
    inputParameters.first { $0.trackID == trackID }?.volume.value(at: time) ?? 1
  }
}
