import CompositorTestSupport
import Foundation
import Testing

/// Plugins made for a test, in a folder of its own.
struct PluginWorkshop {
  let scratch: Scratch
  private let compiler: PluginCompiler
  static let (header, fixtures) = (PluginCompiler.header, PluginCompiler.fixtures)

  init() throws {
    scratch = try Scratch()
    compiler = PluginCompiler(in: scratch.folder)
  }

  /// Compiles a C file against a header's text; returns the plugin's file.
  func compile(_ source: URL, header: String? = nil, flags: [String] = [], name: String = "plugin") throws -> URL {
    try compiler.compile(source, header: header, flags: flags, name: name)
  }

  /// Compiles a Swift file into a plugin, with this package's own plugin kit as it was built for the tests.
  func compileSwift(_ source: URL, flags: [String] = [], name: String) throws -> URL {
    try compiler.compileSwift(source, flags: flags, name: name)
  }

  /// A plugin that breaks a rule from a frame on.
  func hostile(_ deed: String, fromFrame frame: Int, flags: [String] = []) throws -> URL {
    try compiler.hostile(deed, fromFrame: frame, flags: flags)
  }

  /// The reports of `plugins check` of a fixture's compositors, by ID, several at a time: each waits for a second of the clock.
  static func checks(of fixture: String, _ ids: [String]) throws -> [String: ToolRun.Result] {
    let workshop = try PluginWorkshop()
    _ = try workshop.compile(fixtures.appending(path: fixture))
    let path = ["COMPOSITOR_PLUGIN_PATH": workshop.scratch.folder.path]
    let reports = try ToolRun.together(ids.map { ["plugins", "check", $0, "--json"] }, environment: path)
    return Dictionary(uniqueKeysWithValues: zip(ids, reports))
  }

  /// The source of the example that `plugins new --language c` writes.
  func exampleSource() throws -> URL {
    let folder = scratch.folder.appending(path: "dimmer")
    if !FileManager.default.fileExists(atPath: folder.path) {
      let result = try ToolRun.compositor(["plugins", "new", "dimmer", "--language", "c"], in: scratch.folder)
      try #require(result.status == 0, "\(result.errors)")
    }
    return folder.appending(path: "dimmer.c")
  }

  /// A project of three seconds in which a compositor of a plugin serves everything.
  func project(
    _ plugin: URL, compositor: String, parameters: String = "{}", output: String = #"size: "128x72", frameRate: 25"#,
    asset: String = #"generate: "bars", size: "128x72", frameRate: 25"#
  ) throws -> URL {
    try scratch.file(
      "project-\(UUID().uuidString).json5",
      """
      { version: 1, plugins: ["\(plugin.path)"], output: { \(output) },
        assets: { bars: { \(asset) } },
        tracks: [{ clips: [{ asset: "bars", duration: "3s" }] }],
        effects: [{ at: "0s", duration: "3s", compositor: "\(compositor)", parameters: \(parameters) }] }
      """)
  }

  /// Processes that have a plugin mapped.
  func processes(with plugin: URL) -> [String] {
    let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { Int($0) != nil }
    return numbers.filter { PluginWorkshop.text(of: "/proc/\($0)/maps").contains(plugin.path) }
  }

  /// All of a file of the kernel's, which comes in pieces; Foundation takes the first.
  private static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until `count` processes have the plugin mapped; false where that does not come about.
  func waitForProcesses(_ count: Int, with plugin: URL) -> Bool {
    for _ in 0..<200 {
      if processes(with: plugin).count >= count { return true }
      usleep(50_000)
    }
    return false
  }

  /// Starts the tool and does not wait for it. Nothing of it is printed.
  func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Process {
    let process = Process()
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    }
    process.executableURL = ToolRun.tool
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Whether no process has the plugin mapped any more; waits a moment for the last to be gone.
  func isGone(_ plugin: URL) -> Bool {
    for _ in 0..<40 {
      if processes(with: plugin).isEmpty { return true }
      usleep(50_000)
    }
    return false
  }
}
