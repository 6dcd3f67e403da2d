import Foundation
import Testing

/// Files of plugins that change while the tool reads them.
@Suite(.serialized) struct ChangingPluginFileTests {
  /// A project that names a compositor which no plugin provides, so that every file of the search path is searched for its ID.
  private static let project = """
    { version: 1, output: { size: "64x36", frameRate: 25, audio: false },
      assets: { bars: { generate: "bars", size: "64x36", frameRate: 25 } },
      tracks: [{ clips: [{ asset: "bars", duration: "0.2s" }] }],
      effects: [{ at: "0s", duration: "0.2s", compositor: "org.example.nowhere" }] }
    """

  @Test func file_thatShrinksWhileItIsSearched_doesNotEndTheTool() throws {
    let workshop = try PluginWorkshop()
    let project = try workshop.scratch.file("p.json5", Self.project)
    let folder = workshop.scratch.folder.appending(path: "plugins")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "big.so")
    // What begins otherwise, or is mostly holes, is not searched.
    var bytes = Data(count: 1 << 28)
    bytes.replaceSubrange(0..<4, with: Data("\u{7f}ELF".utf8))
    let environment = [
      "COMPOSITOR_PLUGIN_PATH": folder.path, "COMPOSITOR_CACHE": workshop.scratch.folder.appending(path: "cache").path,
    ]
    for pause in [100_000, 200_000, 300_000, 400_000] as [UInt32] {
      try bytes.write(to: file)
      let process = try workshop.start(["validate", project.path], environment: environment)
      usleep(pause)
      truncate(file.path, 0)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus != 0, "\(process.terminationStatus)")
    }
  }

  /// A folder of the search path with one plugin, and others to put in its place.
  private struct Shelf {
    let workshop: PluginWorkshop
    let environment: [String: String]
    let file: URL

    /// - Parameter seconds: How long opening the first plugin takes.
    init(seconds: Int) throws {
      workshop = try PluginWorkshop()
      let folder = workshop.scratch.folder.appending(path: "plugins")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      file = folder.appending(path: "p.so")
      environment = [
        "COMPOSITOR_PLUGIN_PATH": folder.path, "COMPOSITOR_CACHE": workshop.scratch.folder.appending(path: "cache").path,
      ]
      try put("old", seconds: seconds)
    }

    /// Puts a plugin in place of the one that is there, in a new file of the same size and date.
    func put(_ name: String, seconds: Int = 0) throws {
      let source = try workshop.scratch.file(
        "\(name).c",
        """
        #include "early.c"
        __attribute__((constructor)) static void take_time(void) { sleep(\(seconds)); }
        """)
      let plugin = try workshop.compile(
        source, flags: ["-I", PluginWorkshop.fixtures.path, "-DID=\"org.example.\(name)\""], name: name)
      let bytes = try FileHandle(forWritingTo: plugin)
      try bytes.truncate(atOffset: 1 << 16)
      try bytes.close()
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: plugin.path)
      try #require(rename(plugin.path, file.path) == 0)
    }

    func list() throws -> ToolRun.Result {
      try ToolRun.compositor(["plugins", "list", "--plugin-deadline", "1"], environment: environment)
    }
  }

  @Test func file_replacedWhileItIsOpened_isOpenedAgain() throws {
    let shelf = try Shelf(seconds: 3)
    let process = try shelf.workshop.start(["plugins", "list"], environment: shelf.environment)
    #expect(shelf.workshop.waitForProcesses(1, with: shelf.file), "the plugin is not opened")
    try shelf.put("new")
    process.waitUntilExit()
    let result = try shelf.list()
    #expect(result.output.contains("org.example.new") && !result.output.contains("org.example.old"), "\(result.output)")
  }

  @Test func fileThatHangs_replacedByOneOfItsSizeAndDate_isTriedAgain() throws {
    let shelf = try Shelf(seconds: 600)
    #expect(try shelf.list().output.contains("did not answer within 1.0 seconds"))
    let again = try shelf.list()
    #expect(again.output.contains("when it was last tried"), "\(again.output)\(again.errors)")
    try shelf.put("new")
    let result = try shelf.list()
    #expect(result.output.contains("org.example.new") && !result.output.contains("when it was"), "\(result.output)")
  }
}
