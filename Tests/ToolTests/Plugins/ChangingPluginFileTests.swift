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
    try Data().write(to: file)
    let environment = [
      "COMPOSITOR_PLUGIN_PATH": folder.path, "COMPOSITOR_CACHE": workshop.scratch.folder.appending(path: "cache").path,
    ]
    for pause in [100_000, 200_000, 300_000, 400_000] as [UInt32] {
      truncate(file.path, 1 << 29)
      let process = try workshop.start(["validate", project.path], environment: environment)
      usleep(pause)
      truncate(file.path, 0)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus != 0, "\(process.terminationStatus)")
    }
  }
}
