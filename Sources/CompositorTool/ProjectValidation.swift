import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorPlugins
import CompositorProjectFormat
import CompositorTimeline

/// Validates a project with the options of the command line, without rendering it.
struct ProjectValidation {
  let project: ProjectArgument
  let colors: ColorOptions
  let damage: DamageOptions
  /// Caches the descriptions of media, so that a project is checked quickly after its source text changes.
  let catalog = MediaCatalog()

  /// The result of a check.
  struct Outcome {
    /// The diagnostics, in the order in which they were found.
    var diagnostics: [ProjectDiagnostic] = []
    /// The error that prevents rendering; `nil` if the project can be rendered.
    var failure: CompositorError?
    /// The project's source text; `nil` for a media file.
    var text: SourceText?
    /// The stage that the check reached.
    var stage = Stage.reading

    /// The stages of a check. Errors of one stage prevent the later stages.
    enum Stage: Int, Comparable {
      case reading, laying, validating
      static func < (first: Stage, second: Stage) -> Bool { first.rawValue < second.rawValue }
    }

    var errorCount: Int { diagnostics.count { $0.diagnostic.severity == .error } }

    init(text: SourceText?) { self.text = text }

    /// The outcome for a project that cannot be opened.
    init(_ error: CompositorError) {
      failure = error
      diagnostics = [ProjectDiagnostic(error, in: nil)]
    }

    mutating func fail(_ error: CompositorError) {
      diagnostics.append(ProjectDiagnostic(error, in: text))
      failure = error
    }
  }

  /// - Parameter opened: The project's source text; `nil` for a media file.
  func run(_ opened: ProjectText?) async -> Outcome {
    var outcome = Outcome(text: opened?.text)
    let file: ProjectFile
    do throws(CompositorError) {
      guard let found = try read(opened, &outcome) else { return outcome }
      file = found
    } catch {
      outcome.fail(error)
      return outcome
    }
    outcome.stage = .laying
    outcome.diagnostics = file.spellingDiagnostics
    do throws(CompositorError) {
      let loaded = try project.plugins.edit(of: file, draft: try file.edit(catalog: catalog), catalog: catalog)
      var edit = loaded.edit
      colors.overrides.apply(to: &edit)
      outcome.stage = .validating
      try await validate(edit, of: file, registry: loaded.registry, &outcome)
    } catch {
      let missing = error.code == .fileNotFound ? file.missingMedia : []
      outcome.diagnostics += missing.map { ProjectDiagnostic($0.error, in: file.text, fix: $0.fix) }
      if let first = missing.first { outcome.failure = first.error } else { outcome.fail(file.locating(error)) }
    }
    return outcome
  }

  private func read(_ opened: ProjectText?, _ outcome: inout Outcome) throws(CompositorError) -> ProjectFile? {
    guard let opened else { return try ProjectFile(opening: project.path, variables: project.variables) }
    switch ProjectMistakes.read(opened.text, directory: opened.directory, variables: project.variables) {
    case .success(let file): return file
    case .failure(let mistaken):
      outcome.diagnostics = mistaken.mistakes.map { ProjectDiagnostic($0.error, in: opened.text, fix: $0.fix) }
      outcome.failure = mistaken.first ?? mistaken.mistakes.first?.error
      return nil
    }
  }

