package import CompositorAPI

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
    var helper = try HelperProcess(specification, isolation, makesFrames: true)
    let module = helper.module
    var reports: [ModuleCheckReport.Compositor] = []
    let named = module.compositors.filter { $0.descriptor.id.rawValue == name }
    for compositor in named.isEmpty ? module.compositors : named {
      let descriptor = compositor.descriptor
      var lines: [ModuleCheckReport.Line] = []
      for step in ModuleCheckStep.all(for: descriptor, isSelective: compositor.isSelective) {
        progress(descriptor.id, step)
        let result = result(of: step, descriptor.id, in: helper)
        lines.append(ModuleCheckReport.Line(step, result))
        // What failed may have left anything behind; the next step is not to suffer from it.
        if result.outcome == .failed || helper.isOver {
          helper = try HelperProcess(specification, isolation, makesFrames: true)
        }
      }
      reports.append(ModuleCheckReport.Compositor(id: descriptor.id, lines: lines))
    }
    return ModuleCheckReport(
      module: specification.name, notes: module.notes, walls: helper.walls.text, compositors: reports)
  }

  private func result(of step: ModuleCheckStep, _ id: CompositorID, in helper: HelperProcess) -> ModuleCheckResult {
    do throws(CompositorError) {
      let message = try HelperProcess.message(.check, WireCheck(compositor: id, step: step))
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
}

/// What a check found out.
package struct ModuleCheckReport: Encodable, Sendable {
  package struct Line: Encodable, Sendable {
    package let check: String
    package let outcome: ModuleCheckResult.Outcome
    package let detail: String
    /// What to do about it; nil unless it failed.
    package let action: String?

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
      let width = compositor.lines.map(\.check.count).max() ?? 0
      for line in compositor.lines {
        let mark = line.outcome == .passed ? "ok     " : line.outcome == .refused ? "refused" : "FAILED "
        let space = String(repeating: " ", count: width - line.check.count)
        lines.append("  \(mark)  \(line.check)\(line.detail.isEmpty ? "" : "\(space)  \(line.detail)")")
        if let action = line.action { lines.append("           → \(action)") }
      }
    }
    let count = compositors.flatMap(\.lines).count
    lines += ["", failureCount == 0 ? "\(count) checks, none failed" : "\(count) checks, \(failureCount) failed"]
    return lines.map { $0 + "\n" }.joined()
  }
}
