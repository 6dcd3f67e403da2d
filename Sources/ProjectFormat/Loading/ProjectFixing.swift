package import CompositorAPI

/// Applies fixes to the source text of a project until none is left, or until the remaining ones don't help.
package struct ProjectFixing: Sendable {
  /// Loads and validates the project; its media are read once.
  private let loader: ProjectLoader
  private let path: String
  /// Whether fixes that may change the project's meaning are applied.
  private let includesUnsafe: Bool
  /// The maximum number of rounds. Fixes of instructions are applied one per round, because each may move the others.
  private static let limit = 200
  /// The maximum number of fixes that are tried one by one, each with a validation of the project.
  private static let mostAlone = 8

  /// - Parameter path: The path of the project, for messages; or `-`.
  package init(_ loader: ProjectLoader, path: String, includesUnsafe: Bool) {
    (self.loader, self.path, self.includesUnsafe) = (loader, path, includesUnsafe)
  }

  /// A changed project, the fixes applied, and the remaining diagnostics.
  package struct Fixed: Sendable {
    package var project: ProjectText
    package var made: [ProjectFix]
    package var outcome: LoadedProject
  }

  /// Fixes a project, whose file is left as it is.
  package func run(_ opened: ProjectText) async throws(CompositorError) -> Fixed {
    var fixed = Fixed(project: opened, made: [], outcome: await loader.check(path, opened))
    var texts: Set = [opened.text.bytes]
    for _ in 0..<Self.limit {
      // Fixes that undo each other would go on forever.
      guard let next = try await step(fixed), texts.insert(next.project.text.bytes).inserted else { break }
      fixed = next
    }
    return fixed
  }

  /// - Returns: `nil` if there is nothing left to fix, or if the fixes don't help.
  private func step(_ fixed: Fixed) async throws(CompositorError) -> Fixed? {
    let diagnostics = fixed.outcome.diagnostics.filter { $0.fix.map { $0.isSafe || includesUnsafe } == true }
    // Safe fixes first: they may make others unnecessary.
    let ordered = diagnostics.filter { $0.fix?.isSafe == true } + diagnostics.filter { $0.fix?.isSafe == false }
    if let next = try await applying(ordered, to: fixed) { return next }
    guard ordered.count > 1 else { return nil }
    // One that doesn't help blocks none that do.
    for located in ordered.prefix(Self.mostAlone) {
      if let next = try await applying([located], to: fixed) { return next }
    }
    return nil
  }

  /// - Returns: `nil` if the fixes of the diagnostics cannot be applied, or don't help.
  private func applying(_ diagnostics: [ProjectDiagnostic], to fixed: Fixed) async throws(CompositorError) -> Fixed? {
    var editing = TextEditing()
    var made: [ProjectFix] = []
    var changesInstructions = false
    var resolved: [ValidationDiagnostic] = []
    for located in diagnostics {
      guard let fix = located.fix else { continue }
      let isOfEdit = located.diagnostic.fix != nil
      guard !(isOfEdit && changesInstructions), editing.add(fix, to: fixed.project.text) else { continue }
      changesInstructions = changesInstructions || isOfEdit
      made.append(fix)
      resolved.append(located.diagnostic)
    }
    guard !made.isEmpty else { return nil }
    let project = try fixed.project.changed(to: editing.applied(to: fixed.project.text))
    let outcome = await loader.check(path, project)
    guard outcome.isBetter(than: fixed.outcome, without: resolved) else { return nil }
    return Fixed(project: project, made: fixed.made + made, outcome: outcome)
  }

  /// The fixes that a project offers, but that aren't made because other diagnostics would follow. Found by fixing a copy; empty
  /// if many changes of the edit are offered, which would take long.
  package func refused(in outcome: LoadedProject, of opened: ProjectText) async -> Set<ProjectFix> {
    let offered = outcome.diagnostics.count { $0.diagnostic.fix != nil && $0.fix?.isSafe == false }
    guard (1...Self.mostAlone).contains(offered), let fixed = try? await run(opened) else { return [] }
    let left = Set(fixed.outcome.diagnostics.filter { $0.fix != nil }.map(\.diagnostic.topic))
    return Set(outcome.diagnostics.filter { left.contains($0.diagnostic.topic) }.compactMap(\.fix))
  }
}

extension LoadedProject {
  /// Whether fixes that should resolve some diagnostics of a project made this one better.
  fileprivate func isBetter(than old: LoadedProject, without resolved: [ValidationDiagnostic]) -> Bool {
    guard stage == old.stage else { return stage > old.stage }
    guard errorCount <= old.errorCount, diagnostics.count <= old.diagnostics.count else { return false }
    return diagnostics.count < old.diagnostics.count || errorCount < old.errorCount || lacks(resolved)
  }

  /// Whether diagnostics are gone. The others may have moved in the text.
  fileprivate func lacks(_ resolved: [ValidationDiagnostic]) -> Bool {
    let gone = Set(resolved.map(\.unplaced))
    return diagnostics.allSatisfy { !gone.contains($0.diagnostic.unplaced) }
  }
}

extension ValidationDiagnostic {
  /// What a diagnostic is about, in any words and anywhere in a text.
  fileprivate struct Topic: Hashable {
    let code: Code
    let path: String?
    let subject: ErrorLocation.Subject?
    let track: TrackID?
    let source: MediaSource?
  }

  /// What it is about.
  fileprivate var topic: Topic { Topic(code: code, path: path, subject: subject, track: track, source: source) }

  /// The same without its position in a text.
  fileprivate var unplaced: ValidationDiagnostic {
    var copy = self
    (copy.file, copy.line, copy.column) = (nil, nil, nil)
    return copy
  }
}
