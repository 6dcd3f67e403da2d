import CCompositorModuleProcess
import CompositorAPI
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process that runs one module, and the only way to it. One call at a time; its owner sees to that.
final class HelperProcess: Sendable {
  /// What the helper says of the module.
  let module: WireModule
  /// What it is denied, said before the module was opened.
  let walls: SandboxPolicy
  private let connection: HelperConnection
  let memory: Mutex<HelperMemory>
  let isolation: ModuleIsolation

  /// Starts a helper and opens the module in it.
  ///
  /// - Parameter makesFrames: Whether the helper may have shared memory of its own making: only checks need that.
  ///
  /// - Throws: `.moduleFailed`, `.fileNotFound`, `.compositorTimedOut`: why that did not work.
  init(
    _ specification: ModuleSpecification, _ isolation: ModuleIsolation, makesFrames: Bool = false
  ) throws(CompositorError) {
    connection = try HelperConnection(specification, isolation)
    memory = Mutex(HelperMemory())
    self.isolation = isolation
    let opening = WireOpening(
      specification: specification.description, memoryLimit: isolation.memoryLimit, makesFrames: makesFrames)
    let confined = try connection.ask(try HelperProcess.message(.confine, opening), canBeCancelled: false)
    walls = try connection.read(confined) { reader in try WireJSON.decode(SandboxPolicy.self, from: reader.data()) }
    let opened = try connection.ask(WireWriter.message(.open), canBeCancelled: false)
    var said = try connection.read(opened) { reader in try WireJSON.decode(WireModule.self, from: reader.data()) }
    if let fault = said.clean(for: specification) { throw connection.end(fault) }
    module = said
  }

  /// Whether the helper has ended, or was ended.
  var isOver: Bool { connection.isOver }

  /// The helper's process number.
  var pid: Int32 { connection.pid }

  /// Sends messages that are not answered, with descriptors on the first of them.
  func tell(_ bytes: [UInt8], descriptors: [Int32] = []) throws(CompositorError) {
    try connection.tell(bytes, descriptors: descriptors)
  }

  /// Sends messages of which the last is answered, and reads the answer.
  func ask<Value>(_ bytes: [UInt8], _ read: (inout WireReader) throws -> Value) throws(CompositorError) -> Value {
    try connection.read(try connection.ask(bytes, canBeCancelled: true), read)
  }

  /// Ends the helper at once, for something that no module may do.
  func end(_ violation: String) -> CompositorError { connection.end(violation) }

  static func message(_ kind: WireKind, _ value: some Encodable, key: UInt64? = nil) throws(CompositorError) -> [UInt8] {
    do {
      let data = try WireJSON.encode(value)
      return WireWriter.message(kind) { writer in
        if let key { writer.put(key) }
        writer.put(data)
      }
    } catch {
      throw CompositorError(.internalFault, "A message to a helper could not be written.", cause: String(describing: error))
    }
  }
}
