/// One track's volume over time.
public struct AudioMixInputParameters: Hashable, Sendable, Codable {
  /// The track.
  public var trackID: TrackID
  /// Linear gain, ≥ 0; 1 before the first entry.
  public var volume: PropertyTimeline<Double>
  /// A track at volume 1.
  public init(trackID: TrackID) {
    self.trackID = trackID
    self.volume = PropertyTimeline(default: 1)
  }
}

/// The sound of a composition: tracks without parameters play at volume 1.
public struct AudioMix: Hashable, Sendable, Codable {
  /// Parameters by track, each track at most once.
  public var inputParameters: [AudioMixInputParameters]
  /// Makes a mix.
  public init(inputParameters: [AudioMixInputParameters] = []) {
    self.inputParameters = inputParameters
  }

  /// A track's linear gain at a composition time; 1 without parameters. Of several for one track the first counts.
  public func volume(ofTrack trackID: TrackID, at time: MediaTime) -> Double {
    inputParameters.first { $0.trackID == trackID }?.volume.value(at: time) ?? 1
  }
}
