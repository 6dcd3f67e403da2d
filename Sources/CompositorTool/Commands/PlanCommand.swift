import ArgumentParser
import Compositor

/// `compositor plan`.
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Plan a movie that many machines render in parts, or show which parts are complete.",
    usage: """
      compositor plan <project> (--length <time> | --segments <number>) [options] [options of render]
      compositor plan <project> --batch <table> --movie <name> [options] [options of render]
      compositor plan <plan.json> --status [--json]
      """,
    discussion: """
      A plan lists the cuts between segments and everything that the movie's bytes depend on: project, media, fonts, plugins, versions \
      and encoder settings. Machines that render parts of it produce the same bytes, or refuse. It takes all options of render that \
      affect the output. `compositor render --plan` renders parts, and `compositor concat` joins them.

      EXAMPLES
        compositor plan holiday.json5 --length 10s
        compositor render --plan plan.json --segment 3
        compositor render --plan plan.json --audio
        compositor concat plan.json -o holiday.mp4
        compositor plan plan.json --status
        compositor plan holiday.json5 --segments 40 --codec hevc --color pq --movie holiday.mov -o farm/plan.json
        compositor plan lower-third.json5 --batch people.csv --movie "out/{row}-{name}.mp4"
      """)

  @Option(name: [.short, .customLong("output")], help: "The plan to write, a .json file. Its parts go to a folder next to it.")
  var output = "plan.json"

  @Option(help: "The movie: .mp4, .mov, .m4v, .mkv or .webm. By default the project's name with .mp4, next to the plan.")
  var movie: String?

  @Option(
    help: ArgumentHelp(
      "The length of segments, such as 10s or 300f. Cuts are moved to the cheapest frames nearby.", valueName: "time"))
  var length: String?

  @Option(help: "The number of segments.")
  var segments: Int?

  @Option(
    help: "A CSV file. Each row is a segment with its own movie, named by --movie as with render --batch.",
    completion: .file(extensions: ["csv"]))
  var batch: String?

  @Flag(help: "Show the state of each part of a plan: done, missing, damaged, of another plan.")
  var status = false

  @Flag(help: "Print the status as JSON.")
  var json = false

  @Flag(help: "Replace an existing plan.")
  var overwrite = false

  @Option(help: "Frames to compose at a time during measuring passes, 1 to 64.")
  var threads: Int?

  @OptionGroup var budget: BudgetOptions

  @Option(help: "How to show progress: bar, plain, json (lines on the standard output) or none.")
  var progress: ProgressStyle?

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("The project, or with --status the plan, and options of render.", valueName: "project"))
  var rest: [String] = []

  func validate() throws {
    try require(threads, in: RenderSettings.threadCounts, for: "--threads")
    guard !rest.isEmpty else { throw ValidationError("Name a project, or with --status a plan.") }
    if status {
      guard rest.count == 1, !rest[0].hasPrefix("-") else { throw ValidationError("--status takes only a plan.") }
      return
    }
    if json { throw ValidationError("--json requires --status.") }
    let given = [("--length", length != nil), ("--segments", segments != nil), ("--batch", batch != nil)].filter(\.1).map(\.0)
    guard given.count < 2 else {
      throw ValidationError("\(given.joined(separator: " and ")) exclude each other. Keep one of them.")
    }
    guard !given.isEmpty else { throw ValidationError("Give --length, --segments or --batch.") }
    if batch != nil, movie == nil { throw ValidationError("--batch needs --movie, with {row} or {COLUMN} in it.") }
    guard output.lowercased().hasSuffix(".json") else {
      throw ValidationError("--output names the plan, a .json file; --movie names the movie.")
    }
    if let segments, segments < 1 { throw ValidationError("--segments takes 1 or more.") }
    if let length { _ = try usage("--length") { () throws(CompositorError) in try ProjectTime(length) } }
  }

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      if command.status {
        try await PlanStatusReport(plan: command.rest[0], isJSON: command.json).print()
      } else if let batch = command.batch {
        try command.planBatch(batch)
      } else {
        try await command.plan()
      }
    }
  }

  /// The options of `render`, with paths relative to the folder of the plan.
  private func options(in folder: PlanFolder) throws -> RenderOptions {
    let given = try suggestingMovie(movie ?? "movie.mp4") { try RenderOptions.parse(rest + ["-o", $0]) }
    guard given.project.path != "-" else {
      throw ValidationError("A plan names its project, so the project cannot be the standard input.")
    }
    let project = folder.relative(given.project.path)
    let name = project.split(separator: "/").last.map(String.init) ?? "movie"
    let planned = movie.map(folder.relative) ?? (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".mp4"
    guard planned != project else {
      throw ValidationError("The movie would replace \(planned), which it is made of. Give it another name with --movie.")
    }
    return given.relative(to: folder, movie: planned)
  }

  /// Checks that the plan can be written, before anything is measured.
  private func checkPlan(_ target: String) throws(CompositorError) {
    try OutputGuard.check([target], sources: [] as [MediaSource], overwrites: overwrite)
  }

  /// Adds to a usage error that the movie may have another name, if it was given none and the error is only that of an .mp4.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - body: Is called again, with names of other containers, to find out.
  private func suggestingMovie<T>(_ path: String, _ body: (String) throws -> T) throws -> T {
    do {
      return try body(path)
    } catch  where movie == nil && !(error is CompositorError) && CompositorCommand.exitCode(for: error) == .validationFailure {
      guard ["movie.mov", "movie.mkv", "movie.webm"].contains(where: { (try? body($0)) != nil }) else { throw error }
      throw ValidationError("\(CompositorCommand.message(for: error)) Name the movie, such as --movie movie.mov.")
    }
  }

  private func plan() async throws {
    let folder = PlanFolder(ofPlan: output)
    let given = try options(in: folder)
    let target = folder.relative(output)
    try folder.enter()
    try checkPlan(target)
    let (overrides, movie) = (try given.overrides, given.options.output)
    let loader = given.project.loader(catalog: MediaCatalog(), overrides)
    let file = try loader.open(given.project.path)
    let loaded = try given.load(file, by: loader)
    let planned = try suggestingMovie(movie) { path in
      var given = given
      given.options.output = path
      try given.options.validate()
      return try PlannedRender(given, loaded)
    }
    var settings = planned.settings
    settings.render.threadCount = threads
    settings.render.budget = budget.budget
    let reporter = ProgressReporter(progress)
    let (plan, notes) = try await PlanMaker(
      planned.project, at: PlanPaths(ofPlan: target), overrides: overrides, tool: CompositorVersion.number
    ).plan(settings, movie: movie, length: try length(of: planned)) { reporter.report($0) }
    reporter.clear()
    let written = try SegmentPlanFile(plan, writingTo: target, overwrites: overwrite)
    for note in notes { Terminal.complain("note: \(note.text(.options))") }
    report(written)
  }

  /// The length of the segments.
  private func length(of planned: PlannedRender) throws -> SegmentLength {
    if let segments { return .count(segments) }
    let rate = planned.project.composition.edit.videoComposition.frameDuration.frameRate
    return .duration(try ProjectTime(length ?? "10s").time(atFrameRate: planned.settings.frameRate ?? rate))
  }

  private func planBatch(_ batch: String) throws {
    let folder = PlanFolder(ofPlan: output)
    var given = try options(in: folder)
    let (target, path, pattern) = (folder.relative(output), folder.relative(batch), given.options.output)
    try folder.enter()
    try checkPlan(target)
    let table = try CSVTable(contentsOf: path)
    let outputs = try usage("--movie") { () throws(CompositorError) in try table.outputs(pattern) }
    let project = given.project.path
    for remark in table.unusedColumns(of: project, others: given.project.variables, pattern: pattern) {
      Terminal.complain("note: \(path): \(remark)")
    }
    var maker = try BatchPlanMaker(project: project, table: path, at: PlanPaths(ofPlan: target), tool: CompositorVersion.number)
    let (catalog, fonts, declared) = (MediaCatalog(), SharedFonts(), ProjectFile.declaredVariables(of: project))
    for (row, output) in outputs.enumerated() {
      if Interruption.isRequested { throw CompositorError(.cancelled, "Planning was canceled.") }
      let path = try output.get()
      given.options.output = path
      try given.options.validate()
      let overrides = try given.overrides
      var loader = given.project.loader(catalog: MediaCatalog(sharing: catalog), overrides)
      loader.namedVariables = Set(RowName.placeholders(of: pattern))
      let file = try loader.open(project, row: table.variables(ofRow: row, declared: declared))
      loader.fonts = try fonts.library(for: file)
      let planned = try PlannedRender(given, given.load(file, by: loader))
      try maker.add(planned.project, overrides, planned.settings, path: path)
    }
    let written = try SegmentPlanFile(maker.finished(), writingTo: target, overwrites: overwrite)
    report(written)
  }

  private func report(_ file: SegmentPlanFile) {
    guard progress != ProgressStyle.none else { return }
    let plan = file.plan
    let parts = plan.isBatch ? "\(plan.segmentCount) rows" : "\(plan.segmentCount) segments"
    let frames = plan.movie.map { " of \($0.frameCount) frames" } ?? ""
    Terminal.complain("wrote \(output): \(parts)\(frames)\(plan.audio == nil ? "" : ", and audio") (plan \(file.shortName))")
  }
}

/// A project that was loaded to be planned, with the settings of its export.
private struct PlannedRender {
  let project: PlannedProject
  let settings: ExportSettings

  init(_ options: RenderOptions, _ loaded: RenderableProject) throws {
    project = PlannedProject(
      loaded.file, path: options.project.path, composition: loaded.composition, optionFiles: options.files,
      plugins: loaded.plugins)
    settings = try loaded.settings(options.options, range: options.range)
  }
}
