package import CompositorAPI
package import CompositorExport
import CompositorPlatform

/// Renders the parts of a plan that don't exist yet, one after another, and continues after a failure.
package struct PlanRun {
  private let renderer: PlanRenderer
  private let progress: @Sendable (ExportProgress) -> Void
  private let completed: (PartRenderer.Outcome) throws(CompositorError) -> Void
  private let failed: (PlanPart, CompositorError) -> Void
  private var file: SegmentPlanFile { renderer.file }

  /// - Parameters:
  ///   - progress: Receives the progress of all parts of a movie together, or of a batch's current row. Called from any thread.
  ///   - completed: Receives each part that is complete, whether it was rendered or existed already. An error is one of its part.
  ///   - failed: Receives each part that could not be rendered while others are still to be tried.
  package init(
    _ renderer: PlanRenderer, progress: @escaping @Sendable (ExportProgress) -> Void,
    completed: @escaping (PartRenderer.Outcome) throws(CompositorError) -> Void,
    failed: @escaping (PlanPart, CompositorError) -> Void
  ) {
    (self.renderer, self.progress, self.completed, self.failed) = (renderer, progress, completed, failed)
  }

  /// Renders those of some parts that don't exist yet, in the given order except that the audio is first: it is quick, and reveals
  /// errors in the project soonest.
  ///
  /// - Returns: The number of parts rendered; the others existed.
  /// - Throws: If there is only one part to render, its error; otherwise an error that names the first part that failed and the
  ///   number of others, after all of them were tried. After a cancel or on a full disk, no other part is tried.
  package func render(_ parts: [PlanPart]) async throws(CompositorError) -> Int {
    let ordered = parts.filter { $0 == .audio } + parts.filter { $0 != .audio }
    return file.plan.isBatch ? try await renderRows(ordered) : try await renderParts(ordered)
  }

  /// Renders parts of a movie. The project is loaded once, and only if a part is missing.
  private func renderParts(_ parts: [PlanPart]) async throws(CompositorError) -> Int {
    let folder = PartsFolder(file)
    let states = try PlanStatus.states(of: parts, in: folder)
    var missing: [PlanPart] = []
    for part in parts {
      guard let receipt = states[part]?.receipt else {
        missing.append(part)
        continue
      }
      try completed(
        PartRenderer.Outcome(part: part, receipt: receipt, path: folder.path(of: part), alreadyExisted: true, result: nil))
    }
    guard !missing.isEmpty else { return 0 }
    let renderer = try await renderer.parts()
    var meter = PartMeter(missing, of: file.plan)
    var failures = PartFailures(of: missing.count)
    for part in missing {
      let counted = meter
      do throws(CompositorError) {
        try completed(try await renderer.render(part) { [progress] in progress(counted.progress($0)) })
      } catch {
        try failures.note(error, of: part)
        failed(part, error)
      }
      meter.finish(part)
    }
    if let summary = failures.summary { throw summary }
    return missing.count
  }

  /// Renders rows of a batch. The table is read only if a row is missing; an error in it is one of all rows.
  private func renderRows(_ parts: [PlanPart]) async throws(CompositorError) -> Int {
    var rows = try PlannedRows(renderer)
    var count = 0
    var failures = PartFailures(of: parts.count)
    for part in parts {
      guard case .segment(let row) = part else { continue }
      if let existing = try rows.existing(row) {
        try completed(existing)
        continue
      }
      try rows.readTable()
      do throws(CompositorError) {
        try completed(try await rows.render(row, progress: progress))
        count += 1
      } catch {
        try failures.note(error, of: part)
        failed(part, error)
      }
    }
    if let summary = failures.summary { throw summary }
    return count
  }
}

/// Parts of a run that failed. The others are rendered nevertheless, so that a task is not held up by its first part at every try.
package struct PartFailures {
  private let count: Int
  private var failures: [(part: PlanPart, error: CompositorError)] = []

  /// - Parameter count: The number of parts to render.
  package init(of count: Int) { self.count = count }

  /// Notes the failure of a part.
  ///
  /// - Throws: The error, if no other part is to be tried: after a cancel, on a full disk, and if there is only this part.
  package mutating func note(_ error: CompositorError, of part: PlanPart) throws(CompositorError) {
    guard count > 1, error.code != .cancelled, ![ENOSPC, EDQUOT].contains(error.systemErrorNumber) else { throw error }
    failures.append((part, error))
  }

  /// The error to end with: that of the first part, so that the exit status is its; `nil` if no part failed.
  package var summary: CompositorError? {
    guard let (part, error) = failures.first else { return nil }
    let others = failures.count == 1 ? "" : ", as \(failures.count - 1) more of \(count) parts"
    return CompositorError(
      error.code, "\(part) failed\(others): \(error.message)", advice: error.advice, cause: error.cause,
      at: error.location, systemErrorNumber: error.systemErrorNumber)
  }
}

/// Combines the progress of several parts into one: frames, with the audio counted as some extra frames.
package struct PartMeter: Sendable {
  private let plan: SegmentPlan
  private let total: Int
  private var done = 0
  private var current: [PlanPart]
  private let start = ContinuousClock.now

  /// - Parameter parts: The parts to render, in order.
  package init(_ parts: [PlanPart], of plan: SegmentPlan) {
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
  package func progress(_ part: ExportProgress) -> ExportProgress {
    guard let first = current.first, part.phase != .queued else { return part }
    let weight = Self.weight(of: first, in: plan)
    let share = part.frameCount > 0 ? Double(part.framesDone) / Double(part.frameCount) : 0
    let phase = part.phase == .completed || part.phase == .finishing ? ExportProgress.Phase.encoding : part.phase
    return ExportProgress(
      framesDone: done + Int(share * Double(weight)), frameCount: total, elapsed: ContinuousClock.now - start, phase: phase)
  }

  /// Counts the current part as done, whether it was rendered or failed.
  package mutating func finish(_ part: PlanPart) {
    done += Self.weight(of: part, in: plan)
    current.removeAll { $0 == part }
  }
}
