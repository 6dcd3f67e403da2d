import CompositorAPI

/// The result of a step.
package struct PluginCheckResult: Codable, Hashable, Sendable {
  package enum Outcome: String, Codable, Sendable {
    case passed
    /// The compositor refuses, which is allowed.
    case refused
    /// Another check failed, so this one would show nothing new.
    case skipped
    case failed
  }
  package var outcome: Outcome
  /// A sentence about the observation; may be empty if the step passed.
  package var detail: String
  /// A fault that other checks may find, too; `nil` if no other check looks for it.
  var fault: PluginFault?
  /// Why a check was skipped, if others may be for the same reason; `nil` for others.
  var obstacle: PluginCheckObstacle?
  /// A result for other checks. Times are believed as ``believed(_:in:)`` says.
  var frameSeconds: Double?
  var makeSeconds: Double?
  var fullFrameSeconds: Double?
  var reference: [UInt64]?
  var frames: [UInt64?]?
  /// Whether the check has to be repeated in a new process, because this one was left in a state that it cannot measure.
  var needsNewProcess: Bool?

  package init(_ outcome: Outcome, _ detail: String = "") {
    (self.outcome, self.detail) = (outcome, detail)
  }

  /// A skipped check.
  init(_ obstacle: PluginCheckObstacle) {
    self.init(.skipped, obstacle.text)
    self.obstacle = obstacle
  }

  /// A failed check, with a sentence about its fault.
  init(_ fault: PluginFault, _ detail: String) {
    self.init(.failed, detail)
    self.fault = fault
  }

  /// The result with more faults of a description.
  func adding(_ faults: [String]) -> PluginCheckResult {
    guard !faults.isEmpty else { return self }
    let own = outcome == .failed ? "\(detail.dropLast()); " : ""
    return PluginCheckResult(.failed, "\(own)\(faults.joined(separator: "; ")).")
  }

  /// A fault in the frames of a scene.
  init(_ fault: FrameFault) { self.init(.frame(fault), fault.text) }

  /// The result with the place where it was found.
  func found(at place: String) -> PluginCheckResult {
    var result = PluginCheckResult(outcome, detail, at: place)
    result.fault = fault
    return result
  }

  /// An observation and the place where it was made.
  init(_ outcome: Outcome, _ detail: String, at place: String) { self.init(outcome, "\(place): \(detail)") }

  /// Whether the fault is that some pixels aren't written.
  var missesPixels: Bool {
    switch fault {
    case .frame(.missingPixels), .frameWithoutMask(.missingPixels): true
    default: false
    }
  }

  /// A time in seconds that a worker reports, as far as it can be true of a check that took `elapsed`.
  package static func believed(_ seconds: Double, in elapsed: Duration) -> Double {
    seconds.isFinite ? min(max(seconds, 0), elapsed / .seconds(1)) : 0
  }
}
