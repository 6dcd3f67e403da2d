import CompositorAPI
import Dispatch
import Synchronization

/// The helpers that checks run in: one, and a second for what runs beside a check of a slow compositor.
struct CheckHelpers {
  private let specification: ModuleSpecification
  private var isolation: ModuleIsolation
  private var helpers: [HelperProcess]

  /// - Throws: Why the module cannot be opened.
  init(_ specification: ModuleSpecification, _ isolation: ModuleIsolation) throws(CompositorError) {
    self.specification = specification
    self.isolation = isolation
    helpers = [try HelperProcess(specification, isolation, makesFrames: true)]
  }

  var first: HelperProcess { helpers[0] }

  /// Runs checks at the same time, each in a helper of its own.
  mutating func results(
    of steps: [ModuleCheckStep], _ id: CompositorID, _ known: ModuleCheckKnowledge
  ) throws(CompositorError) -> [ModuleCheckResult] {
    while helpers.count < steps.count { helpers.append(try HelperProcess(specification, isolation, makesFrames: true)) }
    let helpers = helpers
    let results = Mutex<[Int: ModuleCheckResult]>([:])
    DispatchQueue.concurrentPerform(iterations: steps.count) { index in
      let result = Self.result(of: steps[index], id, known, in: helpers[index])
      results.withLock { $0[index] = result }
    }
    return results.withLock { results in steps.indices.compactMap { results[$0] } }
  }

  /// Starts helpers anew after a check that may have left anything behind: the next one is not to suffer from it.
  mutating func renew(after results: [ModuleCheckResult], _ known: ModuleCheckKnowledge) throws(CompositorError) {
    // The deadline is for one call, and a check makes several, of a slow compositor beside another check's.
    let calls = Double(ModuleCheckKnowledge.callsOfASlowCheck * (known.isSlow ? 2 : 1))
    let needed = max(isolation.deadline, .seconds(known.frameSeconds * calls))
    let isLate = needed > isolation.deadline
    isolation.deadline = needed
    for index in helpers.indices {
      let hasFailed = index < results.count && results[index].outcome == .failed
      guard isLate || hasFailed || helpers[index].isOver else { continue }
      helpers[index] = try HelperProcess(specification, isolation, makesFrames: true)
    }
  }

  private static func result(
    of step: ModuleCheckStep, _ id: CompositorID, _ known: ModuleCheckKnowledge, in helper: HelperProcess
  ) -> ModuleCheckResult {
    do throws(CompositorError) {
      let message = try HelperProcess.message(.check, WireCheck(compositor: id, step: step, known: known))
      return try helper.ask(message) { reader in try WireJSON.decode(ModuleCheckResult.self, from: reader.data()) }
    } catch {
      return ModuleCheckResult(
        .failed, [error.message, error.cause.map { "(\($0))" }].compactMap { $0 }.joined(separator: " "))
    }
  }
}

/// A check to be run in a helper.
struct WireCheck: Codable {
  var compositor: CompositorID
  var step: ModuleCheckStep
  var known: ModuleCheckKnowledge
}
