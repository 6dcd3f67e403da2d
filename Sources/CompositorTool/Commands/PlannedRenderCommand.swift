import ArgumentParser
import Compositor

/// `compositor render --plan`. The plan defines the output, so there are no options for it.
struct PlannedRenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Render parts of a plan, or all missing parts and the movie.",
    discussion: """
      Without --segment and --audio, renders every missing part and joins all parts into the movie; for a batch, renders every \
      missing row. Existing parts are not rendered again. The plan defines how the movie is encoded.

      EXAMPLES
        compositor render --plan plan.json --segment 3
        compositor render --plan plan.json --segment 1,4-7
        compositor render --plan plan.json --audio
        compositor render --plan plan.json -o holiday.mp4
      """)

  @Option(help: "A plan that compositor plan wrote.", completion: .file(extensions: ["json"]))
  var plan: String

  @Option(help: ArgumentHelp("Segments or rows to render, counted from 0: 3, 3-7 or 1,4-7.", valueName: "numbers"))
  var segment: String?

  @Flag(help: "Render the audio.")
  var audio = false

  @Option(name: [.short, .customLong("output")], help: "The movie to write. By default the plan's.")
  var output: String?

  @Flag(
    help:
      "Replace an existing movie, or for a batch files that are not results of its plan, atomically, when the new one is complete."
  )
  var overwrite = false

  @Flag(
    help:
      "Render with a version of the tool, FFmpeg or an encoder, or a processor, other than the plan's. The bytes may differ; receipts record it."
  )
  var allowVersion = false

  @Option(help: "Frames to compose at a time, 1 to 64. The result does not depend on it.")
  var threads: Int?

  @OptionGroup var budget: BudgetOptions

  @Option(help: "How to show progress: bar, plain, json (lines on the standard output) or none.")
  var progress: ProgressStyle?

  /// Whether arguments of `render` belong to this command.
  static func isMeant(_ arguments: [String]) -> Bool {
    arguments.first == "render" && arguments.contains { $0 == "--plan" || $0.hasPrefix("--plan=") }
  }

  func validate() throws {
    try require(threads, in: RenderSettings.threadCounts, for: "--threads")
    if output != nil, segment != nil || audio {
      throw ValidationError("--output is for the movie, but --segment and --audio render parts.")
    }
  }

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      let reporter = ProgressReporter(command.progress)
      do {
        try await PlannedRendering(command, reporter).run()
      } catch {
        reporter.fail(error, output: command.output ?? command.plan)
        throw error
      }
    }
  }
}
