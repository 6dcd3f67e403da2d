public import ArgumentParser
public import Compositor

/// Values for a project's variables.
struct VariableArguments: ParsableArguments {
  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("A value for ${NAME} in the project's strings; may be given several times.", valueName: "name=value")
  )
  var assignments: [String] = []

  func validate() throws {
    for assignment in assignments where !assignment.contains("=") || assignment.hasPrefix("=") {
      throw ValidationError("--set takes NAME=VALUE, not \(assignment).")
    }
  }

  /// The names and values of ``assignments``.
  var values: [String: String] {
    let pairs = assignments.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
    return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { _, last in last }
  }
}

/// A project on the command line.
struct ProjectArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A .json5 project, a media file, or - for a project on the standard input.", valueName: "project"),
    completion: .file())
  var path: String

  @Option(
    help: """
      Where clips begin and end if their video and audio differ: longest holds the last frame or is silent; shortest, video and \
      audio cut. By default longest; an audio file of a movie holds its audio alone.
      """)
  var ends: ClipEnds?

  @OptionGroup var assigned: VariableArguments
  @OptionGroup var plugins: PluginArguments

  /// The project's name in messages.
  var name: String { path == "-" ? ProjectFile.standardInputName : path }

  /// The names and values of `--set`.
  var variables: [String: String] { assigned.values }

  /// The values of these options.
  var overrides: ProjectOverrides {
    var overrides = ProjectOverrides()
    (overrides.variables, overrides.ends, overrides.plugins) = (variables, ends, plugins.overrides)
    return overrides
  }

  /// A loader of the project, whose notes go to the standard error stream.
  func loader(catalog: MediaCatalog, _ overrides: ProjectOverrides) -> ProjectLoader {
    ProjectLoader(catalog: catalog, overrides: overrides, spelling: .options, note: Terminal.complain)
  }

  /// Loads the project, describes its media and validates everything. Warnings go to the standard error stream.
  ///
  /// - Parameters:
  ///   - overrides: Values of options that override the project's, including those of ``overrides``.
  ///   - files: Files that options name, which no output may replace.
  ///   - isRateChosen: Whether an option gives the output's frame rate.
  func load(
    _ overrides: ProjectOverrides, catalog: MediaCatalog = MediaCatalog(), naming files: [String] = [],
    isRateChosen: Bool = false
  ) throws(CompositorError) -> RenderableProject {
    let loader = loader(catalog: catalog, overrides)
    switch loader.read(path, try ProjectText.opening(path)) {
    case .success(let file): return try RenderableProject(loader.load(file), naming: files, isRateChosen: isRateChosen)
    case .failure(let mistaken): throw Terminal.printed(mistaken)
    }
  }
}

/// A project that can be rendered.
struct RenderableProject {
  let file: ProjectFile
  let composition: ValidatedComposition
  /// How the project's own movie is composed and encoded.
  let delivery: MovieDelivery
  /// The files of plugins, with the compositors and audio processors used from each.
  let plugins: [String: [String]]
  /// The errors about media that are cut short, with their places in the project, and the first one as it is thrown.
  private let missing: (diagnostics: [ValidationDiagnostic], first: CompositorError?)

  /// Prints what was found in a project, except what is about its own output.
  ///
  /// - Parameters:
  ///   - files: Files that options name, which no output may replace.
  ///   - isRateChosen: Whether an option gives the output's frame rate.
  ///   - row: The row of a batch that has the project's values, such as `row 2`; `nil` without a batch.
  /// - Throws: The error that prevents rendering it.
  init(
    _ loaded: LoadedProject, naming files: [String], isRateChosen: Bool, row: String? = nil
  ) throws(CompositorError) {
    Terminal.warn(of: loaded, isRateChosen: isRateChosen, row: row)
    (file, composition, delivery) = try loaded.renderable(naming: files)
    plugins = loaded.plugins
    let errors = loaded.diagnostics.map(\.diagnostic).filter { $0.severity == .error }
    missing = (errors.filter { $0.error.code == .truncatedMedia }, loaded.outputFailure)
  }

  /// The error of rendering it, at its place in the project. If media are cut short, a project gets validation's errors: the first one, and
  /// the others are printed.
  ///
  /// - Parameter isWhole: Whether all of the timeline was to be rendered. A part may need less media.
  func locating(_ error: CompositorError, isWhole: Bool) -> CompositorError {
    guard !file.origin.isMedia, isWhole, error.code == .truncatedMedia, let first = missing.first, first.code == .truncatedMedia
    else { return file.locating(error) }
    for diagnostic in missing.diagnostics.dropFirst() { Terminal.complain(diagnostic.description) }
    return first
  }

  /// The frame rate of the output, in frames per second.
  var frameRate: Rational { composition.edit.videoComposition.frameDuration.frameRate }

  /// Checks that a time of the command line is before the end of the timeline.
  ///
  /// - Parameters:
  ///   - option: The option's name.
  ///   - text: The time as it was written.
  func check(_ time: MediaTime, of option: String, written text: String) throws {
    let end = composition.edit.composition.duration
    guard time >= end else { return }
    let last = Int((end.seconds * frameRate.value).rounded(.up)) - 1
    throw ValidationError(
      "\(option): \(text) is not before the end of the timeline, \(end.readable). The last frame is \(option) \(last)f.")
  }
}

/// Checks the value of an option that takes integers.
///
/// - Throws: `ValidationError` for a value out of range.
func require(_ value: Int?, in range: ClosedRange<Int>, for option: String) throws {
  guard let value, !range.contains(value) else { return }
  throw ValidationError("\(option) takes \(range.readable).")
}

/// Parses a value of the command line. Errors become usage errors.
func usage<T>(_ option: String, _ read: () throws(CompositorError) -> T) throws -> T {
  do {
    return try read()
  } catch {
    throw ValidationError("\(option): \(error.spelled(.options))")
  }
}

extension MovieContainer: ExpressibleByArgument {}
extension VideoEncodingSettings.Codec: ExpressibleByArgument {}
extension PassthroughMode: ExpressibleByArgument {}
extension VideoEncodingSettings.Speed: ExpressibleByArgument {}

extension ClipEnds: ExpressibleByArgument {}

extension AudioEncodingSettings.Codec: ExpressibleByArgument {}
