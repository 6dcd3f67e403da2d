package import CompositorAPI
import CompositorHost
package import CompositorMedia
package import CompositorOverlay
import CompositorPlugins
import CompositorValidation

/// Loads a project and finds everything that is wrong with it: the one list of diagnostics that `validate`, `diagram`, `preview`, `explain`
/// and `render` show.
///
/// The stages are reading the text, laying out the clips, and validating edit and output. A mistake in one stage prevents the later ones.
package struct ProjectLoader: Sendable {
  /// Returns the compositors and audio processors that a project names (``ProjectFile/pluginIDs``).
  package typealias PluginProvider = @Sendable (ProjectFile) throws(CompositorError) -> OpenedPlugins

  /// Describes media. Its cache makes a second check fast.
  package var catalog: MediaCatalog
  /// Values that override those of the project, applied before it is validated.
  package var overrides: ProjectOverrides
  /// Loaded fonts; `nil` to load those of the project.
  package var fonts: FontLibrary?
  /// The variables that the names of outputs use, as in a batch.
  package var namedVariables: Set<String> = []
  private let spelling: SettingSpelling
  private let note: @Sendable (String) -> Void
  private let plugins: PluginProvider

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - spelling: How diagnostics, notes and warnings name settings; by default as keys of the project.
  ///   - note: Receives notes and warnings for people that are about the overrides and the system, not the project.
  ///   - plugins: The compositors that a project may use; `nil` for the built-in ones and the plugins that the overrides allow.
  package init(
    catalog: MediaCatalog, overrides: ProjectOverrides = ProjectOverrides(), spelling: SettingSpelling = .project,
    note: @escaping @Sendable (String) -> Void = { _ in }, plugins: PluginProvider? = nil
  ) {
    (self.catalog, self.overrides, self.spelling, self.note) = (catalog, overrides, spelling, note)
    if let plugins {
      self.plugins = plugins
    } else {
      let opening = PluginOpening(overrides.plugins, spelling: spelling)
      self.plugins = { file throws(CompositorError) in try opening.plugins(of: file) }
    }
  }

  /// Reads, lays out and validates a project, and tries its filters.
  ///
  /// - Parameters:
  ///   - path: The path of a project or a media file, or `-`.
  ///   - opened: The project's text; `nil` for a media file.
  package func check(_ path: String, _ opened: ProjectText?) async -> LoadedProject {
    await rehearsed(load(path, opened))
  }

  /// Reads, lays out and validates a project.
  package func load(_ path: String, _ opened: ProjectText?) -> LoadedProject {
    switch read(path, opened) {
    case .success(let file): return load(file)
    case .failure(let mistaken):
      var project = LoadedProject(text: opened?.text)
      project.diagnostics = mistaken.mistakes.map { ProjectDiagnostic($0.error, in: opened?.text, fix: $0.fix) }
      project.editFailure = mistaken.first ?? mistaken.mistakes.first?.error
      let failed = mistaken.mistakes.firstIndex { $0.error.location == project.editFailure?.location }
      if let failed { project.diagnostics[failed].isFailure = true }
      project.spell(spelling)
      return project
    }
  }

  /// Reads a project.
  ///
  /// - Returns: The project, or its mistakes.
  package func read(_ path: String, _ opened: ProjectText?) -> Result<ProjectFile, MistakenProject> {
    if let opened { return ProjectMistakes.read(opened.text, directory: opened.directory, variables: overrides.variables) }
    do throws(CompositorError) {
      return .success(try open(path))
    } catch {
      return .failure(MistakenProject(mistakes: [(error, nil)], first: error))
    }
  }

  /// Reads a project up to its first mistake.
  ///
  /// - Parameters:
  ///   - path: The path of a project or a media file, or `-`.
  ///   - row: Values of a table's row, which replace those of the overrides. Those that the project doesn't have are ignored;
  ///     `nil` for a project without a table.
  package func open(_ path: String, row: [String: String]? = nil) throws(CompositorError) -> ProjectFile {
    let variables = overrides.variables.merging(row ?? [:]) { _, new in new }
    return try ProjectFile(opening: path, variables: variables, ignoringUnused: row != nil)
  }

  /// Lays out and validates a project that was read already.
  package func load(_ file: ProjectFile) -> LoadedProject {
    var project = LoadedProject(text: file.origin == .project ? file.text : nil)
    var file = file
    do throws(CompositorError) {
      try overrides.apply(to: &file, catalog: catalog, note: note)
    } catch {
      project.editFailure = error
      return project
    }
    project.file = file
    project.stage = .laying
    do throws(CompositorError) {
      var (edit, registry) = try layOut(file, &project)
      try overrides.apply(to: &edit, of: file.origin, catalog: catalog, note: note)
      project.edit = edit
      project.stage = .validating
      validate(edit, of: file, registry: registry, &project)
    } catch {
      fail(error, of: file, &project)
    }
    project.diagnostics += file.unusedMissingMedia.map {
      ProjectDiagnostic($0.error, in: file.text, severity: .warning, fix: $0.fix)
    }
    if file.origin == .project { project.diagnostics += ConstantConditions(file.text).diagnostics() }
    project.offerAdvice(from: file)
    project.spell(spelling)
    return project
  }

  /// Lays out the clips of a project, with the plugins that it names: these are opened first, because values such as colors and
  /// paths are read by the parameters that a plugin declares.
  private func layOut(
    _ file: ProjectFile, _ project: inout LoadedProject
  ) throws(CompositorError) -> (edit: Edit, registry: CompositorRegistry) {
    var opened: OpenedPlugins?
    do throws(CompositorError) {
      let found = try plugins(file)
      opened = found
      let edit = try file.edit(catalog: catalog, fonts: fonts, registry: found.registry)
      found.notes.forEach(note)
      project.plugins = found.files(usedBy: edit)
      return (edit, found.registry)
    } catch {
      if error.code == .cancelled { throw error }
      return (try layOut(file, with: opened, despite: error, &project), opened?.registry ?? .builtIn)
    }
  }

  /// Lays out the clips of a project again, without plugins that cannot be opened or whose parameters are wrong. Only projects
  /// with mistakes need it: mistakes of clips and media are reported before those of plugins, diagrams and previews show a timeline
  /// whose plugins are missing, and what is neither seen nor heard needs no plugin.
  private func layOut(
    _ file: ProjectFile, with opened: OpenedPlugins?, despite error: CompositorError, _ project: inout LoadedProject
  ) throws(CompositorError) -> Edit {
    let edit = try file.edit(catalog: catalog, fonts: fonts)
    project.edit = edit
    opened?.notes.forEach(note)
    project.plugins = opened?.files(usedBy: edit) ?? [:]
    let isChecked = edit.usesPlugins || edit.namesFiles(opened?.registry ?? .builtIn)
    guard !isChecked, opened != nil || edit.pluginIDs.isEmpty else { throw error }
    return edit
  }

  /// Records the error that prevents laying out a project: all missing files, if that is what it is.
  private func fail(_ error: CompositorError, of file: ProjectFile, _ project: inout LoadedProject) {
    let missing = error.code == .fileNotFound ? file.missingMedia : []
    let known = project.diagnostics.count
    project.diagnostics += missing.map { ProjectDiagnostic($0.error, in: file.text, fix: $0.fix) }
    if let first = missing.first {
      project.editFailure = first.error
      project.diagnostics[known].isFailure = true
    } else {
      project.fail(file.locating(error))
    }
    guard project.edit == nil, error.code.isAboutMedia, file.origin == .project else { return }
    // If media cannot be read, the times of the project are still known.
    let placeholders = MediaCatalog.withPlaceholders
    guard let edit = try? file.edit(catalog: placeholders) else { return }
    project.edit = edit
    let places = ProjectPlaces(file, edit, catalog: placeholders)
    for index in project.diagnostics.indices.dropFirst(known) {
      let path = project.diagnostics[index].diagnostic.path
      project.diagnostics[index].diagnostic.timeRange = path.flatMap(places.range(ofPath:))
    }
  }

  /// Tries the plugins of a valid project with frames of its sources' sizes, which finds values that only a plugin itself rejects.
  package func rehearsed(_ project: LoadedProject) async -> LoadedProject {
    guard let composition = project.composition, let file = project.file else { return project }
    var result = project
    do throws(CompositorError) {
      let parts = ProjectPartNames(file, composition.edit, catalog: catalog)
      let found: [ValidationDiagnostic]
      do {
        found = try await DiagnosticNames.$current.withValue(parts.names) {
          try await CompositionValidator.rehearse(composition)
        }
      } catch let error as CompositorError {
        throw error
      } catch {
        throw CompositorError(.internalFault, "Plugins cannot be tried.", cause: "\(error)")
      }
      var located = found.map(parts.places.locating)
      let failed = located.firstIndex { $0.diagnostic.severity == .error }
      if let failed, result.editFailure == nil { located[failed].isFailure = true }
      result.diagnostics += located
      if let first = failed.map({ located[$0] }) {
        result.editFailure = result.editFailure ?? file.locating(first.diagnostic.error).placed(at: first.diagnostic)
      }
    } catch {
      result.fail(file.locating(error))
    }
    result.spell(spelling)
    return result
  }
}
