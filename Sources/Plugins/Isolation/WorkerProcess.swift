import CCompositorPluginProcess
import CompositorAPI
import Synchronization
import CompositorPlatform

/// A process that runs one plugin, and the only interface to it. The owner makes one call at a time.
final class WorkerProcess: Sendable {
  /// The worker's description of the plugin.
  let plugin: WirePlugin
  /// The restrictions in effect, reported before the plugin was opened.
  let sandbox: SandboxPolicy
  private let connection: WorkerConnection
  let memory: Mutex<WorkerMemory>
  let isolation: PluginIsolation

  /// Starts a worker and opens the plugin in it.
  ///
  /// - Parameters:
  ///   - image: The bytes of its file to load, the same in all workers of a plugin; `nil` for a collection. That
  ///     they cannot be read is an error only once the worker is there.
  ///   - messages: The messages of the plugin's workers.
  ///   - first: The restrictions on the plugin's first worker, which this one must have as well; `nil` if this is the first one.
  ///
  /// - Throws: `.pluginFailed`, `.fileNotFound`, `.compositorTimedOut` or `.resourceExhausted` with the reason.
  init(
    _ specification: PluginSpecification, _ image: Result<PluginImage?, CompositorError>, _ isolation: PluginIsolation,
    messages: WorkerMessages, like first: SandboxPolicy?
  ) throws(CompositorError) {
    connection = try WorkerConnection(specification, isolation, messages: messages)
    memory = Mutex(WorkerMemory())
    self.isolation = isolation
    sandbox = try connection.confine(specification)
    // Nothing of the plugin was opened until here.
    try isolation.decide(on: sandbox, like: first, of: specification)
    let image = try image.get()
    let descriptors = (image?.descriptor.number).map { [$0] } ?? []
    let opened = try connection.ask(WireWriter.message(.open), descriptors: descriptors, canBeCanceled: true)
    var fault: String?
    do throws(CompositorError) {
      plugin = try connection.read(opened) { reader in
        var said = try WireJSON.decodeReply(WirePlugin.self, from: reader.data(), until: opened.expiry)
        fault = try said.clean(for: specification, meanwhile: opened.requireTime)
        return said
      }
    } catch {
      throw error.attributed(to: .plugin(specification.name), isCanceled: Task.isCancelled)
    }
    if let fault { throw connection.end(fault) }
  }

  /// Whether the worker has ended.
  var isOver: Bool { connection.isOver }

  /// Why the worker had no reply, and the system calls that were denied to the plugin before; `nil` while it has one.
  var exit: PluginFault? {
    connection.exitReason.map { .exit($0, deniedCalls: connection.deniedCalls) }
  }

  /// The worker's process ID.
  var pid: Int32 { connection.pid }

  /// When a request that begins now expires.
  var expiry: ContinuousClock.Instant { connection.expiry }

  /// Sends messages without replies, with descriptors attached to the first.
  func send(_ bytes: [UInt8], descriptors: [Int32] = [], until expiry: ContinuousClock.Instant) throws(CompositorError) {
    try connection.send(bytes, descriptors: descriptors, until: expiry)
  }

  /// Sends messages, the last of which has a reply, and reads the reply.
  ///
  /// - Parameter expiry: The deadline of the request of which they are a part; `nil` for one of their own.
  func ask<Value>(
    _ bytes: [UInt8], until expiry: ContinuousClock.Instant? = nil, _ read: (inout WireReader) throws -> Value
  ) throws(CompositorError) -> Value {
    try connection.read(try connection.ask(bytes, canBeCanceled: true, until: expiry), read)
  }

  /// Ends the worker immediately because of a violation of the plugin's contract.
  func end(_ violation: String) -> CompositorError { connection.end(violation) }

  static func message(_ kind: WireKind, _ value: some Encodable, key: UInt64? = nil) throws(CompositorError) -> [UInt8] {
    do {
      let data = try WireJSON.encode(value)
      return WireWriter.message(kind) { writer in
        if let key { writer.put(key) }
        writer.put(data)
      }
    } catch {
      throw CompositorError(.internalFault, "A message to a worker could not be written.", cause: String(describing: error))
    }
  }
}
