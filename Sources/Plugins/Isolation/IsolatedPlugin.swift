package import CompositorAPI
import Synchronization

/// A plugin that runs in worker processes: its failures become errors, and cannot crash this process.
package struct IsolatedPlugin: CompositorPlugin {
  package let specification: PluginSpecification
  package let factories: [CompositorFactory]
  /// The audio processors that it would provide if it were trusted; they run only in this process.
  package let processors: [AudioProcessorFactory]
  /// The restrictions in effect in the first worker, and at least those in all others.
  package let sandbox: SandboxPolicy
  /// Lines for people, such as its name and version.
  package let notes: [String]
  /// The SHA-256 of the bytes that its workers load; `nil` for a collection.
  package let digest: String?
  /// The limits of its workers.
  let isolation: PluginIsolation
  /// The worker's description of the plugin.
  let description: WirePlugin
  private let pools: IsolatedPools

  /// An audio processor that can be listed, but not used.
  static func refused(
    _ descriptor: AudioProcessorDescriptor, of specification: PluginSpecification
  ) -> AudioProcessorFactory {
    AudioProcessorFactory(
      descriptor, plugin: specification.name,
      refusal: CompositorError(
        .pluginFailed, "The audio processor “\(descriptor.id)” comes from a plugin that is not trusted.",
        advice:
          "Audio processors run in this process, without isolation. Trust the plugin (\(setting: .trustedPlugins)) if you trust its author.",
        at: ErrorLocation(file: specification.name)))
  }

  /// Opens a plugin in a worker.
  ///
  /// - Parameter sha256: The digest that the file's contents must have; `nil` for any.
  /// - Throws: Errors of opening it there; `.pluginFailed` if it crashes or ends its process; `.compositorTimedOut`.
  package init(
    _ specification: PluginSpecification, isolation: PluginIsolation = PluginIsolation(), sha256: String? = nil
  ) throws(CompositorError) {
    let messages = try WorkerMessages()
    let read = Result { () throws(CompositorError) in
      let image = try PluginImage(of: specification)
      try image?.require(sha256)
      return image
    }
    let worker = try WorkerProcess(specification, read, isolation, messages: messages, like: nil)
    let image = try read.get()
    digest = image?.digest
    let plugin = worker.plugin
    let pools = IsolatedPools(specification, image, isolation, messages: messages, first: worker)
    self.specification = specification
    self.isolation = isolation
    sandbox = worker.sandbox
    notes = plugin.notes
    description = plugin
    processors = plugin.processors.map { IsolatedPlugin.refused($0, of: specification) }
    self.pools = pools
    factories = plugin.compositors.map { compositor in
      let descriptor = compositor.descriptor
      return CompositorFactory(
        descriptor, plugin: specification.name, isSelective: compositor.isSelective, isIsolated: true,
        allocator: SharedFrames()
      ) { parameters, context in
        let instance = try IsolatedInstance(descriptor, pools, parameters: parameters, context: context)
        return compositor.isSelective
          ? SelectiveIsolatedComposer(instance: instance) : IsolatedComposer(instance: instance)
      }
    }
  }
}

extension IsolatedPlugin {
  /// The number of sources that workers read in place, and of those that were copied because workers cannot map their memory.
  package var sourceCounts: (inPlace: Int, copied: Int) {
    (pools.sourcesInPlace.load(ordering: .relaxed), pools.sourcesCopied.load(ordering: .relaxed))
  }
}

/// The workers of a plugin, and the memory shared with them.
final class IsolatedPools: Sendable {
  /// For compositors that accept any number of concurrent requests.
  let concurrent: WorkerPool
  /// For compositors that need serialized requests: all in one process.
  let serial: WorkerPool
  let frames: FramePool
  let repeated = RepeatedSources()
  /// Instances that are no longer used, in the order in which they were released; workers destroy them on their next use.
  let dropped = Mutex<[UInt64]>([])
  let sourcesInPlace = Atomic<Int>(0)
  let sourcesCopied = Atomic<Int>(0)

  init(
    _ specification: PluginSpecification, _ image: PluginImage?, _ isolation: PluginIsolation, messages: WorkerMessages,
    first: WorkerProcess
  ) {
    let isSerial = first.plugin.compositors.contains { $0.descriptor.concurrency != .concurrent }
    concurrent = WorkerPool(
      specification, image, isolation, messages: messages, sandbox: first.sandbox, maximum: isolation.workerCount,
      first: isSerial ? nil : first)
    serial = WorkerPool(
      specification, image, isolation, messages: messages, sandbox: first.sandbox, maximum: 1, first: isSerial ? first : nil)
    frames = FramePool(maximumOutstanding: 1024, allocator: SharedFrames())
  }

  func pool(for descriptor: CompositorDescriptor) -> WorkerPool {
    descriptor.concurrency == .concurrent ? concurrent : serial
  }
}

/// A compositor of a plugin that runs in workers.
struct IsolatedComposer: FrameComposer {
  let instance: IsolatedInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
}

/// A compositor of a plugin that runs in workers and declares regions of interest.
struct SelectiveIsolatedComposer: SelectiveComposer {
  let instance: IsolatedInstance

  func compose(_ request: CompositionRequest) async throws -> Frame { try await instance.compose(request) }
  func regionsOfInterest(for request: CompositionRequest) async throws -> RegionsOfInterest {
    try await instance.needs(request)
  }
}
