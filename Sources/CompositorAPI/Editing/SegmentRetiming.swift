/// How a segment plays its stretch of media beyond a constant speed: backward, along a speed curve, and how pitch and frames in between
/// are made.
///
/// The ranges of the segment's ``CompositionTrackSegment/timeMapping`` say what plays and how long; this says how the way between them
/// is covered. A segment of zero source duration is a freeze frame whatever stands here.
public struct SegmentRetiming: Hashable, Sendable {
  /// Whether the media plays from the end of the source range to its start. The frame shown is the last one that starts before the media
  /// time: a clip of n frames at its own rate shows n − 1 … 0. Default `false`.
  public var isReversed: Bool
  /// How speed changes along the segment; `nil`, the default, for a constant speed.
  public var curve: SpeedCurve?
  /// What happens to the pitch of audio at another speed. Default ``PitchAlgorithm/spectral``.
  public var pitch: PitchAlgorithm
  /// What is shown between two frames of the media. Default ``FrameInterpolation/nearest``.
  public var frames: FrameInterpolation

  /// Describes how a segment plays; by default forward, at constant speed, with its pitch kept and frames as they are.
  public init(
    isReversed: Bool = false, curve: SpeedCurve? = nil, pitch: PitchAlgorithm = .spectral, frames: FrameInterpolation = .nearest
  ) {
    self.isReversed = isReversed
    self.curve = curve
    self.pitch = pitch
    self.frames = frames
  }

  /// The speeds that segments can play at, in media seconds per track second. A freeze frame is none of them.
  public static let speeds = 1.0 / 32...32
}

extension SegmentRetiming: Codable {
  private enum CodingKeys: String, CodingKey {
    case isReversed, curve, pitch, frames
  }

  /// Reads what is there; what is not has its default.
  ///
  /// - Throws: `DecodingError`; ``CompositorError`` `.invalidValue` for a curve that is malformed.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      isReversed: try values.decodeIfPresent(Bool.self, forKey: .isReversed) ?? false,
      curve: try values.decodeIfPresent(SpeedCurve.self, forKey: .curve),
      pitch: try values.decodeIfPresent(PitchAlgorithm.self, forKey: .pitch) ?? .spectral,
      frames: try values.decodeIfPresent(FrameInterpolation.self, forKey: .frames) ?? .nearest)
  }
}

/// What happens to the pitch of audio that plays at another speed.
public enum PitchAlgorithm: String, Hashable, Sendable, Codable, CaseIterable {
  /// The pitch is kept by a phase vocoder (libavfilter's `rubberband`): music and speech, any speed.
  case spectral
  /// The pitch is kept by overlapping pieces of the waveform (libavfilter's `atempo`): cheap, good for speech; at constant speeds only.
  case timeDomain = "time-domain"
  /// The pitch follows the speed, as on a tape: samples are read at their exact places, without any artifact.
  case varispeed
}

/// What is shown between two frames of the media.
public enum FrameInterpolation: String, Hashable, Sendable, Codable, CaseIterable {
  /// The earlier frame, unchanged.
  case nearest
  /// Both, mixed by their distance in time.
  case blend
  /// A frame whose contents are moved along their motion (libavfilter's `minterpolate`): slow, for slow motion; 8 bits.
  case motion
}
