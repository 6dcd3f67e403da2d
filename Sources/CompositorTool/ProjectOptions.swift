public import ArgumentParser
import CompositorAPI
import Host
import MediaIO
import Overlay

/// A project on the command line.
struct ProjectArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A .json5 project, or a media file.", valueName: "project"), completion: .file())
  var path: String

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("A value for ${NAME} in titles and paths of media; may be given several times.", valueName: "name=value")
  )
  var assignments: [String] = []

  func validate() throws {
    for assignment in assignments where !assignment.contains("=") || assignment.hasPrefix("=") {
      throw ValidationError("--set takes NAME=VALUE, not \(assignment).")
    }
  }

  /// What ``assignments`` say.
  var variables: [String: String] {
    let pairs = assignments.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
    return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { _, last in last }
  }

  /// The project, with its media described and everything checked; warnings go to the standard error stream.
  func load(catalog: MediaCatalog) throws(CompositorError) -> LoadedProject {
    try LoadedProject(ProjectFile(opening: path, variables: variables), catalog: catalog)
  }
}

/// A project that can be rendered.
struct LoadedProject {
  let file: ProjectFile
  let composition: ValidatedComposition
  /// The project's titles.
  let overlay: TitleOverlay?

  init(_ file: ProjectFile, catalog: MediaCatalog, fonts: FontLibrary? = nil) throws(CompositorError) {
    let edit = try file.edit(catalog: catalog, fonts: fonts)
    let report = CompositionValidator.validate(edit, catalog: catalog)
    for finding in report.findings where finding.severity == .warning { Terminal.complain(finding.description) }
    self.file = file
    do {
      composition = try report.get()
    } catch {
      throw file.locating(error)
    }
    overlay = try file.overlay(for: edit, fonts: fonts)
  }

  /// Frames a second of the output.
  var frameRate: Rational {
    let frame = composition.edit.videoComposition.frameDuration
    return Rational(Int(frame.timescale), Int(frame.value))
  }
}

/// Where output goes and how it is encoded.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: "What to write: .mp4, .mov, .m4v or .mkv, or numbered images such as frames/%04d.png.",
    completion: .file(extensions: ["mp4", "mov", "m4v", "mkv", "png"]))
  var output: String

  @Flag(help: "Replace an existing file, at once, when the new one is complete.")
  var overwrite = false

  @Option(help: "Frames to compose at a time, 1 to 64. The result does not depend on it.")
  var threads: Int?

  @Option(help: "How to show progress: bar, plain, json (lines on the standard output) or none.")
  var progress: ProgressStyle?

  @Option(help: "The picture codec: \(VideoEncodingSettings.Codec.allCases.map(\.rawValue).joined(separator: ", ")).")
  var codec: VideoEncodingSettings.Codec?

  @Option(help: "Constant quality, smaller is better: 0 to 51 for h264 and hevc, 1 to 31 for prores.")
  var quality: Double?

  @Option(help: "Speed against size for h264 and hevc: ultrafast … veryslow.")
  var preset: VideoEncodingSettings.Preset?

  @Option(help: "The sound codec: \(AudioEncodingSettings.Codec.allCases.map(\.rawValue).joined(separator: ", ")).")
  var audioCodec: AudioEncodingSettings.Codec?

  @Flag(help: "Write no sound.")
  var noSound = false

  func validate() throws {
    if let threads, !(1...64).contains(threads) { throw ValidationError("--threads takes 1 to 64.") }
    if let quality, !(0...51).contains(quality) { throw ValidationError("--quality takes 0 to 51.") }
    // Numbered images are the other kind of output; the exporter looks at their pattern.
    guard !output.lowercased().hasSuffix(".png") else { return }
    _ = try usage("--output") { () throws(CompositorError) in try MovieContainer(path: output) }
  }

  /// Settings of the project with those of the command line over them.
  func settings(
    _ output: ProjectOutput, range: TimeRange? = nil, overlay: TitleOverlay? = nil
  ) -> ExportSettings {
    var video = output.video
    if let codec { video = VideoEncodingSettings(codec: codec, preset: video.preset) }
    if let quality { video.quality = .constant(quality) }
    if let preset { video.preset = preset }
    var audio = noSound ? nil : output.audio
    if let audioCodec, let current = audio {
      audio = AudioEncodingSettings(
        codec: audioCodec, sampleRate: current.sampleRate, channelCount: current.channelCount)
    }
    return ExportSettings(
      video: video, audio: audio, timeRange: range, overwrites: overwrite,
      render: RenderSettings(threadCount: threads, overlay: overlay))
  }
}

/// Reads something from the command line: what is wrong with it is a mistake of usage.
func usage<T>(_ option: String, _ read: () throws(CompositorError) -> T) throws -> T {
  do {
    return try read()
  } catch {
    throw ValidationError("\(option): \(error)")
  }
}

extension VideoEncodingSettings.Codec: ExpressibleByArgument {}
extension VideoEncodingSettings.Preset: ExpressibleByArgument {}
extension AudioEncodingSettings.Codec: ExpressibleByArgument {}
