import ArgumentParser
import Compositor
import CompositorBenchmark
import Foundation

/// The work of `compositor bench`: workloads or a project, with the compositors that were named.
struct BenchMeasurement {
  private let compositors: [CompositorFactory]
  private let project: (name: String, composition: ValidatedComposition, hasAudio: Bool)?
  private let frames: Int
  private let endToEnd: Bool

  /// Opens plugins and loads the project.
  ///
  /// - Throws: `.compositorNotFound`, `.fileNotFound`, `.pluginFailed`, and the errors of loading a project.
  init(_ command: BenchCommand, baseline: BenchmarkReport?) throws {
    frames = command.frames
    endToEnd = command.endToEnd
    let names = command.compositors.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
    let usual = command.project == nil ? ["builtin.layer"] : []
    let wanted = names.isEmpty ? usual : names
    guard let path = command.project else {
      compositors = try BenchMeasurement.factories(wanted, options: try command.plugins.options, of: .builtIn)
      project = nil
      return
    }
    var argument = ProjectArgument()
    (argument.path, argument.ends) = (path, nil)
    (argument.assigned, argument.plugins) = (command.assigned, command.plugins)
    let name = path == "-" ? "project" : URL(filePath: path).deletingPathExtension().lastPathComponent
    // A project that names a compositor of a given file is measured with that file, not with an installed one.
    var overrides = argument.overrides
    overrides.plugins.files = wanted.compactMap(BenchMeasurement.pluginFile)
    let loaded = try argument.load(overrides)
    project = (name, try BenchMeasurement.asExported(loaded), loaded.file.output.audio != nil)
    compositors = try BenchMeasurement.factories(
      wanted, options: try command.plugins.options, of: loaded.composition.registry)
  }

  /// A project with the pixel format that exporting it to a movie has by default, which the codec decides.
  private static func asExported(_ loaded: RenderableProject) throws(CompositorError) -> ValidatedComposition {
    var edit = loaded.composition.edit
    guard edit.output.format == nil else { return loaded.composition }
    edit.output.format = loaded.delivery.format.pixelFormat
    return try CompositionValidator.validate(
      edit, catalog: loaded.composition.catalog, registry: loaded.composition.registry
    ).get()
  }

  /// The path of a plugin's file; `nil` for a compositor's name. The system would search its library folders for a name without
  /// a slash.
  private static func pluginFile(_ name: String) -> String? {
    name.contains("/") ? name : name.hasSuffix(".so") ? "./\(name)" : nil
  }

  /// The compositors of the given names and files, without duplicates, in their order.
  ///
  /// - Parameter project: The compositors of the project, which stand for those of the same files.
  private static func factories(
    _ names: [String], options: PluginOptions, of project: CompositorRegistry
  ) throws -> [CompositorFactory] {
    var library = PluginLibrary(options)
    library.find(Set(names.filter { pluginFile($0) == nil }.map { CompositorID(rawValue: $0) }.filter { project[$0] == nil }))
    let registry = try library.registry
    var missing = library.missingSandboxParts
    var found: [(factory: CompositorFactory, name: String)] = []
    for name in names {
      if let file = pluginFile(name) {
        // Each file by itself: two of them may have the same IDs, such as two builds of a plugin.
        var own = PluginLibrary(options)
        try own.open(file)
        missing += own.missingSandboxParts.filter { !missing.contains($0) }
        found += own.plugins.flatMap(\.factories).map { factory in
          let known = project[factory.descriptor.id]
          return (known?.origin == factory.origin ? known ?? factory : factory, name)
        }
      } else {
        let id = CompositorID(rawValue: name)
        guard let factory = project[id] ?? registry[id] else { throw unknown(name, library, registry) }
        found.append((factory, name))
      }
    }
    PluginArguments.warnOfMissingSandboxParts(missing)
    return distinct(found)
  }

  /// Factories without duplicates. Those of different files that have the same ID get an ID that names the file.
  private static func distinct(_ all: [(factory: CompositorFactory, name: String)]) -> [CompositorFactory] {
    var distinct: [(factory: CompositorFactory, name: String)] = []
    for (factory, name) in all {
      let isKnown = distinct.contains { known in
        known.factory.descriptor.id == factory.descriptor.id && known.factory.origin == factory.origin
      }
      if !isKnown { distinct.append((factory, name)) }
    }
    return distinct.map { factory, name in
      guard distinct.count(where: { $0.factory.descriptor.id == factory.descriptor.id }) > 1 else { return factory }
      return factory.renamed(CompositorID(rawValue: "\(factory.descriptor.id)[\(name)]"))
    }
  }

