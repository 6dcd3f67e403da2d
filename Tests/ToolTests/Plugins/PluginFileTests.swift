import Foundation
import Testing

/// What of a plugin's folder is its own.
@Suite(.serialized) struct PluginFileTests {
  /// The cause of an error that rendering with READ_FILE ends in.
  private func said(at place: String, in workshop: PluginWorkshop) throws -> String {
    let plugin = try workshop.hostile("READ_FILE", fromFrame: 1, flags: ["-DPLACE=\"\(place)\""])
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    return try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"]).errors
  }

  @Test(
    .enabled(if: ConfinedPluginTests.sandbox.files, "needs Landlock"),
    arguments: ["read_file", "read_file.so.d", "read_file.so.1", "resources", ".resources", "other.resources"])
  func foldersOfOtherNames_areDenied(_ name: String) throws {
    let workshop = try PluginWorkshop()
    let folder = workshop.scratch.folder.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let secret = try workshop.scratch.file("\(name)/key.txt", "of the user")
    #expect(try said(at: secret.path, in: workshop).contains("the system said: Permission denied"))
  }

  @Test func libraryAndResources_besideThePlugin_areFound() throws {
    let workshop = try PluginWorkshop()
    let source = try workshop.scratch.file("word.c", "const char *beside_word(void) { return \"word\"; }")
    let library = workshop.scratch.folder.appending(path: "libbeside.so.1")
    let made = try ToolRun.program("cc", "-shared", "-fPIC", "-Wl,-soname,libbeside.so.1", "-o", library.path, source.path)
    try #require(made.status == 0, "\(made.errors)")
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "beside.c"),
      flags: ["-Wl,--no-as-needed", library.path, "-Wl,-rpath,$ORIGIN", "-Wl,-z,origin"], name: "beside")
    try FileManager.default.createDirectory(
      at: workshop.scratch.folder.appending(path: "beside.resources"), withIntermediateDirectories: true)
    _ = try workshop.scratch.file("beside.resources/text.txt", "text")
    for trust in [[], ["--trust-plugin", plugin.path]] {
      let result = try ToolRun.compositor(["plugins", "inspect", plugin.path] + trust)
      #expect(result.status == 0 && result.output.contains("word and text."), "\(result.output)\(result.errors)")
    }
  }

  /// The loader knows its bytes by another path.
  @Test func emptyFile_isNamedInTheReason() throws {
    let workshop = try PluginWorkshop()
    let file = try workshop.scratch.file("empty.so", "")
    for trust in [[], ["--trust-plugin", file.path]] {
      let result = try ToolRun.compositor(["plugins", "inspect", file.path] + trust)
      #expect(result.status == 69 && result.errors.contains("\(file.path): file too short"), "\(result.errors)")
      #expect(!result.errors.contains("/proc/self/fd"), "\(result.errors)")
    }
  }

  /// As in every other program, `..` after a link is the folder that contains its destination.
  @Test func pathThroughALink_leadsWhereTheSystemLeads() throws {
    let workshop = try PluginWorkshop()
    let root = workshop.scratch.folder
    try FileManager.default.createDirectory(at: root.appending(path: "far/inner"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: root.appending(path: "link"), withDestinationURL: root.appending(path: "far/inner"))
    func compile(_ name: String, to path: String) throws {
      let plugin = try workshop.compile(
        PluginWorkshop.fixtures.appending(path: "early.c"), flags: ["-DID=\"org.example.\(name)\""], name: name)
      try FileManager.default.moveItem(at: plugin, to: root.appending(path: path))
    }
    try compile("far", to: "far/p.so")
    for isBoth in [false, true] {
      if isBoth { try compile("near", to: "p.so") }
      for path in ["link/../p.so", "\(root.path)/link/../p.so"] {
        for trust in [[], ["--trust-plugin", "far/p.so"]] {
          let result = try ToolRun.compositor(["plugins", "inspect", path] + trust, in: root)
          #expect(
            result.status == 0 && result.output.contains("org.example.far") && !result.output.contains("org.example.near"),
            "\(path): \(result.output)\(result.errors)")
        }
      }
    }
  }
}
