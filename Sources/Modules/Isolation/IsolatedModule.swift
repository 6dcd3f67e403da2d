package import CompositorAPI
import Synchronization

/// A module that runs in helper processes: what it does wrong ends in one error, and this process lives.
package struct IsolatedModule: CompositorModule {
  package let specification: ModuleSpecification
  package let factories: [CompositorFactory]
  /// What the helper is denied.
  package let walls: SandboxPolicy
  /// Lines about the module, such as its name and version.
  package let notes: [String]
  private let pools: IsolatedPools

  /// Opens a module in a helper.
  ///
  /// - Throws: What opening it there throws; `.moduleFailed` where it crashes or ends its process; `.compositorTimedOut`.
  package init(_ specification: ModuleSpecification, isolation: ModuleIsolation = ModuleIsolation()) throws(CompositorError) {
    let helper = try HelperProcess(specification, isolation)
    let module = helper.module
    let pools = IsolatedPools(specification, isolation, first: helper)
    self.specification = specification
    walls = helper.walls
    notes = module.notes
    self.pools = pools
    factories = module.compositors.map { compositor in
      let descriptor = compositor.descriptor
      return CompositorFactory(
        descriptor, module: specification.name, isSelective: compositor.isSelective, allocator: SharedFrames()
      ) { parameters, context in
        let instance = try IsolatedInstance(descriptor, pools, parameters: parameters, context: context)
        return compositor.isSelective
          ? SelectiveIsolatedComposer(instance: instance) : IsolatedComposer(instance: instance)
      }
    }
  }
}

extension IsolatedModule {
  /// Sources that helpers read so far where they lay, and those that were copied first: they lay where no helper can map them.
  package var sourceCounts: (inPlace: Int, copied: Int) {
    (pools.sourcesInPlace.load(ordering: .relaxed), pools.sourcesCopied.load(ordering: .relaxed))
  }
}

/// The helpers of a module, and the memory that it shares with them.
final class IsolatedPools: Sendable {
  /// For compositors that serve any number of requests at a time.
  let concurrent: HelperPool
  /// For compositors that need their requests one after another: all in one process.
  let serial: HelperPool
  let frames: FramePool
  let repeated = RepeatedSources()
  /// Instances that nobody uses any more, in the order that they ended: helpers let go of them when they are next used.
  let dropped = Mutex<[UInt64]>([])
  let sourcesInPlace = Atomic<Int>(0)
  let sourcesCopied = Atomic<Int>(0)

  init(_ specification: ModuleSpecification, _ isolation: ModuleIsolation, first: HelperProcess) {
    let isSerial = first.module.compositors.contains { $0.descriptor.concurrency != .concurrent }
    concurrent = HelperPool(
      specification, isolation, maximum: isolation.helperCount, first: isSerial ? nil : first)
    serial = HelperPool(specification, isolation, maximum: 1, first: isSerial ? first : nil)
    frames = FramePool(maximumOutstanding: 1024, allocator: SharedFrames())
  }

  func pool(for descriptor: CompositorDescriptor) -> HelperPool {
    descriptor.concurrency == .concurrent ? concurrent : serial
  }
}

/// A module's compositor that works in helpers.
struct IsolatedComposer: FrameComposer {
  let instance: IsolatedInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
}

/// A module's compositor that works in helpers and says what it needs.
struct SelectiveIsolatedComposer: SelectiveComposer {
  let instance: IsolatedInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
  func needs(for request: CompositionRequest) async throws -> SourceNeeds { try await instance.needs(request) }
}
