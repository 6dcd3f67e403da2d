package import CompositorAPI
import Synchronization

/// A plugin that runs in worker processes: what it does wrong ends in one error, and this process lives.
package struct IsolatedPlugin: CompositorPlugin {
  package let specification: PluginSpecification
  package let factories: [CompositorFactory]
  /// What it would process if it were trusted: audio processors run in this process only.
  package let processors: [AudioProcessorFactory]
  /// What the worker is denied.
  package let sandbox: SandboxPolicy
  /// Lines about the plugin, such as its name and version.
  package let notes: [String]
  private let pools: IsolatedPools

  /// Opens a plugin in a worker.
  ///
  /// - Throws: What opening it there throws; `.pluginFailed` where it crashes or ends its process; `.compositorTimedOut`.
  package init(_ specification: PluginSpecification, isolation: PluginIsolation = PluginIsolation()) throws(CompositorError) {
    let worker = try WorkerProcess(specification, isolation)
    let plugin = worker.plugin
    let pools = IsolatedPools(specification, isolation, first: worker)
    self.specification = specification
    sandbox = worker.sandbox
    notes = plugin.notes
    if let fault = DescriptionRules.fault(in: plugin.processors.map(\.schema), of: specification) {
      throw CompositorError(
        .pluginFailed, fault, recoverySuggestion: "Its author must mend the description.",
        at: ErrorLocation(file: specification.name))
    }
    processors = plugin.processors.map { descriptor in
      AudioProcessorFactory(descriptor, plugin: specification.name) { _, _ in
        throw CompositorError(
          .pluginFailed, "The audio processor “\(descriptor.id)” comes from a plugin that is not trusted.",
          recoverySuggestion:
            "Audio processors run in this process, without a wall. Trust the plugin (--trust-plugin, PluginTrust) if you trust its author.",
          at: ErrorLocation(file: specification.name))
      }
    }
    self.pools = pools
    factories = plugin.compositors.map { compositor in
      let descriptor = compositor.descriptor
      return CompositorFactory(
        descriptor, plugin: specification.name, isSelective: compositor.isSelective, allocator: SharedFrames()
      ) { parameters, context in
        let instance = try IsolatedInstance(descriptor, pools, parameters: parameters, context: context)
        return compositor.isSelective
          ? SelectiveIsolatedComposer(instance: instance) : IsolatedComposer(instance: instance)
      }
    }
  }
}

extension IsolatedPlugin {
  /// Sources that workers read so far where they lay, and those that were copied first: they lay where no worker can map them.
  package var sourceCounts: (inPlace: Int, copied: Int) {
    (pools.sourcesInPlace.load(ordering: .relaxed), pools.sourcesCopied.load(ordering: .relaxed))
  }
}

/// The workers of a plugin, and the memory that it shares with them.
final class IsolatedPools: Sendable {
  /// For compositors that serve any number of requests at a time.
  let concurrent: WorkerPool
  /// For compositors that need their requests one after another: all in one process.
  let serial: WorkerPool
  let frames: FramePool
  let repeated = RepeatedSources()
  /// Instances that nobody uses any more, in the order that they ended: workers let go of them when they are next used.
  let dropped = Mutex<[UInt64]>([])
  let sourcesInPlace = Atomic<Int>(0)
  let sourcesCopied = Atomic<Int>(0)

  init(_ specification: PluginSpecification, _ isolation: PluginIsolation, first: WorkerProcess) {
    let isSerial = first.plugin.compositors.contains { $0.descriptor.concurrency != .concurrent }
    concurrent = WorkerPool(
      specification, isolation, maximum: isolation.workerCount, first: isSerial ? nil : first)
    serial = WorkerPool(specification, isolation, maximum: 1, first: isSerial ? first : nil)
    frames = FramePool(maximumOutstanding: 1024, allocator: SharedFrames())
  }

  func pool(for descriptor: CompositorDescriptor) -> WorkerPool {
    descriptor.concurrency == .concurrent ? concurrent : serial
  }
}

/// A plugin's compositor that works in workers.
struct IsolatedComposer: FrameComposer {
  let instance: IsolatedInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
}

/// A plugin's compositor that works in workers and says what it needs.
struct SelectiveIsolatedComposer: SelectiveComposer {
  let instance: IsolatedInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
  func regionsOfInterest(for request: CompositionRequest) async throws -> RegionsOfInterest {
    try await instance.needs(request)
  }
}
