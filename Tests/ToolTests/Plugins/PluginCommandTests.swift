import Foundation
import Testing

/// From nothing to a rendered movie with a plugin of one's own.
@Suite(.serialized) struct PluginCommandTests {
  @Test func newPlugin_inC_isBuiltCheckedListedAndUsed() throws {
    let workshop = try PluginWorkshop()
    _ = try workshop.exampleSource()
    let folder = workshop.scratch.folder.appending(path: "dimmer")
    let make = { (target: [String]) in
      try ToolRun.run(URL(filePath: "/usr/bin/env"), ["make"] + target + ["COMPOSITOR=\(ToolRun.tool.path)"], in: folder)
    }
    let built = try make([])
    try #require(built.status == 0, "\(built.errors)")
    let checked = try make(["test"])
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    #expect(checked.output.contains("none failed"))
    let shown = try make(["demo"])
    #expect(shown.status == 0, "\(shown.errors)")
    let streams = try ToolRun.streams(folder.appending(path: "demo.mp4"))
    #expect(streams.first?["nb_read_frames"] == "50")

    let environment = ["env", "COMPOSITOR_PLUGIN_PATH=\(folder.path)", ToolRun.tool.path, "plugins"]
    let listed = try ToolRun.run(URL(filePath: "/usr/bin/env"), Array(environment.dropFirst()) + ["list"])
    #expect(listed.status == 0 && listed.output.contains("org.example.dimmer"), "\(listed.errors)")
    let inspected = try ToolRun.run(
      URL(filePath: "/usr/bin/env"), Array(environment.dropFirst()) + ["inspect", "org.example.dimmer"])
    #expect(inspected.status == 0 && inspected.output.contains("strength: a number 0.0 … 1.0 fraction, by default 0.7"))
    #expect(inspected.output.contains("in a process of its own"))
  }

