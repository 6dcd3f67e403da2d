public import CompositorAPI
public import CompositorExport
import CompositorHost
import CompositorMedia
package import CompositorProjectFormat
public import CompositorScheduling

/// Renders a plan on this machine: loads the project as the plan says, checks that it is the planned one, and renders parts of
/// it.
///
/// The paths of a plan are relative to its folder. The current folder of the process doesn't matter.
///
/// ```swift
/// let plan = try SegmentPlanFile(contentsOf: "farm/plan.json")
/// let path = try await PlanRenderer(plan).renderSegment(3)
/// ```
public struct PlanRenderer: Sendable {
  /// The plan.
  public let file: SegmentPlanFile
  /// The version of the program that renders. The plan has that of the program that made it.
  public let toolVersion: String
  /// Whether versions and the processor may differ from the plan's. Differences are noted in the receipts. Default false.
  public var allowsVersion = false
  /// Whether files that no render of a batch's row wrote are replaced. Default false.
  public var overwrites = false
  /// The number of frames composed at a time, 1 … 64; `nil`, the default, for as many as ``budget`` has processors.
  public var threadCount: Int?
  /// The resources that this render shares with others of the program. Default `RenderBudget.shared`.
  public var budget = RenderBudget.shared
  /// How notes, warnings and diagnostics name settings.
  package var spelling = SettingSpelling.project
  /// Receives notes for people that are about the plan's options and the system, not the project.
  package var note: @Sendable (String) -> Void = { _ in }
  /// Receives each loaded project with its diagnostics, even if it cannot be rendered, and whether the plan chooses the frame
  /// rate.
  package var loaded: @Sendable (LoadedProject, _ isRateChosen: Bool) -> Void = { _, _ in }

  /// Creates a renderer.
  ///
  /// - Parameter toolVersion: The version that the receipts state, and that has to be the plan's.
  public init(_ file: SegmentPlanFile, toolVersion: String = CompositorVersion.number) {
    (self.file, self.toolVersion) = (file, toolVersion)
  }

