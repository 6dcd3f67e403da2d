import ArgumentParser
import Compositor

/// Options for the metadata of the output file.
struct MetadataOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      A metadata entry, such as title="Our holiday", artist, date, comment, copyright or location=48.2082,16.3738. May be given \
      several times.
      """, valueName: "key=value"))
  var metadata: [String] = []

  @Flag(
    name: .customLong("keep-metadata"),
    help: "Keep the metadata of the one media file that is rendered: title, date, location, camera, chapters.")
  var keepsMetadata = false

  @Option(
    name: .customLong("metadata-from"), help: "Keep the metadata of this media file, without chapters.",
    completion: .file())
  var source: String?

  @Option(
    name: .customLong("chapter"), parsing: .singleValue,
    help: ArgumentHelp("A chapter, such as 90s=\"The speech\". Give several in order of time.", valueName: "time=title"))
  var chapters: [String] = []

  @Option(help: "A .jpg or .png file that players show as the cover.", completion: .file(extensions: ["jpg", "jpeg", "png"]))
  var cover: String?

  @Option(
    name: .customLong("cover-at"),
    help: ArgumentHelp("The time of the frame to use as the cover.", valueName: "time"))
  var coverTime: String?

  @Flag(
    inversion: .prefixedNo,
    help:
      "Whether the index of .mp4, .mov, .m4v and .m4a comes first, so that playback can start immediately. By default it does.")
  var fastStart: Bool?

  @Option(
    help: ArgumentHelp("The clockwise rotation that players apply to the frames: 90, 180 or 270.", valueName: "degrees"))
  var rotation: Int?

  func validate() throws {
    _ = try entries()
    _ = try marks()
    if let coverTime { _ = try usage("--cover-at") { () throws(CompositorError) in try ProjectTime(coverTime) } }
    if cover != nil, coverTime != nil { throw ValidationError("--cover and --cover-at exclude each other.") }
    if keepsMetadata, source != nil { throw ValidationError("--keep-metadata and --metadata-from exclude each other.") }
    if let rotation, ![0, 90, 180, 270].contains(rotation) { throw ValidationError("--rotation takes 0, 90, 180 or 270.") }
  }

  /// The files that the options name.
  var files: [String] { [cover, source].compactMap(\.self) }

  /// The name of the first of these options that was given; `nil` if none was.
  var option: String? {
    let options = [
      ("--metadata", !metadata.isEmpty), ("--keep-metadata", keepsMetadata), ("--metadata-from", source != nil),
      ("--chapter", !chapters.isEmpty), ("--cover", cover != nil), ("--cover-at", coverTime != nil),
      ("--fast-start", fastStart != nil), ("--rotation", rotation != nil),
    ]
    return options.first { $0.1 }?.0
  }

  private func entries() throws -> [String: String] {
    var entries: [String: String] = [:]
    for text in metadata {
      let (key, value) = try MetadataOptions.pair(text, "--metadata takes KEY=VALUE")
      entries[key] = try key == "location" ? location(value) : value
    }
    return entries
  }

  /// A location in ISO 6709, or degrees north and east separated by a comma.
  private func location(_ text: String) throws -> String {
    let numbers = text.split(separator: ",").map { Double($0.trimmingPrefix(" ")) }
    return try usage("--metadata") { () throws(CompositorError) in
      guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
        _ = try GeographicLocation(iso6709: text)
        return text
      }
      return try GeographicLocation(latitude: latitude, longitude: longitude).iso6709
    }
  }

  private func marks() throws -> [(time: ProjectTime, title: String)] {
    var marks: [(time: ProjectTime, title: String)] = []
    for text in chapters {
      let (time, title) = try MetadataOptions.pair(text, "--chapter takes TIME=TITLE")
      marks.append((try usage("--chapter") { () throws(CompositorError) in try ProjectTime(time) }, title))
    }
    return marks
  }

  private static func pair(_ text: String, _ rule: String) throws -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw ValidationError("\(rule), not \(text).") }
    return (parts[0], parts[1])
  }
}

extension MetadataOptions {
  /// Applies the metadata of the project and of the command line to the settings. The command line overrides the project, and both
  /// override what is kept of a file.
  func apply(
    _ project: ProjectMetadata, to settings: inout ExportSettings, of composition: ValidatedComposition, output: OutputName
  ) throws {
    // Images hold no metadata, and options for them are refused. The project's entries are set; the exporter notes that it omits them.
    let container = output.container ?? .mkv
    try check(container)
    let frame = composition.edit.videoComposition.frameDuration
    let rate = Rational(Int(frame.timescale), Int(frame.value))
    settings.metadata = project.entries.merging(try entries()) { _, given in given }
    let marks = try marks()
    settings.chapters =
      marks.isEmpty
      ? try project.chapters(frameRate: rate)
      : try usage("--chapter") { () throws(CompositorError) in
        var chapters: [Chapter] = []
        for mark in marks { chapters.append(Chapter(start: try mark.time.time(atFrameRate: rate), title: mark.title)) }
        return chapters
      }
    settings.cover = try coverImage(project.cover, rate)
    settings.fastStart = fastStart ?? project.hasFastStart
    settings.orientation = rotation.map { Orientation(quarterTurns: $0 / 90) } ?? project.orientation
    try keep(project.source, in: container, &settings, composition)
  }

  /// The keys of a project's metadata that an output holds and that no option replaces.
  func keysOfProject(for output: OutputName) -> [ProjectFile.MetadataKey] {
    guard let container = output.container else { return [] }
    return ProjectFile.MetadataKey.allCases.filter { key in
      switch key {
      case .chapters: chapters.isEmpty && container.holdsChapters
      case .cover: cover == nil && coverTime == nil && container.holdsCover
      case .source: source == nil && !keepsMetadata
      }
    }
  }

  private func check(_ container: MovieContainer) throws {
    if fastStart != nil, !container.holdsFastStart {
      throw ValidationError("--fast-start is for .mp4, .mov, .m4v and .m4a, and --output is .\(container.rawValue).")
    }
    if rotation != nil, container.isAudioOnly { throw ValidationError("--rotation is for video.") }
    try usage("--metadata") { () throws(CompositorError) in try container.check(givenEntries) }
  }

  private var givenEntries: [String: String] { (try? entries()) ?? [:] }

  private func coverImage(_ project: ProjectCover?, _ rate: Rational) throws -> CoverImage? {
    if let cover { return .file(path: cover) }
    if let coverTime {
      return try usage("--cover-at") { () throws(CompositorError) in
        .frame(at: try ProjectTime(coverTime).time(atFrameRate: rate))
      }
    }
    switch project {
    case .file(let path): return .file(path: path)
    case .frame(let time): return .frame(at: try time.time(atFrameRate: rate))
    case nil: return nil
    }
  }

  private func keep(
    _ projectSource: String?, in container: MovieContainer, _ settings: inout ExportSettings,
    _ composition: ValidatedComposition
  ) throws {
    if keepsMetadata {
      guard let info = composition.onlyMedia else {
        throw ValidationError(
          "--keep-metadata is for one media file. If there are several, name one with --metadata-from FILE.")
      }
      settings.keepMetadata(of: info, in: container)
      if container.holdsChapters {
        settings.keepChapters(of: composition, in: container)
      } else if !info.chapters.isEmpty {
        settings.metadataNotes.append("a .\(container.rawValue) file cannot hold the source's chapters: left out")
      }
    } else if let source = source ?? projectSource {
      settings.keepMetadata(of: try MediaCatalog().info(for: .file(path: source)), in: container)
    }
  }
}
