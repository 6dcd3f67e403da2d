import Compositor

/// Validates a project with the options of the command line, without rendering it.
struct ProjectValidation {
  let project: ProjectArgument
  let loader: ProjectLoader

  init(project: ProjectArgument, colors: ColorOptions, damage: DamageOptions) {
    self.project = project
    var overrides = project.overrides
    (overrides.damaged, overrides.colors) = (damage.damaged, colors.overrides)
    loader = project.loader(catalog: MediaCatalog(), overrides)
  }

  /// - Parameter opened: The project's source text; `nil` for a media file.
  func run(_ opened: ProjectText?) async -> LoadedProject {
    await loader.check(project.path, opened)
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
    var outcome: LoadedProject
  }

  func run(_ opened: ProjectText) async throws(CompositorError) -> Fixed {
    var fixed = Fixed(project: opened, made: [], outcome: await check.run(opened))
    var texts: Set = [opened.text.bytes]
    for _ in 0..<ProjectFixing.limit {
      // Fixes that undo each other would go on forever.
      guard let next = try await step(fixed), texts.insert(next.project.text.bytes).inserted else { break }
      fixed = next
    }
    return fixed
  }

  /// - Returns: `nil` if there is nothing left to fix, or if the fixes don't help.
  private func step(_ fixed: Fixed) async throws(CompositorError) -> Fixed? {
    var editing = TextEditing()
    var made: [ProjectFix] = []
    var changesInstructions = false
    var resolved: [ValidationDiagnostic] = []
    let diagnostics = fixed.outcome.diagnostics
    // Safe fixes first: they may make others unnecessary.
    for located in diagnostics.filter({ $0.fix?.isSafe == true }) + diagnostics.filter({ $0.fix?.isSafe == false }) {
      guard let fix = located.fix, fix.isSafe || includesUnsafe else { continue }
      let isOfEdit = located.diagnostic.fix != nil
      guard !(isOfEdit && changesInstructions), editing.add(fix, to: fixed.project.text) else { continue }
      changesInstructions = changesInstructions || isOfEdit
      made.append(fix)
      resolved.append(located.diagnostic)
    }
    guard !made.isEmpty else { return nil }
    let project = try fixed.project.changed(to: editing.applied(to: fixed.project.text))
    let outcome = await check.run(project)
    let (old, new) = (fixed.outcome, outcome)
    let isBetter =
      new.stage > old.stage
      || (new.stage == old.stage && new.errorCount <= old.errorCount
        && (new.diagnostics.count < old.diagnostics.count
          || (new.diagnostics.count == old.diagnostics.count
            && (new.errorCount < old.errorCount || new.lacks(resolved)))))
    guard isBetter else { return nil }
    return Fixed(project: project, made: fixed.made + made, outcome: outcome)
  }
}

extension LoadedProject {
  /// Whether the kinds of diagnostics at their places are gone.
  fileprivate func lacks(_ resolved: [ValidationDiagnostic]) -> Bool {
    diagnostics.allSatisfy { located in
      !resolved.contains { $0.code == located.diagnostic.code && $0.message == located.diagnostic.message }
    }
  }
}
