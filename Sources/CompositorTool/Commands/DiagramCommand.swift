public import ArgumentParser
public import Compositor

/// `compositor diagram`.
struct DiagramCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draw the timeline of a project: tracks, instructions, opacity, volume, titles and diagnostics.",
    discussion: """
      An edit that fails validation is drawn, too, with its diagnostics where they apply. The status is 0 nevertheless. A project
      that cannot become an edit (unknown or missing keys, overlapping clips of one track) is not drawn, and the status is 65.

      EXAMPLES
        compositor diagram holiday.json5
        compositor diagram holiday.json5 -o holiday.svg
        compositor diagram holiday.json5 -o holiday.png --at 2.5s --scale 2 --theme dark
        compositor diagram holiday.json5 -o holiday.html --thumbnails --waveforms
        compositor diagram holiday.json5 --from 60s --to 90s -o detail.svg
        compositor diagram holiday.json5 -o - --format svg > holiday.svg
      """)

  @OptionGroup var project: ProjectArgument

  @Option(help: "Mark a time: 0, 48f, 2.5s, 1:02.5, 00:00:02:12 or 1001/30000.")
  var at: String?

  @Option(help: "Show the timeline from this time. By default from its start.")
  var from: String?

  @Option(help: "Show the timeline up to this time. By default to its end.")
  var to: String?

  @Option(
    name: [.short, .customLong("output")],
    help: "The file to write: .svg, .png, .txt or .html, or - for the standard output. By default text on the standard output.",
    completion: .file(extensions: DiagramFormat.allCases.map(\.rawValue)))
  var output = "-"

  @Option(
    help:
      "The format of the standard output: \(DiagramFormat.allCases.map(\.rawValue).joined(separator: ", ")). By default txt."
  )
  var format: DiagramFormat?

  @Option(
    help:
      "Colors: \(DiagramSettings.Theme.allCases.map(\.rawValue).joined(separator: ", ")) (the viewer's preference). By default light."
  )
  var theme: DiagramSettings.Theme?

  @Option(
    help: "The width in pixels, \(DiagramSettings.widths.lowerBound) to \(DiagramSettings.widths.upperBound). By default 1280.")
  var width: Int?

  @Option(help: "The scale of a .png: pixels per unit of the width, 0.25 to 8. By default 1.")
  var scale: Double?

  @Flag(help: "Show frames of the sources below video tracks (.svg, .png, .html).")
  var thumbnails = false

  @Flag(help: "Show waveforms below audio tracks. Each track is decoded once.")
  var waveforms = false

  @Option(help: "The width of text in columns, 40 to 400. By default the terminal's, 80 to 200.")
  var columns: Int?

  @Flag(help: "Draw text with ASCII characters only.")
  var ascii = false

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  /// The format to write.
  private var usedFormat: DiagramFormat { output == "-" ? format ?? .txt : DiagramFormat(path: output) ?? .svg }

  func validate() throws {
    if output != "-" {
      guard DiagramFormat(path: output) != nil else {
        throw ValidationError(
          "--output takes a name that ends in .svg, .png, .txt or .html, or - for the standard output, not \(output).")
      }
      if format != nil { throw ValidationError("--format is for --output -; a file's extension sets its format.") }
    } else if overwrite {
      throw ValidationError("--overwrite is for files, but the diagram goes to the standard output.")
    }
    if let width, !DiagramSettings.widths.contains(width) {
      throw ValidationError("--width takes \(DiagramSettings.widths.lowerBound) to \(DiagramSettings.widths.upperBound).")
    }
    if let scale, !(0.25...8).contains(scale) { throw ValidationError("--scale takes 0.25 to 8.") }
    if let columns, !(40...400).contains(columns) { throw ValidationError("--columns takes 40 to 400.") }
    let isText = usedFormat == .txt
    if scale != nil, usedFormat != .png { throw ValidationError("--scale is for .png.") }
    if isText,
      let option = [("--width", width != nil), ("--theme", theme != nil), ("--thumbnails", thumbnails)].first(where: \.1)
    {
      throw ValidationError("\(option.0) is for .svg, .png and .html, but the diagram is text.")
    }
    if !isText, let option = [("--columns", columns != nil), ("--ascii", ascii)].first(where: \.1) {
      throw ValidationError("\(option.0) is for text.")
    }
    for (option, text) in [("--at", at), ("--from", from), ("--to", to)] {
      if let text { _ = try usage(option) { () throws(CompositorError) in try ProjectTime(text) } }
    }
  }

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      let catalog = MediaCatalog()
      var diagram = try await command.diagram(catalog)
      let exporter = try command.exporter(for: diagram.edit)
      let end = diagram.edit.composition.duration
      if let start = exporter.settings.range?.start, end.isNumeric, end > .zero, start >= end {
        throw ValidationError("--from is not before the end of the timeline, \(end.readable). Give an earlier time.")
      }
      var failures: [CompositorError] = []
      if command.thumbnails { failures += try await diagram.makeThumbnails(catalog: catalog, for: exporter.settings) }
      if command.waveforms { failures += try diagram.makeWaveforms(catalog: catalog) }
      for failure in failures { Terminal.complain("warning: \(failure)") }
      if command.output == "-" {
        try Terminal.result(bytes: try exporter.data(of: diagram, as: command.usedFormat))
        return
      }
      let own = command.project.path == "-" ? [] : [MediaSource.file(path: command.project.path)]
      try exporter.export(diagram, to: command.output, sources: own)
      let errors = diagram.diagnostics.count { $0.severity == .error }
      let warnings = diagram.diagnostics.count - errors
      let faults = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }
        .map { $0.0 == 1 ? "1 \($0.1)" : "\($0.0) \($0.1)s" }.joined(separator: ", ")
      Terminal.complain("wrote \(command.output)\(faults.isEmpty ? "" : ": \(faults)")")
    }
  }

  /// The project, valid or not, with its diagnostics.
  private func diagram(_ catalog: MediaCatalog) async throws(CompositorError) -> TimelineDiagram {
    let opened = try ProjectText.opening(project.path)
    let loaded = await project.loader(catalog: catalog, project.overrides).check(project.path, opened)
    // A project without clips that can be laid out has no times to show, nor has a media file alone.
    guard let edit = loaded.edit else {
      Terminal.warn(of: loaded)
      throw loaded.editFailure ?? CompositorError(.internalFault, "There is neither an edit nor an error.")
    }
    let names = loaded.partNames(catalog)
    return TimelineDiagram(
      edit, media: loaded.media, diagnostics: loaded.diagnostics.map(\.diagnostic),
      names: DiagramNames(
        tracks: names.tracks, shortTracks: names.shortTracks, masks: names.masks, sources: names.sources))
  }

  private func exporter(for edit: Edit) throws -> DiagramExporter {
    let frame = edit.videoComposition.frameDuration
    let rate = frame.isNumeric && frame > .zero ? frame.frameRate : Rational(30, 1)
    func time(_ text: String?, _ option: String) throws -> MediaTime? {
      try text.map { text in try usage(option) { () throws(CompositorError) in try ProjectTime(text).time(atFrameRate: rate) } }
    }
    var exporter = DiagramExporter()
    exporter.settings = DiagramSettings(
      title: project.name, time: try time(at, "--at"), theme: theme ?? .light, width: width ?? 1280)
    let (start, end) = (try time(from, "--from"), try time(to, "--to"))
    if let start, let end, start >= end { throw ValidationError("--to is not after --from.") }
    if start != nil || end != nil {
      let first = start ?? .zero
      exporter.settings.range = TimeRange(start: first, duration: end.map { $0 - first } ?? .positiveInfinity)
    }
    exporter.scale = scale ?? 1
    exporter.columns = columns ?? min(max(Terminal.width, 80), 200)
    exporter.isASCII = ascii
    exporter.overwrites = overwrite
    return exporter
  }
}

extension DiagramFormat: ExpressibleByArgument {}
extension DiagramSettings.Theme: ExpressibleByArgument {}
