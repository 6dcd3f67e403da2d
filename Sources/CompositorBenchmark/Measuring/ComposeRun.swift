import BuiltinCompositors
import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorPlugins

/// The edit to measure, with readable sources, and the limits of a pass.
struct MeasuredScene: Sendable {
  let edit: Edit
  let catalog: MediaCatalog
  /// The compositors that the edit may name.
  let registry: CompositorRegistry
  /// The maximum number of frames in a pass.
  let frameCount: Int
  /// The maximum size of retained source frames, in bytes.
  let byteLimit: Int

  /// A workload's scene with its material in memory.
  init(_ workload: Workload, _ scene: WorkloadScene, frames: [[Frame]]) {
    let catalog = MediaCatalog()
    for (source, frames) in zip(scene.sources, frames) {
      let media = NoiseMedia(
        source, frames, frameDuration: workload.frameDuration, duration: workload.time(ofFrame: workload.frameCount))
      catalog.provide(media, as: source.name)
    }
    (self.edit, self.catalog, frameCount, byteLimit) = (scene.edit, catalog, workload.frameCount, .max)
    registry = .builtIn
  }

  /// A user's edit.
  init(_ composition: ValidatedComposition, frameCount: Int, byteLimit: Int) {
    (edit, catalog, registry) = (composition.edit, composition.catalog, composition.registry)
    (self.frameCount, self.byteLimit) = (frameCount, byteLimit)
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
  private let gathered: [GatheredFrame]
  private let meter: ComposeMeter
  private let isOrdered: Bool
  private var last: RenderStatistics

  /// Reads the sources.
  ///
  /// - Throws: The diagnostics if the edit is invalid; errors from reading its sources.
  init(_ scene: MeasuredScene, _ variant: Variant) async throws {
    self.variant = variant
    meter = ComposeMeter(slowdown: variant.slowdown)
    let edit = scene.edit.replacingCompositor(with: variant.compositor)
    var registry = scene.registry
    if let factory = variant.compositor { try registry.register(factory) }
    for id in edit.compositorIDs {
      guard let factory = registry[id] else { continue }
      try registry.register(meter.watching(factory))
    }
    let composition = try CompositionValidator.validate(
      edit, catalog: scene.catalog, registry: registry, mediaTypes: [.video]
    ).get()
    let plan = try RenderPlan(composition)
    let indices = ComposeRun.indices(scene.frameCount, of: plan)
    isOrdered = edit.videoComposition.instructions.contains { ComposeRun.isOrdered($0, registry) }
    // Converted or interpolated sources hold frames of the pool.
    scheduler = try FrameScheduler(
      plan, settings: RenderSettings(threadCount: variant.threads), heldFrameCount: 4 * indices.count)
    var (gathered, byteCount, previous) = ([GatheredFrame](), 0, -2)
    for index in isOrdered ? Array(0..<indices.count) : indices where byteCount < scene.byteLimit {
      let frame = try await scheduler.gather(frame: index, follows: index == previous + 1)
      byteCount += frame.compositionRequest.sources.values.reduce(0) { $0 + $1.frame.format.byteCount(of: $1.frame.size) }
      gathered.append(frame)
      previous = index
    }
    self.gathered = gathered
    last = await scheduler.statistics()
  }

  private static func isOrdered(_ instruction: Instruction, _ registry: CompositorRegistry) -> Bool {
    registry[instruction.compositor]?.descriptor.concurrency == .inOrder
  }

  /// The indexes of `count` frames, spread evenly over the timeline; of all frames if there are fewer.
  private static func indices(_ count: Int, of plan: RenderPlan) -> [Int] {
    guard plan.frameCount > count else { return Array(0..<plan.frameCount) }
    return (0..<count).map { $0 * plan.frameCount / count }
  }

  func close() async { await scheduler.close() }

  /// The number of frames in a pass.
  var frameCount: Int { gathered.count }
  /// The number of concurrent frames.
  var framesInFlight: Int { isOrdered ? 1 : variant.threads }
  /// Whether the compositor runs in another process.
  var isElsewhere: Bool {
    if case .plugin = variant.compositor?.origin { true } else { false }
  }

  /// Several consecutive frames, with as many in flight as there are threads.
  struct Chunk {
    var frameCount: Int
    /// The total elapsed time.
    var wallMilliseconds: Double
    var processorMilliseconds: Double
    /// The time from the request to the frame, for each frame.
    var frameMilliseconds: [Double]
  }

  /// Makes `count` frames starting at `first`, wrapping around after the last.
  func chunk(_ first: Int, _ count: Int) async throws -> Chunk {
    let lanes = min(framesInFlight, count)
    let elsewhere = isElsewhere ? Measurement.descendantsMilliseconds() : 0
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
    return Chunk(
      frameCount: count, wallMilliseconds: Measurement.milliseconds(start.duration(to: .now)),
      processorMilliseconds: Measurement.processorMilliseconds() - processor
        + (isElsewhere ? Measurement.descendantsMilliseconds() - elsewhere : 0),
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

/// The times of the stages and the use of frame memory between two readings.
struct WayStatistics {
  let routes: [RenderRoute: Int]
  let convertMilliseconds, composeMilliseconds, titlesMilliseconds: Double
  let allocations, copies: Int

  init(from old: RenderStatistics, to new: RenderStatistics) {
    routes = new.routes.merging(old.routes) { $0 - $1 }.filter { $0.value > 0 }
    let (a, b) = (old.stages, new.stages)
    titlesMilliseconds = Measurement.milliseconds(b.titles - a.titles)
    convertMilliseconds = Measurement.milliseconds(b.conform - a.conform + b.deliver - a.deliver) - titlesMilliseconds
    composeMilliseconds = Measurement.milliseconds(b.compose - a.compose)
    allocations = new.pixelAllocationCount - old.pixelAllocationCount
    copies = new.frameCopyCount - old.frameCopyCount
  }
}

extension Edit {
  /// The same edit with another compositor in each instruction that composes.
  func replacingCompositor(with factory: CompositorFactory?) -> Edit {
    guard let factory else { return self }
    let id = factory.descriptor.id
    var edit = self
    for index in edit.videoComposition.instructions.indices
    where edit.videoComposition.instructions[index].passthroughTrackID == nil
      && edit.videoComposition.instructions[index].compositor != id
    {
      edit.videoComposition.instructions[index].compositor = id
      edit.videoComposition.instructions[index].parameters = [:]
      edit.videoComposition.instructions[index].animatedParameters = [:]
    }
    return edit
  }
}
