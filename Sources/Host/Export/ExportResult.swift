public import CompositorAPI
public import CompositorMediaIO

/// What an export made.
public struct ExportResult: Sendable, Hashable {
  /// The movie, or the pattern of the image sequence.
  public let path: String
  /// Frames written.
  public let frameCount: Int
  /// How long they play.
  public let duration: MediaTime
  /// Bytes of the file, or of all images.
  public let byteCount: Int
  /// Frames by the route that made them.
  public let routes: [RenderRoute: Int]
  /// Frames that were the same as the one before, and not made again.
  public let repeatedFrameCount: Int
  /// Time from the call to the result.
  public let wallTime: Duration
  /// Where the time went.
  public let stages: StageTimings
  /// The most decoders that were open at a time.
  public let peakDecoderCount: Int
  /// What is missing from the movie because the sources are damaged; empty unless ``RenderSettings/damaged`` keeps it.
  public let losses: [MediaLoss]
  /// The damage of the sources in words: ``losses``, and damaged packets that gave frames; empty if all is well.
  public let warnings: [MediaWarning]
}

/// Time spent in each stage, added up over frames. Stages run side by side, so the sum exceeds the wall time.
public struct StageTimings: Sendable, Hashable {
  /// Waiting for decoders.
  public var decode: Duration = .zero
  /// Converting sources for compositors.
  public var conform: Duration = .zero
  /// In compositors.
  public var compose: Duration = .zero
  /// Overlay and conversion to the delivery format.
  public var deliver: Duration = .zero
  /// Encoding and writing.
  public var write: Duration = .zero

  /// No time at all.
  public init() {}
}
