package import CompositorAPI
import Foundation

/// The conformance test for modules: every step in a helper, so that the worst outcome is a line in the report.
package struct ModuleCheck {
  private let specification: ModuleSpecification
  private let isolation: ModuleIsolation
  private let name: String?

  /// - Parameter name: The ID of the only compositor to check; all of them where it is none's.
  package init(_ specification: ModuleSpecification, asked name: String? = nil, isolation: ModuleIsolation) {
    self.specification = specification
    self.name = name
    var isolation = isolation
    isolation.helperCount = 1
    self.isolation = isolation
  }

  /// Checks every compositor of the module, or the one that was asked for.
  ///
  /// - Parameter progress: Is told each step before it runs.
  /// - Throws: Why the module cannot be opened.
  package func run(progress: (_ compositor: CompositorID, ModuleCheckStep) -> Void) throws(CompositorError) -> ModuleCheckReport
  {
    var isolation = self.isolation
    var helper = try HelperProcess(specification, isolation, makesFrames: true)
    let module = helper.module
    var reports: [ModuleCheckReport.Compositor] = []
    let named = module.compositors.filter { $0.descriptor.id.rawValue == name }
    for compositor in named.isEmpty ? module.compositors : named {
      let descriptor = compositor.descriptor
      var known = ModuleCheckKnowledge()
      var lines = ModuleCheckLines()
      var referenceTime = ContinuousClock.now
      func make(_ step: ModuleCheckStep) throws(CompositorError) -> ModuleCheckResult {
        progress(descriptor.id, step)
        let result = result(of: step, descriptor.id, known, in: helper)
        known.learn(from: result, of: step)
        // The deadline is for one call, and a check makes several.
        let needed = max(isolation.deadline, .seconds(known.frameSeconds * Double(ModuleCheckKnowledge.callsOfASlowCheck)))
        // What failed may have left anything behind; the next step is not to suffer from it.
        if result.outcome == .failed || helper.isOver || needed > isolation.deadline {
          isolation.deadline = needed
          helper = try HelperProcess(specification, isolation, makesFrames: true)
        }
        return result
      }
      for step in ModuleCheckStep.all(for: descriptor, isSelective: compositor.isSelective) {
        if known.isSlow, step.isSparedIfSlow { continue }
        if let obstacle = step.obstacle(lines.failed, known, descriptor) {
          lines.skip(step, since: obstacle)
          continue
        }
        lines.add(step, try make(step))
        if step == .determinism { referenceTime = .now }
      }
      if !known.reference.isEmpty, !lines.failed.contains(.determinism) {
        // Whoever reads a clock of whole seconds sees another one now.
        Thread.sleep(forTimeInterval: max(0, 1.05 - (ContinuousClock.now - referenceTime) / .seconds(1)))
        lines.amend(try make(.later))
      }
      reports.append(ModuleCheckReport.Compositor(id: descriptor.id, lines: lines.lines))
    }
    return ModuleCheckReport(
      module: specification.name, notes: module.notes, walls: helper.walls.text, compositors: reports)
  }

  private func result(
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

/// The lines of a report as they come: a fault is told once.
private struct ModuleCheckLines {
  private(set) var lines: [ModuleCheckReport.Line] = []
  private(set) var failed: Set<ModuleCheckStep> = []
  private var steps: [ModuleCheckStep] = []
  private var faults: [String: Int] = [:]

  mutating func add(_ step: ModuleCheckStep, _ result: ModuleCheckResult) {
    if result.outcome == .failed {
      failed.insert(step)
      if let known = faults[result.fault] {
        lines[known].also.append(step.title)
        return
      }
      faults[result.fault] = lines.count
    }
    append(step, result)
  }

  mutating func skip(_ step: ModuleCheckStep, since obstacle: String) {
    append(step, ModuleCheckResult(.skipped, "First mend what the check “\(obstacle)” found."))
  }

  /// What ``ModuleCheckStep/later`` found counts as determinism's; comparisons that failed then failed for it.
  mutating func amend(_ result: ModuleCheckResult) {
    guard result.outcome == .failed, let index = steps.firstIndex(of: .determinism) else { return }
    lines[index] = ModuleCheckReport.Line(.determinism, result)
    let reason = ModuleCheckResult(.skipped, "First mend what the check “\(ModuleCheckStep.determinism.title)” found.")
    for (index, step) in steps.enumerated() where step.comparesFrames && failed.contains(step) {
      lines[index] = ModuleCheckReport.Line(step, reason)
    }
  }

  private mutating func append(_ step: ModuleCheckStep, _ result: ModuleCheckResult) {
    lines.append(ModuleCheckReport.Line(step, result))
    steps.append(step)
  }
}

/// A check to be run in a helper.
struct WireCheck: Codable {
  var compositor: CompositorID
  var step: ModuleCheckStep
  var known: ModuleCheckKnowledge
}

/// What a check found out.
package struct ModuleCheckReport: Encodable, Sendable {
  package struct Line: Encodable, Sendable {
    package let check: String
    package let outcome: ModuleCheckResult.Outcome
    package let detail: String
    /// What to do about it; nil unless it failed.
    package let action: String?
    /// Other checks that met the same fault, which have no lines of their own.
    package var also: [String] = []

    init(_ step: ModuleCheckStep, _ result: ModuleCheckResult) {
      check = step.title
      (outcome, detail) = (result.outcome, result.detail)
      action = result.outcome == .failed ? step.advice : nil
    }
  }
  package struct Compositor: Encodable, Sendable {
    package let id: CompositorID
    package let lines: [Line]
  }
  package let module: String
  package let notes: [String]
  package let walls: String
  package let compositors: [Compositor]

  /// Checks that failed.
  package var failureCount: Int { compositors.flatMap(\.lines).count { $0.outcome == .failed } }

  /// The report for people.
  package var text: String {
    var lines = ["\(module): \(notes.joined(separator: ", "))", "checked in a process of its own with \(walls)"]
    for compositor in compositors {
      lines += ["", compositor.id.rawValue]
      let made = compositor.lines.filter { $0.outcome != .skipped }
      let width = made.map(\.check.count).max() ?? 0
      for line in made {
        let mark = line.outcome == .passed ? "ok     " : line.outcome == .refused ? "refused" : "FAILED "
        let space = String(repeating: " ", count: width - line.check.count)
        lines.append("  \(mark)  \(line.check)\(line.detail.isEmpty ? "" : "\(space)  \(line.detail)")")
        if !line.also.isEmpty { lines.append("           also seen by: \(line.also.joined(separator: ", "))") }
        if let action = line.action { lines.append("           → \(action)") }
      }
      let skipped = compositor.lines.filter { $0.outcome == .skipped }
      for reason in Set(skipped.map(\.detail)).sorted() {
        let checks = skipped.filter { $0.detail == reason }.map(\.check).joined(separator: ", ")
        lines.append("  not asked: \(checks). \(reason)")
      }
    }
    let count = compositors.flatMap(\.lines).count { $0.outcome != .skipped }
    lines += ["", failureCount == 0 ? "\(count) checks, none failed" : "\(count) checks, \(failureCount) failed"]
    return lines.map { $0 + "\n" }.joined()
  }
}
