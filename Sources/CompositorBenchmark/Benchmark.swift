public import CompositorAPI
import Synchronization

/// What to measure.
public struct BenchmarkConfiguration: Sendable {
  /// The work.
  public var workloads: [Workload]
  /// Canvas sizes; sources have the same size.
  public var sizes: [PixelSize]
  /// Formats of sources and output; integer samples only.
  public var formats: [PixelFormat]
  /// Requests in flight, one run each.
  public var threads: [Int]
  /// Runs of each combination: the fastest counts for the rate, all of them for the percentiles.
  public var repetitions: Int
  /// Frames per run that are compared with the double-precision reference; 0 for none.
  public var checkedFrames: Int

  /// Makes a configuration: every workload at 1080p in 8-bit 4:2:0 on one and two threads.
  public init(
    workloads: [Workload] = Workload.all, sizes: [PixelSize] = [PixelSize(width: 1920, height: 1080)],
    formats: [PixelFormat] = [.yuv420p], threads: [Int] = [1, 2], repetitions: Int = 3, checkedFrames: Int = 3
  ) {
    self.workloads = workloads
    self.sizes = sizes
    self.formats = formats
    self.threads = threads
    self.repetitions = repetitions
    self.checkedFrames = checkedFrames
  }
}

/// Compares compositors on the same instructions and the same frames in memory: nothing is decoded or encoded.
///
/// ```swift
/// let report = try await Benchmark.run([LayerCompositor.self, MyCompositor.self])
/// print(report.table)
/// ```
public enum Benchmark {
  /// Runs every workload in every size, format and thread count through every compositor.
  ///
  /// The order is by workload, so that compositors that are compared run next to each other, each beside a fresh reading of
  /// the plain blend.
  ///
  /// - Parameters:
  ///   - progress: Is told of each row as soon as it is there.
  /// - Throws: `.cancelled`. A compositor that fails gives a row that says so.
  public static func run(
    _ compositors: [any VideoCompositor.Type], configuration: BenchmarkConfiguration = .init(),
    progress: (BenchmarkRow) -> Void = { _ in }
  ) async throws -> BenchmarkReport {
    var rows: [BenchmarkRow] = []
    var blends: [String: Double] = [:]
    for size in configuration.sizes {
      for format in configuration.formats {
        for workload in configuration.workloads {
          let bench = try WorkloadRun(workload, size: size, format: format, checkedFrames: configuration.checkedFrames)
          for compositor in compositors {
            for threads in configuration.threads {
              let row = try await bench.measure(compositor, threads: threads, configuration: configuration)
              rows.append(row)
              progress(row)
            }
          }
          blends["\(size) \(format)"] = bench.fastestBlend
        }
      }
    }
    return BenchmarkReport(
      plainBlendMilliseconds: blends, rows: rows,
      excluded: "Compose only: decoding, encoding and audio are excluded; sources are in memory and larger than the caches.")
  }
}

/// One workload in one size and format, with its sources in memory.
private final class WorkloadRun {
  let workload: Workload
  let size: PixelSize
  let format: PixelFormat
  let instruction: Instruction
  let sources: [TrackID: [Frame]]
  let attributes: FrameAttributes
  let reference: ReferenceCheck
  var fastestBlend = Double.infinity

  init(_ workload: Workload, size: PixelSize, format: PixelFormat, checkedFrames: Int) throws {
    self.workload = workload
    self.size = size
    self.format = format
    self.instruction = try workload.instruction(size)
    self.attributes = FrameAttributes(color: format.isRGB ? .sRGB : .bt709)
    let sources = NoiseFrames.make(trackIDs: workload.trackIDs, format: format, size: size, attributes: attributes)
    self.sources = sources
    let context = RenderContext(size: size, outputFormat: format, outputAttributes: attributes)
    let instruction = self.instruction
    self.reference = try ReferenceCheck(
      WorkloadRun.checkedFrames(checkedFrames, of: workload.frameCount).map {
        WorkloadRun.request($0, of: workload, sources: sources, instruction, context)
      })
  }

  func measure(
    _ type: any VideoCompositor.Type, threads: Int, configuration: BenchmarkConfiguration
  ) async throws -> BenchmarkRow {
    let routes = RouteCounter()
    let context = RenderContext(
      size: size, outputFormat: format, outputAttributes: attributes,
      pool: FramePool(maximumOutstanding: 64 + 2 * threads), observer: routes)
    var instruction = instruction
    instruction.compositor = type.descriptor.id
    do {
      let compositor = try type.init(parameters: instruction.parameters, context: context)
      let blend = plainBlend()
      let error = try await reference.largestError(of: compositor)
      _ = try await run(compositor, instruction, context, threads: threads)
      routes.reset()
      let allocated = context.pool.statistics.allocations
      Measurement.resetPeakMemory()
      var runs: [Run] = []
      for _ in 0..<max(1, configuration.repetitions) {
        runs.append(try await run(compositor, instruction, context, threads: threads))
      }
      return row(
        type, threads,
        figures(
          runs, blend: min(blend, plainBlend()), allocations: context.pool.statistics.allocations - allocated,
          routes: routes, error: error))
    } catch is CancellationError {
      throw CompositorError(.cancelled, "The benchmark was cancelled.")
    } catch {
      return row(type, threads, nil, failure: "\(error)")
    }
  }

