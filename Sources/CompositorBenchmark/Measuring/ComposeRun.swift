import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorValidation

/// The edit to measure, with readable sources, and the limits of a pass.
struct MeasuredScene: Sendable {
  let edit: Edit
  let catalog: MediaCatalog
  /// The compositors that the edit may name.
  let registry: CompositorRegistry
  /// The maximum number of frames in a pass.
  let frameCount: Int
  /// The maximum size of the source frames that are kept for all runs together, in bytes.
  let byteLimit: Int
  /// Whether every frame is the same work, so that any of them represent the others.
  let isUniform: Bool

  /// A workload's scene with its material in memory.
  init(_ workload: Workload, _ scene: WorkloadScene, frames: [[Frame]]) {
    let catalog = MediaCatalog()
    for (source, frames) in zip(scene.sources, frames) {
      let media = NoiseMedia(
        source, frames, frameDuration: workload.frameDuration, duration: workload.time(ofFrame: workload.frameCount))
      catalog.provide(media, as: source.name)
    }
    (self.edit, self.catalog, frameCount, byteLimit) = (scene.edit, catalog, workload.frameCount, .max)
    (registry, isUniform) = (.builtIn, true)
  }

  /// A user's edit.
  init(_ composition: ValidatedComposition, frameCount: Int, byteLimit: Int) {
    (edit, catalog, registry) = (composition.edit, composition.catalog, composition.registry)
    (self.frameCount, self.byteLimit, isUniform) = (frameCount, byteLimit, false)
  }

  /// The edit with another compositor in each instruction that composes (`nil` leaves it as it is), and the compositors that it
  /// may name.
  func edit(with compositor: CompositorFactory?) throws -> (Edit, CompositorRegistry) {
    var registry = registry
    if let compositor { try registry.register(compositor) }
    return (edit.replacingCompositor(with: compositor), registry)
  }
}

/// One compositor on one scene with one thread count, ready to run with its sources in memory.
final class ComposeRun {
  /// The compositor and the thread count.
  struct Variant {
    /// `nil` for the compositors that the edit names.
    let compositor: CompositorFactory?
    let threads: Int
    let slowdown: Double
  }

  let variant: Variant
  private let scheduler: FrameScheduler
  private var gathered: [GatheredFrame]
  private let meter: ComposeMeter
  private let isOrdered: Bool
  /// Whether a compositor of the edit runs in another process.
  let isElsewhere: Bool
  private var last: RenderStatistics

  /// Reads the sources, or takes those that a run before has read.
  ///
  /// - Throws: The diagnostics if the edit is invalid; errors from reading its sources.
  init(_ scene: MeasuredScene, _ variant: Variant, sources: GatheredSources) async throws {
    self.variant = variant
    meter = ComposeMeter(slowdown: variant.slowdown)
    let (edit, known) = try scene.edit(with: variant.compositor)
    isElsewhere = edit.compositorIDs.contains { known[$0]?.isIsolated == true }
    var registry = known
    for id in edit.compositorIDs {
      guard let factory = registry[id] else { continue }
      try registry.register(meter.watching(factory))
    }
    let composition = try CompositionValidator.validate(
      edit, catalog: scene.catalog, registry: registry, mediaTypes: [.video]
    ).get()
    let plan = try RenderPlan(composition)
    let kind = GatheredSources.Kind(edit, known)
    isOrdered = kind.isOrdered
    // Converted or interpolated sources hold frames of the pool.
    scheduler = try FrameScheduler(
      plan, settings: RenderSettings(threadCount: variant.threads),
      heldFrameCount: 4 * min(scene.frameCount, plan.frameCount))
    gathered = try await sources.frames(of: kind, by: scheduler, count: scene.frameCount)
    last = await scheduler.statistics()
  }

  func close() async { await scheduler.close() }

  /// The format of the frames that are composed.
  var outputFormat: PixelFormat { scheduler.plan.format.pixelFormat }

  /// Reads the sources of a frame once, on this thread; returns milliseconds.
  func readSources(ofFrame index: Int) -> Double {
    SourceReading.read(gathered[index % gathered.count].compositionRequest.sources.values.map(\.frame)).milliseconds
  }

  /// The number of frames in a pass.
  var frameCount: Int { gathered.count }

  /// Limits passes to fewer frames, spread over all.
  func keep(_ count: Int) { gathered = ComposeRun.spread(count, of: gathered.count).map { gathered[$0] } }

  /// The number of concurrent frames.
  var framesInFlight: Int { isOrdered ? 1 : variant.threads }

  /// Several consecutive frames, with as many in flight as there are threads.
  struct Chunk {
    var frameCount: Int
    /// The total elapsed time.
    var wallMilliseconds: Double
    /// Of this process and of all its workers; infinite if a worker has ended.
    var processorMilliseconds: Double
    /// The time from the request to the frame, for each frame.
    var frameMilliseconds: [Double]
  }

  /// Makes `count` frames starting at `first`, wrapping around after the last.
  func chunk(_ first: Int, _ count: Int) async throws -> Chunk {
    let lanes = min(framesInFlight, count)
    let elsewhere = isElsewhere ? Measurement.descendantsMilliseconds() : [:]
    let processor = Measurement.processorMilliseconds()
    let start = ContinuousClock.now
    let (scheduler, gathered) = (scheduler, gathered)
    let times = try await withThrowingTaskGroup(of: [Double].self) { group in
      for lane in 0..<lanes {
        group.addTask(executorPreference: scheduler.composeExecutor) {
          var times: [Double] = []
          for index in stride(from: first + lane, to: first + count, by: lanes) {
            let began = ContinuousClock.now
            _ = try await scheduler.remake(gathered[index % gathered.count])
            times.append(Measurement.milliseconds(began.duration(to: .now)))
          }
          return times
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let wall = Measurement.milliseconds(start.duration(to: .now))
    let own = Measurement.processorMilliseconds() - processor
    return Chunk(
      frameCount: count, wallMilliseconds: wall,
      processorMilliseconds: isElsewhere
        ? own + Measurement.difference(Measurement.descendantsMilliseconds(), elsewhere) : own,
      frameMilliseconds: times)
  }

  /// The duration of each compositor call since the last call of this method, in milliseconds.
  func takeComposeTimes() -> [Double] { meter.take() }

  /// The statistics of the frames since the last call of this method.
  func takeStatistics() async -> WayStatistics {
    let now = await scheduler.statistics()
    defer { last = now }
    return WayStatistics(from: last, to: now)
  }

  /// The frames to compare with the reference, and their requests.
  func checked(_ count: Int) async throws -> [(request: CompositionRequest, frame: Frame)] {
    var made: [(CompositionRequest, Frame)] = []
    for index in ComposeRun.spread(count, of: gathered.count) {
      made.append((gathered[index].compositionRequest, try await scheduler.remake(gathered[index])))
    }
    return made
  }

  /// Positions spread over `total`, but not at its ends, where dissolves pass a source through and show nothing of the
  /// compositor.
  static func spread(_ count: Int, of total: Int) -> [Int] {
    let count = min(count, total)
    return (0..<count).map { (2 * $0 + 1) * total / (2 * count) }
  }
}
