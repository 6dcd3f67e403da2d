import ArgumentParser
import Compositor

/// `compositor thumbnails`.
struct ThumbnailsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnails",
    abstract: "Write thumbnails of a media file or a project, one by one or on contact sheets.",
    discussion: """
      Images and sheets are .png, .jpg or .webp. All of them appear together when the last one is complete; a run that fails or is \
      interrupted leaves no files. An existing file is not changed unless --overwrite is given.

      EXAMPLES
        compositor thumbnails holiday.mp4 --count 12 --size 320x180 -o thumbs/%03d.jpg
        compositor thumbnails holiday.mp4 --sheet 5x4 --labels -o sheet.jpg
        compositor thumbnails holiday.mp4 --every 10s --sheet 6x6 -o sheets/%02d.webp
        compositor thumbnails holiday.json5 --at 2.5s --at 00:00:07:12 -o stills/%d.png
        compositor thumbnails holiday.mp4 --scenes --tolerance 0.5s --json -o scenes/%04d.webp
      """)

  @OptionGroup var project: ProjectArgument

  @Option(
    help: "The number of thumbnails, each from the middle of one of N equal parts. With --sheet, by default a full sheet.")
  var count: Int?

  @Option(help: ArgumentHelp("A thumbnail at 0 and at every multiple of this time.", valueName: "time"))
  var every: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A thumbnail at this time: 48f, 2.5s, 1:02.5, 00:00:02:12. May be given several times.", valueName: "time"))
  var at: [String] = []

  @Flag(help: "A thumbnail of the first frame of each scene.")
  var scenes = false

  @Option(
    help:
      "With --scenes: the difference from the previous frame that starts a scene, 0 to 100. By default 10; lower finds more.")
  var sceneThreshold: Double?

  @Option(help: ArgumentHelp("Lay the thumbnails out on contact sheets.", valueName: "columns>x<rows"))
  var sheet: String?

  @Option(help: "With --sheet: pixels between thumbnails and around them. By default 8.")
  var gap: Int?

  @Option(help: "With --sheet: the color between thumbnails, such as white or #202020. By default a dark gray.")
  var background: String?

  @Flag(help: "With --sheet: draw the time into the corner of each thumbnail.")
  var labels = false

  @Option(
    help: ArgumentHelp(
      "The largest size of each, with the movie's aspect ratio. By default the size of the movie, or 320x320 with --sheet.",
      valueName: "width>x<height"))
  var size: String?

  @Option(
    help: "The largest distance from the time to a frame that is faster to decode. By default 0: the exact frame.")
  var tolerance: String?

  @Option(help: "The quality of .jpg and .webp, 1 to 100. By default 90.")
  var quality: Int?

  @Flag(help: "Write lossless .webp.")
  var lossless = false

  @Option(
    name: [.short, .customLong("output")], help: "Images or sheets to write, such as thumbs/%03d.jpg or sheet.png.",
    completion: .file(extensions: ImageFileFormat.extensions))
  var output: String

  @Flag(help: "Replace existing files.")
  var overwrite = false

  @Flag(help: "Print index, requested and actual time in seconds, and file of each thumbnail as JSON.")
  var json = false

  @OptionGroup var sources: SourceColorOptions
  @OptionGroup var damage: DamageOptions

  func validate() throws {
    let choices = [("--count", count != nil), ("--every", every != nil), ("--at", !at.isEmpty), ("--scenes", scenes)].filter(
      \.1
    ).map(\.0)
    guard choices.count < 2 else { throw ValidationError("\(choices[0]) and \(choices[1]) exclude each other.") }
    guard !choices.isEmpty || sheet != nil else { throw ValidationError("Give --count, --every, --at or --scenes.") }
    if sceneThreshold != nil, !scenes { throw ValidationError("--scene-threshold requires --scenes.") }
    if sheet == nil,
      let option = [("--gap", gap != nil), ("--background", background != nil), ("--labels", labels)].first(where: \.1)
    {
      throw ValidationError("\(option.0) requires --sheet.")
    }
    _ = try layout()
    _ = try size.map { try Self.pair($0, "--size") }
    _ = try tolerance.map { text in try usage("--tolerance") { () throws(CompositorError) in try ProjectTime(text) } }
    for text in at + (every.map { [$0] } ?? []) {
      _ = try usage(every == nil ? "--at" : "--every") { () throws(CompositorError) in try ProjectTime(text) }
    }
    try usage("--output") { () throws(CompositorError) in
      try ThumbnailExporter.validate(file, path: output)
    }
    if count.map({ $0 < 1 }) == true { throw ValidationError("--count takes 1 or more.") }
  }

  private var file: ImageFileSettings { ImageFileSettings(quality: quality, isLossless: lossless) }

  /// The layout of `--sheet` and its options; `nil` without `--sheet`.
  private func layout() throws -> ContactSheetLayout? {
    guard let sheet else { return nil }
    let (columns, rows) = try Self.pair(sheet, "--sheet")
    var layout = ContactSheetLayout(columns: columns, rows: rows)
    if let gap { layout.gap = gap }
    if let background {
      guard let color = Color(notation: background) else {
        throw ValidationError("--background takes a color such as white or #202020, not \(background).")
      }
      layout.background = color
    }
    layout.hasLabels = labels
    try usage("--sheet") { () throws(CompositorError) in try layout.validate() }
    return layout
  }

  /// Parses two positive integers such as `640x360`.
  private static func pair(_ text: String, _ option: String) throws -> (Int, Int) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(parts[0]), let second = Int(parts[1]), first > 0, second > 0, first <= 65_536,
      second <= 65_536
    else { throw ValidationError("\(option) takes two numbers such as 5x4, not \(text).") }
    return (first, second)
  }

  /// The times that the options select.
  private func times(of loaded: RenderableProject) throws -> ThumbnailTimes {
    func time(_ text: String, _ option: String) throws -> MediaTime {
      try usage(option) { () throws(CompositorError) in try ProjectTime(text).time(atFrameRate: loaded.frameRate) }
    }
    if scenes { return .scenes(threshold: sceneThreshold ?? ThumbnailTimes.defaultThreshold) }
    if let every { return .every(try time(every, "--every")) }
    if at.isEmpty { return .count(try count ?? layout()?.capacity ?? 1) }
    return .at(
      try at.map { text in
        let time = try time(text, "--at")
        try loaded.check(time, of: "--at", written: text)
        return time
      })
  }

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      var overrides = command.project.overrides
      (overrides.damaged, overrides.mediaTypes) = (command.damage.damaged, [.video])
      overrides.colors = ColorOverrides(
        sources: command.sources.known, deinterlacing: command.sources.deinterlace?.mode)
      let loaded = try command.project.load(overrides)
      let times = try command.times(of: loaded)
      var settings = ThumbnailSettings()
      settings.images.render.damaged = command.damage.damaged
      if let (width, height) = try command.size.map({ try Self.pair($0, "--size") }) {
        settings.images.maximumSize = PixelSize(width: width, height: height)
      }
      if let tolerance = command.tolerance {
        let time = try usage("--tolerance") { () throws(CompositorError) in
          try ProjectTime(tolerance).time(atFrameRate: loaded.frameRate)
        }
        (settings.images.toleranceBefore, settings.images.toleranceAfter) = (time, time)
      }
      settings.file = command.file
      settings.sheet = try command.layout()
      settings.overwrites = command.overwrite
      let result = try await ThumbnailExporter.export(loaded.composition, times, to: command.output, settings: settings)
      for warning in result.warnings { Terminal.complain("warning: \(warning.message)") }
      if command.json {
        try Terminal.result(try JSON.text(result.thumbnails.map(ThumbnailReport.init)))
      } else {
        let sheets = settings.sheet == nil ? "" : " on \(result.files.count == 1 ? "1 sheet" : "\(result.files.count) sheets")"
        let count = result.thumbnails.count
        Terminal.complain("wrote \(command.output): \(count == 1 ? "1 thumbnail" : "\(count) thumbnails")\(sheets)")
      }
    }
  }
}

/// A thumbnail as JSON. Times are in seconds; column and row on a sheet count from 0.
private struct ThumbnailReport: Encodable {
  let index: Int
  let requestedTime, actualTime: Double
  let file: String
  let column, row: Int?

  init(_ thumbnail: Thumbnail) {
    index = thumbnail.index
    (requestedTime, actualTime) = (thumbnail.requestedTime.seconds, thumbnail.actualTime.seconds)
    (file, column, row) = (thumbnail.file, thumbnail.column, thumbnail.row)
  }
}
