import CompositorAPI
import CompositorExport
import CompositorFarm
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// A plan in a folder of its own, made and rendered in this process of a project of generated pictures and tones.
struct PlannedMovie {
  let folder: TemporaryFolder
  let file: SegmentPlanFile
  let project: PlannedProject
  let settings: ExportSettings

  /// The version that plans of tests are made with.
  static let tool = "test"

  /// - Parameters:
  ///   - movie: The name of the movie.
  ///   - output: What the project says of its output, as JSON5 members.
  ///   - frames: Frames of the movie.
  ///   - segments: How many segments there are.
  init(
    _ movie: String, codec: VideoEncodingSettings.Codec, rate: Rational, frames: Int, segments: Int, output: String = "",
    titles: String = "[]", captions: [String] = [], folder given: TemporaryFolder? = nil,
    change: (inout ExportSettings) throws -> Void = { _ in }
  ) async throws {
    let folder = try given ?? TemporaryFolder()
    let text = Self.project(rate: rate, frames: frames, output: output, titles: titles)
    let file = try ProjectFile(text, name: "project.json5")
    let catalog = MediaCatalog()
    var edit = try file.edit(catalog: catalog)
    for path in captions {
      edit.captions.append(try TimelineCaptions(contentsOf: path, presentation: .track).track())
    }
    let composition = try CompositionValidator.validate(edit, catalog: catalog).get()
    var settings = ExportSettings(video: VideoEncodingSettings(codec: codec, speed: .ultrafast))
    if codec == .av1 { settings.video.speed = .superfast }
    try change(&settings)
    let project = PlannedProject(file, path: "project.json5", composition: composition, optionFiles: captions, plugins: [:])
    let paths = PlanPaths(ofPlan: folder.file("plan.json"))
    let maker = PlanMaker(project, at: paths, tool: Self.tool, cache: DigestCache(folder: nil))
    let (plan, _) = try await maker.plan(settings, movie: folder.file(movie), length: .count(segments))
    (self.folder, self.project, self.settings) = (folder, project, settings)
    self.file = try SegmentPlanFile(plan, writingTo: folder.file("plan.json"), overwrites: true)
  }

  /// Two clips with a dissolve, each with a tone; the picture changes in every frame.
  static func project(rate: Rational, frames: Int, output: String = "", titles: String = "[]") -> String {
    let first = max(1, frames * 2 / 3)
    let overlap = max(1, min(frames / 3, first - 1))
    let second = frames - first + overlap
    let isCut = frames < 3
    let transition = isCut ? "" : ", transition: { type: \"dissolve\", duration: \"\(overlap)f\" }"
    let clips =
      frames == 1
      ? "{ asset: \"clock\", duration: \"1f\" }"
      : "{ asset: \"clock\", duration: \"\(first)f\" }, { asset: \"dusk\", duration: \"\(isCut ? frames - first : second)f\"\(transition) }"
    return """
      {
        version: 1,
        output: { size: "160x90", frameRate: "\(rate.numerator)/\(rate.denominator)", \(output) },
        assets: {
          clock: { generate: "clock", size: "160x90", tone: 440 },
          dusk: { generate: "gradient", from: "#10204c", to: "#e07a3c", angle: 60, size: "160x90", tone: 440 },
        },
        tracks: [
          { clips: [\(clips)] },
          { clips: [{ asset: "clock", duration: "\(frames)f", transform: { x: 40, y: 30, scale: 0.3, rotation: 5 } }] },
        ],
        titles: \(titles),
      }
      """
  }

  var plan: SegmentPlan { file.plan }
  var parts: PartsFolder { PartsFolder(file) }
  func renderer(allows: Bool = false, tool: String = PlannedMovie.tool) async throws -> PartRenderer {
    try await PartRenderer(
      file, project: project, settings: settings, tool: tool, allows: allows, cache: DigestCache(folder: nil))
  }

  /// Renders parts in an order of one's own.
  func render(_ parts: [PlanPart]? = nil) async throws {
    let renderer = try await renderer()
    for part in parts ?? plan.parts { _ = try await renderer.render(part) }
  }

