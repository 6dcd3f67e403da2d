public import CompositorAPI
public import CompositorHost

/// A frame that is due, with its place in the timeline and what it cost.
public struct PlayerFrame: Sendable {
  /// The frame, titles included.
  public let frame: Frame
  /// Number of the frame in the timeline, from 0.
  public let index: Int
  /// Composition time at which it starts.
  public let time: MediaTime
  /// How long it is shown at rate 1.
  public let duration: MediaTime
  /// The number of the last seek when it was delivered; 0 before the first. A frame with a lower number than the newest seek's is out of
  /// date.
  public let seek: Int
  /// Whether this is the very frame of the time that was asked for. False for a frame within a seek's tolerance that stands in for it.
  public let isExact: Bool
  /// What it cost to make; the same for a frame that is shown again from memory.
  public let cost: FrameCost
}

/// What one frame cost, by stage.
public struct FrameCost: Sendable, Hashable {
  /// Waiting for decoders.
  public var decode: Duration
  /// Converting sources for compositors.
  public var conform: Duration
  /// In compositors and effects.
  public var compose: Duration
  /// Titles and conversion to the delivery format.
  public var deliver: Duration
  /// Index of the instruction that made it; one past the last for frames after the composition's end.
  public var instructionIndex: Int

  /// All stages together. Compositors run beside decoders of later frames, so the sum over frames exceeds the time that passed.
  public var total: Duration { decode + conform + compose + deliver }

  init(_ timings: StageTimings, instructionIndex: Int) {
    decode = timings.decode
    conform = timings.conform
    compose = timings.compose
    deliver = timings.deliver
    self.instructionIndex = instructionIndex
  }
}

/// What a player did so far.
public struct PlayerStatistics: Sendable, Hashable {
  /// Frames that were delivered.
  public internal(set) var paintedCount = 0
  /// Frames that were due during playback and never delivered: the clock had passed them.
  public internal(set) var droppedCount = 0
  /// Of the delivered frames, those that came after their time was over.
  public internal(set) var lateCount = 0
  /// Frames that could not be made; see ``Player/errors``.
  public internal(set) var failedCount = 0
  /// Frames that were made, for delivery or ahead of it.
  public internal(set) var renderedCount = 0
  /// Seeks that were asked for.
  public internal(set) var seekCount = 0
  /// Seeks that a newer one took over before their frame came.
  public internal(set) var supersededCount = 0
  /// Frames that are kept now, and their bytes.
  public internal(set) var cachedFrameCount = 0
  /// Bytes of the frames that are kept now.
  public internal(set) var cachedByteCount = 0
  /// What frames cost by stage, added up over all that were made. Stages run side by side.
  public internal(set) var stages = StageTimings()
}