  /// A plugin with an audio processor alone.
  @Test func audioProcessor_isListedAndDescribed() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "processor.c"), flags: ["-DGAIN"], name: "processor")
    let folder = workshop.scratch.folder.path
    let environment = ["COMPOSITOR_PLUGIN_PATH": folder, "COMPOSITOR_CACHE": folder]
    // The second time it is known from the catalog.
    for _ in 0..<2 {
      let listed = try ToolRun.compositor(["plugins", "list"], environment: environment)
      #expect(listed.output.contains(#/org.example.halver +audio  Halver 1.0.0/#), "\(listed.output)\(listed.errors)")
    }
    for (name, options) in [(plugin.path, []), ("org.example.halver", []), (plugin.path, ["--trust-plugin", plugin.path])] {
      let inspected = try ToolRun.compositor(["plugins", "inspect", name] + options, environment: environment)
      #expect(inspected.output.contains("org.example.halver  Halver 1.0.0"), "\(inspected.output)\(inspected.errors)")
      #expect(inspected.output.contains("gain: a number 0.0 … 1.0, by default 0.5"), "\(inspected.output)")
      #expect(inspected.output.contains("only a trusted plugin") == options.isEmpty, "\(inspected.output)")
    }
  }

  /// A frame that fails ends a benchmark as it ends a render: with the plugin's own error, and without a word of calls it didn't make.
  @Test func failedFrame_endsABenchmarkAsItEndsARender() throws {
    let workshop = try PluginWorkshop()
    var source = try String(contentsOf: workshop.exampleSource(), encoding: .utf8)
    let marker = try #require(source.firstRange(of: "static int32_t render("))
    let body = try #require(source[marker.upperBound...].firstIndex(of: "{"))
    source.insert(contentsOf: " if (request) return -77;", at: source.index(after: body))
    let plugin = try workshop.compile(workshop.scratch.file("fails.c", source), name: "fails")
    let benched = try ToolRun.compositor(["plugins", "bench", plugin.path, "--frames", "10"])
    let project = try workshop.project(plugin, compositor: "org.example.dimmer")
    let rendered = try ToolRun.compositor(
      ["render", project.path, "-o", workshop.scratch.folder.appending(path: "o.mp4").path, "--progress", "none"])
    #expect(benched.status == 69 && rendered.status == 69, "\(benched.errors)\(rendered.errors)")
    #expect(benched.errors.contains("-77") && !benched.errors.contains("denied"), "\(benched.errors)")
  }

  @Test func parameterOutOfRange_isToldBeforeRenderingWithItsInstruction() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(workshop.exampleSource())
    let project = try workshop.project(plugin, compositor: "org.example.dimmer", parameters: "{ strength: 1.5 }")
    let result = try ToolRun.compositor(["validate", project.path])
    #expect(result.status == 65)
    #expect(
      result.errors.contains("at effects[0].parameters.strength: In org.example.dimmer, “strength” is 1.5."),
      "\(result.output)\(result.errors)")
  }

  @Test func isolatedAndTrusted_giveTheSameFrames() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(workshop.exampleSource())
    let project = try workshop.project(plugin, compositor: "org.example.dimmer")
    let pictures = try [[], ["--trust-plugin", plugin.path]].map { arguments in
      let file = workshop.scratch.folder.appending(path: "\(arguments.count).png")
      let result = try ToolRun.compositor(["frame", project.path, "--at", "1s", "-o", file.path] + arguments)
      try #require(result.status == 0, "\(result.errors)")
      return try Data(contentsOf: file)
    }
    #expect(pictures[0] == pictures[1])
  }

  @Test func join_transitionOfAPlugin_isRenderedFromItsFileAndFromTheSearchPath() throws {
    let workshop = try PluginWorkshop()
    let scratch = workshop.scratch
    let text = try String(contentsOf: try workshop.exampleSource(), encoding: .utf8)
    let source = try workshop.exampleSource().deletingLastPathComponent().appending(path: "transition.c")
    try Data(text.replacing("COMPOSITOR_ROLE_EFFECT", with: "COMPOSITOR_ROLE_TRANSITION").utf8).write(to: source)
    let plugin = try workshop.compile(source)
    for name in ["a.mkv", "b.mkv"] { _ = try scratch.clip(name, seconds: 2, sound: false) }
    let join = ["join", "a.mkv", "b.mkv", "--progress", "none", "--transition", "org.example.dimmer:1s", "-o"]
    let named = try ToolRun.compositor(join + ["named.mkv", "--plugin", plugin.path], in: scratch.folder)
    #expect(named.status == 0, "\(named.errors)")
    let found = try ToolRun.compositor(
      join + ["found.mkv"], in: scratch.folder, environment: ["COMPOSITOR_PLUGIN_PATH": scratch.folder.path])
    #expect(found.status == 0, "\(found.errors)")
    #expect(try ToolRun.streams(scratch.file("named.mkv")).first?["nb_read_frames"] == "75")
    #expect(try Data(contentsOf: scratch.file("named.mkv")) == Data(contentsOf: scratch.file("found.mkv")))
    let cut = try ToolRun.compositor(
      ["join", "a.mkv", "b.mkv", "--transition", "dissolve:1s", "-o", "plain.mkv", "--progress", "none"], in: scratch.folder)
    #expect(cut.status == 0)
    #expect(try Data(contentsOf: scratch.file("named.mkv")) != Data(contentsOf: scratch.file("plain.mkv")))
  }

  /// An effect changes one clip: as a transition, it would show the old clip and then cut.
  @Test func effect_asATransition_isRefusedByJoinAndInProjects() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(workshop.exampleSource())
    let scratch = workshop.scratch
    for name in ["a.mkv", "b.mkv"] { _ = try scratch.clip(name, seconds: 2, sound: false) }
    let joined = try ToolRun.compositor(
      ["join", "a.mkv", "b.mkv", "--transition", "org.example.dimmer:1s", "--plugin", plugin.path, "-o", "x.mkv"],
      in: scratch.folder)
    #expect(joined.status == 65, "\(joined.errors)")
    #expect(
      joined.errors.contains("--transition: \"org.example.dimmer\" is an effect, which changes one clip."), "\(joined.errors)")
    let project = try scratch.file(
      "x.json5",
      """
      { version: 1, plugins: ["\(plugin.path)"], assets: { a: "a.mkv", b: "b.mkv" }, tracks: [{ clips: [{ asset: "a" },
        { asset: "b", transition: { compositor: "org.example.dimmer", duration: "1s" } }] }] }
      """)
    let checked = try ToolRun.compositor(["validate", project.path])
    let said = checked.output + checked.errors
    #expect(
      checked.status == 65 && said.contains("x.json5:2:") && said.contains("\"org.example.dimmer\" is an effect"), "\(said)")
    let written = try scratch.file(
      "y.json5", try String(contentsOf: project, encoding: .utf8).replacing("compositor: \"org", with: "type: \"org"))
    let typed = try ToolRun.compositor(["validate", written.path])
    #expect(
      typed.status == 65 && (typed.output + typed.errors).contains("Write compositor: \"org.example.dimmer\" instead of type."))
  }

  @Test(arguments: [
    (
      ["--transition", "org.example.none:1s"], 69,
      "--transition: There is no compositor \"org.example.none\". Name its plugin with --plugin"
    ),
    (["--transition", "org.example.none"], 64, "has no duration. Write \"org.example.none:1s\"."),
    (["--transition", "org.example.none:1s", "--plugin", "gone.so"], 66, "gone.so: There is no such plugin. Check the path."),
    (["--plugin", "gone.so"], 64, "--plugin requires --transition."),
  ])
  func join_transitionOfNoPlugin_isRefusedInWords(_ arguments: [String], _ status: Int32, _ says: String) throws {
    let scratch = try Scratch()
    for name in ["a.mkv", "b.mkv"] { _ = try scratch.clip(name, seconds: 2, sound: false) }
    let result = try ToolRun.compositor(
      ["join", "a.mkv", "b.mkv", "-o", "x.mkv"] + arguments, in: scratch.folder,
      environment: ["COMPOSITOR_PLUGIN_PATH": scratch.folder.path])
    #expect(result.status == status && result.errors.contains(says), "\(result.errors)")
    #expect(try scratch.names() == ["a.mkv", "b.mkv"])
  }

  /// `struct_size` says how long a struct is: fields beyond it are zero, and unknown ones are ignored.
  @Test func structs_longerOrShorter_areReadAsFarAsTheyReach() throws {
    let workshop = try PluginWorkshop()
    let header = try String(contentsOf: PluginWorkshop.header, encoding: .utf8)
    let longer =
      header.replacing("  int32_t reserved;          /* 0 */\n};", with: "  int32_t reserved;\n  double more[8];\n};")
      .replacing("\n} CompositorPlugin;", with: "\n  const char *more;\n} CompositorPlugin;")
      .replacing("} CompositorRequest;", with: "  double more;\n} CompositorRequest;")
    let first = try #require(header.range(of: "  int32_t (*needs)(void *instance"))
    let last = try #require(header.range(of: "\n};", range: first.lowerBound..<header.endIndex))
    let shorter = header.replacingCharacters(in: first.lowerBound..<last.lowerBound, with: "")
    #expect(longer.contains("more[8]") && longer.contains("double more;") && longer.contains("char *more;"))
    for (name, text) in [("longer", longer), ("shorter", shorter)] {
      let plugin = try workshop.compile(workshop.exampleSource(), header: text, name: name)
      let project = try workshop.project(plugin, compositor: "org.example.dimmer")
      let output = workshop.scratch.folder.appending(path: "\(name).mp4")
      let result = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"])
      #expect(result.status == 0, "\(name): \(result.errors)")
    }
  }

  @Test(arguments: [0, 2, -1]) func anotherVersionOfTheInterface_isRefused(_ version: Int) throws {
    let workshop = try PluginWorkshop()
    let header = try String(contentsOf: PluginWorkshop.header, encoding: .utf8)
      .replacing("#define COMPOSITOR_ABI_VERSION 1", with: "#define COMPOSITOR_ABI_VERSION \(version)")
    let plugin = try workshop.compile(workshop.exampleSource(), header: header, name: "other")
    let project = try workshop.project(plugin, compositor: "org.example.dimmer")
    let result = try ToolRun.compositor(["validate", project.path])
    let message = "The plugin is of version \(version) of compositor_plugin.h; this program supports version 1."
    #expect(result.status == 69 && (result.output + result.errors).contains(message), "\(result)")
  }

  @Test func checkOfABadPlugin_saysWhatToDo() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("OVERRUN_BY_ONE", fromFrame: 0)
    let result = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(result.status == 65)
    #expect(result.output.contains("FAILED   borders"), "\(result.output)")
    #expect(result.output.contains("→ Write each pixel of the output, and nothing else."))
  }

  @Test func checkOfAPluginThatCrashes_goesOnToTheEnd() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("CRASH", fromFrame: 10)
    let result = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(result.status == 65)
    #expect(result.output.contains("FAILED   determinism") && result.output.contains("segmentation fault"), "\(result.output)")
    #expect(result.output.contains("ok       speed"), "\(result.output)")
  }

  @Test func fileThatIsNoPlugin_isRefusedInWords() throws {
    let workshop = try PluginWorkshop()
    let text = try workshop.scratch.file("text.so", "not a library")
    for (file, status, words) in [(text.path, 69, "cannot be loaded"), ("/nowhere/x.so", 66, "There is no such plugin")] {
      let result = try ToolRun.compositor(["plugins", "inspect", file])
      #expect(Int(result.status) == status && result.errors.contains(words), "\(result.errors)")
    }
  }

  @Test func fileOfAProjectThatIsNoPlugin_isRefusedWithItsPlace() throws {
    let workshop = try PluginWorkshop()
    let scratch = workshop.scratch
    _ = try scratch.file(
      "p.json5",
      "{ version: 1, plugins: ['gone.so'], assets: { a: { generate: 'bars' } },\n"
        + "  tracks: [{ clips: [{ asset: 'a', duration: '1s', effects: [{ use: 'org.example.none' }] }] }] }")
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4"], in: scratch.folder)
    #expect(result.status == 66, "\(result.errors)")
    for words in ["p.json5:1:25, at plugins[0]: ", "gone.so: There is no such plugin. Check the path."] {
      #expect(result.errors.contains(words), "\(result.errors)")
    }
  }

  @Test(arguments: [
    (".struct_size = sizeof(CompositorPlugin)", ".struct_size = 0", "must set struct_size to sizeof(CompositorPlugin)"),
    (
      ".struct_size = sizeof(CompositorDescription)", ".struct_size = 0",
      "must set struct_size to sizeof(CompositorDescription)"
    ),
    (".number = 0.7", ".number = 7", "has the default 7.0, which is not a number 0.0 … 1.0 fraction"),
  ])
  func mistakesInADescription_areToldByTheirName(_ mistake: (right: String, wrong: String, says: String)) throws {
    let workshop = try PluginWorkshop()
    let text = try String(contentsOf: workshop.exampleSource(), encoding: .utf8)
    #expect(text.contains(mistake.right))
    let source = try workshop.scratch.file("mistaken.c", text.replacing(mistake.right, with: mistake.wrong))
    let result = try ToolRun.compositor(["plugins", "inspect", workshop.compile(source).path])
    #expect(result.status == 69 && result.errors.contains(mistake.says), "\(result.errors)")
  }

  @Test func pluginForAnotherMachine_isToldAsSuch() throws {
    let workshop = try PluginWorkshop()
    let file = workshop.scratch.folder.appending(path: "other.so")
    // A library's header for MIPS (8), and nothing behind it.
    let header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9) + [3, 0, 8, 0]
    try Data(header + [UInt8](repeating: 0, count: 4000)).write(to: file)
    let result = try ToolRun.compositor(["plugins", "inspect", file.path])
    #expect(result.status == 69 && result.errors.contains("built for machine 8, and this is"), "\(result.errors)")
  }

  @Test func printedHeader_isTheHeader() throws {
    let header = try ToolRun.compositor(["plugins", "header"])
    #expect(header.output == (try String(contentsOf: PluginWorkshop.header, encoding: .utf8)))
  }

  @Test func newPlugin_withAnImpossibleName_isRefused() throws {
    let workshop = try PluginWorkshop()
    let result = try ToolRun.compositor(["plugins", "new", "Not A Name", "--language", "c"], in: workshop.scratch.folder)
    #expect(result.status == 65 && result.errors.contains("small letters"), "\(result.errors)")
    #expect(try workshop.scratch.names().isEmpty)
  }
}
