public import CompositorAPI
public import CompositorHost
public import CompositorAudio
public import CompositorMediaIO

/// The result of an export.
public struct ExportResult: Sendable, Hashable {
  /// Path of the movie, or the pattern of the image sequence.
  public let path: String
  /// Number of frames written; 0 for audio alone.
  public let frameCount: Int
  /// Number of audio samples written per channel; 0 without audio.
  public var audioSampleCount: Int64 = 0
  /// Duration of the frames, or of the audio if there are none.
  public let duration: MediaTime
  /// Size of the file, or of all images, in bytes.
  public let byteCount: Int
  /// Number of frames by the route that made them.
  public let routes: [RenderRoute: Int]
  /// Number of frames that equal the previous one and were not rendered again.
  public let repeatedFrameCount: Int
  /// Time from the call to the result.
  public let wallTime: Duration
  /// How long each stage took.
  public let stages: StageTimings
  /// Number of frames that the pool allocated; constant once a render is in a steady state.
  package var pixelAllocationCount = 0
  /// Number of whole frames that were copied between decoder and encoder, because the target of a drawing was shared.
  package var frameCopyCount = 0
  /// The maximum number of decoders open at a time.
  public let peakDecoderCount: Int
  /// What is missing from the movie because the sources are damaged; empty unless `RenderSettings.damaged` is `.keep`.
  public let losses: [MediaLoss]
  /// Warnings about damaged sources: ``losses``, and damaged packets that still gave frames.
  public let warnings: [MediaWarning]
  /// Notes on how the output differs from the edit because of the file's limits, or on extreme settings.
  public internal(set) var notes: [ExportNote] = []
  /// Peaks of sources that a first pass measured; empty unless requested.
  public internal(set) var measuredPeaks: [MeasuredPeak] = []
  /// Loudness and true peak of the written mix, before encoding; `nil` without audio.
  public internal(set) var loudness: AudioLoudness?
  /// A report on what was copied; `nil` unless ``ExportSettings/passthrough`` was set.
  public internal(set) var passthrough: PassthroughReport?
}

/// The progress of an export.
public struct ExportProgress: Sendable, Hashable {
  /// The unit of progress.
  public enum Unit: String, Hashable, Sendable {
    /// Frames of the output.
    case frames
    /// Audio samples of one channel, if no frames are written.
    case samples
  }

  /// The phase of an export.
  public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
    /// Waiting for a share of the budget; ``queuePosition`` is the position in the queue. Nothing is open yet.
    case queued
    /// Measuring before anything is encoded: light levels for HDR metadata, the loudness of the mix.
    case measuring
    /// Rendering, encoding and writing frames or samples.
    case encoding
    /// Everything is encoded. The index is written, and the file is made durable and gets its name.
    case finishing
    /// The output has its final name. Reported once, at the end.
    case completed
  }

  /// The unit of ``framesDone``, ``framesRendered`` and ``frameCount``.
  public let unit: Unit
  /// The current phase.
  public let phase: Phase
  /// Number of frames that have left the encoder or were measured. Each measuring pass counts all frames once more.
  public let framesDone: Int
  /// Number of frames composed or samples mixed, counted like ``framesDone`` and at least as many, because encoders look ahead.
  public let framesRendered: Int
  /// Total number of frames; 0 in ``Phase/queued``, before they are counted.
  public let frameCount: Int
  /// Time since the start.
  public let elapsed: Duration
  /// Position in the budget's queue, 1 for the next export to begin; `nil` in any phase but ``Phase/queued``.
  /// `RenderBudget.waitingExports` says what the export at each position waits for.
  public internal(set) var queuePosition: Int?
  /// Number of passes over all frames, each of which counts them once more: measuring ones, then the one that writes.
  public internal(set) var passCount = 1

  /// Describes the progress of an export.
  ///
  /// - Parameter framesRendered: By default, the number of frames done.
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

  /// Fraction done, 0 … 1. It never decreases, and is 1 only in ``Phase/completed``: until then it is at most 0.999.
  public var fraction: Double {
    guard phase != .completed else { return 1 }
    return frameCount > 0 ? min(Double(framesDone) / Double(frameCount), 0.999) : 0
  }

  /// Frames or samples per second since the start; 0 before the first frame.
  public var framesPerSecond: Double {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(framesDone) / seconds : 0
  }

  /// Estimated time left at the same rate; `nil` before the first frame.
  public var remaining: Duration? {
    guard framesDone > 0 else { return nil }
    return elapsed * Double(max(0, frameCount - framesDone)) / Double(framesDone)
  }
}

/// The outcome of an export.
public enum ExportOutcome: Sendable {
  /// The output is complete.
  case completed(ExportResult)
  /// The export failed, and there is no output.
  case failed(CompositorError)
  /// The task or the session was canceled, and there is no output.
  case canceled

  /// The outcome of an export that threw an error.
  public init(_ error: CompositorError) { self = error.code == .cancelled ? .canceled : .failed(error) }
}
