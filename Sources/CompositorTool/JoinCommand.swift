import ArgumentParser
import CompositorAPI
import Host

/// `compositor join`.
struct JoinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Put clips one after another, with a transition between them.",
    discussion: """
      Size and frame rate are those of the first clip; the others are fitted to it. Clips lie \
      against each other to the last digit of their durations, or overlap by the transition's length; the movie has as \
      many frames as it takes to show all of that.

      EXAMPLES
        compositor join a.mp4 b.mp4 c.mp4 -o all.mp4
        compositor join a.mp4 b.mp4 --transition dissolve:1s -o all.mp4
        compositor join *.mov --transition push-up:12f --codec hevc -o all.mp4
      """)

  @Argument(help: "Media files, in their order.", completion: .file())
  var clips: [String]

  @Option(help: "dissolve:LENGTH or push:LENGTH, also push-right, push-up and push-down; a cut unless given.")
  var transition: String?

  @OptionGroup var options: OutputOptions

  func validate() throws {
    if let transition { _ = try usage("--transition") { () throws(CompositorError) in try Timeline.joint(transition) } }
  }

  func run() async throws {
    let (clips, transition, options) = (clips, transition, options)
    try await Interruption.guarding {
      let catalog = MediaCatalog()
      let timeline = try Timeline(joining: clips, transition: transition, catalog: catalog)
      let report = CompositionValidator.validate(try timeline.edit(catalog: catalog), catalog: catalog)
      for finding in report.findings where finding.severity == .warning { Terminal.complain(finding.description) }
      try await Rendering.run(try report.get(), settings: options.settings(ProjectOutput()), options)
    }
  }
}
