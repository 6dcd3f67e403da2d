import CCompositorPluginProcess
import CCompositorPluginSupervisor
import CompositorAPI
import Synchronization
import CompositorPlatform

/// The connection to a worker's process, and the process's lifetime.
final class WorkerConnection: Sendable {
  let pid: Int32
  private let name: String
  let isolation: PluginIsolation
  private let messages: WorkerMessages
  private let channel: Descriptor
  private let lifeline: Descriptor
  private let control: Descriptor
  /// The exit report; `nil` while the worker runs.
  private let ending = Mutex<WorkerExitReport?>(nil)
  /// Why the worker had no reply; `nil` while it has.
  private let reason = Mutex<WorkerExitReason?>(nil)
  /// Whether the worker has sent a reply. The first one precedes everything that a plugin does.
  private let hasStarted = Atomic(false)

  /// The time within which a plugin must react to cancellation.
  private static let cancellationGrace = Duration.milliseconds(500)

  /// - Parameter specification: The plugin that the worker will open; `nil` if it only reports its restrictions.
  init(
    _ specification: PluginSpecification?, _ isolation: PluginIsolation, messages: WorkerMessages
  ) throws(CompositorError) {
    name = specification?.name ?? "compositor"
    self.isolation = isolation
    self.messages = messages
    let pairs = try (0..<3).map { _ throws(CompositorError) in try WorkerConnection.pair() }
    (channel, lifeline, control) = (pairs[0].ours, pairs[1].ours, pairs[2].ours)
    let arguments = [
      "compositor", PluginSupervisor.command, PluginSupervisor.supervisorRole, "\(WALL_INTERFACE)",
      "\(isolation.memoryLimit)", "\(PluginIsolation.threadLimit)", name.fileName,
    ]
    do throws(WorkerPrograms.SystemError) {
      let programs = try WorkerPrograms.of(isolation.program)
      let theirs = pairs.map(\.theirs) + [messages.shown, programs.worker(for: specification), programs.supervisor]
      pid = try WorkerConnection.spawn(arguments, theirs, isQuiet: isolation.isQuiet)
    } catch {
      throw CompositorError(
        .resourceExhausted, "The worker process for a plugin could not be started.",
        recoverySuggestion: "Give the path of the tool “compositor” as the worker's program.",
        cause: String(cString: strerror(error.number)), at: ErrorLocation(file: name))
    }
  }

  deinit { end() }

  var isOver: Bool { ending.withLock { $0 != nil } }

  /// Why there was no reply to the last message; `nil` if there was one.
  var exitReason: WorkerExitReason? { reason.withLock { $0 } }

  /// The names of the system calls that were denied to the plugin so far.
  var deniedCalls: [String] { messages.deniedCalls }

  /// When a request that begins now expires.
  var expiry: ContinuousClock.Instant { .now + isolation.deadline }

  func send(_ bytes: [UInt8], descriptors: [Int32], until expiry: ContinuousClock.Instant) throws(CompositorError) {
    do {
      try WireChannel(descriptor: channel.number).send(bytes, descriptors: descriptors, until: expiry)
    } catch {
      throw failure(error)
    }
  }

  /// Sends a request and waits for its reply, until the deadline or the task's cancellation.
  ///
  /// - Parameters:
  ///   - descriptors: Attached to the first byte.
  ///   - expiry: The deadline of the request of which this is a part; `nil` for one of its own.
  func ask(
    _ bytes: [UInt8], descriptors: [Int32] = [], canBeCanceled: Bool, until expiry: ContinuousClock.Instant? = nil
  ) throws(CompositorError) -> WireChannel.Message {
    let number = UInt64.random(in: 1 ... .max)
    let expiry = expiry ?? self.expiry
    try send(WireWriter.numbered(bytes, number), descriptors: descriptors, until: expiry)
    let channel = WireChannel(descriptor: channel.number)
    var cancellation: ContinuousClock.Instant?
    do throws(WireChannel.Failure) {
      let answer = try channel.receive(until: expiry, maximum: WireHeader.maximumAnswer) { () throws(WireChannel.Failure) in
        let now = ContinuousClock.now
        if let cancellation, now >= cancellation + Self.cancellationGrace {
          end()
          throw .ended
        }
        if canBeCanceled, cancellation == nil, Task.isCancelled {
          cancellation = now
          try WireChannel(descriptor: control.number).send(withUnsafeBytes(of: number.littleEndian) { Array($0) })
        }
      }
      guard answer.number == number else { throw .unasked }
      hasStarted.store(true, ordering: .relaxed)
      return answer
    } catch {
      if cancellation != nil {
        end()
        throw CompositorError(.cancelled, "The render was canceled.")
      }
      throw failure(error)
    }
  }

