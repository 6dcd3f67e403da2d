public import CompositorAPI

/// What one compositor did with one workload.
public struct BenchmarkRow: Sendable, Hashable, Codable {
  /// What is compared with the same in another run.
  public struct Key: Sendable, Hashable, Codable {
    /// The workload's name.
    public let workload: String
    /// The compositor; ``BenchmarkRow/asWritten`` for those that an edit names itself.
    public let compositor: CompositorID
    /// The canvas.
    public let size: PixelSize
    /// Format of the output.
    public let format: PixelFormat
    /// Threads that compose.
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

  /// Milliseconds of a frame by stage, added up over threads; nil for a stage that was not part of the measurement.
  public struct Stages: Sendable, Hashable, Codable {
    /// Waiting for decoders.
    public let decode: Double?
    /// Converting sources for compositors, and frames for delivery.
    public let convert: Double
    /// Inside the compositors, the host's call not counted.
    public let compose: Double
    /// Titles, captions and other overlays.
    public let titles: Double
    /// Encoding and writing.
    public let encode: Double?
    /// Mixing audio.
    public let audio: Double?

    package init(
      decode: Double?, convert: Double, compose: Double, titles: Double, encode: Double?, audio: Double?
    ) {
      self.decode = decode
      self.convert = convert
      self.compose = compose
      self.titles = titles
      self.encode = encode
      self.audio = audio
    }
  }

  /// The numbers of a row.
  public struct Figures: Sendable, Hashable, Codable {
    /// Frames a second, the median over all readings.
    public let framesPerSecond: Double
    /// Half of the interval of 95 % of ``framesPerSecond``, as a part of it.
    public let framesPerSecondNoise: Double
    /// Median of the time from a request to its frame, milliseconds; nil end to end.
    public let p50Milliseconds: Double?
    /// 99th percentile of the time from a request to its frame, milliseconds; nil end to end.
    public let p99Milliseconds: Double?
    /// Processor time per frame, all threads and the processes of plugins, milliseconds; the median.
    public let processorMilliseconds: Double
    /// Median time of a frame over the median of the plain blend of the same size and format on one thread, same run; nil end
    /// to end.
    public let ratioToPlainBlend: Double?
    /// What is compared between runs; nil where it is not known.
    public let cost: FrameCost?
    /// Highest resident memory of the process while it ran, sources included, in MiB.
    public let peakMemoryMiB: Double
    /// Frames on their way at a time.
    public let framesInFlight: Int
    /// Frames allocated by the pool after the warm-up; 0 in a steady state.
    public let allocations: Int
    /// Whole frames that were copied because somebody else held what was to be written.
    public let copies: Int
    /// Allocations of 32 KiB or more for each frame, of the whole process; nil where nobody counts (docs/benchmark.md).
    public let bufferAllocationsPerFrame: Double?
    /// Allocations of any size for each frame, of the whole process; nil where nobody counts.
    public let heapAllocationsPerFrame: Double?
    /// The route that ran, with the number of frames, where it is not one alone.
    public let route: String
    /// Largest difference from the double-precision reference, in code values; nil where none was asked for, or none is defined.
    public let largestError: Double?
    /// Milliseconds of a frame by stage.
    public let stages: Stages

    package init(
      framesPerSecond: Double, framesPerSecondNoise: Double, p50Milliseconds: Double?, p99Milliseconds: Double?,
      processorMilliseconds: Double, ratioToPlainBlend: Double?, cost: FrameCost?, peakMemoryMiB: Double, framesInFlight: Int,
      allocations: Int, copies: Int, bufferAllocationsPerFrame: Double?, heapAllocationsPerFrame: Double?, route: String,
      largestError: Double?, stages: Stages
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
    }

    /// Whether the readings are close enough together to see a change of a tenth.
    public var isSteady: Bool { cost?.isSteady != false }
  }

  /// The compositor of rows whose edits are run as they are written.
  public static let asWritten: CompositorID = "(as written)"

  /// What was run.
  public let key: Key
  /// What was measured; nil where the compositor failed.
  public let figures: Figures?
  /// What went wrong; nil where nothing did.
  public let failure: String?

  package init(_ key: Key, figures: Figures?, failure: String?) {
    (self.key, self.figures, self.failure) = (key, figures, failure)
  }

  /// The workload's name.
  public var workload: String { key.workload }
  /// The compositor.
  public var compositor: CompositorID { key.compositor }
}

/// The outcome of a benchmark: rows and what they were measured against.
public struct BenchmarkReport: Sendable, Hashable, Codable {
  /// The version of this layout in JSON.
  public static let formatVersion = 2

  /// ``BenchmarkReport/formatVersion`` of the report.
  public var formatVersion = BenchmarkReport.formatVersion
  /// Milliseconds per frame of the plain blend, the median of its readings, by `size format`.
  public var plainBlendMilliseconds: [String: Double]
  /// One row for each workload, size, format, compositor and thread count.
  public var rows: [BenchmarkRow]
  /// What has to be said of the machine, such as that it was too noisy; nil if nothing.
  public var machine: String?
  /// What the numbers leave out.
  public var excluded: String

  package init(plainBlendMilliseconds: [String: Double], rows: [BenchmarkRow], machine: String?, excluded: String) {
    (self.plainBlendMilliseconds, self.rows) = (plainBlendMilliseconds, rows)
    (self.machine, self.excluded) = (machine, excluded)
  }

  /// The report with the rows of another one after its own.
  public func appending(_ other: BenchmarkReport) -> BenchmarkReport {
    var all = self
    all.rows += other.rows
    all.plainBlendMilliseconds.merge(other.plainBlendMilliseconds) { own, _ in own }
    let notes = [machine, other.machine].compactMap { $0 }
    all.machine = notes.isEmpty ? nil : notes.joined(separator: " ")
    return all
  }
}
