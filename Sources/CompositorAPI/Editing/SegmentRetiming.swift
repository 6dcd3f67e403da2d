/// How a segment plays its media: direction, speed curve, pitch correction and frame interpolation.
///
/// The ranges of the segment's ``CompositionTrackSegment/timeMapping`` determine what plays and for how long; the retiming
/// determines how the media advances between them. It has no effect on a freeze frame, a segment of zero source duration.
public struct SegmentRetiming: Hashable, Sendable {
  /// Whether the media plays from the end of the source range to its start. The frame shown is the last one that starts before
  /// the media time: a clip of n frames at its own rate shows n − 1 … 0. Default `false`.
  public var isReversed: Bool
  /// How speed changes along the segment; `nil`, the default, for a constant speed.
  public var curve: SpeedCurve?
  /// How the pitch of audio behaves at other speeds. Default ``PitchAlgorithm/spectral``.
  public var pitch: PitchAlgorithm
  /// How frames between two frames of the media are made. Default ``FrameInterpolation/nearest``.
  public var frames: FrameInterpolation

  /// Creates a retiming. By default a segment plays forward at constant speed, keeps its pitch, and shows frames unchanged.
  public init(
    isReversed: Bool = false, curve: SpeedCurve? = nil, pitch: PitchAlgorithm = .spectral, frames: FrameInterpolation = .nearest
  ) {
    self.isReversed = isReversed
    self.curve = curve
    self.pitch = pitch
    self.frames = frames
  }

  /// The speeds at which segments can play, in media seconds per track second. Freeze frames are exempt.
  public static let speeds = 1.0 / 10_000...10_000
  /// The speeds at which audio is heard. A segment of audio with other speeds is silent.
  public static let audibleSpeeds = 1.0 / 32...32
}

extension SegmentRetiming: Codable {
  private enum CodingKeys: String, CodingKey {
    case isReversed, curve, pitch, frames
  }

  /// Decodes a retiming. Absent values have their defaults.
  ///
  /// - Throws: `DecodingError`; ``CompositorError`` `.invalidValue` if a curve is malformed.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      isReversed: try values.decodeIfPresent(Bool.self, forKey: .isReversed) ?? false,
      curve: try values.decodeIfPresent(SpeedCurve.self, forKey: .curve),
      pitch: try values.decodeIfPresent(PitchAlgorithm.self, forKey: .pitch) ?? .spectral,
      frames: try values.decodeIfPresent(FrameInterpolation.self, forKey: .frames) ?? .nearest)
  }
}

/// How the pitch of audio behaves at other speeds.
public enum PitchAlgorithm: String, Hashable, Sendable, Codable, CaseIterable {
  /// Keeps the pitch with a phase vocoder (libavfilter's `rubberband`). For music and speech at any speed.
  case spectral
  /// Keeps the pitch by overlapping pieces of the waveform (libavfilter's `atempo`). Cheap and good for speech; constant speeds
  /// only.
  case timeDomain = "time-domain"
  /// Lets the pitch follow the speed, as on tape. Samples are read at their exact positions, which produces no artifacts.
  case varispeed
}

/// How frames between two frames of the media are made.
public enum FrameInterpolation: String, Hashable, Sendable, Codable, CaseIterable {
  /// Repeats the earlier frame.
  case nearest
  /// Blends both frames, weighted by their distance in time.
  case blend
  /// Estimates motion and moves the contents along it (libavfilter's `minterpolate`). For slow motion; slow to compute, 8 bits.
  case motion
}
