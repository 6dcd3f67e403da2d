package import CompositorAPI
import Foundation

/// The results of a check.
package struct PluginCheckReport: Encodable, Sendable {
  package struct Line: Encodable, Sendable {
    package let check: String
    package let outcome: PluginCheckResult.Outcome
    package let detail: String
    /// The suggested action; `nil` unless the check failed.
    package internal(set) var action: String?
    /// Other checks that found the same fault, which have no lines of their own.
    package var also: [String] = []
    /// Why the check was skipped, if others may be for the same reason.
    fileprivate var obstacle: PluginCheckObstacle?

    private enum CodingKeys: CodingKey { case check, outcome, detail, action, also }

    init(_ step: PluginCheckStep, _ result: PluginCheckResult) {
      check = step.title
      obstacle = result.obstacle
      (outcome, detail) = (result.outcome, result.detail)
      action = result.outcome == .failed ? step.advice : nil
    }
  }
  package struct Compositor: Encodable, Sendable {
    package let id: CompositorID
    package let lines: [Line]

    /// The checks that were skipped, those for the same reason together.
    fileprivate var skipped: [[Line]] {
      var groups: [[Line]] = []
      for line in lines where line.outcome == .skipped {
        if let obstacle = line.obstacle, let known = groups.firstIndex(where: { $0[0].obstacle == obstacle }) {
          groups[known].append(line)
        } else {
          groups.append([line])
        }
      }
      return groups
    }
  }
  package let plugin: String
  package let notes: [String]
  package let sandbox: String
  package let compositors: [Compositor]

  /// Checks that failed.
  package var failureCount: Int { compositors.flatMap(\.lines).count { $0.outcome == .failed } }

  /// The report as plain text.
  package var text: String {
    var lines = ["\(plugin): \(notes.joined(separator: ", "))", "checked in a process of its own with \(sandbox)"]
    for compositor in compositors {
      lines += ["", compositor.id.rawValue]
      let made = compositor.lines.filter { $0.outcome != .skipped }
      let width = made.map(\.check.count).max() ?? 0
      for line in made {
        let mark = line.outcome == .passed ? "ok     " : line.outcome == .refused ? "refused" : "FAILED "
        let space = String(repeating: " ", count: width - line.check.count)
        lines.append("  \(mark)  \(line.check)\(line.detail.isEmpty ? "" : "\(space)  \(line.detail)")")
        if !line.also.isEmpty { lines.append("           also found by: \(line.also.joined(separator: ", "))") }
        if let action = line.action { lines.append("           → \(action)") }
      }
      for unchecked in compositor.skipped.sorted(by: { $0[0].detail < $1[0].detail }) {
        lines.append("  not checked: \(unchecked.map(\.check).joined(separator: ", ")). \(unchecked[0].detail)")
      }
    }
    let count = compositors.flatMap(\.lines).count { $0.outcome != .skipped }
    lines += ["", failureCount == 0 ? "\(count) checks, none failed" : "\(count) checks, \(failureCount) failed"]
    return TextCleaning.lines(lines)
  }
}
