import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorValidation

extension ProjectLoader {
  /// Validates the edit of a project, and checks its own output.
  func validate(_ edit: Edit, of file: ProjectFile, registry: CompositorRegistry, _ project: inout LoadedProject) {
    let parts = ProjectPartNames(file, edit, catalog: catalog)
    let report = DiagnosticNames.$current.withValue(parts.names) {
      CompositionValidator.validate(
        edit, catalog: catalog, registry: registry, damaged: overrides.damaged, fonts: fonts,
        mediaTypes: Set(overrides.mediaTypes))
    }
    project.composition = report.validated
    project.media = report.validated?.media ?? knownMedia(of: edit)
    let delivery = report.validated.map(file.delivery)
    project.delivery = delivery
    let output = report.validated.flatMap { valid in delivery.map { file.outputDiagnostics(for: valid, $0) } } ?? []
    locate(report, output, of: file, parts, &project)
    let errors = project.diagnostics.indices.filter { project.diagnostics[$0].diagnostic.severity == .error }
    let first = errors.first.map { project.diagnostics[$0] }
    do throws(CompositorError) {
      let composition = try report.get()
      project.outputFailure = first.map { file.locating($0.diagnostic.error).placed(at: $0.diagnostic) }
      checkOutput(of: composition, of: file, delivery, hasError: first != nil, &project)
    } catch {
      // The reason of a diagnostic says more than itself, and may be that of another source's.
      let failed = errors.first {
        report.failedSource == nil || project.diagnostics[$0].diagnostic.source == report.failedSource
      }
      if let failed = failed ?? errors.first { project.diagnostics[failed].isFailure = true }
      let failure = first.map { file.locating(report.reason ?? $0.diagnostic.error).placed(at: $0.diagnostic) }
      project.editFailure = failure ?? file.locating(error)
    }
  }

  /// Adds the diagnostics of an edit, of its output, and of what the project writes, with their locations in its text.
  private func locate(
    _ report: ValidationReport, _ output: [ValidationDiagnostic], of file: ProjectFile, _ parts: ProjectPartNames,
    _ project: inout LoadedProject
  ) {
    let written = file.writtenDiagnostics(catalog: catalog, named: namedVariables)
    // Clips are located in the source text only if there may be diagnostics.
    if !report.diagnostics.isEmpty || !output.isEmpty || !written.isEmpty || file.hasLosableParts(of: project.media) {
      let places = parts.places
      let found = report.diagnostics(forWholeRenderOf: overrides.damaged).compactMap(places.adapted)
      project.diagnostics += found.map { diagnostic in
        // A part of the timeline may not need what is missing.
        let isOfWhole = diagnostic.severity == .error && report.validated != nil
        return isOfWhole ? places.locating(diagnostic).ofOutput : places.locating(diagnostic)
      }
      project.diagnostics += output.map { places.locating($0).ofOutput }
      project.diagnostics += (file.timelineDiagnostics(places, catalog: catalog) + written).map(places.locating)
    }
  }

  /// Checks codec and metadata of the project's own output.
  private func checkOutput(
    of composition: ValidatedComposition, of file: ProjectFile, _ delivery: MovieDelivery?, hasError: Bool,
    _ project: inout LoadedProject
  ) {
    do throws(CompositorError) {
      if let delivery { try file.check(delivery) }
    } catch {
      let mistake = file.locating(error)
      if !hasError {
        // An output that cannot be written needs no warnings about players.
        project.diagnostics.removeAll { $0.diagnostic.code == .limitedPlayback }
        project.diagnostics.append(ProjectDiagnostic(mistake, in: project.text).ofOutput)
      }
      project.outputFailure = mistake
    }
    let mistakes = file.containerErrors(for: composition) + file.metadataErrors(for: composition, catalog: catalog)
    for error in mistakes {
      project.diagnostics.append(ProjectDiagnostic(error, in: project.text).ofOutput)
      project.outputFailure = project.outputFailure ?? error
    }
  }

  /// Descriptions of an invalid edit's media, as far as it can be probed.
  private func knownMedia(of edit: Edit) -> [MediaSource: MediaInfo] {
    let sources = Set(edit.composition.tracks.flatMap { track in track.segments.compactMap(\.source) })
    let found = sources.map { ($0, try? catalog.info(for: $0)) }
    return Dictionary(found.compactMap { source, info in info.map { (source, $0) } }) { first, _ in first }
  }
}

extension CompositorError {
  /// A copy of the error with the source location of a diagnostic, unless it has a location of its own.
  func placed(at diagnostic: ValidationDiagnostic) -> CompositorError {
    guard location.documents.isEmpty, let file = diagnostic.file else { return self }
    var location = location
    location.file = location.file ?? file
    location.documents = diagnostic.line.map { [DocumentPosition(file: file, line: $0, column: diagnostic.column)] } ?? []
    location.path = location.path ?? diagnostic.path
    return CompositorError(
      code, message, advice: advice, cause: cause, at: location, systemErrorNumber: systemErrorNumber)
  }
}
