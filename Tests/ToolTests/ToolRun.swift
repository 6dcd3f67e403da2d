import CompositorTestSupport
import Foundation
import Testing

/// Runs the built tool as a person or a script would.
enum ToolRun {
  struct Result: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  static let (tool, root) = (BuiltTool.url, PluginCompiler.root)

  static func compositor(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    try run(tool, arguments, in: folder, environment: environment)
  }

  /// Runs a program; `environment` is added to our own.
  static func run(
    _ program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    // What ffmpeg makes without reading a test's files is made once.
    let isFFmpeg = arguments.first == "ffmpeg" && folder == nil && environment.isEmpty
    let made = isFFmpeg ? MadeOnce.output(ofFFmpeg: Array(arguments.dropFirst())) : nil
    if let made, try MadeOnce.copy(made.key, to: made.url) { return Result(status: 0, output: "", errors: "") }
    let result = try start(program, arguments, in: folder, environment: environment).result()
    let isQuiet = result.status == 0 && result.output.isEmpty && result.errors.isEmpty
    if let made, isQuiet { try MadeOnce.keep(made.url, as: made.key) }
    return result
  }

  /// Runs the tool several times, a few runs side by side: for commands that wait more than they compute.
  static func together(_ commands: [[String]], environment: [String: String] = [:]) throws -> [Result] {
    var (running, results): (ArraySlice<Running>, [Result]) = ([], [])
    for command in commands {
      if running.count == 3, let first = running.popFirst() { results.append(try first.result()) }
      running.append(try start(tool, command, environment: environment))
    }
    return try results + running.map { try $0.result() }
  }

  /// A program that was started.
  struct Running {
    fileprivate let process: Process
    /// What it prints, and its errors.
    fileprivate let files: [URL]

    /// Waits for its end.
    func result() throws -> Result {
      process.waitUntilExit()
      defer { for file in files { try? FileManager.default.removeItem(at: file) } }
      return Result(
        status: process.terminationStatus, output: try String(contentsOf: files[0], encoding: .utf8),
        errors: try String(contentsOf: files[1], encoding: .utf8))
    }
  }

  /// Starts a program without waiting for it; `environment` is added to our own.
  static func start(
    _ program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) throws -> Running {
    let process = Process()
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    }
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Files, not pipes: nothing can fill up while the process runs.
    let name = UUID().uuidString
    let files = ["out", "err"].map { FileManager.default.temporaryDirectory.appending(path: "\(name).\($0)") }
    for file in files { try Data().write(to: file) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    do { try process.run() } catch {
      for file in files { try? FileManager.default.removeItem(at: file) }
      throw error
    }
    return Running(process: process, files: files)
  }

  /// Runs a program found on the path, such as `ffprobe`.
  static func program(_ arguments: String...) throws -> Result {
    try run(URL(filePath: "/usr/bin/env"), arguments)
  }

  /// What ffprobe says of a file's streams.
  static func streams(_ file: URL) throws -> [[String: String]] {
    let result = try program(
      "ffprobe", "-v", "error", "-count_frames", "-show_entries",
      "stream=codec_type,codec_name,width,height,r_frame_rate,nb_read_frames,duration,sample_rate,channels,color_space", "-of",
      "json",
      file.path)
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let streams = try #require(object?["streams"] as? [[String: Any]])
    return streams.map { $0.mapValues { "\($0)" } }
  }
}

/// A folder of its own for a test, gone afterwards.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "compositor-tool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func file(_ name: String, _ text: String? = nil) throws -> URL {
    let url = folder.appending(path: name)
    if let text { try Data(text.utf8).write(to: url) }
    return url
  }

  /// Names in the folder, hidden ones too.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  /// Makes a file with ffmpeg, so that nothing of ours made the input.
  ///
  /// - Parameter arguments: Inputs and options, without the name of the output.
  func make(_ name: String, _ arguments: [String]) throws {
    let made = try ToolRun.run(
      URL(filePath: "/usr/bin/env"), ["ffmpeg", "-v", "error", "-y"] + arguments + [folder.appending(path: name).path])
    try #require(made.status == 0, "\(made.errors)")
  }

  /// Runs `compositor render` in the folder; outputs that exist are replaced.
  func render(_ arguments: [String]) throws -> ToolRun.Result {
    try ToolRun.compositor(["render"] + arguments + ["--overwrite", "--progress", "none"], in: folder)
  }

  /// A clip made by ffmpeg, so that nothing of ours made the input.
  func clip(_ name: String, seconds: Double, rate: String = "25", size: String = "160x90", sound: Bool = true) throws -> URL {
    let url = folder.appending(path: name)
    var arguments = [
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate):duration=\(seconds)",
    ]
    if sound { arguments += ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=\(seconds)", "-c:a", "aac"] }
    arguments += ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", url.path]
    let result = try ToolRun.run(URL(filePath: "/usr/bin/env"), arguments)
    try #require(result.status == 0, "\(result.errors)")
    return url
  }
}