  /// Decodes and checks a reply. If that takes longer than the deadline of the request, the reply is late.
  func read<Value>(
    _ answer: WireChannel.Message, _ read: (inout WireReader) throws -> Value
  ) throws(CompositorError) -> Value {
    var reader = WireReader(answer.payload)
    let said: WireError
    do {
      switch answer.kind {
      case .done: return try read(&reader)
      case .failed: said = try WireJSON.decodeReply(WireError.self, from: reader.data())
      default: throw WireChannel.Failure.nonsense
      }
    } catch let error as CompositorError {
      throw error
    } catch {
      let isLate = answer.expiry.map { ContinuousClock.now >= $0 } ?? false
      throw failure(isLate ? .timedOut : .nonsense)
    }
    throw naming(said.error).locating(ErrorLocation(file: name))
  }

  /// Ends the process and all its descendants.
  func end() {
    ending.withLock { ending in
      if ending == nil { ending = WorkerExitReport(pid: pid, lifeline: lifeline.number) }
    }
  }

  /// Ends the process because of a violation of the plugin's contract.
  func end(_ violation: String) -> CompositorError {
    end()
    return CompositorError(
      .pluginFailed, DescriptionRules.shown(violation),
      advice: "Its author must fix that; \(operation: .checkPlugin) shows it.",
      at: ErrorLocation(file: name))
  }

  /// The reason why there is no reply: the worker has ended, or is ended now.
  private func failure(_ failure: WireChannel.Failure) -> CompositorError {
    end()
    let ending = ending.withLock { $0 } ?? WorkerExitReport()
    let reason = ending.reason(failure, isolation, hasStarted: hasStarted.load(ordering: .relaxed))
    self.reason.withLock { $0 = reason }
    return naming(reason.error(isolation)).locating(ErrorLocation(file: name))
  }

  /// Adds the system calls that were denied to the plugin to an error that they may have caused.
  private func naming(_ error: CompositorError) -> CompositorError {
    let calls = deniedCalls
    guard [.pluginFailed, .compositorFailed, .compositorTimedOut].contains(error.code), !calls.isEmpty else { return error }
    let note = "denied to the plugin so far: \(calls.joined(separator: ", "))"
    return CompositorError(
      error.code, error.message, recoverySuggestion: error.recoverySuggestion,
      cause: error.cause.map { "\($0); \(note)" } ?? note, at: error.location,
      systemErrorNumber: error.systemErrorNumber)
  }

  private static func pair() throws(CompositorError) -> (ours: Descriptor, theirs: Descriptor) {
    var ends: [Int32] = [-1, -1]
    let result = module_socket_pair(&ends)
    guard result == 0 else {
      throw CompositorError(
        .resourceExhausted, "There are no descriptors left for a worker process.", cause: String(cString: strerror(-result)))
    }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  private static func spawn(
    _ arguments: [String], _ descriptors: [Descriptor], isQuiet: Bool
  ) throws(WorkerPrograms.SystemError) -> Int32 {
    let argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let envp: [UnsafeMutablePointer<CChar>?] = WorkerEnvironment.variables.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid: Int32 = 0
    let result = withExtendedLifetime(descriptors) {
      module_spawn(argv, envp, descriptors.map(\.number), isQuiet, &pid)
    }
    guard result == 0 else { throw WorkerPrograms.SystemError(number: -result) }
    return pid
  }
}

/// The messages of all workers of a plugin, of which 64 KiB are shown, regardless of the number of workers.
final class WorkerMessages: Sendable {
  /// Memory that the workers' supervisors share to count what they show.
  let shown: Descriptor

  /// - Throws: `.resourceExhausted` if the system has no more descriptors or memory.
  init() throws(CompositorError) {
    let number = module_memory_make(MemoryLayout<wall_shown>.size)
    guard number >= 0 else {
      throw CompositorError(
        .resourceExhausted, "There is no memory left for a worker process.", cause: String(cString: strerror(-number)))
    }
    shown = Descriptor(number)
  }

  /// The names of the system calls that were denied to the workers with an error so far.
  var deniedCalls: [String] {
    var numbers = [Int32](repeating: 0, count: 32)
    let count = module_denied_calls(shown.number, &numbers, Int32(numbers.count))
    return numbers.prefix(Int(count)).map { number in
      module_call_name(number).map { String(cString: $0) } ?? "number \(number)"
    }
  }
}

/// The environment of workers: the variables required to load libraries and fonts, and none of the host's secrets.
private enum WorkerEnvironment {
  private static let names = ["PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "HOME", "FREI0R_PATH"]

  static var variables: [String] {
    names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
  }
}