  /// Renders a segment, or a row of a batch, unless it exists.
  ///
  /// The project is loaded and checked at each call.
  ///
  /// - Parameters:
  ///   - number: The number of the segment, from 0.
  ///   - progress: Receives the progress of the segment's export.
  /// - Returns: The path of the segment's file.
  /// - Throws: `.planChanged`, `.mediaChanged`, `.versionMismatch` if this machine wouldn't make the bytes of the plan;
  ///   `.invalidValue` if there is no such segment; the errors of loading and exporting.
  public func renderSegment(
    _ number: Int, progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> String {
    guard (0..<file.plan.segmentCount).contains(number) else {
      throw CompositorError(
        .invalidValue, "There is no segment \(number).",
        recoverySuggestion: "The plan has \(file.plan.segmentCount), from 0 on.", at: ErrorLocation(file: file.path))
    }
    guard file.plan.isBatch else { return try await parts().render(.segment(number), progress: progress).path }
    var rows = try PlannedRows(self)
    if let existing = try rows.existing(number) { return existing.path }
    return try await rows.render(number, progress: progress).path
  }

  /// Loads the project of a movie's plan, and checks that this machine produces the bytes of the plan. Versions are checked
  /// first, since another version may read a project differently.
  package func parts() async throws(CompositorError) -> PartRenderer {
    let checks = PlanChecks(file)
    _ = try checks.checkMediaVersions(tool: toolVersion, allows: allowsVersion)
    _ = try checks.checkProcessor(allows: allowsVersion)
    let recipe = file.paths.opened(file.plan.recipe)
    let loader = loader(recipe)
    let project = try loader.open(file.paths.opened(file.plan.project.path))
    try checks.check(project)
    try checks.checkFiles()
    try checks.checkMedia()
    return try await PartRenderer(
      file, project: try planned(project, recipe, by: loader), settings: settings(recipe), tool: toolVersion,
      allows: allowsVersion)
  }

  /// A loader of a project with a recipe.
  func loader(_ recipe: SegmentPlan.Recipe, catalog: MediaCatalog = MediaCatalog()) -> ProjectLoader {
    ProjectLoader(catalog: catalog, overrides: recipe.overrides, spelling: spelling, note: note)
  }

  /// Loads a project that was opened.
  func planned(
    _ project: ProjectFile, _ recipe: SegmentPlan.Recipe, by loader: ProjectLoader
  ) throws(CompositorError) -> PlannedProject {
    let found = loader.load(project)
    loaded(found, recipe.settings.frameRate != nil)
    let files = recipe.files
    // Inputs of the plan that its recipe has read already, such as the file of metadata, are no outputs either.
    let planned = self.file.plan.files.map { self.file.paths.opened($0.path) }
    let (file, composition, _) = try found.renderable(naming: files + planned)
    return PlannedProject(
      file, path: self.file.plan.project.path, composition: composition, optionFiles: files, plugins: found.plugins)
  }

  /// The settings of a recipe on this machine.
  func settings(_ recipe: SegmentPlan.Recipe) -> ExportSettings {
    var settings = recipe.settings.export
    (settings.render.threadCount, settings.render.budget) = (threadCount, budget)
    return settings
  }
}

extension SegmentPlan.Recipe {
  /// The files that overrides and settings name.
  fileprivate var files: [String] {
    if case .file(let path)? = settings.cover { overrides.captions.files + [path] } else { overrides.captions.files }
  }
}

/// The rows of a planned batch, loaded and rendered one after another. The table is read and checked with the first one.
package struct PlannedRows {
  private let renderer: PlanRenderer
  private let rows: RowRenderer
  private let checks: PlanChecks
  private let catalog = MediaCatalog()
  private let fonts = SharedFonts()
  /// The table, and the variables that have defaults in the project.
  private var table: (values: CSVTable, declared: Set<String>)?

  /// - Throws: `.writeFailed` if the folder of receipts cannot be created.
  package init(_ renderer: PlanRenderer) throws(CompositorError) {
    self.renderer = renderer
    checks = PlanChecks(renderer.file)
    rows = try RowRenderer(
      renderer.file, tool: renderer.toolVersion, allows: renderer.allowsVersion, overwrites: renderer.overwrites)
  }

  /// The existing output of a row; `nil` if it is still to be rendered.
  package func existing(_ row: Int) throws(CompositorError) -> PartRenderer.Outcome? { try rows.existing(row) }

  /// Checks versions and files, and reads the table, unless it has been done. An error here is one of all rows.
  package mutating func readTable() throws(CompositorError) {
    guard table == nil else { return }
    _ = try checks.checkMediaVersions(tool: renderer.toolVersion, allows: renderer.allowsVersion)
    try checks.checkFiles()
    let (plan, paths) = (renderer.file.plan, renderer.file.paths)
    table = (
      try CSVTable(contentsOf: plan.table.map(paths.opened) ?? ""),
      ProjectFile.declaredVariables(of: paths.opened(plan.project.path))
    )
  }

  /// Loads the project with a row's values, and renders it.
  ///
  /// - Throws: The errors of ``readTable()``, of loading, and of `RowRenderer`.
  package mutating func render(
    _ row: Int, progress: (@Sendable (ExportProgress) -> Void)? = nil
  ) async throws(CompositorError) -> PartRenderer.Outcome {
    try readTable()
    let paths = renderer.file.paths
    let recipe = paths.opened(renderer.file.plan.recipe(ofRow: row))
    var loader = renderer.loader(recipe, catalog: MediaCatalog(sharing: catalog))
    let values = table.map { $0.values.variables(ofRow: row, declared: $0.declared) }
    let project = try loader.open(paths.opened(renderer.file.plan.project.path), row: values ?? [:])
    try checks.check(project, row: row)
    loader.fonts = try fonts.library(for: project)
    let planned = try renderer.planned(project, recipe, by: loader)
    return try await rows.render(row, project: planned, settings: renderer.settings(recipe), progress: progress)
  }
}
