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
    (renderer.spelling, renderer.note) = (.planOptions, Terminal.complain)
    renderer.loaded = { Terminal.warn(of: $0, isRateChosen: $1) }
    self.renderer = renderer
  }

  func run() async throws {
    if command.overwrite, command.segment != nil || command.audio, !file.plan.isBatch {
      throw ValidationError("--overwrite is for the movie; damaged parts are always replaced.")
    }
    let parts = try wanted()
    guard try !checkMovie() else { return }
    let run = PlanRun(renderer, progress: reporter.report, completed: report, failed: reporter.fail)
    let rendered = try await run.render(parts)
    guard let movie else { return try reporter.finish(rendered: rendered, existing: parts.count - rendered) }
    try await join(to: movie)
  }

  /// The requested parts.
  private func wanted() throws -> [PlanPart] {
    if command.audio { _ = try file.audio() }
    guard let text = command.segment else { return command.audio ? [.audio] : file.plan.parts }
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

  // MARK: messages

  private func report(_ outcome: PartRenderer.Outcome) throws(CompositorError) {
    try reporter.finish(outcome)
    for warning in outcome.receipt.warnings ?? [] { Terminal.complain("warning: \(warning)") }
    for version in outcome.receipt.allowedVersions ?? [] { Terminal.complain("warning: allowed: \(version)") }
  }

  private func join(to path: String) async throws {
    try await Joining(file, reporter, tool: renderer.toolVersion).run(
      to: path, shownAs: shown(path), overwrites: command.overwrite, allowsVersion: command.allowVersion)
  }
}
