public import CompositorAPI

/// The start times of output frames: at a constant rate, or those of a source's frames.
public enum FrameSchedule: Sendable, Hashable {
  /// Frames at a constant rate from 0 on.
  case constant(FrameTiming)
  /// Frame n starts at the n-th of these increasing times. The last frame lasts to the end of the timeline.
  case listed([MediaTime])

  /// The number of frames that start before `end`: ceil(end / duration) at a constant rate. 0 if `end` isn't numeric.
  package func frameCount(until end: MediaTime) -> Int {
    switch self {
    case .constant(let timing): timing.frameCount(in: end) ?? 0
    case .listed(let times): times.partitioningIndex { $0 >= end }
    }
  }

  /// The start of frame `index`; +∞ past the last one. O(1).
  package func time(ofFrame index: Int) -> MediaTime {
    switch self {
    case .constant(let timing): timing.time(ofFrame: index)
    case .listed(let times): times.indices.contains(index) ? times[index] : .positiveInfinity
    }
  }

  /// The duration of frame `index`: constant at a constant rate, otherwise up to the next frame or to `end`.
  package func duration(ofFrame index: Int, until end: MediaTime) -> MediaTime {
    switch self {
    case .constant(let timing): return timing.frameDuration
    case .listed(let times):
      guard times.indices.contains(index) else { return .invalid }
      return (index + 1 < times.count ? min(times[index + 1], end) : end) - times[index]
    }
  }

  /// The frame shown at a given time: the last one that starts no later, or 0 before all. O(log n).
  package func frameIndex(at time: MediaTime) -> Int {
    switch self {
    case .constant(let timing): max(0, timing.index(at: time) ?? 0)
    case .listed(let times): max(0, times.partitioningIndex { $0 > time } - 1)
    }
  }
}

/// The source of one track's frame: a time in the media.
public struct SourceOrder: Hashable, Sendable {
  /// The composition's track.
  public let trackID: TrackID
  /// The media.
  public let source: MediaSource
  /// The index of the media's video track.
  public let sourceTrackIndex: Int
  /// The media time to show.
  public let mediaTime: MediaTime
  /// Whether the media plays backward. The frame is then the last one that starts before ``mediaTime``.
  public let isBackward: Bool
  /// How frames between two frames of the media are made.
  public let frames: FrameInterpolation
  /// The end of the media that the clip plays, in its direction. No frame beyond it is blended in.
  public let mediaLimit: MediaTime
  /// The number of the track's source use. Consecutive segments that continue in the same media share one.
  public let use: Int
  /// The view of the media.
  public internal(set) var view = StereoView.mono
}

/// The sources and times for one frame: a pure function of the plan and the index.
public struct FrameRequest: Hashable, Sendable {
  /// The index of the frame in the whole timeline.
  public let index: Int
  /// The composition time at which the frame starts.
  public let time: MediaTime
  /// The duration of the frame.
  public let duration: MediaTime
  /// The index of the instruction that composes it.
  public let instructionIndex: Int
  /// The sources in the order of the instruction's tracks. Tracks in an empty edit are absent.
  public internal(set) var sources: [SourceOrder]
  /// The view to make.
  public internal(set) var view = StereoView.mono
}
