import ArgumentParser
import Compositor

/// `compositor frame`.
struct FrameCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frame",
    abstract: "Render a frame of a project to an image file.",
    discussion: """
      EXAMPLES
        compositor frame holiday.json5 --at 2.5s -o still.png
        compositor frame holiday.json5 --at 2.5s -o still.jpg --quality 85
        compositor frame clip.mp4 --at 00:00:02:12 -o still.png --depth 16
        compositor frame phone.mov --at 1s -o still.png --color pq
      """)

  @OptionGroup var project: ProjectArgument

  @Option(parsing: .unconditional, help: "The time of the frame: 0, 48f, 2.5s, 1:02.5, 00:00:02:12 or 1001/30000.")
  var at: String

  @Option(
    name: [.short, .customLong("output")], help: "The image to write: .png, .jpg or .webp.",
    completion: .file(extensions: ImageFileFormat.extensions))
  var output: String

  @Option(help: "Bits per component: 8 or 16 (.png). By default 8, or 16 for HDR.")
  var depth: Int?

  @Option(help: "The quality of .jpg and .webp, 1 to 100. By default 90.")
  var quality: Int?

  @Flag(help: "Write a lossless .webp.")
  var lossless = false

  @Option(
    help: """
      The color of the image, as in a render with the same option: sdr, hlg or pq. hlg and pq are written with 16 bits and cICP. \
      By default an image of an HDR project is tone-mapped to SDR, which every viewer shows correctly.
      """)
  var color: ColorOptions.Kind?

  @OptionGroup var sources: SourceColorOptions

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @OptionGroup var damage: DamageOptions

  func validate() throws {
    guard let kind = ImageFileFormat(path: output) else {
      throw ValidationError("--output takes a name that ends in .png, .jpg or .webp, not \(output).")
    }
    try usage("--output") { () throws(CompositorError) in try ThumbnailExporter.validate(file, path: output) }
    _ = try usage("--at") { () throws(CompositorError) in try ProjectTime(at) }
    guard [nil, 8, 16].contains(depth) else { throw ValidationError("--depth takes 8 or 16.") }
    if kind != .png, depth == 16 || color?.tags.transfer.isHDR == true {
      throw ValidationError("--output: \(kind.name) holds 8 bits and no HDR. Write .png.")
    }
    if depth == 8, let color, color.tags.transfer.isHDR {
      throw ValidationError("--depth: \(color.rawValue) needs 16 bits.")
    }
  }

  private var file: ImageFileSettings { ImageFileSettings(quality: quality, isLossless: lossless) }

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      var overrides = command.project.overrides
      (overrides.damaged, overrides.mediaTypes) = (command.damage.damaged, [.video])
      overrides.colors = ColorOverrides(
        color: command.color?.tags, sources: command.sources.known, deinterlacing: command.sources.deinterlace?.mode)
      let loaded = try command.project.load(overrides)
      let time = try usage("--at") { () throws(CompositorError) in
        try ProjectTime(command.at).time(atFrameRate: loaded.frameRate)
      }
      try loaded.check(time, of: "--at", written: command.at)
      let isHDR = command.color?.tags.transfer.isHDR == true
      let settings = ImageSettings(
        format: (command.depth ?? (isHDR ? 16 : 8)) == 16 ? .rgba16 : .rgba, color: isHDR ? .composition : .sdr,
        render: RenderSettings(damaged: command.damage.damaged)
      ).exactly
      let composition = loaded.file.imageComposition(loaded.composition, for: command.output)
      let warnings = try await ImageExporter.export(
        composition, at: time, to: command.output, settings: settings, file: command.file, overwrites: command.overwrite)
      for warning in warnings { Terminal.complain("warning: \(warning.message)") }
      for note in composition.droppedAlpha { Terminal.complain("note: \(note.wording.text(.options))") }
      let size = composition.edit.videoComposition.renderSize
      Terminal.complain("wrote \(command.output): \(size), the frame at \(time.readable)")
    }
  }
}
