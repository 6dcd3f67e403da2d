import Compositor
import ArgumentParser
import Foundation

/// `compositor probe`.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Describe a media file as the compositor reads it.",
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

/// `compositor explain`.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain what a render would do: sources, tracks, instructions, routes and the reasons for them.",
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

  func run() async throws {
    var overrides = project.overrides
    overrides.colors = colors.overrides
    let loader = project.loader(catalog: MediaCatalog(), overrides)
    let opened = try ProjectText.opening(project.path)
    let loaded = await loader.check(project.path, opened)
    // The standard output is the explanation, also of a project whose output cannot be written.
    let style = DiagnosticText(loaded.text, isColored: Terminal.isColored(STDERR_FILENO))
    for diagnostic in loaded.diagnostics { Terminal.put(style.text(diagnostic) + "\n") }
    var (_, composition, delivery) = try loaded.validated()
    if let codec { delivery = MovieDelivery(of: composition, video: VideoEncodingSettings(codec: codec)) }
    var explanation = try EditExplanation(composition, delivery: delivery, spelling: .options)
    if colors.color != nil { explanation.colorReason = "as --color says" }
    let records = loaded.diagnostics.map { DiagnosticRecord($0, text: loaded.text) }
    let explained = ExplainedProject(explanation: explanation, diagnostics: records)
    try Terminal.result(json ? try JSON.text(explained) : explanation.description)
    // The error is printed already. Another codec may not have it.
    if codec == nil, let failure = loaded.failure { throw ExitCode(ProcessStatus(failure.code).rawValue) }
  }
}

/// An explanation with the diagnostics, as `validate --json` lists them.
private struct ExplainedProject: Encodable {
  private enum CodingKeys: CodingKey { case diagnostics }

  let explanation: EditExplanation
  let diagnostics: [DiagnosticRecord]

  func encode(to encoder: any Encoder) throws {
    try explanation.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(diagnostics, forKey: .diagnostics)
  }
}

/// `compositor compositors`.
struct CompositorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compositors",
    abstract: "List the compositors or audio processors that projects may name, with their parameters.",
    discussion: """
      EXAMPLES
        compositor compositors
        compositor compositors --json
        compositor compositors --audio
      """)

  @Flag(help: "List audio processors, including those of libavfilter.")
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
        compositor schema --keys
        compositor schema --titles
      """)

  @Flag(help: "Print the keys of projects with types, units, ranges and defaults as Markdown tables.")
  var keys = false

  @Flag(help: "Print the keys of title trees with types, units, ranges and defaults as a Markdown table.")
  var titles = false

  func validate() throws {
    if keys && titles { throw ValidationError("--keys and --titles print different tables: choose one.") }
  }

  func run() throws {
    let text = keys ? ProjectFile.keyTable : titles ? ProjectFile.titleTable : ProjectFile.jsonSchema
    try Terminal.result(text, terminator: "")
  }
}

/// Writes values as JSON for other programs, which may show it on a terminal.
enum JSON {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(value), as: UTF8.self).escapingControlsOfJSON
  }
}
