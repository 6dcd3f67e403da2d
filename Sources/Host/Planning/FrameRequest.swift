public import CompositorAPI

/// Where one track's picture for a frame comes from.
public struct SourceOrder: Hashable, Sendable {
  /// The composition's track.
  public let trackID: TrackID
  /// The media.
  public let source: MediaSource
  /// The media's track, among its video tracks.
  public let sourceTrackIndex: Int
  /// The media time to show.
  public let mediaTime: MediaTime
  /// Number of the track's source use: pieces that follow one another in the same media share one.
  public let use: Int
}

/// Everything that is to be known to make one frame: a pure function of the plan and the index.
public struct FrameRequest: Hashable, Sendable {
  /// Number of the frame in the whole timeline.
  public let index: Int
  /// Composition time at which the frame starts.
  public let time: MediaTime
  /// How long it is shown.
  public let duration: MediaTime
  /// Index of the instruction that makes it.
  public let instructionIndex: Int
  /// What it is made of, in the order of the instruction's tracks; tracks in an empty edit are absent.
  public let sources: [SourceOrder]
}
