import CompositorPlugins
import ArgumentParser
import CompositorAPI
import Foundation
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorMediaWriting

/// `compositor probe`.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Say what is in a media file, as the compositor sees it.",
    discussion: """
      EXAMPLES
        compositor probe clip.mp4
        compositor probe clip.mp4 --json | jq .videoTracks[0].size
      """)

  @Argument(help: "A media file.", completion: .file())
  var file: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let info = try MediaCatalog().info(for: .file(path: file))
    try Terminal.result(json ? try JSON.text(MediaReport(info)) : info.explanation)
  }
}

/// `compositor validate`.
struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check a project and its media without rendering; status 65 where it cannot be rendered.",
    discussion: """
      EXAMPLES
        compositor validate holiday.json5
        compositor validate holiday.json5 --json
      """)

  @OptionGroup var project: ProjectArgument
  @OptionGroup var colors: ColorOptions
  @OptionGroup var damage: DamageOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    var diagnostics: [ValidationDiagnostic] = []
    var mistake: CompositorError?
    do {
      mistake = try await check(&diagnostics)
    } catch let error as CompositorError {
      // What keeps the project from being read is told like everything else.
      if json { diagnostics.append(ValidationDiagnostic(error)) }
      mistake = error
    }
    if json {
      try Terminal.result(try JSON.text(diagnostics))
    } else {
      for diagnostic in diagnostics { try Terminal.result(diagnostic.description) }
    }
    if let mistake { throw mistake }
    if !json { try Terminal.result("\(project.name): valid") }
  }

  /// - Returns: What keeps the project from being rendered; `nil` if nothing does.
  private func check(_ diagnostics: inout [ValidationDiagnostic]) async throws -> CompositorError? {
    let catalog = MediaCatalog()
    let file = try ProjectFile(opening: project.path, variables: project.variables)
    Terminal.warn(of: file)
    let loaded = try project.plugins.edit(of: file, draft: try file.edit(catalog: catalog), catalog: catalog)
    var edit = loaded.edit
    colors.overrides.apply(to: &edit)
    let report = CompositionValidator.validate(edit, catalog: catalog, registry: loaded.registry, damaged: damage.damaged)
    var output = report.validated.map(file.outputDiagnostics) ?? []
    if let composition = report.validated { output += try await CompositionValidator.rehearse(composition) }
    diagnostics = (report.diagnostics + output).map(file.locating)
    do throws(CompositorError) {
      try file.checkDelivery(of: report.get())
    } catch {
      let mistake = file.locating(error)
      // What a validation found is told already.
      if report.validated != nil, json { diagnostics.append(ValidationDiagnostic(mistake)) }
      return mistake
    }
    return output.first.map { file.locating($0.error) }
  }
}

/// `compositor explain`.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say what a render would do: sources, tracks, instructions, routes and the reasons for them.",
    discussion: """
      EXAMPLES
        compositor explain holiday.json5
        compositor explain holiday.json5 --json | jq .instructions[].route
        compositor explain camera.mov --codec hevc
      """)

  @OptionGroup var project: ProjectArgument
  @OptionGroup var colors: ColorOptions

  @Option(
    help: """
      The codec of the render to explain: \(VideoEncodingSettings.Codec.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var codec: VideoEncodingSettings.Codec?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let loaded = try project.load(catalog: MediaCatalog(), colors: colors.overrides, damaged: .keep)
    var video = loaded.file.output.choosesVideoCodec ? loaded.file.output.video : nil
    if let codec { video = VideoEncodingSettings(codec: codec) }
    var explanation = try EditExplanation(loaded.composition, video: video)
    if colors.color != nil { explanation.colorReason = "as --color says" }
    try Terminal.result(json ? try JSON.text(explanation) : explanation.description)
  }
}

/// `compositor compositors`.
struct CompositorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compositors",
    abstract: "List the compositors that instructions may name, or audio processors, with their parameters.",
    discussion: """
      EXAMPLES
        compositor compositors
        compositor compositors --json
        compositor compositors --audio
      """)

  @Flag(help: "List audio processors, those of libavfilter among them.")
  var audio = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    if audio { return try listAudio() }
    let descriptors = CompositorRegistry.builtIn.descriptors
    guard !json else { return try Terminal.result(try JSON.text(descriptors)) }
    try Terminal.result("transitions by name: \(Timeline.transitionNames.joined(separator: ", "))")
    for descriptor in descriptors {
      try Terminal.result(
        "\(descriptor.id)  \(descriptor.name) \(descriptor.version), \(descriptor.role.rawValue): \(descriptor.summary)")
      for parameter in descriptor.parameters { try Terminal.result("    \(parameter.key): \(parameter.summary)") }
    }
  }

  private func listAudio() throws {
    let descriptors = CompositorRegistry.builtIn.audioProcessorDescriptors
    guard !json else { return try Terminal.result(try JSON.text(descriptors)) }
    for descriptor in descriptors {
      try Terminal.result("\(descriptor.id)  \(descriptor.name) \(descriptor.version): \(descriptor.summary)")
      for parameter in descriptor.parameters { try Terminal.result("    \(parameter.key): \(parameter.summary)") }
    }
  }
}

/// `compositor schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of project files.",
    discussion: """
      EXAMPLES
        compositor schema > compositor.schema.json
        compositor schema --titles
      """)

  @Flag(help: "Print the keys of title trees with types, units, ranges and defaults, as a table in Markdown.")
  var titles = false

  func run() throws {
    try Terminal.result(titles ? ProjectFile.titleTable : ProjectFile.jsonSchema, terminator: "")
  }
}

/// Values as JSON for other programs.
enum JSON {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
