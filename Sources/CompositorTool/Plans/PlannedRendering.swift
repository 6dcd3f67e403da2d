import ArgumentParser
import Compositor

/// One call of `compositor render --plan`.
struct PlannedRendering {
  private let command: PlannedRenderCommand
  private let reporter: ProgressReporter
  private let folder: PlanFolder
  private let file: SegmentPlanFile
  private let renderer: PlanRenderer

  init(_ command: PlannedRenderCommand, _ reporter: ProgressReporter) throws {
    (self.command, self.reporter) = (command, reporter)
    folder = PlanFolder(ofPlan: command.plan)
    let path = folder.relative(command.plan)
    try folder.enter()
    var file = try SegmentPlanFile(contentsOf: path)
    file.shownPath = command.plan
    self.file = file
    var renderer = PlanRenderer(file)
    (renderer.allowsVersion, renderer.overwrites) = (command.allowVersion, command.overwrite)
    (renderer.threadCount, renderer.budget) = (command.threads, command.budget.budget)
    (renderer.spelling, renderer.note) = (.options, Terminal.complain)
    renderer.loaded = { Terminal.warn(of: $0, isRateChosen: $1) }
    self.renderer = renderer
  }

  func run() async throws {
    if command.overwrite, command.segment != nil || command.audio, !file.plan.isBatch {
      throw ValidationError("--overwrite is for the movie; damaged parts are always replaced.")
    }
    let parts = try wanted()
    guard try !checkMovie() else { return }
    let rendered = file.plan.isBatch ? try await renderRows(parts) : try await renderParts(parts)
    guard let movie else { return try reporter.finish(rendered: rendered, existing: parts.count - rendered) }
    try await join(to: movie)
  }

  /// The requested parts, in the order in which they are rendered.
  private func wanted() throws -> [PlanPart] {
    if command.audio, file.plan.audio == nil {
      throw CompositorError(
        .invalidValue, "The plan has no audio.", recoverySuggestion: "Render its segments.", at: ErrorLocation(file: file.path))
    }
    guard let text = command.segment else {
      // The audio first: it is quick, and reveals errors in the project soonest.
      let parts = file.plan.parts
      return command.audio ? [.audio] : parts.filter { $0 == .audio } + parts.filter { $0 != .audio }
    }
    let selection = try usage("--segment") { () throws(CompositorError) in
      try SegmentSelection(text, of: file.plan.segmentCount)
    }
    return (command.audio ? [.audio] : []) + selection.numbers.map(PlanPart.segment)
  }

  /// The path of the movie to join in the end; nil if only parts are rendered.
  private var movie: String? {
    guard command.segment == nil, !command.audio, let movie = file.plan.movie else { return nil }
    return command.output.map(folder.absolute) ?? movie.path
  }

  /// The movie in messages, as seen from the folder in which the tool was called.
  private func shown(_ movie: String) -> String { command.output ?? folder.shown(movie) }

  /// Checks that the movie can be written before hours of rendering.
  ///
  /// - Returns: Whether it is there already, joined from this plan.
  private func checkMovie() throws -> Bool {
    guard let movie else { return false }
    if let existing = try MovieJoiner(file).existing(at: movie), !command.overwrite {
      try reporter.finish(existing, as: shown(movie))
      return true
    }
    do throws(CompositorError) {
      try OutputGuard.check([movie], sources: [] as [MediaSource], overwrites: command.overwrite)
    } catch {
      throw error.naming(movie, as: shown(movie))
    }
    return false
  }

  // MARK: parts of a movie

  /// - Returns: The number of parts rendered; the others existed.
  private func renderParts(_ parts: [PlanPart]) async throws -> Int {
    let folder = PartsFolder(file)
    let states = try PlanStatus.states(of: parts, in: folder)
    var missing: [PlanPart] = []
    for part in parts {
      guard let receipt = states[part]?.receipt else {
        missing.append(part)
        continue
      }
      try tell(
        PartRenderer.Outcome(part: part, receipt: receipt, path: folder.path(of: part), alreadyExisted: true, result: nil))
    }
    guard !missing.isEmpty else { return 0 }
    let renderer = try await renderer.parts()
    var meter = PartMeter(missing, of: file.plan)
    var failures = PartFailures(of: missing.count, reporter)
    for part in missing {
      let counted = meter
      do throws(CompositorError) {
        let outcome = try await renderer.render(part) { reporter.report(counted.progress($0)) }
        try tell(outcome)
      } catch {
        try failures.note(error, of: part)
      }
      meter.finish(part)
    }
    if let summary = failures.summary { throw summary }
    return missing.count
  }

  // MARK: rows of a batch

  /// - Returns: The number of rows rendered; the others existed.
  private func renderRows(_ parts: [PlanPart]) async throws -> Int {
    var rows = try PlannedRows(renderer)
    var count = 0
    var failures = PartFailures(of: parts.count, reporter)
    for part in parts {
      guard case .segment(let row) = part else { continue }
      if let existing = try rows.existing(row) {
        try tell(existing)
        continue
      }
      try rows.readTable()
      do throws(CompositorError) {
        let outcome = try await rows.render(row) { reporter.report($0) }
        try tell(outcome)
        count += 1
      } catch {
        try failures.note(error, of: part)
      }
    }
    if let summary = failures.summary { throw summary }
    return count
  }

  // MARK: messages

  private func tell(_ outcome: PartRenderer.Outcome) throws(CompositorError) {
    try reporter.finish(outcome)
    for warning in outcome.receipt.warnings ?? [] { Terminal.complain("warning: \(warning)") }
    for version in outcome.receipt.allowedVersions ?? [] { Terminal.complain("warning: allowed: \(version)") }
  }

  private func join(to path: String) async throws {
    try await Joining(file, reporter, tool: renderer.toolVersion).run(
      to: path, shownAs: shown(path), overwrites: command.overwrite, allowsVersion: command.allowVersion)
  }
}
