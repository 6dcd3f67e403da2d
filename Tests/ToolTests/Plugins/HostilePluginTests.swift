import Foundation
import Testing

/// Plugins that break every rule there is: each ends in one error, and the tool lives to tell it.
@Suite(.serialized) struct HostilePluginTests {
  struct Deed: CustomTestStringConvertible {
    var name: String
    var frame = 5
    /// What the error says.
    var says: String
    var arguments: [String] = []
    var testDescription: String { name }
  }

  static let deeds = [
    Deed(name: "CRASH", frame: 50, says: "crashed (segmentation fault)"),
    Deed(name: "HANG", says: "did not answer within 3.0 seconds", arguments: ["--plugin-deadline", "3"]),
    Deed(name: "EXIT", says: "ended its process (exit status 0)"),
    // The statuses of a worker that does not start.
    Deed(name: "EXIT_125", says: "ended its process (exit status 125)"),
    Deed(name: "EXIT_127", says: "ended its process (exit status 127)"),
    Deed(name: "OVERRUN", says: "reached outside the memory of a frame"),
    Deed(name: "OVERRUN_BY_ONE", says: "wrote beside its output"),
    Deed(name: "WRONG_SIZE", says: "frame of 64x72 yuv420p instead of 128x72 yuv420p"),
    Deed(name: "WRONG_FORMAT", says: "frame of 128x72 rgba instead of 128x72 yuv420p"),
    Deed(name: "WRONG_PLANE", says: "plane 0 is of 64x72; in a frame of 128x72 yuv420p it is of 128x72"),
    Deed(name: "WRONG_COLOR", says: "whose transfer is 16; that of the output is"),
    Deed(name: "MANY_PLANES", says: "a plane_count of 1000000; yuv420p has 3"),
    Deed(name: "EMPTY_PLANE", says: "whose plane 1 has no data"),
    Deed(name: "WRONG_TRACK", says: "track 4711, which the request does not have"),
    Deed(name: "LEAK", says: "MiB", arguments: ["--plugin-memory", "256"]),
    Deed(name: "PRINT", says: "wrote to the standard output"),
    Deed(name: "LOCALE", says: "changed the locale"),
    Deed(name: "ROUNDING", says: "changed the floating-point state"),
    Deed(name: "FORK", says: "process"),
    Deed(name: "OWN_HANDLER", says: "process"),
    Deed(name: "WRITE_SOURCE", says: "wrote to a source frame"),
    Deed(name: "UNLOCK_SOURCE", says: "the system said: Permission denied"),
    Deed(name: "REOPEN_SOURCE", says: "no frame is open"),
    Deed(name: "STALE_OUTPUT", says: "touched a frame"),
    // A worker that is busy is not asked what a frame needs: one frame at a time.
    Deed(name: "NEEDS_CRASH", says: "crashed (segmentation fault)", arguments: ["--threads", "1"]),
    Deed(
      name: "NEEDS_HANG", says: "did not answer within 3.0 seconds", arguments: ["--plugin-deadline", "3", "--threads", "1"]),
    Deed(name: "DRIP", says: "did not answer within 3.0 seconds", arguments: ["--plugin-deadline", "3"]),
    // Denied, or the end of its process.
    Deed(name: "URGENT", says: "The plugin", arguments: ["--plugin-deadline", "3"]),
    Deed(name: "FORGE", says: "sent a reply to no request"),
    Deed(name: "SEND_DESCRIPTORS", says: "sent open files with a reply"),
    Deed(name: "LONG_ANSWER", says: "a reply of more than 8 MiB"),
    Deed(name: "GROW_DOWN", says: "the system said: Operation not permitted"),
    Deed(name: "PAGE_TABLES", says: "the system said: Cannot allocate memory", arguments: ["--plugin-memory", "256"]),
    Deed(name: "THREADS", says: "threads; its limit is 512"),
    Deed(name: "DESCRIPTORS", frame: 0, says: "open files, so it can receive no frame; its limit is 256"),
    Deed(name: "OWNER", says: "owner 0, signal 0, asynchronous 0"),
    Deed(name: "PRIVILEGES", says: "privileges 0"),
    Deed(name: "UNMAP_OUTPUT", says: "changed the mapping of its frame"),
    Deed(name: "FAIL", says: "I do not feel like it"),
    Deed(name: "CANCEL_ITSELF", says: "reports a cancellation that wasn't requested"),
    Deed(name: "STEAL_SOURCE", says: "saw sources 1, opened 0"),
    Deed(name: "SIGNAL_PARENT", says: "The plugin", arguments: ["--plugin-deadline", "3"]),
  ]

