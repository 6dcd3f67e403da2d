import CompositorAPI
import Dispatch
import Synchronization

/// The workers for checks: one, and a second one for checks that run in parallel for a slow compositor.
struct CheckWorkers {
  private let specification: PluginSpecification
  private var isolation: PluginIsolation
  private let image: PluginImage?
  private let messages: WorkerMessages
  private var workers: [WorkerProcess]
  /// The restrictions on the first worker, which all have.
  let sandbox: SandboxPolicy

  /// - Throws: The reason if the plugin cannot be opened.
  init(_ specification: PluginSpecification, _ isolation: PluginIsolation) throws(CompositorError) {
    self.specification = specification
    self.isolation = isolation
    messages = try WorkerMessages()
    image = try PluginImage(of: specification)
    workers = [try WorkerProcess(specification, .success(image), isolation, messages: messages, like: nil)]
    sandbox = workers[0].sandbox
  }

  var first: WorkerProcess { workers[0] }

  private func another() throws(CompositorError) -> WorkerProcess {
    try WorkerProcess(specification, .success(image), isolation, messages: messages, like: sandbox)
  }

  /// Runs checks in parallel, each in its own worker.
  mutating func results(
    of steps: [PluginCheckStep], _ id: CompositorID, _ known: PluginCheckKnowledge
  ) throws(CompositorError) -> [PluginCheckResult] {
    while workers.count < steps.count {
      workers.append(try another())
    }
    let workers = workers
    var known = known
    known.memoryLimit = isolation.memoryLimit
    let results = Mutex<[Int: PluginCheckResult]>([:])
    DispatchQueue.concurrentPerform(iterations: steps.count) { [known] index in
      let result = Self.result(of: steps[index], id, known, in: workers[index])
      results.withLock { $0[index] = result }
    }
    return results.withLock { results in steps.indices.compactMap { results[$0] } }
  }

  /// Replaces all workers by new ones.
  mutating func restart() throws(CompositorError) {
    for index in workers.indices {
      workers[index] = try another()
    }
  }

  /// Replaces workers after a check that may have left something behind, so that it does not affect the next one.
  mutating func renew(after results: [PluginCheckResult], _ known: PluginCheckKnowledge) throws(CompositorError) {
    // The deadline applies to one call; a check makes several, of a slow compositor in parallel with another check.
    let needed = max(isolation.deadline, .seconds(known.secondsOfACheck * (known.isSlow ? 2 : 1)))
    let isLate = needed > isolation.deadline
    isolation.deadline = needed
    for index in workers.indices {
      let hasFailed = index < results.count && results[index].outcome == .failed
      guard isLate || hasFailed || workers[index].isOver else { continue }
      workers[index] = try another()
    }
  }

  private static func result(
    of step: PluginCheckStep, _ id: CompositorID, _ known: PluginCheckKnowledge, in worker: WorkerProcess
  ) -> PluginCheckResult {
    do throws(CompositorError) {
      let message = try WorkerProcess.message(.check, WireCheck(compositor: id, step: step, known: known))
      return try worker.ask(message) { reader in
        var result = try WireJSON.decodeReply(PluginCheckResult.self, from: reader.data())
        result.detail = DescriptionRules.shown(result.detail)
        return result
      }
    } catch {
      // That the process has ended is what was asked for.
      if step == .exit { return exitResult(error, within: worker.isolation.deadline) }
      return PluginCheckResult(
        worker.exit ?? .error(WireError(error)),
        [error.message, error.cause.map { "(\($0))" }].compactMap { $0 }.joined(separator: " "))
    }
  }

  /// - Parameter error: How the process's end was noticed.
  private static func exitResult(_ error: CompositorError, within deadline: Duration) -> PluginCheckResult {
    guard error.code == .compositorTimedOut else { return PluginCheckResult(.passed) }
    return PluginCheckResult(
      .failed,
      "The process did not end within \(deadline) after exit was called: a function given to atexit, or a destructor, goes on.")
  }
}

/// A check to run in a worker.
struct WireCheck: Codable {
  var compositor: CompositorID
  var step: PluginCheckStep
  var known: PluginCheckKnowledge
}
