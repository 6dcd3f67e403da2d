public import CompositorAPI
public import CompositorHost

/// A frame that is due, with its time and its cost.
public struct PlayerFrame: Sendable {
  /// The frame, including titles.
  public let frame: Frame
  /// Index of the frame in the timeline, from 0.
  public let index: Int
  /// Composition time of its start.
  public let time: MediaTime
  /// Duration at rate 1.
  public let duration: MediaTime
  /// The number of the last seek when the frame was delivered; 0 before the first. A frame with a lower number than the newest
  /// seek's is outdated.
  public let seek: Int
  /// Whether this is exactly the requested frame; false for a frame within a seek's tolerance that is shown in its place.
  public let isExact: Bool
  /// The cost of rendering it; unchanged if it is shown again from the cache.
  public let cost: FrameTimings
}

/// The cost of a frame, by stage.
public struct FrameTimings: Sendable, Hashable {
  /// Waiting for decoders.
  public var decode: Duration
  /// Converting sources for compositors.
  public var conform: Duration
  /// In compositors and effects.
  public var compose: Duration
  /// Titles and conversion to the delivery format.
  public var deliver: Duration
  /// Index of its instruction; one past the last for frames after the composition's end.
  public var instructionIndex: Int

  /// The sum of all stages. Compositors run in parallel with decoders of later frames, so the sum over frames exceeds the
  /// elapsed time.
  public var total: Duration { decode + conform + compose + deliver }

  init(_ timings: StageTimings, instructionIndex: Int) {
    decode = timings.decode
    conform = timings.conform
    compose = timings.compose
    deliver = timings.deliver
    self.instructionIndex = instructionIndex
  }
}

/// Statistics of a player.
public struct PlayerStatistics: Sendable, Hashable {
  /// Number of delivered frames.
  public internal(set) var paintedCount = 0
  /// Number of frames that were due during playback but not delivered, because the clock had passed them.
  public internal(set) var droppedCount = 0
  /// Number of delivered frames that came after their time was over.
  public internal(set) var lateCount = 0
  /// Number of frames that could not be rendered; see ``Player/errors``.
  public internal(set) var failedCount = 0
  /// Number of frames rendered, for delivery or ahead of it.
  public internal(set) var renderedCount = 0
  /// Number of seeks.
  public internal(set) var seekCount = 0
  /// Number of seeks that a newer one superseded before their frame came.
  public internal(set) var supersededCount = 0
  /// Number of frames in the cache.
  public internal(set) var cachedFrameCount = 0
  /// Size of the cache in bytes.
  public internal(set) var cachedByteCount = 0
  /// Cost of all rendered frames by stage. Stages run in parallel.
  public internal(set) var stages = StageTimings()
}
