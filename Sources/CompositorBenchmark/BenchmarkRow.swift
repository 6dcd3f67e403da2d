public import CompositorAPI

/// What one compositor did with one workload.
public struct BenchmarkRow: Sendable, Hashable, Codable {
  /// The numbers of a row.
  public struct Figures: Sendable, Hashable, Codable {
    /// Frames a second, of the fastest run.
    public let framesPerSecond: Double
    /// Median of the time from a request to its frame, milliseconds.
    public let p50Milliseconds: Double
    /// 99th percentile of the time from a request to its frame, milliseconds.
    public let p99Milliseconds: Double
    /// Processor time per frame, all threads, milliseconds.
    public let processorMilliseconds: Double
    /// Median time of a frame over the median of the plain blend of the same size and format on one thread, same run.
    public let ratioToPlainBlend: Double
    /// Highest resident memory of the process while it ran, sources included, in MiB.
    public let peakMemoryMiB: Double
    /// Frames allocated by the pool after the first run; 0 in a steady state.
    public let allocations: Int
    /// The route that ran, with the number of frames, where it is not one alone.
    public let route: String
    /// Largest difference from the double-precision reference, in code values; nil where none was asked for.
    public let largestError: Double?
  }

  /// The workload's name.
  public let workload: String
  /// The compositor.
  public let compositor: CompositorID
  /// The canvas and the sources.
  public let size: PixelSize
  /// Format of sources and output.
  public let format: PixelFormat
  /// Requests in flight.
  public let threads: Int
  /// What was measured; nil where the compositor failed.
  public let figures: Figures?
  /// What went wrong; nil where nothing did.
  public let failure: String?
}

/// The outcome of a benchmark: rows and what they were measured against.
public struct BenchmarkReport: Sendable, Hashable, Codable {
  /// Milliseconds per frame of the plain blend, its fastest reading, by `size format`.
  public let plainBlendMilliseconds: [String: Double]
  /// One row for each workload, size, format, compositor and thread count.
  public let rows: [BenchmarkRow]
  /// What the numbers leave out.
  public let excluded: String
}
