import Foundation
import Testing

/// Digests and limits of plugins that a project states.
@Suite(.serialized) struct PinnedPluginTests {
  private static func project(
    _ workshop: PluginWorkshop, _ plugin: URL, keys: String, compositor: String = "org.example.hostile"
  ) throws -> URL {
    try project(workshop, entries: ["{ file: \"\(plugin.path)\"\(keys) }"], compositor: compositor)
  }

  private static func project(
    _ workshop: PluginWorkshop, entries: [String], compositor: String = "org.example.hostile"
  ) throws -> URL {
    try workshop.scratch.file(
      "pinned.json5",
      """
      { version: 1, output: { size: "64x64", frameRate: 25 }, assets: { bars: { generate: "bars" } },
        plugins: [\(entries.joined(separator: ", "))],
        tracks: [{ clips: [{ asset: "bars", duration: "1s" }] }],
        effects: [{ at: "0s", duration: "1s", compositor: "\(compositor)" }] }
      """)
  }

  private static func render(
    _ project: URL, _ workshop: PluginWorkshop, _ options: [String] = []
  ) throws -> ToolRun.Result {
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    return try ToolRun.compositor(
      ["render", project.path, "-o", output.path, "--progress", "none", "--overwrite"] + options)
  }

  private static func digest(_ file: URL) throws -> String {
    String(try ToolRun.program("sha256sum", file.path).output.prefix(64))
  }

  /// A plugin that says that it was loaded.
  private static func marked(_ workshop: PluginWorkshop) throws -> URL {
    let source = try workshop.scratch.file(
      "marked.c",
      """
      #include "\(PluginWorkshop.fixtures.path)/hostile.c"
      __attribute__((constructor)) static void mark(void) { fprintf(stderr, "constructor: ran\\n"); }
      """)
    return try workshop.compile(
      source, flags: ["-I", PluginWorkshop.fixtures.path, "-pthread", "-DDEED=PRINT", "-DFRAME=1000"], name: "marked")
  }

  @Test(arguments: [[], ["--trust-plugin"]])
  func digest_ofOtherBytes_keepsThePluginClosed(_ options: [String]) throws {
    let workshop = try PluginWorkshop()
    let plugin = try Self.marked(workshop)
    let options = options.flatMap { [$0, plugin.path] }
    let own = try Self.digest(plugin)
    for text in [own, "sha256:\(own)", own.uppercased()] {
      let project = try Self.project(workshop, plugin, keys: ", sha256: \"\(text)\"")
      let result = try Self.render(project, workshop, options)
      #expect(result.status == 0 && result.errors.contains("constructor: ran"), "\(result.errors)")
    }
    let other = String(own.reversed())
    let project = try Self.project(workshop, plugin, keys: ", sha256: \"\(other)\"")
    let result = try Self.render(project, workshop, options)
    #expect(result.status == 69)
    #expect(!result.errors.contains("constructor: ran"), "\(result.errors)")
    #expect(result.errors.contains("its SHA-256 is \(own)") && result.errors.contains("pinned.json5:2"), "\(result.errors)")
  }

  /// The entry without a digest comes first, and could let the file run before the other one is looked at.
  @Test(arguments: [[], ["--trust-plugin"]])
  func digest_inASecondEntry_keepsThePluginClosed(_ options: [String]) throws {
    let workshop = try PluginWorkshop()
    let plugin = try Self.marked(workshop)
    let link = workshop.scratch.folder.appending(path: "link.so")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: plugin)
    let digest = String(try Self.digest(plugin).reversed())
    for path in [plugin.path, "./marked.so", link.path] {
      let project = try Self.project(
        workshop, entries: ["\"\(plugin.path)\"", "{ file: \"\(path)\", sha256: \"\(digest)\" }"])
      let result = try Self.render(project, workshop, options.flatMap { [$0, plugin.path] })
      #expect(result.status == 69 && result.errors.contains("another plugin than required"), "\(result.errors)")
      #expect(!result.errors.contains("constructor: ran") && result.errors.contains("plugins[1]"), "\(result.errors)")
    }
  }

  @Test func entriesForOneFile_holdTogetherOrAreAMistake() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("HANG", fromFrame: 1)
    let (path, digest) = (plugin.path, try Self.digest(plugin))
    func entry(_ keys: String) -> String { "{ file: \"\(path)\", \(keys) }" }
    let together = try Self.project(
      workshop,
      entries: ["\"\(path)\"", entry("deadline: \"0.5s\""), entry("deadline: \"0.5s\", sha256: \"\(digest)\"")])
    let result = try Self.render(together, workshop)
    #expect(result.status != 0 && result.errors.contains("within 0.5 seconds"), "\(result.errors)")
    for (first, second, name) in [
      ("deadline: \"1s\"", "deadline: \"2s\"", "deadlines"), ("memory: 64", "memory: 65", "limits of memory"),
      ("sha256: \"\(digest)\"", "sha256: \"\(String(digest.reversed()))\"", "digests"),
    ] {
      let project = try Self.project(workshop, entries: [entry(first), "\"\(path)\"", entry(second)])
      let result = try ToolRun.compositor(["validate", project.path])
      let said = result.errors + result.output
      #expect(result.status == 65 && said.contains("listed twice, with different \(name)"), "\(result.status) \(said)")
      #expect(said.contains("plugins[2]"), "\(said)")
    }
  }

  @Test(arguments: [
    ("sha256: \"abc\"", "not a SHA-256"), ("memory: 1", "64"), ("deadline: \"0.01s\"", "0.1s"),
    ("deadline: \"10f\"", "not in frames"),
    ("limit: 3", "limit"),
  ])
  func requirements_thatMakeNoSense_areMistakes(_ key: String, _ text: String) throws {
    let workshop = try PluginWorkshop()
    let plugin = workshop.scratch.folder.appending(path: "missing.so")
    let result = try ToolRun.compositor(["validate", Self.project(workshop, plugin, keys: ", \(key)").path])
    #expect(result.status == 65 && (result.errors + result.output).contains(text), "\(result.errors)\(result.output)")
  }

  @Test func limits_ofAProject_holdUnlessTheCommandSaysOtherwise() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("HANG", fromFrame: 1)
    let project = try Self.project(workshop, plugin, keys: ", deadline: \"0.5s\"")
    let own = try Self.render(project, workshop)
    #expect(own.status != 0 && own.errors.contains("within 0.5 seconds"), "\(own.errors)")
    let other = try Self.render(project, workshop, ["--plugin-deadline", "1"])
    #expect(other.status != 0 && other.errors.contains("within 1.0 seconds"), "\(other.errors)")
    var source = try String(contentsOf: workshop.exampleSource(), encoding: .utf8)
    source.replace("#include <stdint.h>", with: "#include <stdint.h>\n#include <stdlib.h>")
    source.replace(
      "  const double strength =",
      with: """
          char *taken = malloc(150u << 20);
          if (!taken) return fail(error, COMPOSITOR_OUT_OF_MEMORY, "There are no 150 MiB.");
          memset(taken, request->source_count, 150u << 20);
          free(taken);
          const double strength =
        """)
    let hungry = try workshop.compile(workshop.scratch.file("hungry.c", source), name: "hungry")
    for (memory, isEnough) in [(100, false), (400, true)] {
      let project = try Self.project(workshop, hungry, keys: ", memory: \(memory)", compositor: "org.example.dimmer")
      let result = try Self.render(project, workshop)
      #expect((result.status == 0) == isEnough, "\(result.errors)")
      #expect(result.errors.contains("ran out of memory") == !isEnough, "\(result.errors)")
    }
  }
}
