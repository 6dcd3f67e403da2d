public import CompositorAPI
public import CompositorHost
public import CompositorAudio
public import CompositorMediaIO

/// What an export made.
public struct ExportResult: Sendable, Hashable {
  /// The movie, or the pattern of the image sequence.
  public let path: String
  /// Frames written; 0 for audio alone.
  public let frameCount: Int
  /// Audio samples written for each channel; 0 without audio.
  public var audioSampleCount: Int64 = 0
  /// How long the frames play; the audio where there are none.
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
  /// Frames that the pool allocated; in the steady state of a render this stands still.
  package var pixelAllocationCount = 0
  /// Whole frames that were copied between decoder and encoder, because somebody else held what was to be drawn into.
  package var frameCopyCount = 0
  /// The most decoders that were open at a time.
  public let peakDecoderCount: Int
  /// What is missing from the movie because the sources are damaged; empty unless ``RenderSettings/damaged`` keeps it.
  public let losses: [MediaLoss]
  /// The damage of the sources in words: ``losses``, and damaged packets that gave frames; empty if all is well.
  public let warnings: [MediaWarning]
  /// What is different from the edit because the file cannot be otherwise, or because the settings go far: one sentence each, without a
  /// capital or a full stop.
  public internal(set) var notes: [String] = []
  /// The peaks of sources that a first pass measured; empty if none were asked for.
  public internal(set) var measuredPeaks: [MeasuredPeak] = []
  /// The loudness and the true peak of the mix that was written, before encoding; nil without audio.
  public internal(set) var loudness: AudioLoudness?
  /// What was copied; nil unless ``ExportSettings/passthrough`` asked for it.
  public internal(set) var passthrough: PassthroughReport?
}

/// How far an export is.
public struct ExportProgress: Sendable, Hashable {
  /// What is counted.
  public enum Unit: String, Hashable, Sendable {
    /// Frames of the output.
    case frames
    /// Audio samples of one channel, where no frames are written.
    case samples
  }

  /// What an export is doing.
  public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
    /// Waiting for a share of the budget; ``queuePosition`` says how many come before. Nothing is opened yet.
    case queued
    /// A pass that measures, before anything is encoded: HDR metadata that is generated, loudness that is reached.
    case measuring
    /// Frames or samples are made, encoded and written.
    case encoding
    /// Everything is encoded; the index is written, and the file is made durable and given its name.
    case finishing
    /// The output has its name. Reported once, at the end.
    case completed
  }

  /// What ``framesDone``, ``framesRendered`` and ``frameCount`` count.
  public let unit: Unit
  /// What the export is doing.
  public let phase: Phase
  /// What has left the encoder, or was measured. Everything counts once more for each pass that measures.
  public let framesDone: Int
  /// What was composed or mixed; at least ``framesDone``, since encoders look ahead. Counted as ``framesDone`` is.
  public let framesRendered: Int
  /// Frames to do in all; 0 in ``Phase/queued``, where they are not counted yet.
  public let frameCount: Int
  /// Time since the start.
  public let elapsed: Duration
  /// The place in the queue of the budget, 1 for the next one to begin; nil in any phase but ``Phase/queued``.
  public internal(set) var queuePosition: Int?

  /// Describes a state of an export.
  ///
  /// - Parameter framesRendered: By default as many as are done.
  public init(
    framesDone: Int, frameCount: Int, elapsed: Duration, unit: Unit = .frames, framesRendered: Int? = nil,
    phase: Phase = .encoding
  ) {
    self.unit = unit
    self.phase = phase
    self.framesDone = framesDone
    self.framesRendered = max(framesRendered ?? framesDone, framesDone)
    self.frameCount = frameCount
    self.elapsed = elapsed
  }

  /// How much is done, 0 … 1. It never falls, and is 1 in ``Phase/completed`` alone: until then it is 0.999 at most.
  public var fraction: Double {
    guard phase != .completed else { return 1 }
    return frameCount > 0 ? min(Double(framesDone) / Double(frameCount), 0.999) : 0
  }

  /// Frames, or samples, a second since the start; 0 before the first frame.
  public var framesPerSecond: Double {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(framesDone) / seconds : 0
  }

  /// Time left at the same rate; nil before the first frame.
  public var remaining: Duration? {
    guard framesDone > 0 else { return nil }
    return elapsed * Double(max(0, frameCount - framesDone)) / Double(framesDone)
  }
}

/// How an export ended.
public enum ExportOutcome: Sendable {
  /// The output is there.
  case completed(ExportResult)
  /// There is no output, for this reason.
  case failed(CompositorError)
  /// The task or the session was canceled; there is no output.
  case canceled

  /// How an export that ended with an error ended.
  public init(_ error: CompositorError) { self = error.code == .cancelled ? .canceled : .failed(error) }
}
