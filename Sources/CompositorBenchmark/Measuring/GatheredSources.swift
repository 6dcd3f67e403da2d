import CompositorAPI
import CompositorHost
import CompositorPlugins
import CompositorValidation

/// The source frames of a scene, read once for all of its runs: each compositor and each number of threads composes the same
/// memory, so that the memory of a benchmark does not grow with their number.
final class GatheredSources {
  /// What the frames of a run depend on, besides the edit.
  struct Kind: Hashable {
    /// Whether a compositor needs its frames in order, so that they cannot be spread over the timeline.
    let isOrdered: Bool
    /// Whether frames are in memory that processes share, which isolated plugins read in place.
    let isShared: Bool

    init(_ edit: Edit, _ registry: CompositorRegistry) {
      isOrdered = edit.videoComposition.instructions.contains {
        registry[$0.compositor]?.descriptor.concurrency == .inOrder
      }
      isShared = registry.frameAllocator(for: edit.videoComposition.instructions) != nil
    }
  }

  private let byteLimit: Int
  private var frames: [Kind: [GatheredFrame]] = [:]

  /// - Parameter compositors: The compositors to measure; `nil` for those that the edit names. Their kinds of frames divide the
  ///   scene's limit among themselves.
  init(_ scene: MeasuredScene, for compositors: [CompositorFactory?]) {
    // A compositor that cannot be registered reports that when it is measured.
    let kinds = Set(compositors.compactMap { try? scene.edit(with: $0) }.map(Kind.init))
    byteLimit = scene.byteLimit / max(1, kinds.count)
  }

  /// As many frames as fit, at least one and at most `count`: read by this scheduler, or by the first one of the same kind.
  ///
  /// - Throws: Errors of reading.
  func frames(of kind: Kind, by scheduler: FrameScheduler, count: Int) async throws -> [GatheredFrame] {
    if let known = frames[kind] { return known.map(scheduler.adopt) }
    var (gathered, byteCount, previous) = ([GatheredFrame](), 0, -2)
    // Frames that several requests share, such as stills, count once.
    var seen: Set<UnsafeRawPointer> = []
    for index in GatheredSources.indices(count, of: scheduler.plan, kind) where byteCount < byteLimit {
      let frame = try await scheduler.gather(frame: index, follows: index == previous + 1)
      for source in frame.compositionRequest.sources.values where seen.insert(source.frame.start).inserted {
        byteCount += source.frame.format.byteCount(of: source.frame.size)
      }
      gathered.append(frame)
      previous = index
    }
    frames[kind] = gathered
    return gathered
  }

  /// Frames spread evenly over the timeline, or the first ones if they must be in order; all of them if there are not more.
  private static func indices(_ count: Int, of plan: RenderPlan, _ kind: Kind) -> [Int] {
    guard plan.frameCount > count, !kind.isOrdered else { return Array(0..<min(count, plan.frameCount)) }
    return (0..<count).map { $0 * plan.frameCount / count }
  }
}

extension Frame {
  /// Where its memory begins, which identifies it among frames that are in use.
  var start: UnsafeRawPointer { withUnsafePlanes { UnsafeRawPointer($0[0].base) } }
}

extension Edit {
  /// The same edit with another compositor in each instruction that composes. A transition only replaces instructions that show
  /// two tracks, whose layers it gets at full opacity, as in a timeline: its progress takes the place of their ramps.
  func replacingCompositor(with factory: CompositorFactory?) -> Edit {
    guard let factory else { return self }
    let isTransition = factory.descriptor.role == .transition
    var edit = self
    for index in edit.videoComposition.instructions.indices {
      guard case .composed(var composed) = edit.videoComposition.instructions[index].content,
        composed.compositor != factory.descriptor.id, !isTransition || composed.layers.count == 2
      else { continue }
      composed.compositor = factory.descriptor.id
      composed.parameters = [:]
      composed.animatedParameters = [:]
      if isTransition {
        for layer in composed.layers.indices { composed.layers[layer].opacity = PropertyTimeline(default: 1) }
      }
      edit.videoComposition.instructions[index].content = .composed(composed)
    }
    return edit
  }
}
