public import ArgumentParser
public import Compositor

/// `compositor captions`.
struct CaptionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "captions",
    abstract: "Extract captions from media or a project, or convert them: .srt, .vtt, .ass.",
    discussion: """
      EXAMPLES
        compositor captions movie.mkv --track 1 -o movie.srt
        compositor captions movie.srt -o movie.vtt
        compositor captions old.srt --encoding windows-1252 -o new.srt
        compositor captions holiday.json5 -o holiday.ass
      """)

  @Argument(help: "A file of captions, media with a subtitle track, or a .json5 project.", completion: .file())
  var source: String

  @Option(name: [.short, .customLong("output")], help: "The file to write: .srt, .vtt or .ass.")
  var output: String

  @Option(help: "The index of the subtitle track of media, or of the captions of a project, from 0.")
  var track = 0

  @Option(help: "The encoding of a file that isn't Unicode, such as windows-1252.")
  var encoding: String?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("A value for ${NAME} in a project; may be given several times.", valueName: "name=value"))
  var assignments: [String] = []

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  func validate() throws {
    _ = try usage("--output") { () throws(CompositorError) in try CaptionFileFormat(path: output) }
    guard (0...255).contains(track) else { throw ValidationError("--track takes 0 to 255.") }
    for assignment in assignments where !assignment.contains("=") || assignment.hasPrefix("=") {
      throw ValidationError("--set takes NAME=VALUE, not \(assignment).")
    }
  }

  func run() throws {
    let (captions, inputs) = try captions()
    try CaptionExporter.export(captions, to: output, inputs: inputs, overwrites: overwrite)
    for omission in captions.omissions.phrases() { Terminal.complain("note: left out: \(omission)") }
    let early = captions.timedCues.count { $0.timeRange.start < .zero }
    if early > 0 { Terminal.complain("note: \(early) of the captions begin before 0 and are cut off there") }
    let count = captions.cues.count
    try Terminal.result("\(output): \(count) \(count == 1 ? "caption" : "captions")")
  }

  /// The captions, and the files that they may come from.
  private func captions() throws(CompositorError) -> (CaptionTrack, inputs: [String]) {
    guard ProjectFile.isProject(source) else {
      var options = CaptionReadingOptions()
      (options.track, options.encoding) = (track, encoding)
      return (try CaptionTrack(contentsOf: source, options: options), [source])
    }
    let pairs = assignments.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
    let variables = Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { _, last in last }
    var overrides = ProjectOverrides()
    overrides.variables = variables
    let loader = ProjectLoader(catalog: MediaCatalog(), overrides: overrides, spelling: .options, note: Terminal.complain)
    let file = try loader.open(source)
    let all = try file.edit(catalog: loader.catalog).captions
    guard all.indices.contains(track) else {
      throw CompositorError(
        .trackNotFound, "There are no captions \(track): the project has \(all.isEmpty ? "none" : "\(all.count)").",
        recoverySuggestion: all.isEmpty ? "Add captions to it." : "Choose 0\(all.count > 1 ? " to \(all.count - 1)" : "").",
        at: ErrorLocation(file: source, path: "captions"))
    }
    return (all[track], [source] + file.mentionedFiles().sorted())
  }
}

/// Captions that the command line adds.
struct CaptionOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: "A file of captions (.srt, .vtt, .ass, .sbv, .lrc) or media with a subtitle track; may be given several times.",
    completion: .file())
  var captions: [String] = []

  @Option(
    name: .customLong("caption-as"),
    help:
      "How to show --captions: \(CaptionPresentation.allCases.map(\.rawValue).joined(separator: ", ")). By default burned-in.")
  var presentation: CaptionPresentation = .burnedIn

  @Option(
    name: .customLong("caption-language"), parsing: .singleValue,
    help: "The language of --captions as a BCP 47 tag, such as de. Give it once for each of them.")
  var languages: [String] = []

  @Option(name: .customLong("caption-encoding"), help: "The encoding of --captions that aren't Unicode, such as windows-1252.")
  var encoding: String?

  @Option(
    name: .customLong("subtitle-tracks"),
    help: ArgumentHelp(
      "The subtitle tracks of the media to keep: all, or a list such as eng,deu or 0,2. By default none.", valueName: "tracks"))
  var subtitleTracks: String?

  func validate() throws {
    if let subtitleTracks {
      _ = try usage("--subtitle-tracks") { () throws(CompositorError) in try SubtitleSelection(subtitleTracks) }
    }
    guard languages.count <= captions.count else { throw ValidationError("There are more --caption-language than --captions.") }
  }

  /// The values of these options.
  var overrides: CaptionOverrides {
    var overrides = CaptionOverrides()
    (overrides.files, overrides.languages, overrides.presentation) = (captions, languages, presentation)
    (overrides.encoding, overrides.keptTracks) = (encoding, subtitleTracks)
    return overrides
  }
}

extension CaptionPresentation: ExpressibleByArgument {}
