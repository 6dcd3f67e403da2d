import Foundation
import Testing

/// `--require-isolation` is decided from what the system has, before anything of a plugin is opened, by every command that touches one:
/// not even a constructor runs.
@Suite(.serialized) struct RequiredIsolationTests {
  private static func commands(_ plugin: URL, _ project: URL, in folder: URL) -> [[String]] {
    let output = folder.appending(path: "out.mp4").path
    return [
      ["plugins", "inspect", plugin.path], ["plugins", "check", plugin.path], ["plugins", "list"],
      ["plugins", "bench", plugin.path, "--frames", "10"],
      ["bench", "--compositor", plugin.path, "--work", "W2", "--size", "64x36", "--threads", "1", "--repetitions", "1"],
      ["bench", project.path, "--threads", "1", "--repetitions", "1", "--frames", "2"],
      ["render", project.path, "-o", output, "--overwrite", "--progress", "none"],
      ["frame", project.path, "--at", "0s", "-o", folder.appending(path: "out.png").path, "--overwrite"],
      ["validate", project.path], ["diagram", project.path],
      [
        "join", clip(in: folder), clip(in: folder), "--transition", "org.example.early:0.2s", "--plugin", plugin.path, "-o",
        output,
        "--overwrite",
      ],
    ]
  }

  private static func clip(in folder: URL) -> String { folder.appending(path: "clip.mp4").path }

  private func prepare(_ wall: MissingWall) throws -> (plugin: URL, project: URL, secret: URL) {
    let secret = try wall.workshop.scratch.file("key.txt", "the key")
    let plugin = try wall.workshop.compile(
      PluginWorkshop.fixtures.appending(path: "early.c"), flags: ["-DSECRET=\"\(secret.path)\""], name: "early")
    let project = try wall.workshop.project(plugin, compositor: "org.example.early")
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=1", "-pix_fmt", "yuv420p",
      Self.clip(in: wall.workshop.scratch.folder))
    try #require(made.status == 0, "\(made.errors)")
    return (plugin, project, secret)
  }

  @Test(
    .enabled(if: geteuid() == 0 && MissingWall.isPossible(for: 0), "needs root and a process namespace"),
    arguments: [MissingWall.Kind.namespaces, .landlock, .seccomp])
  func everyCommand_withoutAWall_refusesBeforeAnythingRuns(_ kind: MissingWall.Kind) throws {
    let wall = try MissingWall(user: 0)
    let (plugin, project, secret) = try prepare(wall)
    let path = ["COMPOSITOR_PLUGIN_PATH=\(wall.workshop.scratch.folder.path)", "COMPOSITOR_CACHE="]
    for command in Self.commands(plugin, project, in: wall.workshop.scratch.folder) {
      let result = try wall.run(kind, command + ["--require-isolation"], environment: path)
      // A diagram wraps its sentences.
      let said = (result.errors + result.output).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      // A diagram shows what is wrong with a project instead of ending with it.
      #expect(result.status == (command[0] == "diagram" ? 0 : 69), "\(kind) \(command): \(result.status) \(said)")
      #expect(said.contains("This system cannot deny plugins: \(kind.missing ?? "")."), "\(kind) \(command): \(said)")
      #expect(!said.contains("early: ran") && !said.contains("the key"), "\(kind) \(command): \(said)")
      #expect(!FileManager.default.fileExists(atPath: secret.path + ".left"), "\(kind) \(command)")
    }
  }

  /// Where nothing is missing, the same commands do what they do.
  @Test(
    .enabled(if: ConfinedPluginTests.sandbox.files && ConfinedPluginTests.sandbox.processList, "needs namespaces and Landlock"),
    .enabled(if: geteuid() == 0 && MissingWall.isPossible(for: 0), "needs root and a process namespace"))
  func everyCommand_withEveryWall_goesOn() throws {
    let wall = try MissingWall(user: 0)
    let (plugin, project, secret) = try prepare(wall)
    let path = ["COMPOSITOR_PLUGIN_PATH=\(wall.workshop.scratch.folder.path)", "COMPOSITOR_CACHE="]
    // A benchmark of isolation takes minutes in a debug build.
    let all = Self.commands(plugin, project, in: wall.workshop.scratch.folder)
    for command in all where command[0...1] != ["plugins", "bench"] {
      let result = try wall.run(.nothing, command + ["--require-isolation"], environment: path)
      // It has labels that a check finds too short.
      #expect(result.status == (command[1] == "check" ? 65 : 0), "\(command): \(result.status) \(result.errors)")
      #expect(!result.errors.contains("the key"), "\(command): \(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: secret.path + ".left"), "\(command)")
    }
  }
}
