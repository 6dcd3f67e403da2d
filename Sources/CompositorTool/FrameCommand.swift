import ArgumentParser
import CompositorAPI
import Host

/// `compositor frame`.
struct FrameCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frame",
    abstract: "Render the picture at one time of a project to a PNG file.",
    discussion: """
      EXAMPLES
        compositor frame holiday.json5 --at 2.5s -o still.png
        compositor frame clip.mp4 --at 00:00:02:12 -o still.png --depth 16
      """)

  @OptionGroup var project: ProjectArgument

  @Option(help: "When: 0, 48f, 2.5s, 00:00:02:12 or 1001/30000.")
  var at: String

  @Option(name: [.short, .customLong("output")], help: "The PNG file to write.", completion: .file(extensions: ["png"]))
  var output: String

  @Option(help: "Bits of each component: 8 or 16.")
  var depth = 8

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  func validate() throws {
    guard output.lowercased().hasSuffix(".png") else { throw ValidationError("--output takes a name that ends in .png.") }
    _ = try usage("--at") { () throws(CompositorError) in try ProjectTime(at) }
    guard depth == 8 || depth == 16 else { throw ValidationError("--depth takes 8 or 16.") }
  }

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      let loaded = try command.project.load(catalog: MediaCatalog())
      let time = try usage("--at") { () throws(CompositorError) in
        try ProjectTime(command.at).time(atFrameRate: loaded.frameRate)
      }
      let end = loaded.composition.edit.composition.duration
      guard time < end else { throw ValidationError("--at: \(command.at) is not before the end of the timeline, \(end) s.") }
      let settings = ImageSettings(
        format: command.depth == 16 ? .rgba16 : .rgba, render: RenderSettings(overlay: loaded.overlay))
      try await ImageExporter.export(
        loaded.composition, at: time, to: command.output, settings: settings, overwrites: command.overwrite)
    }
  }
}