  @Test(arguments: deeds) func hostilePlugin_endsInOneErrorAndTheToolLives(_ deed: Deed) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile(deed.name, fromFrame: deed.frame)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", output.path, "--progress", "json"]
        + (deed.arguments.contains("--threads") ? [] : ["--threads", "2"]) + deed.arguments)
    // The plugin's own fault, or one that may pass; never the tool's (70), nor an interruption (130).
    #expect([65, 69, 75].contains(result.status), "\(result.status)")
    let errors = result.errors.split(separator: "\n").filter { $0.hasPrefix("compositor: error: ") }
    try #require(errors.count == 1, "\(result.errors)")
    #expect(errors[0].contains(deed.says), "\(errors[0])")
    #expect(errors[0].contains(plugin.path) && errors[0].contains("org.example.hostile"), "\(errors[0])")
    #expect(errors[0].contains("instruction 0") && errors[0].contains("time "), "\(errors[0])")
    // The tool's own output is its own: whole lines of progress and no final word.
    #expect(!result.output.contains("\"event\":\"done\""))
    #expect(!FileManager.default.fileExists(atPath: output.path))
    #expect(try workshop.scratch.names().allSatisfy { !$0.contains("out.mp4") })
    #expect(workshop.isGone(plugin), "a process is left")
  }

  /// The host has to wait for the reader of a long message, here of a parameter: once when the instance is created, and once with the
  /// first frame, whose messages and reply have one deadline.
  @Test(arguments: [("2", 75), ("10", 0)])
  func messagesOfAFrame_readLate_shareADeadline(_ deadline: String, _ status: Int32) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "forged.c"),
      flags: ["-I", PluginWorkshop.fixtures.path, "-Wno-unused-function", "-DSLOW=1500"], name: "late")
    _ = try workshop.scratch.file("notes.txt", String(repeating: "long ", count: 200_000))
    let project = try workshop.project(plugin, compositor: "org.example.forged", parameters: #"{ notes: "notes.txt" }"#)
    let result = try ToolRun.compositor([
      "frame", project.path, "--at", "0s", "-o", workshop.scratch.folder.appending(path: "out.png").path,
      "--plugin-deadline", deadline,
    ])
    #expect(result.status == status, "\(result.status) \(result.errors)")
    #expect(result.errors.contains("did not answer within 2.0 seconds") == (status == 75), "\(result.errors)")
  }

  @Test func trustedPlugin_runsWithoutAProcessOfItsOwn() throws {
    let workshop = try PluginWorkshop()
    // Printing is all that this one does; in the tool's own process nothing stops it.
    let plugin = try workshop.hostile("PRINT", fromFrame: 70)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let sum = try ToolRun.program("sha256sum", plugin.path).output.prefix(64)
    for trusted in [plugin.path, "sha256:\(sum)"] {
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", output.path, "--overwrite", "--progress", "none", "--trust-plugin", trusted])
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  /// A script must not take it for success.
  @Test func trustedPlugin_thatCallsExit_isNoSuccess() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("EXIT", fromFrame: 5)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", output.path, "--progress", "none", "--trust-plugin", plugin.path])
    #expect(result.status == 70, "\(result.status)")
    #expect(result.errors.components(separatedBy: "called exit").count == 2, "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: output.path))
  }

  @Test func trust_byName_isRefusedAndByAnotherFilesDigest_isNone() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("PRINT", fromFrame: 5)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let rendering = ["render", project.path, "-o", output.path, "--progress", "none", "--trust-plugin"]
    let named = try ToolRun.compositor(rendering + ["org.example.hostile"])
    #expect(named.status == 64)
    #expect(named.errors.contains("not its name"), "\(named.errors)")
    // Another plugin of the same name and ID.
    let elsewhere = try PluginWorkshop()
    let other = try elsewhere.hostile("PRINT", fromFrame: 6)
    for trusted in [other.path, "sha256:" + String(repeating: "0", count: 64)] {
      let result = try ToolRun.compositor(rendering + [trusted])
      #expect(result.status == 69)
      #expect(result.errors.contains("wrote to the standard output"), "\(result.errors)")
    }
  }
}