  private static func unknown(
    _ name: String, _ library: PluginLibrary, _ registry: CompositorRegistry
  ) -> CompositorError {
    for failure in library.failures { Terminal.complain(failure.text(.options)) }
    let known = (registry.descriptors + CompositorRegistry.builtIn.descriptors).map(\.id.rawValue) + ["avfilter.xfade"]
    return CompositorError(
      .compositorNotFound, "--compositor: There is no compositor \(quoted(name)).",
      recoverySuggestion: suggestion(for: name, among: known).map { "Did you mean \(quoted($0))?" }
        ?? "`compositor compositors` lists them; a plugin's file is named by its path.")
  }

  func run(_ configuration: BenchmarkConfiguration) async throws -> BenchmarkReport {
    if let project {
      var report = try await Benchmark.run(
        project.composition, name: project.name, compositors: compositors, configuration: configuration, frameCount: frames,
        progress: BenchMeasurement.progress)
      if endToEnd {
        report = report.appending(
          try await Benchmark.runEndToEnd(
            project.composition, name: project.name, compositors: compositors, configuration: configuration,
            includesAudio: project.hasAudio, progress: BenchMeasurement.progress))
      }
      return report
    }
    var report = try await Benchmark.run(compositors, configuration: configuration, progress: BenchMeasurement.progress)
    if endToEnd {
      report = report.appending(
        try await Benchmark.runEndToEnd(compositors, configuration: configuration, progress: BenchMeasurement.progress))
    }
    return report
  }

  /// Reports a finished row on the standard error stream if it is a terminal.
  private static func progress(_ row: BenchmarkRow) {
    guard Terminal.isInteractive else { return }
    let speed = row.figures.map { "\(Int($0.framesPerSecond.rounded())) fps" } ?? "failed"
    Terminal.complain(
      "\(row.workload) \(row.compositor), \(row.key.threads == 1 ? "1 thread" : "\(row.key.threads) threads"): \(speed)")
  }
}

/// Options for comparing a run with a baseline or with another build.
struct BenchComparisonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A report that --json printed earlier. The status is 79 if a row became slower by more than the noise explains, and 75 if the \
      machine is too noisy to tell.
      """, valueName: "file.json"), completion: .file(extensions: ["json"]))
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      """
      Another build of this tool. Both measure the same work alternately until each row is decided, which works on a noisy machine, \
      too. The status is 79 or 75 as with --baseline.
      """, valueName: "tool"), completion: .file())
  var against: String?

  @Option(help: "The percentage by which a frame's cost may grow before --baseline or --against counts it, 0.5 to 100.")
  var tolerance = 4.0

  @Option(help: .hidden)
  var plantedRegression = 0.0

  func validate() throws {
    guard (0.5...100).contains(tolerance) else { throw ValidationError("--tolerance takes 0.5 to 100.") }
    guard against == nil || baseline == nil else { throw ValidationError("Give either --baseline or --against, not both.") }
    guard (0...1000).contains(plantedRegression) else { throw ValidationError("--planted-regression takes 0 to 1000.") }
  }

  /// The report of the baseline.
  func report() throws -> BenchmarkReport? {
    guard let baseline else { return nil }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(filePath: baseline))
    } catch {
      throw CompositorError(
        .fileNotFound, "The baseline cannot be read.", recoverySuggestion: "Make one with compositor bench --json.",
        cause: error.localizedDescription, at: ErrorLocation(file: baseline))
    }
    return try Self.report(from: bytes, file: baseline)
  }

  /// Reads a report.
  ///
  /// - Parameter file: The name of its file, for messages.
  static func report(from bytes: Data, file: String) throws -> BenchmarkReport {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(BenchmarkReport.self, from: bytes)
    } catch {
      throw CompositorError(
        .invalidValue, "This is not a report of compositor bench --json, or it is one of another version.",
        recoverySuggestion: "Create it again with compositor bench --json of this version.", cause: "\(error)",
        at: ErrorLocation(file: file))
    }
  }

  /// Measures rows that look slower or are undecided again, up to four times: noise doesn't look like a regression every time.
  func judge(
    _ report: BenchmarkReport, _ baseline: BenchmarkReport, _ measurement: BenchMeasurement,
    _ configuration: BenchmarkConfiguration
  ) async throws {
    var result = BenchmarkComparison(report, baseline: baseline, tolerance: tolerance / 100)
    for _ in 0..<4 where !result.doubtful.isEmpty {
      var again = configuration
      again.only = Set(result.doubtful.map(\.key))
      again.checkedFrames = 0
      let repeated = try await measurement.run(again)
      let second = BenchmarkComparison(repeated, baseline: baseline, tolerance: tolerance / 100)
      let (before, after) = (result, result.replacing(with: second))
      result = after
      // The same result twice is enough.
      if Set(before.regressions.map(\.key)) == Set(after.regressions.map(\.key)), !after.isUnclear { break }
    }
    Terminal.put(result.table + "\n")
    if !result.regressions.isEmpty { throw ExitCode(ProcessStatus.regression.rawValue) }
    if result.isUnclear { throw ExitCode(ProcessStatus.retry.rawValue) }
  }
}
