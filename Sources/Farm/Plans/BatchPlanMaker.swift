package import CompositorAPI
package import CompositorExport
import CompositorMediaIO
import CompositorMediaWriting
package import CompositorProjectFormat

/// Makes the plan of a batch, in which each row of a table is a task. Paths are those of ``PlanMaker``.
package struct BatchPlanMaker: Sendable {
  private let paths: PlanPaths
  private let tool: String
  private let cache: DigestCache
  private var plan: SegmentPlan

  /// - Parameters:
  ///   - path: The project's path, relative to the plan's folder.
  ///   - table: The table's path, relative to the plan's folder.
  ///   - paths: The paths of the plan.
  ///   - tool: The program's version.
  /// - Throws: The errors of reading the table.
  package init(
    project path: String, table: String, at paths: PlanPaths, tool: String, cache: DigestCache = DigestCache()
  ) throws(CompositorError) {
    (self.paths, self.tool, self.cache) = (paths, tool, cache)
    let digest = try cache.digest(of: paths.opened(table))
    plan = SegmentPlan(
      project: SegmentPlan.Project(path: path, sha256: nil), recipe: SegmentPlan.Recipe(), media: [],
      files: [SegmentPlan.InputFile(path: table, byteCount: digest.byteCount, sha256: digest.sha256)], fonts: [], plugins: [],
      versions: ToolVersions.media(tool: tool), processor: .current, movie: nil, cuts: [], audio: nil,
      table: table, rows: [])
  }

  /// Adds the next row.
  ///
  /// - Parameters:
  ///   - project: The project with the row's values.
  ///   - overrides: The overrides with which it was loaded, except for the row's values.
  ///   - path: The row's output, relative to the plan's folder.
  /// - Throws: `.unsupportedOutput` for an output that differs from machine to machine; the errors of reading the inputs.
  package mutating func add(
    _ project: PlannedProject, _ overrides: ProjectOverrides, _ settings: ExportSettings, path: String
  ) throws(CompositorError) {
    let output = try OutputName(path: path)
    try PlanLimits.check(row: settings, output: output)
    let inputs = try PlanInputs(of: project, at: paths, cache: cache)
    plan.media.merge(inputs.media)
    plan.files.merge(inputs.files)
    plan.fonts = Set(plan.fonts + inputs.fonts).sorted { ($0.family, $0.file, $0.sha256) < ($1.family, $1.file, $1.sha256) }
    for plugin in inputs.plugins {
      if let index = plan.plugins.firstIndex(where: { $0.path == plugin.path }) {
        plan.plugins[index].ids = Set(plan.plugins[index].ids + plugin.ids).sorted()
      } else {
        plan.plugins.append(plugin)
      }
    }
    plan.plugins.sort { $0.path < $1.path }
    let audio = output.encoding(of: settings.audio)
    let video = settings.video.settled(for: project.composition, in: output.container)
    let versions = ToolVersions.current(tool: tool, composition: project.composition, video: video, audio: audio)
    plan.versions.merge(versions) { own, _ in own }
    let recipe = paths.planned(SegmentPlan.Recipe(overrides, settings))
    if plan.rows?.isEmpty == true { plan.recipe = recipe }
    plan.rows?.append(
      SegmentPlan.Row(
        path: path, projectSHA256: PlannedProject.digest(of: project.file, named: project.path),
        recipe: recipe == plan.recipe ? nil : recipe))
  }

  /// The plan of the added rows.
  package func finished() -> SegmentPlan {
    cache.save()
    return plan
  }
}

extension [SegmentPlan.InputFile] {
  /// Adds the files that are not present, ordered by path.
  fileprivate mutating func merge(_ others: [SegmentPlan.InputFile]) {
    let known = Set(map(\.path))
    let fresh = others.filter { !known.contains($0.path) }
    guard !fresh.isEmpty else { return }
    self = (self + fresh).sorted { $0.path < $1.path }
  }
}
