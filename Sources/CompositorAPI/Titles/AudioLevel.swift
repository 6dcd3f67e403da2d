/// The level of the movie's audio, or of a band of its frequencies, that an animation follows: a letter that pulses with the drums, a
/// bar that shows a voice.
///
/// The level at a time is the mean square of the loudest channel over the 20 ms around it, at 48 kHz in stereo, in decibels. Levels at
/// or below ``floor`` give the animation's first value, levels at or above ``ceiling`` its second. It is measured every 5 ms over the
/// whole movie before the first frame is drawn, and interpolated, so that every frame is a pure function of its time.
///
/// ```swift
/// var kick = AudioLevel(of: .tracks([music]))
/// kick.band = 40...150
/// title.animations.append(Animation(.audio(.scale, from: 1, to: 1.3, kick), timing: LayerTiming()))
/// ```
public struct AudioLevel: Hashable, Sendable {
  /// The audio whose level is measured.
  public enum Source: Hashable, Sendable {
    /// What the movie plays by default: all enabled tracks with ducking, and the processors and the volume of the mix. It is not
    /// normalized to a loudness and not limited, so that it is the same for every output.
    case mix
    /// The sum of some tracks of the composition, enabled or not, each with its volume, pan and processors, but without ducking and
    /// without the processors and the volume of the mix.
    case tracks(Set<TrackID>)
    /// A track of a timeline by its name, as ``tracks(_:)``. Edits have no names of tracks.
    case trackNamed(String)
    /// A track of a timeline by its index from 0, as ``tracks(_:)``. Edits have no such tracks.
    case trackIndex(Int)
  }

  /// The audio that is measured.
  public var source: Source
  /// The frequencies that count, in Hz, 10 … 20,000; `nil` for all. Others are attenuated by 24 dB per octave.
  public var band: ClosedRange<Double>?
  /// The shortest time in which the level rises from the floor to the ceiling, in seconds, 0 … 60.
  public var attack = 0.02
  /// The shortest time in which the level falls from the ceiling to the floor, in seconds, 0 … 60.
  public var release = 0.2
  /// The level of the first value in dBFS, −120 … 20, below the ceiling; `nil` for 30 dB below the ceiling.
  public var floor: Double?
  /// The level of the second value in dBFS, −120 … 20; `nil` for the highest level of the movie.
  public var ceiling: Double?
  /// The prepared level over the time of the layer; `nil` before validation, when it is constantly at the floor.
  package var curve: LevelCurve?

  /// Creates a level of all frequencies.
  public init(of source: Source = .mix) { self.source = source }

  /// The level at a time of the layer, 0 (at the floor) … 1 (at the ceiling).
  package func value(at time: Double) -> Double { curve?.value(at: time) ?? 0 }

  /// Checks that it can be measured.
  ///
  /// - Throws: `.invalidValue`, with the key.
  package func requireUsable() throws(CompositorError) {
    if let band { try AudioLevel.requireUsable(band.lowerBound, band.upperBound) }
    for (key, time) in [("attack", attack), ("release", release)] where !(0...60).contains(time) {
      throw AudioLevel.mistake("A level cannot change over \(time) s.", "Give 0 to 60 seconds.", key)
    }
    for (key, level) in [("floor", floor), ("ceiling", ceiling)] {
      guard let level, !(-120...20).contains(level) else { continue }
      throw AudioLevel.mistake("A level of \(level) dB cannot be followed.", "Give -120 to 20.", key)
    }
    if let floor, let ceiling, floor >= ceiling {
      throw AudioLevel.mistake(
        "The floor of \(floor) dB is not below the ceiling of \(ceiling) dB.", "Exchange them.", "floor")
    }
  }

  private static func requireUsable(_ low: Double, _ high: Double) throws(CompositorError) {
    guard low >= 10, high <= 20_000, low < high else {
      throw mistake(
        "Frequencies from \(low) to \(high) Hz are not a band.",
        "Give a lower and a higher frequency from 10 to 20000, such as [40, 150].", "band")
    }
  }

  private static func mistake(_ message: String, _ suggestion: String, _ key: String) -> CompositorError {
    CompositorError(.invalidValue, message, recoverySuggestion: suggestion, at: ErrorLocation(path: key))
  }
}

extension AudioLevel: Codable {
  private enum CodingKeys: CodingKey { case track, tracks, band, attack, release, floor, ceiling }

  /// Decodes a level. `track` is the name or the index of a timeline's track, `tracks` is a list of a composition's; with neither it is
  /// the mix. Other keys that are missing have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(of: try AudioLevel.source(values))
    if let numbers = try values.decodeIfPresent([Double].self, forKey: .band) {
      guard numbers.count == 2 else {
        throw DecodingError.dataCorruptedError(forKey: .band, in: values, debugDescription: "a band has two frequencies")
      }
      try AudioLevel.requireUsable(numbers[0], numbers[1])
      band = numbers[0]...numbers[1]
    }
    attack = try values.read(.attack, or: attack)
    release = try values.read(.release, or: release)
    floor = try values.decodeIfPresent(Double.self, forKey: .floor)
    ceiling = try values.decodeIfPresent(Double.self, forKey: .ceiling)
    try requireUsable()
  }

  private static func source(_ values: KeyedDecodingContainer<CodingKeys>) throws -> Source {
    if let tracks = try values.decodeIfPresent(Set<TrackID>.self, forKey: .tracks) { return .tracks(tracks) }
    guard values.contains(.track) else { return .mix }
    if let index = try? values.decode(Int.self, forKey: .track) { return .trackIndex(index) }
    return .trackNamed(try values.decode(String.self, forKey: .track))
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch source {
    case .mix: break
    case .tracks(let tracks): try values.encode(tracks.sorted(), forKey: .tracks)
    case .trackNamed(let name): try values.encode(name, forKey: .track)
    case .trackIndex(let index): try values.encode(index, forKey: .track)
    }
    if let band { try values.encode([band.lowerBound, band.upperBound], forKey: .band) }
    try values.encode(attack, forKey: .attack)
    try values.encode(release, forKey: .release)
    try values.encodeIfPresent(floor, forKey: .floor)
    try values.encodeIfPresent(ceiling, forKey: .ceiling)
  }
}