  /// Over every frame there is, so that the baseline is as far from the caches as the work is.
  private func plainBlend() -> Double {
    let half = max(1, workload.trackIDs.count / 2)
    let first = workload.trackIDs.prefix(half).flatMap { sources[$0] ?? [] }
    let second = workload.trackIDs.dropFirst(half).flatMap { sources[$0] ?? [] }
    let milliseconds = PlainBlend.milliseconds(first: first, second: second, repetitions: 4)
    fastestBlend = min(fastestBlend, milliseconds)
    return milliseconds
  }

  private static func request(
    _ index: Int, of workload: Workload, sources: [TrackID: [Frame]], _ instruction: Instruction, _ context: RenderContext
  ) -> CompositionRequest {
    let time = workload.time(ofFrame: index)
    var frames: [TrackID: SourceFrame] = [:]
    for (trackID, ring) in sources {
      frames[trackID] = SourceFrame(
        trackID: trackID, frame: ring[index % ring.count], presentationTime: time, duration: workload.frameDuration,
        requestedTime: time)
    }
    return CompositionRequest(time: time, instruction: instruction, sources: frames, context: context)
  }

  struct Run {
    var wallMilliseconds: Double
    var processorMilliseconds: Double
    var frameMilliseconds: [Double]
  }

  /// Composes every frame once, `threads` requests at a time.
  private func run(
    _ compositor: any VideoCompositor, _ instruction: Instruction, _ context: RenderContext, threads: Int
  ) async throws -> Run {
    let requests = (0..<workload.frameCount).map {
      WorkloadRun.request($0, of: workload, sources: sources, instruction, context)
    }
    let clock = ContinuousClock()
    let processor = Measurement.processorMilliseconds()
    let start = clock.now
    let times = try await withThrowingTaskGroup(of: Double.self) { group in
      var times: [Double] = []
      for (index, request) in requests.enumerated() {
        if index >= threads, let time = try await group.next() { times.append(time) }
        group.addTask {
          let began = ContinuousClock.now
          _ = try await compositor.compose(request)
          return Measurement.milliseconds(began.duration(to: .now))
        }
      }
      for try await time in group { times.append(time) }
      return times
    }
    return Run(
      wallMilliseconds: Measurement.milliseconds(start.duration(to: clock.now)),
      processorMilliseconds: Measurement.processorMilliseconds() - processor, frameMilliseconds: times)
  }

  /// Requests spread over the workload, first and last among them.
  private static func checkedFrames(_ count: Int, of total: Int) -> [Int] {
    guard count > 1 else { return count == 1 ? [total / 2] : [] }
    return (0..<count).map { $0 * (total - 1) / (count - 1) }
  }

  private func row(
    _ type: any VideoCompositor.Type, _ threads: Int, _ figures: BenchmarkRow.Figures?, failure: String? = nil
  ) -> BenchmarkRow {
    BenchmarkRow(
      workload: workload.name, compositor: type.descriptor.id, size: size, format: format, threads: threads,
      figures: figures, failure: failure)
  }

  private func figures(
    _ runs: [Run], blend: Double, allocations: Int, routes: RouteCounter, error: Double?
  ) -> BenchmarkRow.Figures {
    let count = Double(workload.frameCount)
    // The fastest run: whatever else the machine does can only add to it.
    let wall = (runs.map(\.wallMilliseconds).min() ?? .nan) / count
    let frames = runs.flatMap(\.frameMilliseconds)
    let median = Measurement.percentile(0.5, of: frames)
    return BenchmarkRow.Figures(
      framesPerSecond: 1000 / wall, p50Milliseconds: median,
      p99Milliseconds: Measurement.percentile(0.99, of: frames),
      processorMilliseconds: Measurement.percentile(0.5, of: runs.map(\.processorMilliseconds)) / count,
      ratioToPlainBlend: median / blend, peakMemoryMiB: Measurement.peakMemoryMiB(), allocations: allocations,
      route: routes.description, largestError: error)
  }
}

/// Counts routes.
private final class RouteCounter: RenderObserver {
  private let counts = Mutex<[RenderRoute: Int]>([:])

  func didCompose(route: RenderRoute, instructionIndex: Int, time: MediaTime) {
    counts.withLock { $0[route, default: 0] += 1 }
  }

  func reset() { counts.withLock { $0.removeAll() } }

  var description: String {
    let counts = counts.withLock { $0 }
    if counts.isEmpty { return RenderRoute.custom.rawValue }
    if counts.count == 1, let only = counts.first { return only.key.rawValue }
    return counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
  }
}
