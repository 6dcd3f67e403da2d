import Compositor
import Foundation

/// Parts of a call that failed. The others are rendered nevertheless, so that a task is not held up by its first part at every
/// try.
struct PartFailures {
  private let count: Int
  private let reporter: ProgressReporter
  private var failures: [(part: PlanPart, error: CompositorError)] = []

  /// - Parameter count: The number of parts to render.
  init(of count: Int, _ reporter: ProgressReporter) { (self.count, self.reporter) = (count, reporter) }

  /// Notes the failure of a part.
  ///
  /// - Throws: The error, if no other part is to be tried: after a cancel, on a full disk, and if there is only this part.
  mutating func note(_ error: any Error, of part: PlanPart) throws {
    guard let error = error as? CompositorError, count > 1, error.code != .cancelled,
      ![ENOSPC, EDQUOT].contains(error.systemErrorNumber)
    else { throw error }
    failures.append((part, error))
    reporter.fail(part, error)
  }

  /// The error to end with: that of the first part, so that the exit status is its; nil if no part failed.
  var summary: CompositorError? {
    guard let (part, error) = failures.first else { return nil }
    let others = failures.count == 1 ? "" : ", as \(failures.count - 1) more of \(count) parts"
    return CompositorError(
      error.code, "\(part) failed\(others): \(error.message)", advice: error.advice, cause: error.cause,
      at: error.location, systemErrorNumber: error.systemErrorNumber)
  }
}

/// Combines the progress of several parts into one: frames, with the audio counted as some extra frames.
struct PartMeter {
  private let plan: SegmentPlan
  private let total: Int
  private var done = 0
  private var current: [PlanPart]
  private let start = ContinuousClock.now

  init(_ parts: [PlanPart], of plan: SegmentPlan) {
    (self.plan, current) = (plan, parts)
    total = parts.reduce(0) { $0 + Self.weight(of: $1, in: plan) }
  }

  private static func weight(of part: PlanPart, in plan: SegmentPlan) -> Int {
    switch part {
    case .segment(let number): plan.frames(ofSegment: number).count
    case .audio: max(1, (plan.movie?.frameCount ?? 0) / 20)
    }
  }

  /// The progress of all parts, given the progress of the current one.
  func progress(_ part: ExportProgress) -> ExportProgress {
    guard let first = current.first, part.phase != .queued else { return part }
    let weight = Self.weight(of: first, in: plan)
    let share = part.frameCount > 0 ? Double(part.framesDone) / Double(part.frameCount) : 0
    let phase = part.phase == .completed || part.phase == .finishing ? ExportProgress.Phase.encoding : part.phase
    return ExportProgress(
      framesDone: done + Int(share * Double(weight)), frameCount: total, elapsed: ContinuousClock.now - start, phase: phase)
  }

  mutating func finish(_ part: PlanPart) {
    done += Self.weight(of: part, in: plan)
    current.removeAll { $0 == part }
  }
}
