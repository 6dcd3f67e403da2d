import CompositorAPI
import Foundation
import Testing

/// A plugin has a say in everything that its process tells of it: the host believes no description, and no word on the walls.
@Suite struct ForgedDescriptionTests {
  struct Forgery: Sendable, CustomTestStringConvertible {
    var name: String
    /// What the description says, and what it is made to say, as C writes them.
    var from: String
    var to: String
    /// What the one error says; nil where the description is taken and its text cleaned.
    var says: String?
    var testDescription: String { name }
  }

  private static let id = #"\"org.example.forged\""#

  private static func lists(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  static let forgeries = [
    Forgery(name: "ID with an escape sequence", from: id, to: #"\"a\\u001b]0;x\\u0007\""#, says: "invalid characters"),
    Forgery(name: "ID of two lines", from: id, to: #"\"a\\nb\""#, says: "invalid characters"),
    Forgery(name: "ID that turns the text around", from: id, to: #"\"a\\u202eb\""#, says: "invalid characters"),
    Forgery(name: "no ID", from: id, to: #"\"\""#, says: "is empty"),
    Forgery(name: "long ID", from: id, to: "\\\"" + String(repeating: "a", count: 201) + "\\\"", says: "too long"),
    Forgery(name: "ID of the host's", from: id, to: #"\"builtin.layer\""#, says: "reserved for the host's own"),
    Forgery(name: "ID of a filter", from: id, to: #"\"avfilter.gblur\""#, says: "reserved for filters"),
    Forgery(name: "key with an escape sequence", from: #"\"level\""#, to: #"\"a\\u001b[31m\""#, says: "invalid characters"),
    Forgery(name: "key that stands twice", from: #"\"level\""#, to: #"\"notes\""#, says: "“notes” twice"),
    Forgery(name: "range upside down", from: #"\"minimum\":1"#, to: #"\"minimum\":100"#, says: "no range"),
    Forgery(
      name: "default out of its range", from: #"\"maximum\":9"#, to: #"\"maximum\":2"#, says: "which is not a number 1.0 … 2.0"),
    Forgery(
      name: "default of many lists inside each other", from: #"\"defaultValue\":5"#,
      to: #"\"defaultValue\":["# + Array(repeating: lists(400), count: 10).joined(separator: ",") + "]",
      says: "sent an invalid message"),
    Forgery(
      name: "frames in order", from: #"\"concurrency\":\"concurrent\""#, to: #"\"concurrency\":\"inOrder\""#,
      says: "keeps state from frame to frame"),
    Forgery(
      name: "frames of a device", from: #"\"concurrency\":\"concurrent\""#,
      to: #"\"device\":\"cuda\",\"concurrency\":\"concurrent\""#, says: "frames of the device “cuda”"),
    Forgery(
      name: "very many formats", from: #"\"outputFormats\":[]"#,
      to: #"\"outputFormats\":["# + Array(repeating: #"\"yuv420p\""#, count: 1001).joined(separator: ",") + "]",
      says: "more than 1000 formats"),
    Forgery(
      name: "very many aliases", from: #"\"aliases\":[]"#,
      to: #"\"aliases\":["# + (1000..<4000).map { #"\"alias\#($0)\""# }.joined(separator: ",") + "]"),
    Forgery(name: "name with an escape sequence", from: #"\"Plain\""#, to: #"\"a\\u001b]0;x\\u0007\""#),
    // One character to the reader.
    Forgery(
      name: "name of very many marks", from: #"\"Plain\""#, to: #"\"e"# + String(repeating: #"\\u0301"#, count: 15_000) + #"\""#
    ),
    Forgery(name: "summary of two lines", from: #"\"Some level.\""#, to: #"\"Some\\n\\u009b31m level.\""#),
  ]

  private func compile(_ flags: [String], in workshop: PluginWorkshop) throws -> URL {
    try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "forged.c"),
      flags: ["-I", PluginWorkshop.fixtures.path, "-Wno-unused-function"] + flags,
      name: "forged")
  }

  /// Whether a text has a character that moves a cursor or changes a terminal's state.
  private func hasControls(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7f..<0xa0).contains($0.value) || $0.value == 0x202e }
  }

  @Test(arguments: forgeries) func description_forgedInTheWorker_isRefusedOrCleaned(_ forgery: Forgery) throws {
    let workshop = try PluginWorkshop()
    let plugin = try compile(["-DFROM=\"\(forgery.from)\"", "-DTO=\"\(forgery.to)\""], in: workshop)
    for command in [["plugins", "inspect", plugin.path], ["plugins", "list", plugin.path]] {
      let result = try ToolRun.compositor(command)
      #expect(!hasControls(result.output) && !hasControls(result.errors), "\(result.output)\(result.errors)")
      let lines = (result.output + result.errors).split(separator: "\n").map(\.utf8.count)
      #expect(lines.allSatisfy { $0 < 20_000 }, "\(lines.max() ?? 0) bytes")
      guard command[1] == "inspect" else { continue }
      #expect((result.status == 0) == (forgery.says == nil), "\(result.status) \(result.errors)")
      if let says = forgery.says {
        #expect(result.errors.contains(says) && result.errors.contains(plugin.path), "\(result.errors)")
      }
    }
  }

  /// Comparing such strings takes the square of their length: hours.
  @Test(
    arguments: [
      ("ID", ["-DFROM=\"\(id)\"", #"-DTO="\"e""#, #"-DTAIL="\"""#], "invalid characters"),
      ("name", [#"-DFROM="\"Plain\"""#, #"-DTO="\"e""#, #"-DTAIL="\"""#], nil),
      ("unknown key", [#"-DFROM="\"notes\":[""#, #"-DTO="\"e""#, #"-DTAIL="\":0,\"notes\":[""#], "sent an invalid message"),
      (
        "unknown key of an error",
        [#"-DFROM="\"notes\":[""#, #"-DTO="\"code\":1,\"message\":\"x\",\"e""#, #"-DTAIL="\":0,\"notes\":[""#, "-DKIND=65"],
        "sent an invalid message"
      ),
    ] as [(String, [String], String?)])
  func string_ofAMillionMarks_prolongsNoDeadline(_ name: String, _ flags: [String], _ says: String?) throws {
    let workshop = try PluginWorkshop()
    let plugin = try compile(flags + ["-DMARKS=1000000"], in: workshop)
    let start = ContinuousClock.now
    let result = try ToolRun.compositor(["plugins", "inspect", plugin.path, "--plugin-deadline", "20"])
    #expect(ContinuousClock.now - start < .seconds(40))
    #expect((result.status == 0) == (says == nil), "\(result.status) \(result.errors)")
    if let says { #expect(result.errors.contains(says), "\(result.errors)") }
  }

  /// The checks of the names take seconds, and belong to the deadline.
  @Test func names_thatAreCheckedAtTheDeadline_areLate() throws {
    let workshop = try PluginWorkshop()
    let flags = [#"-DFROM="\"aliases\":[]""#, #"-DTO="\"aliases\":[""#, #"-DTAIL="]""#, "-DWORDS=120000"]
    let plugin = try compile(flags, in: workshop)
    let start = ContinuousClock.now
    let result = try ToolRun.compositor(["plugins", "inspect", plugin.path, "--plugin-deadline", "0.5"])
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(result.status == 75 && result.errors.contains(plugin.path), "\(result.status) \(result.errors)")
  }

  /// In plain words, by the header.
  @Test func presets_withTooManyValues_areRefused() throws {
    let workshop = try PluginWorkshop()
    for (count, isTaken) in [(50, true), (51, false)] {
      let plugin = try workshop.compile(
        PluginWorkshop.fixtures.appending(path: "lengthy.c"),
        flags: ["-DWORDS=2", "-DPARAMETERS=\(count)", "-DPRESETS=1000"], name: "lengthy\(count)")
      let result = try ToolRun.compositor(["plugins", "inspect", plugin.path])
      #expect((result.status == 0) == isTaken, "\(result.status) \(result.errors)")
      #expect(result.errors.contains("more than 50000 values") == !isTaken, "\(result.errors)")
    }
  }

  /// In plain words, by the header.
  @Test func choice_withTooManyWords_isRefused() throws {
    let workshop = try PluginWorkshop()
    for (count, isTaken) in [(10_000, true), (10_001, false)] {
      let plugin = try workshop.compile(
        PluginWorkshop.fixtures.appending(path: "lengthy.c"), flags: ["-DWORDS=\(count)"], name: "words\(count)")
      let result = try ToolRun.compositor(["plugins", "inspect", plugin.path, "--plugin-deadline", "60"])
      #expect((result.status == 0) == isTaken, "\(result.status) \(result.errors)")
      #expect(result.errors.contains("more than 10000 choices") == !isTaken, "\(result.errors)")
    }
  }

  /// The answer that describes a plugin becomes an error: that of a cancellation, which no one requested.
  @Test func cancellation_insteadOfADescription_isTheFaultOfThePlugin() throws {
    let workshop = try PluginWorkshop()
    let code = CompositorError.Code.cancelled.rawValue
    let flags = [#"-DFROM="\"notes\":[""#, #"-DTO="\"code\":\#(code),\"message\":\"x\",\"notes\":[""#, "-DKIND=65"]
    let plugin = try compile(flags, in: workshop)
    let project = try workshop.project(plugin, compositor: "org.example.forged")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    for command in [
      ["plugins", "inspect", plugin.path], ["plugins", "check", plugin.path],
      ["render", project.path, "-o", output.path, "--progress", "none"],
    ] {
      let result = try ToolRun.compositor(command)
      #expect(result.status == 69 && result.errors.contains("reports a cancellation that wasn't requested"), "\(result.errors)")
      #expect(result.errors.contains(plugin.path), "\(result.errors)")
    }
  }

  /// The forgery itself works: without it the description says what it says.
  @Test func description_changedWithinTheRules_isTaken() throws {
    let workshop = try PluginWorkshop()
    for (flags, name) in [
      ([], "org.example.forged"), ([#"-DFROM="example.forged""#, #"-DTO="example.other""#], "org.example.other"),
    ] {
      let result = try ToolRun.compositor(["plugins", "inspect", try compile(flags, in: workshop).path])
      #expect(result.status == 0 && result.output.contains(name), "\(result.output)\(result.errors)")
    }
  }

  /// The host reads files that parameters name: the edit names them, a plugin's default must not.
  @Test func fileParameter_withAPathForItsDefault_isRefused() throws {
    let workshop = try PluginWorkshop()
    let secret = try workshop.scratch.file("secret.txt", "nobody's business")
    let honest = try compile(["-DTEXT_FILE=\"\(secret.path)\""], in: workshop)
    let refused = try ToolRun.compositor(["plugins", "inspect", honest.path])
    #expect(refused.status == 69 && refused.errors.contains("a default file"), "\(refused.errors)")
    let forged = try compile([#"-DFROM="\"string\":\"\"""#, "-DTO=\"\\\"string\\\":\\\"\(secret.path)\\\"\""], in: workshop)
    let said = try ToolRun.compositor(["plugins", "inspect", forged.path])
    // However values are written: either the forgery finds nothing to change, or it is refused.
    #expect(!said.output.contains(secret.path), "\(said.output)")
    // None given: the plugin gets an empty text.
    let project = try workshop.project(try compile([], in: workshop), compositor: "org.example.forged")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor([
      "render", project.path, "-o", output.path, "--range", "0s..0.2s", "--progress", "none",
    ])
    #expect(result.status == 0, "\(result.errors)")
  }

  /// What holds is said before the plugin is opened: no later answer changes it.
  @Test(.enabled(if: MissingWall.isPossible(for: geteuid()), "needs a process namespace"))
  func walls_saidByThePlugin_areNotBelieved() throws {
    let wall = try MissingWall(user: geteuid())
    let flags = [#"-DFROM="\"notes\":[""#, #"-DTO="\"sandbox\":{\"files\":true},\"notes\":[""#]
    let plugin = try compile(flags, in: wall.workshop)
    let run = try wall.render(.landlock, plugin, compositor: "org.example.forged", ["--require-isolation"])
    #expect(run.status == 69 && run.errors.contains("other files"), "\(run.status) \(run.errors)")
  }
}
