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

  @Option(
    name: .customLong("chapters"),
    help: ArgumentHelp(
      """
      A file of chapters: lines such as "1:05 Numbers", a cue sheet (.cue), labels of Audacity, FFmpeg's metadata, or CHAPTER01= lines.
      """, valueName: "file"), completion: .file(extensions: ["txt", "cue"]))
  var chapterFile: String?

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
    if !chapters.isEmpty, chapterFile != nil { throw ValidationError("--chapter and --chapters exclude each other.") }
    if keepsMetadata, source != nil { throw ValidationError("--keep-metadata and --metadata-from exclude each other.") }
    if let rotation, ![0, 90, 180, 270].contains(rotation) { throw ValidationError("--rotation takes 0, 90, 180 or 270.") }
  }

  /// The files that the options name.
  var files: [String] { [chapterFile, cover, source].compactMap(\.self) }

  /// The name of the first of these options that was given; `nil` if none was.
  var option: String? {
    let options = [
      ("--metadata", !metadata.isEmpty), ("--keep-metadata", keepsMetadata), ("--metadata-from", source != nil),
      ("--chapter", !chapters.isEmpty), ("--chapters", chapterFile != nil), ("--cover", cover != nil),
      ("--cover-at", coverTime != nil),
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
  /// What these options override of the metadata of a composition's project.
  ///
  /// - Throws: A usage error for a time that doesn't exist at the composition's frame rate.
  func overrides(for composition: ValidatedComposition) throws -> MetadataOverrides {
    let rate = composition.edit.videoComposition.frameDuration.frameRate
    var overrides = MetadataOverrides()
    overrides.entries = try entries()
    let marks = try marks()
    if !marks.isEmpty {
      overrides.chapters = try usage("--chapter") { () throws(CompositorError) in
        var chapters: [Chapter] = []
        for mark in marks { chapters.append(Chapter(start: try mark.time.time(atFrameRate: rate), title: mark.title)) }
        return chapters
      }
    }
    if let chapterFile {
      overrides.chapters = try ChapterFile(contentsOf: chapterFile).chapters(
        frameRate: rate, until: composition.edit.composition.duration)
    }
    overrides.cover = try coverImage(rate)
    overrides.hasFastStart = fastStart
    overrides.orientation = rotation.map { Orientation(quarterTurns: $0 / 90) }
    overrides.source = keepsMetadata ? .onlyMedia : source.map { .file(path: $0) }
    return overrides
  }

  /// Checks that the output can hold what the options ask for, and that the composition has it.
  func check(for composition: ValidatedComposition, output: OutputName) throws {
    // Images hold no metadata, and options for them are refused.
    let container = output.container ?? .mkv
    if fastStart != nil, !container.holdsFastStart {
      throw ValidationError("--fast-start is for .mp4, .mov, .m4v and .m4a, and --output is .\(container.rawValue).")
    }
    if rotation != nil, container.isAudioOnly { throw ValidationError("--rotation is for video.") }
    try usage("--metadata") { () throws(CompositorError) in try container.check(givenEntries) }
    if keepsMetadata, composition.onlyMedia == nil {
      throw ValidationError(
        "--keep-metadata is for one media file. If there are several, name one with --metadata-from FILE.")
    }
  }

  private var givenEntries: [String: String] { (try? entries()) ?? [:] }

  private func coverImage(_ rate: Rational) throws -> CoverImage? {
    if let cover { return .file(path: cover) }
    guard let coverTime else { return nil }
    return try usage("--cover-at") { () throws(CompositorError) in
      .frame(at: try ProjectTime(coverTime).time(atFrameRate: rate))
    }
  }
}
