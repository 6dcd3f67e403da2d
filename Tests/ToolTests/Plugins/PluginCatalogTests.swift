import Foundation
import Testing

/// Plugins of the search path are opened once, and then only those that are used.
@Suite(.serialized) struct PluginCatalogTests {
  private struct Shelf {
    let workshop: PluginWorkshop
    let environment: [String: String]

    /// Plugins that say when they are opened, each with an ID of its own.
    init(_ names: [String]) throws {
      workshop = try PluginWorkshop()
      let cache = workshop.scratch.folder.appending(path: "cache").path
      environment = ["COMPOSITOR_PLUGIN_PATH": workshop.scratch.folder.path, "COMPOSITOR_CACHE": cache]
      for name in names { try compile(name) }
    }

    /// Plugins named `m000` and so on.
    init(crowd count: Int) throws {
      try self.init(["m000"])
      let folder = workshop.scratch.folder
      let first = try Data(contentsOf: folder.appending(path: "m000.so"))
      let place = try #require(first.range(of: Data("org.example.m000".utf8)))
      for number in 1..<count {
        let name = "m" + String(1000 + number).dropFirst()
        var bytes = first
        bytes.replaceSubrange(place, with: Data("org.example.\(name)".utf8))
        try bytes.write(to: folder.appending(path: "\(name).so"))
      }
    }

    func compile(_ name: String, level: String = "plain") throws {
      _ = try workshop.compile(
        PluginWorkshop.fixtures.appending(path: "early.c"),
        flags: ["-DSECRET=\"/nowhere/key\"", "-DID=\"org.example.\(name)\"", "-DLABEL=\"\(level)\""], name: name)
    }

    /// The arguments that render a project with a compositor.
    func render(_ compositor: String) throws -> [String] {
      let project = try workshop.scratch.file(
        "p.json5",
        """
        { version: 1, output: { size: "64x36", frameRate: 25, audio: false },
          assets: { bars: { generate: "bars", size: "64x36", frameRate: 25 } },
          tracks: [{ clips: [{ asset: "bars", duration: "0.2s" }] }],
          effects: [{ at: "0s", duration: "0.2s", compositor: "\(compositor)" }] }
        """)
      return ["render", project.path, "-o", "o.mp4", "--overwrite", "--progress", "none", "--threads", "1"]
    }

    func run(_ arguments: [String]) throws -> (output: String, opened: [String]) {
      let result = try ToolRun.compositor(arguments, in: workshop.scratch.folder, environment: environment)
      #expect(result.status == 0, "\(result.errors)")
      let opened = result.errors.split(separator: "\n").compactMap { $0.firstMatch(of: /plugin (\w+)\.so: early: ran/)?.1 }
      return (result.output, Set(opened.map(String.init)).sorted())
    }
  }

  @Test func list_opensEachFileOnce_untilItChanges() throws {
    let names = ["one", "two", "three"]
    let shelf = try Shelf(names)
    #expect(try shelf.run(["plugins", "list"]).opened == names.sorted())
    let again = try shelf.run(["plugins", "list"])
    #expect(again.opened.isEmpty)
    for name in names { #expect(again.output.contains("org.example.\(name)"), "\(again.output)") }
    try shelf.compile("two", level: "other")
    let changed = try shelf.run(["plugins", "list"])
    #expect(changed.opened == ["two"] && changed.output.contains("other"), "\(changed.output)")
    try FileManager.default.removeItem(at: shelf.workshop.scratch.folder.appending(path: "three.so"))
    #expect(try !shelf.run(["plugins", "list"]).output.contains("org.example.three"))
  }

  @Test(arguments: [false, true]) func render_opensOnlyWhatItNames(_ isKnown: Bool) throws {
    let shelf = try Shelf(["a", "b", "last"])
    if isKnown { _ = try shelf.run(["plugins", "list"]) }
    let render = try shelf.render("org.example.last")
    #expect(try shelf.run(render).opened == ["last"])
    #expect(try shelf.run(render).opened == ["last"])
  }

  /// Finding a compositor takes the IDs of plugins alone.
  @Test func longDescription_isReadAgainOnlyWhereItIsShown() throws {
    let shelf = try Shelf(["other"])
    _ = try shelf.workshop.compile(
      PluginWorkshop.fixtures.appending(path: "lengthy.c"), flags: ["-DWORDS=4000", "-DPARAMETERS=8"], name: "lengthy")
    #expect(try shelf.run(["plugins", "list"]).opened == ["lengthy", "other"])
    #expect(try shelf.run(["plugins", "list"]).opened == ["lengthy"])
    #expect(try shelf.run(shelf.render("org.example.other")).opened == ["other"])
  }

  /// A worker of each that stayed would need 1500 descriptors.
  @Test func crowd_isListedWithFewDescriptors() throws {
    let shelf = try Shelf(crowd: 300)
    let result = try ToolRun.run(
      URL(filePath: "/bin/sh"), ["-c", "ulimit -n 512 && exec \"$0\" plugins list", ToolRun.tool.path],
      environment: shelf.environment)
    // Plugins of the system may be broken.
    let broken = result.output.split(separator: "\n").filter {
      $0.contains(shelf.workshop.scratch.folder.path) && $0.contains("cannot be used")
    }
    #expect(result.status == 0 && broken.isEmpty, "\(broken)\(result.errors)")
    for number in 1000..<1300 { #expect(result.output.contains("org.example.m" + String(number).dropFirst())) }
  }

  /// 200 plugins: listed when nothing is known of them and again, and the last of them in a render, unknown and known.
  @Test func crowd_isListedAtOnce_andRenderedAlone() throws {
    let shelf = try Shelf(crowd: 200)
    let folder = shelf.workshop.scratch.folder
    let render = try shelf.render("org.example.m199")
    func timed(_ arguments: [String]) throws -> (seconds: Double, output: String, opened: [String]) {
      let start = ContinuousClock.now
      let run = try shelf.run(arguments)
      return ((ContinuousClock.now - start) / .seconds(1), run.output, run.opened)
    }
    let unlisted = try timed(render)
    try? FileManager.default.removeItem(at: folder.appending(path: "cache"))
    let (cold, warm, known) = (try timed(["plugins", "list"]), try timed(["plugins", "list"]), try timed(render))
    for number in [0, 100, 199] { #expect(cold.output.contains("org.example.m" + String(1000 + number).dropFirst())) }
    #expect(warm.output == cold.output && warm.opened.isEmpty && known.opened == ["m199"])
    #expect(warm.seconds < 3, "a second, on an idle machine")
    let times = [("list, unknown", cold), ("list, known", warm), ("render, unknown", unlisted), ("render, known", known)]
    print("200 plugins: " + times.map { "\($0.0) \(($0.1.seconds * 100).rounded() / 100) s" }.joined(separator: ", "))
  }
}
