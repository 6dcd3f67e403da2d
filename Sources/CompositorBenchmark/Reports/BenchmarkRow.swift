public import CompositorAPI

/// The result of one compositor for one workload.
public struct BenchmarkRow: Sendable, Hashable, Codable {
  /// The combination measured, which identifies the row in another run.
  public struct Key: Sendable, Hashable, Codable {
    /// The workload's name.
    public let workload: String
    /// The compositor; ``BenchmarkRow/asWritten`` for those named by an edit.
    public let compositor: CompositorID
    /// The size of the canvas.
    public let size: PixelSize
    /// The format of the output.
    public let format: PixelFormat
    /// The number of composing threads.
    public let threads: Int

    package init(
      workload: String, compositor: CompositorID, size: PixelSize, format: PixelFormat, threads: Int
    ) {
      self.workload = workload
      self.compositor = compositor
      self.size = size
      self.format = format
      self.threads = threads
    }
  }

  /// The numbers of a row.
  public struct Figures: Sendable, Hashable, Codable {
    /// Frames per second, the median over all readings.
    public let framesPerSecond: Double
    /// Half of the 95 % confidence interval of ``framesPerSecond``, relative to it.
    public let framesPerSecondNoise: Double
    /// Median of the time from request to frame, in milliseconds; `nil` end to end.
    public let p50Milliseconds: Double?
    /// 99th percentile of the time from request to frame, in milliseconds; `nil` end to end.
    public let p99Milliseconds: Double?
    /// Mean processor time per frame, of all threads and plugin processes, in milliseconds; end to end of the fastest pass.
    public let processorMilliseconds: Double
    /// ``p50Milliseconds`` divided by the time of the plain blend of the same size and the output's format, which works on one
    /// thread also if the row has several. All rows of a report with the same size and format are compared with the same time,
    /// the median of ``BenchmarkReport/plainBlendMilliseconds``. `nil` end to end.
    public internal(set) var ratioToPlainBlend: Double?
    /// Milliseconds for reading every byte of a frame's sources once, on one thread: the median of readings between those of the
    /// compositors, the same for all of them. `nil` end to end.
    public let sourceReadMilliseconds: Double?
    /// ``p50Milliseconds`` divided by ``sourceReadMilliseconds``; `nil` end to end.
    public let ratioToSourceRead: Double?
    /// What decoding and encoding cost alone; `nil` if that was not measured: if only composing was, for an edit with audio, and for
    /// one whose frames do not fit into 1 GiB.
    public let codecs: Codecs?
    /// The format of the composed frames, which is that of the row unless the work has its own; `nil` if unknown.
    public let outputFormat: PixelFormat?
    /// The cost that is compared between runs; `nil` if unknown.
    public let cost: FrameCost?
    /// Peak resident memory of the process during the row's passes, in MiB: including sources, baselines, and what the other rows
    /// of the same workload keep. NaN if the system does not allow to reset the peak.
    public let peakMemoryMiB: Double
    /// The number of frames in flight.
    public let framesInFlight: Int
    /// Frames allocated by the pool after the warm-up; 0 in a steady state.
    public let allocations: Int
    /// Complete frames that were copied because their memory was shared.
    public let copies: Int
    /// Allocations of 8 KiB or more per frame, in the whole process; `nil` if they are not counted (docs/benchmark.md).
    public let bufferAllocationsPerFrame: Double?
    /// Allocations of any size per frame, in the whole process; `nil` if they are not counted.
    public let heapAllocationsPerFrame: Double?
    /// The route taken, with the number of frames if there were several.
    public let route: String
    /// Largest difference from the double-precision reference, in code values; `nil` if it was not requested or is not
    /// defined.
    public let largestError: Double?
    /// Milliseconds per frame by stage.
    public let stages: Stages

    package init(
      framesPerSecond: Double, framesPerSecondNoise: Double, p50Milliseconds: Double?, p99Milliseconds: Double?,
      processorMilliseconds: Double, ratioToPlainBlend: Double?, cost: FrameCost?, peakMemoryMiB: Double, framesInFlight: Int,
      allocations: Int, copies: Int, bufferAllocationsPerFrame: Double?, heapAllocationsPerFrame: Double?, route: String,
      largestError: Double?, stages: Stages, sourceReadMilliseconds: Double? = nil, outputFormat: PixelFormat? = nil,
      codecs: Codecs? = nil
    ) {
      self.framesPerSecond = framesPerSecond
      self.framesPerSecondNoise = framesPerSecondNoise
      self.p50Milliseconds = p50Milliseconds
      self.p99Milliseconds = p99Milliseconds
      self.processorMilliseconds = processorMilliseconds
      self.ratioToPlainBlend = ratioToPlainBlend
      self.cost = cost
      self.peakMemoryMiB = peakMemoryMiB
      self.framesInFlight = framesInFlight
      self.allocations = allocations
      self.copies = copies
      self.bufferAllocationsPerFrame = bufferAllocationsPerFrame
      self.heapAllocationsPerFrame = heapAllocationsPerFrame
      self.route = route
      self.largestError = largestError
      self.stages = stages
      self.sourceReadMilliseconds = sourceReadMilliseconds
      ratioToSourceRead = sourceReadMilliseconds.flatMap { read in p50Milliseconds.map { $0 / read } }
      self.outputFormat = outputFormat
      self.codecs = codecs
    }

    /// Whether the readings are precise enough to detect a change of one tenth.
    public var isSteady: Bool { cost?.isSteady != false }
  }

  /// The compositor of rows whose edits are run unmodified.
  public static let asWritten: CompositorID = "(as written)"

  /// The combination measured.
  public let key: Key
  /// The measurements; `nil` if the compositor failed.
  public let figures: Figures?
  /// The error message; `nil` if there was no error.
  public let failure: String?

  package init(_ key: Key, figures: Figures?, failure: String?) {
    (self.key, self.figures, self.failure) = (key, figures, failure)
  }

  /// The row with its ratio to a plain blend that takes so many milliseconds.
  func relating(toPlainBlend milliseconds: Double?) -> BenchmarkRow {
    guard var figures, let median = figures.p50Milliseconds else { return self }
    figures.ratioToPlainBlend = milliseconds.map { median / $0 }
    return BenchmarkRow(key, figures: figures, failure: failure)
  }

  /// The workload's name.
  public var workload: String { key.workload }
  /// The compositor.
  public var compositor: CompositorID { key.compositor }
}