  /// Joins what is there.
  func join(_ name: String) async throws -> String {
    _ = try await MovieJoiner(file).join(to: folder.file(name), overwrites: true)
    return folder.file(name)
  }

  /// The same movie as one export makes it.
  func plain(_ name: String) async throws -> String {
    var settings = settings
    settings.overwrites = true
    settings.video = plan.movie?.video ?? settings.video
    _ = try await Exporter.export(project.composition, to: folder.file(name), settings: settings)
    return folder.file(name)
  }
}

/// What ffprobe says of packets.
struct ProbedPacket: Hashable, CustomStringConvertible {
  let time, decodeTime: Int64?
  let duration: Int64?
  let hash: String
  var description: String { "\(time ?? -1)/\(decodeTime ?? -1)+\(duration ?? -1) \(hash.prefix(8))" }
}

enum Probe {
  /// The packets of a track in the order of the file.
  ///
  /// - Parameter track: As ffprobe names it: `v:0`, `a:0`.
  static func packets(_ path: String, _ track: String) throws -> [ProbedPacket] {
    let text = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", track, "-show_packets", "-show_data_hash", "md5", "-show_entries",
        "packet=pts,dts,duration,data_hash", "-of", "json", path,
      ])
    struct Answer: Decodable {
      struct Packet: Decodable {
        var pts, dts, duration: Int64?
        var data_hash: String?
      }
      var packets: [Packet]
    }
    return try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).packets.map {
      ProbedPacket(time: $0.pts, decodeTime: $0.dts, duration: $0.duration, hash: $0.data_hash ?? "")
    }
  }

  /// One entry of the first stream of a kind, such as `time_base`.
  static func entry(_ name: String, _ track: String, of path: String) throws -> String {
    try runTool(
      "ffprobe", ["-v", "error", "-select_streams", track, "-show_entries", "stream=\(name)", "-of", "csv=p=0", path]
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Everything that ffprobe says of streams, chapters and the format, but for what follows from sizes.
  static func facts(_ path: String) throws -> [String] {
    let text = try runTool(
      "ffprobe",
      ["-v", "error", "-show_streams", "-show_chapters", "-show_format", "-show_data_hash", "md5", "-of", "flat", path])
    let changing = ["bit_rate", "size=", "filename", "nb_streams_unused", "probe_score"]
    return text.split(separator: "\n").map(String.init).filter { line in !changing.contains { line.contains($0) } }
  }

  /// The digest of each decoded frame.
  static func frames(_ path: String, _ track: String = "0:v:0") throws -> [String] {
    let text = try runTool(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", path, "-map", track, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }
  }
}

/// The tool as a person or an engine would run it.
struct FarmTool {
  struct Result: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  static func process(
    _ arguments: [String], in folder: TemporaryFolder, before: [String] = [], environment: [String: String] = [:]
  ) throws -> (process: Process, result: () throws -> Result) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // Digests are cached in a separate folder.
    let settings = ["COMPOSITOR_CACHE=\(folder.file("cache"))"] + environment.map { "\($0.key)=\($0.value)" }
    process.arguments = settings + before + [BuiltTool.url.path] + arguments
    process.currentDirectoryURL = folder.url
    let files = try ["out", "err"].map { kind in
      let file = FileManager.default.temporaryDirectory.appending(path: "compositor-farm-\(UUID().uuidString).\(kind)")
      try Data().write(to: file)
      return file
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    return (
      process,
      {
        process.waitUntilExit()
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        return Result(
          status: process.terminationStatus, output: try String(contentsOf: files[0], encoding: .utf8),
          errors: try String(contentsOf: files[1], encoding: .utf8))
      }
    )
  }

  @discardableResult
  static func run(
    _ arguments: [String], in folder: TemporaryFolder, before: [String] = [], environment: [String: String] = [:]
  ) throws -> Result {
    try process(arguments, in: folder, before: before, environment: environment).result()
  }

  /// Runs a command that has to succeed.
  @discardableResult
  static func succeed(
    _ arguments: [String], in folder: TemporaryFolder, before: [String] = [], environment: [String: String] = [:]
  ) throws -> Result {
    let result = try run(arguments, in: folder, before: before, environment: environment)
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    return result
  }
}
