public import CompositorAPI

/// When each output frame starts: at a constant rate, or as a source's frames do.
public enum FrameSchedule: Sendable, Hashable {
  /// Frames at a constant rate from 0 on.
  case constant(FrameTiming)
  /// Frame n starts at the n-th of these times, which rise; the last frame lasts to the end of the timeline.
  case listed([MediaTime])

  /// Number of frames that start before `end`: ceil(end / duration) at a constant rate. 0 where `end` is not numeric.
  package func frameCount(until end: MediaTime) -> Int {
    switch self {
    case .constant(let timing): timing.frameCount(in: end) ?? 0
    case .listed(let times): times.partitioningIndex { $0 >= end }
    }
  }

  /// Start of frame `index`; +∞ past the last one that has a time. O(1).
  package func time(ofFrame index: Int) -> MediaTime {
    switch self {
    case .constant(let timing): timing.time(ofFrame: index)
    case .listed(let times): times.indices.contains(index) ? times[index] : .positiveInfinity
    }
  }

  /// How long frame `index` is shown: at a constant rate always the same, else up to the next one or to `end`.
  package func duration(ofFrame index: Int, until end: MediaTime) -> MediaTime {
    switch self {
    case .constant(let timing): return timing.frameDuration
    case .listed(let times):
      guard times.indices.contains(index) else { return .invalid }
      return (index + 1 < times.count ? min(times[index + 1], end) : end) - times[index]
    }
  }

  /// The frame shown at a time: the last one that starts no later; 0 before all. O(log n).
  package func frameIndex(at time: MediaTime) -> Int {
    switch self {
    case .constant(let timing): max(0, timing.index(at: time) ?? 0)
    case .listed(let times): max(0, times.partitioningIndex { $0 > time } - 1)
    }
  }
}

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
  /// Whether media plays backward there: the frame is the last one that starts before ``mediaTime``.
  public let isBackward: Bool
  /// What is shown between two frames of the media.
  public let frames: FrameInterpolation
  /// The end of the media that the clip plays, in its direction: no frame beyond it is mixed in.
  public let mediaLimit: MediaTime
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
