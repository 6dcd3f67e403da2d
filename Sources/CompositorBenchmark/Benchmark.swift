public import CompositorAPI
import CompositorHost
public import CompositorValidation

/// The configuration of a benchmark.
public struct BenchmarkConfiguration: Sendable {
  /// The workloads to measure.
  public var workloads: [Workload]
  /// Canvas sizes; sources have the same size, or a proportional one.
  public var sizes: [PixelSize]
  /// Formats of sources and output; integer samples only.
  public var formats: [PixelFormat]
  /// Numbers of concurrent requests, each measured separately.
  public var threads: [Int]
  /// The number of passes over each combination, interleaved with the others. Results are medians of all passes.
  public var repetitions: Int
  /// The maximum number of passes, for combinations that are still too noisy after ``repetitions``.
  public var maximumRepetitions: Int
  /// The number of frames per combination to compare with the double-precision reference; 0 for none.
  public var checkedFrames: Int
  /// The combinations to measure; `nil` for all.
  public var only: Set<BenchmarkRow.Key>?
  /// A simulated regression: each call to a compositor takes longer by this fraction of its own time. Use it to test whether
  /// comparisons detect regressions. Default: 0.
  public var plantedSlowdown = 0.0

  /// Creates a configuration: by default, every workload at 1080p in 8-bit 4:2:0 on one and two threads.
  public init(
    workloads: [Workload] = Workload.all, sizes: [PixelSize] = [PixelSize(width: 1920, height: 1080)],
    formats: [PixelFormat] = [.yuv420p], threads: [Int] = [1, 2], repetitions: Int = 5, maximumRepetitions: Int = 15,
    checkedFrames: Int = 3
  ) {
    self.workloads = workloads
    self.sizes = sizes
    self.formats = formats
    self.threads = threads
    self.repetitions = repetitions
    self.maximumRepetitions = maximumRepetitions
    self.checkedFrames = checkedFrames
  }
}

/// Compares compositors on the same edits and the same frames in memory: nothing is decoded or encoded.
///
/// ```swift
/// let report = try await Benchmark.run([LayerCompositor.self, MyCompositor.self])
/// print(report.table)
/// ```
///
/// Frames take the same path as in a render (conversion, compositor, titles, delivery) on a render's threads, with sources
/// read in advance. Compositors and thread counts alternate every fraction of a second, and the machine's speed is measured
/// in between (`MachineSpeed`), so that other load on the machine affects all of them equally.
public enum Benchmark {
  /// Runs every workload with every compositor, in every size and format and with every thread count.
  ///
  /// - Parameters:
  ///   - progress: Receives each row as soon as it has been measured, still without its ratio to the plain blend.
  /// - Throws: `.cancelled`. A compositor that fails gives a row with its error.
  public static func run(
    _ compositors: [any VideoCompositor.Type], configuration: BenchmarkConfiguration = .init(),
    progress: (BenchmarkRow) -> Void = { _ in }
  ) async throws -> BenchmarkReport {
    try await run(compositors.map { CompositorFactory($0) }, configuration: configuration, progress: progress)
  }

  /// Runs every workload with the compositors of factories, such as those of plugins, in every size and format and with every
  /// thread count.
  public static func run(
    _ compositors: [CompositorFactory], configuration: BenchmarkConfiguration = .init(),
    progress: (BenchmarkRow) -> Void = { _ in }
  ) async throws -> BenchmarkReport {
    var rows: [(row: BenchmarkRow, key: String)] = []
    let blends = PlainBlends()
    let machine = MachineWatch()
    for size in configuration.sizes {
      for format in configuration.formats {
        let usual = MachineSpeed(size: size, format: format, blends: blends)
        for workload in configuration.workloads {
          let keys = compositors.flatMap { compositor in
            configuration.threads.map { threads in
              BenchmarkRow.Key(
                workload: workload.name, compositor: compositor.descriptor.id, size: size, format: format, threads: threads)
            }
          }
          guard keys.contains(where: configuration.measures) else { continue }
          let scene = try workload.scene(on: WorkloadCanvas(size: size, format: format))
          let measured = MeasuredScene(
            workload, scene, frames: NoiseFrames.make(scene.sources, maximumCount: workload.frameCount))
          // W5 has a format of its own, in which it is compared.
          let output = scene.edit.output.format ?? format
          let speed = output == format ? usual : MachineSpeed(size: size, format: output, blends: blends)
          let cell = MeasuredCell(measured, speed: speed, configuration: configuration)
          let found = try await cell.measure(compositors.map { $0 }, keys: keys)
          rows += found.map { ($0, PlainBlends.key(size, output)) }
          found.forEach(progress)
        }
      }
    }
    let related = blends.relating(rows)
    return BenchmarkReport(
      plainBlendMilliseconds: blends.milliseconds, rows: related, machine: machine.note(related),
      excluded: "Compose only: decoding, encoding and audio are excluded; sources are in memory and larger than the caches.")
  }

  /// Runs an edit of your own, first with the compositors that it names, then with each of `compositors` instead.
  ///
  /// As many frames as fit `byteLimit` (at least one), spread over the whole timeline, are decoded in advance.
  ///
  /// - Parameters:
  ///   - composition: The edit to render.
  ///   - name: The name used in rows.
  ///   - frameCount: The maximum number of frames to measure.
  ///   - byteLimit: The maximum size of decoded frames, in bytes. Default: 1 GiB.
  /// - Throws: `.cancelled`. A compositor that fails gives a row with its error.
  public static func run(
    _ composition: ValidatedComposition, name: String, compositors: [CompositorFactory] = [],
    configuration: BenchmarkConfiguration = .init(), frameCount: Int = 120, byteLimit: Int = 1 << 30,
    progress: (BenchmarkRow) -> Void = { _ in }
  ) async throws -> BenchmarkReport {
    let machine = MachineWatch()
    let (plan, variants) = (try RenderPlan(composition), [nil] + compositors.map(Optional.init))
    let keys = variants.flatMap { compositor in
      configuration.threads.map { threads in
        BenchmarkRow.Key(
          workload: name, compositor: compositor?.descriptor.id ?? BenchmarkRow.asWritten, size: plan.format.size,
          format: plan.format.pixelFormat, threads: threads)
      }
    }
    let baseline: PixelFormat = plan.format.pixelFormat.sample == .unsigned ? plan.format.pixelFormat : .yuv420p
    let blends = PlainBlends()
    let speed = MachineSpeed(size: plan.format.size, format: baseline, blends: blends)
    let scene = MeasuredScene(composition, frameCount: frameCount, byteLimit: byteLimit)
    let found = try await MeasuredCell(scene, speed: speed, configuration: configuration).measure(variants, keys: keys)
    found.forEach(progress)
    let rows = blends.relating(found.map { ($0, PlainBlends.key(plan.format.size, baseline)) })
    return BenchmarkReport(
      plainBlendMilliseconds: blends.milliseconds, rows: rows, machine: machine.note(rows),
      excluded: "Compose only: frames were decoded before; encoding and audio are excluded.")
  }
}

extension BenchmarkConfiguration {
  func measures(_ key: BenchmarkRow.Key) -> Bool { only?.contains(key) ?? true }
}
