import BuiltinCompositors
import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorPlugins

/// What is measured: an edit whose sources can be read, and the frames of it that are made again and again.
struct MeasuredScene: Sendable {
  let edit: Edit
  let catalog: MediaCatalog
  /// Compositors that the edit may name.
  let registry: CompositorRegistry
  /// Frames of a pass, at most.
  let frameCount: Int
  /// Bytes of source frames that are kept, at most.
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

  /// An edit of the user's.
  init(_ composition: ValidatedComposition, frameCount: Int, byteLimit: Int) {
    (edit, catalog, registry) = (composition.edit, composition.catalog, composition.registry)
    (self.frameCount, self.byteLimit) = (frameCount, byteLimit)
  }
}

/// One compositor on one scene with one number of threads, its sources read, ready to be run.
final class ComposeRun {
  /// Which compositor, with which threads.
  struct Variant {
    /// Nil: the compositors that the edit names itself.
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
  /// - Throws: The reasons why the edit is not valid; what reading throws.
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
    // What is held of the pool is the sources that were converted or made between frames.
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

  /// Frames spread evenly over the timeline, all of them where there are no more.
  private static func indices(_ count: Int, of plan: RenderPlan) -> [Int] {
    guard plan.frameCount > count else { return Array(0..<plan.frameCount) }
    return (0..<count).map { $0 * plan.frameCount / count }
  }

  func close() async { await scheduler.close() }

  /// Frames that are made in a pass.
  var frameCount: Int { gathered.count }
  /// Frames that are on their way at a time.
  var framesInFlight: Int { isOrdered ? 1 : variant.threads }
  /// Whether the compositor works in another process.
  var isElsewhere: Bool {
    if case .plugin = variant.compositor?.origin { true } else { false }
  }

  /// A few frames made one after another, as many at a time as there are threads.
  struct Chunk {
    var frameCount: Int
    /// For all of them.
    var wallMilliseconds: Double
    var processorMilliseconds: Double
    /// From request to frame, each.
    var frameMilliseconds: [Double]
  }

  /// Makes `count` frames from `first` on, and from the first one on again after the last.
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

  /// Milliseconds of each call to a compositor since this was asked last.
  func takeComposeTimes() -> [Double] { meter.take() }

  /// What the way of the frames counted since this was asked last.
  func takeStatistics() async -> WayStatistics {
    let now = await scheduler.statistics()
    defer { last = now }
    return WayStatistics(from: last, to: now)
  }

  /// The frames that are compared with the definition: requests, and the frames that are made for them.
  func checked(_ count: Int) async throws -> [(request: CompositionRequest, frame: Frame)] {
    var made: [(CompositionRequest, Frame)] = []
    for index in ComposeRun.spread(count, of: gathered.count) {
      made.append((gathered[index].compositionRequest, try await scheduler.remake(gathered[index])))
    }
    return made
  }

  /// Places spread over `total`, neither at its ends: there dissolves hand a source on as it is, which shows nothing of the compositor.
  static func spread(_ count: Int, of total: Int) -> [Int] {
    let count = min(count, total)
    return (0..<count).map { (2 * $0 + 1) * total / (2 * count) }
  }
}

/// What the stages and the memory of frames cost between two readings.
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
