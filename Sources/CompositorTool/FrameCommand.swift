import ArgumentParser
import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO

/// `compositor frame`.
struct FrameCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frame",
    abstract: "Render the picture at one time of a project to a PNG file.",
    discussion: """
      EXAMPLES
        compositor frame holiday.json5 --at 2.5s -o still.png
        compositor frame clip.mp4 --at 00:00:02:12 -o still.png --depth 16
        compositor frame phone.mov --at 1s -o still.png --color pq
      """)

  @OptionGroup var project: ProjectArgument

  @Option(help: "When: 0, 48f, 2.5s, 00:00:02:12 or 1001/30000.")
  var at: String

  @Option(name: [.short, .customLong("output")], help: "The PNG file to write.", completion: .file(extensions: ["png"]))
  var output: String

  @Option(help: "Bits of each component: 8 or 16; by default 8, and 16 for HDR.")
  var depth: Int?

  @Option(
    name: .customLong("color"),
    help: """
      The picture of a render with the same option: sdr, hlg or pq; hlg and pq are written in 16 bits with cICP. Without it, \
      the picture of an HDR project is turned into SDR, which every viewer shows rightly.
      """)
  var givenColor: ColorOptions.Kind?

  @Option(name: .customLong("colour"), help: .hidden)
  var olderColor: ColorOptions.Kind?

  /// By either spelling.
  private var color: ColorOptions.Kind? { givenColor ?? olderColor }

  @OptionGroup var sources: SourceColorOptions

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @OptionGroup var damage: DamageOptions

  func validate() throws {
    guard output.lowercased().hasSuffix(".png") else { throw ValidationError("--output takes a name that ends in .png.") }
    _ = try usage("--at") { () throws(CompositorError) in try ProjectTime(at) }
    guard [nil, 8, 16].contains(depth) else { throw ValidationError("--depth takes 8 or 16.") }
    if depth == 8, let color, color.tags.transfer.isHDR {
      throw ValidationError("--depth: \(color.rawValue) needs 16 bits.")
    }
  }

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      let colors = ColorOverrides(color: command.color, sources: command.sources.known)
      let loaded = try command.project.load(
        catalog: MediaCatalog(), colors: colors, damaged: command.damage.damaged, mediaTypes: [.video])
      let time = try usage("--at") { () throws(CompositorError) in
        try ProjectTime(command.at).time(atFrameRate: loaded.frameRate)
      }
      let end = loaded.composition.edit.composition.duration
      guard time < end else { throw ValidationError("--at: \(command.at) is not before the end of the timeline, \(end) s.") }
      let isHDR = command.color?.tags.transfer.isHDR == true
      let settings = ImageSettings(
        format: (command.depth ?? (isHDR ? 16 : 8)) == 16 ? .rgba16 : .rgba, color: isHDR ? .composition : .sdr,
        render: RenderSettings(damaged: command.damage.damaged))
      let warnings = try await ImageExporter.export(
        loaded.composition, at: time, to: command.output, settings: settings, overwrites: command.overwrite)
      for warning in warnings { Terminal.complain("warning: \(warning.message)") }
    }
  }
}
