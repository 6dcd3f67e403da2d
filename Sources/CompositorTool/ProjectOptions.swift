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

  /// The loader of the project, with its plugins and the options that change its timeline.
  ///
  /// - Parameter pluginFiles: Plugins whose compositors take precedence over those of the search path.
  func loader(catalog: MediaCatalog, pluginFiles: [String] = []) -> ProjectLoader {
    let plugins = plugins
    var loader = ProjectLoader(catalog: catalog) { file, draft throws(CompositorError) in
      try plugins.plugins(for: draft, of: file, after: pluginFiles)
    }
    loader.ends = ends
    return loader
  }

  /// Loads the project, describes its media and validates everything. Warnings go to the standard error stream.
  ///
  /// - Parameters:
  ///   - pluginFiles: Plugins whose compositors take precedence over those of the search path.
  ///   - isRateChosen: Whether an option gives the output's frame rate.
  ///   - isWhole: Whether all of the timeline is rendered, so that audio alone needn't keep the times of video.
  func load(
    catalog: MediaCatalog, captions: CaptionOptions? = nil, colors: ColorOverrides = ColorOverrides(),
    audio: AudioOverrides = AudioOverrides(),
    damaged: DamagePolicy = .fail,
    mediaTypes: Set<MediaType> = [.video, .audio], canvas: PixelSize? = nil, pluginFiles: [String] = [],
    isRateChosen: Bool = false, isWhole: Bool = false
  ) throws(CompositorError) -> RenderableProject {
    let opened = try ProjectText.opening(path)
    var loader = loader(catalog: catalog, pluginFiles: pluginFiles)
    (loader.damaged, loader.mediaTypes) = (damaged, mediaTypes)
    loader.override = { edit throws(CompositorError) in
      try captions?.keep(in: &edit, isOfMedia: opened == nil, catalog: catalog)
      try captions?.add(to: &edit)
      colors.apply(to: &edit)
      try audio.apply(to: &edit)
    }
    switch loader.read(path, opened, variables: variables) {
    case .success(var file):
      if let canvas { file.layOut(on: canvas) }
      if isWhole, mediaTypes == [.audio], ends == nil, captions?.captions.isEmpty != false { file.playAudioAlone() }
      try audio.selectTracks(of: &file, catalog: catalog)
      return try RenderableProject(loader.load(file), naming: captions?.captions ?? [], isRateChosen: isRateChosen)
    case .failure(let mistaken):
      throw Terminal.printed(mistaken)
    }
  }

  /// Loads a project that was read already, with the options of a render.
  ///
  /// - Parameter fonts: Fonts that are loaded already; `nil` loads those of the project.
  func load(
    _ file: ProjectFile, catalog: MediaCatalog, captions: CaptionOptions, options: OutputOptions, fonts: FontLibrary?
  ) throws -> RenderableProject {
    var loader = loader(catalog: catalog)
    (loader.damaged, loader.mediaTypes, loader.fonts) = (options.damage.damaged, options.mediaTypes, fonts)
    let (colors, audio) = (options.colorOverrides, try options.audio.overrides)
    var file = file
    try audio.selectTracks(of: &file, catalog: catalog)
    let isOfMedia = file.isOfMedia
    loader.override = { edit throws(CompositorError) in
      try captions.keep(in: &edit, isOfMedia: isOfMedia, catalog: catalog)
      try captions.add(to: &edit)
      colors.apply(to: &edit)
      try audio.apply(to: &edit)
    }
    return try RenderableProject(
      loader.load(file), naming: captions.captions + options.metadata.files, isRateChosen: options.encoding.fps != nil)
  }
}

/// A project that can be rendered.
struct RenderableProject {
  let file: ProjectFile
  let composition: ValidatedComposition
  /// The files of plugins, with the compositors and audio processors used from each.
  let plugins: [String: [String]]
  /// The errors about media that are cut short, with their places in the project, and the first one as it is thrown.
  private let missing: (diagnostics: [ValidationDiagnostic], first: CompositorError?)

  /// Prints what was found in a project, except what is about its own output.
  ///
  /// - Parameters:
  ///   - files: Files that options name, which no output may replace.
  ///   - isRateChosen: Whether an option gives the output's frame rate.
  ///
  /// - Throws: The error that prevents rendering it.
  init(_ loaded: LoadedProject, naming files: [String], isRateChosen: Bool) throws(CompositorError) {
    Terminal.warn(of: loaded, isRateChosen: isRateChosen)
    (file, composition) = try loaded.validated()
    composition.catalog.name(file.mentionedFiles().union(files))
    plugins = loaded.plugins
    let errors = loaded.diagnostics.map(\.diagnostic).filter { $0.severity == .error }
    missing = (errors.filter { $0.error.code == .truncatedMedia }, loaded.outputFailure)
  }

  /// The error of rendering it, at its place in the project. If media are cut short, a project gets validation's errors: the first one, and
  /// the others are printed.
  ///
  /// - Parameter isWhole: Whether all of the timeline was to be rendered. A part may need less media.
  func locating(_ error: CompositorError, isWhole: Bool) -> CompositorError {
    guard !file.isMediaFile, isWhole, error.code == .truncatedMedia, let first = missing.first, first.code == .truncatedMedia
    else { return file.locating(error) }
    for diagnostic in missing.diagnostics.dropFirst() { Terminal.complain(diagnostic.description) }
    return first
  }

  /// The frame rate of the output, in frames per second.
  var frameRate: Rational {
    let frame = composition.edit.videoComposition.frameDuration
    return Rational(Int(frame.timescale), Int(frame.value))
  }

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

/// Parses a value of the command line. Errors become usage errors.
func usage<T>(_ option: String, _ read: () throws(CompositorError) -> T) throws -> T {
  do {
    return try read()
  } catch {
    throw ValidationError("\(option): \(error)")
  }
}

extension MovieContainer: ExpressibleByArgument {}
extension VideoEncodingSettings.Codec: ExpressibleByArgument {}
extension PassthroughMode: ExpressibleByArgument {}
extension VideoEncodingSettings.Speed: ExpressibleByArgument {}

extension ClipEnds: ExpressibleByArgument {}

extension AudioEncodingSettings.Codec: ExpressibleByArgument {}