  private func validate(
    _ edit: Edit, of file: ProjectFile, registry: CompositorRegistry, _ outcome: inout Outcome
  ) async throws(CompositorError) {
    let report = CompositionValidator.validate(edit, catalog: catalog, registry: registry, damaged: damage.damaged)
    var found = report.diagnostics
    if let composition = report.validated {
      found += file.outputDiagnostics(for: composition)
      found += try await CompositionValidator.rehearse(composition)
    }
    var located: [ProjectDiagnostic] = []
    // Clips are located in the source text only if there may be diagnostics.
    if !found.isEmpty || file.hasKeyframes {
      let places = ProjectPlaces(file, edit, catalog: catalog)
      found += places.keyframeDiagnostics
      located = found.map(places.locating)
      outcome.diagnostics += located
    }
    let first = located.first { $0.diagnostic.severity == .error }
    do throws(CompositorError) {
      try file.checkDelivery(of: report.get())
      outcome.failure = first.map { file.locating($0.diagnostic.error) }
    } catch {
      let mistake = file.locating(error)
      if report.validated != nil, first == nil {
        // An output that cannot be written needs no warnings about players.
        outcome.diagnostics.removeAll { $0.diagnostic.code == .limitedPlayback }
        outcome.fail(mistake)
      } else {
        outcome.failure = mistake
      }
    }
    if let first, let failure = outcome.failure { outcome.failure = failure.placed(at: first.diagnostic) }
    guard let composition = report.validated else { return }
    for error in file.metadataErrors(for: composition, catalog: catalog) {
      outcome.diagnostics.append(ProjectDiagnostic(error, in: outcome.text))
      outcome.failure = outcome.failure ?? error
    }
  }
}

extension CompositorError {
  /// A copy of the error with the source location of a diagnostic, unless it has a location of its own.
  fileprivate func placed(at diagnostic: ValidationDiagnostic) -> CompositorError {
    guard location.textPlace == nil, let place = DiagnosticText.place(of: diagnostic) else { return self }
    var location = location
    location.file = location.file.map { "\(place): \($0)" } ?? place
    location.path = location.path ?? diagnostic.path
    return CompositorError(
      code, message, recoverySuggestion: recoverySuggestion, cause: cause, at: location, systemErrorNumber: systemErrorNumber)
  }
}

/// Applies fixes to the source text of a project until none is left, or until the remaining ones don't help.
struct ProjectFixing {
  let check: ProjectValidation
  /// Whether fixes that may change the project's meaning are applied.
  let includesUnsafe: Bool
  /// The maximum number of rounds. Fixes of instructions are applied one per round, because each may move the others.
  private static let limit = 200

  init(check: ProjectValidation, includesUnsafe: Bool) {
    (self.check, self.includesUnsafe) = (check, includesUnsafe)
  }

  /// A changed project, the fixes applied, and the remaining diagnostics.
  struct Fixed {
    var project: ProjectText
    var made: [ProjectFix]
    var outcome: ProjectValidation.Outcome
  }

  func run(_ opened: ProjectText) async throws(CompositorError) -> Fixed {
    var fixed = Fixed(project: opened, made: [], outcome: await check.run(opened))
    for _ in 0..<ProjectFixing.limit {
      guard let next = try await step(fixed) else { break }
      fixed = next
    }
    return fixed
  }

  /// - Returns: `nil` if there is nothing left to fix, or if the fixes don't help.
  private func step(_ fixed: Fixed) async throws(CompositorError) -> Fixed? {
    var editing = TextEditing()
    var made: [ProjectFix] = []
    var changesInstructions = false
    let diagnostics = fixed.outcome.diagnostics
    // Safe fixes first: they may make others unnecessary.
    for located in diagnostics.filter({ $0.fix?.isSafe == true }) + diagnostics.filter({ $0.fix?.isSafe == false }) {
      guard let fix = located.fix, fix.isSafe || includesUnsafe else { continue }
      let isOfEdit = located.diagnostic.fix != nil
      guard !(isOfEdit && changesInstructions), editing.add(fix, to: fixed.project.text) else { continue }
      changesInstructions = changesInstructions || isOfEdit
      made.append(fix)
    }
    guard !made.isEmpty else { return nil }
    let project = try fixed.project.changed(to: editing.applied(to: fixed.project.text))
    let outcome = await check.run(project)
    let (old, new) = (fixed.outcome, outcome)
    let isBetter =
      new.stage > old.stage
      || (new.stage == old.stage && new.errorCount <= old.errorCount
        && new.diagnostics.count < old.diagnostics.count + (new.errorCount < old.errorCount ? 1 : 0))
    guard isBetter else { return nil }
    return Fixed(project: project, made: fixed.made + made, outcome: outcome)
  }
}
