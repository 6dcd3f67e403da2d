import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// The tool as it is called: exit status, one clear line, nothing half done.
@Suite struct CommandLineTests {
  static let project = """
    { version: 1, output: { size: "160x90", frameRate: 25 }, assets: { a: { generate: "bars", size: "160x90" } },
      tracks: [{ clips: [{ asset: "a", duration: "1s" }] }] }
    """

  private func expect(_ result: ToolRun.Result, status: ProcessStatus, mentions words: String...) {
    #expect(result.status == status.rawValue, "\(result.errors)")
    let lines = result.errors.split(separator: "\n").filter { $0.hasPrefix("compositor: error: ") }
    // Each mistake of a project has its line.
    #expect(status == .invalidProject ? !lines.isEmpty : lines.count == 1, "\(result.errors)")
    for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
  }

  @Test(arguments: [
    [], ["render"], ["render", "p.json5"], ["rendre", "p.json5"], ["render", "p.json5", "-o", "x.mp4", "--threads", "0"],
    ["render", "p.json5", "-o", "x.mp4", "--progress", "loud"], ["render", "p.json5", "-o", "x.avi"],
    ["render", "p.json5", "-o", "x.mp4", "--range", "1"], ["render", "p.json5", "-o", "x.mp4", "--range", "3s..4s"],
    ["frame", "p.json5", "--at", "9s", "-o", "x.png"], ["frame", "p.json5", "--at", "1", "-o", "x.png"],
    ["frame", "p.json5", "--at", "0s", "-o", "x.bmp"], ["join", "-o", "x.mp4"],
    ["join", "p.json5", "--transition", "disolve:1s", "-o", "x.mp4"],
  ])
  func usage_wrong_ends64(_ arguments: [String]) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    let result = try ToolRun.compositor(arguments, in: scratch.folder)
    guard !arguments.isEmpty else { return #expect(result.status == 0 && result.output.contains("SUBCOMMANDS")) }
    expect(result, status: .usage)
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test(arguments: [
    (["rendr", "p.json5", "-o", "x.mp4"], "Did you mean \"render\"? See compositor --help."),
    (["render", "p.json5", "-o", "x.mp4", "--codec", "h265"], "Did you mean \"hevc\"? See compositor render --help."),
    (["render", "p.json5", "-o", "x.mp4", "--preset", "phnoe"], "Did you mean \"phone\"? See compositor render --help."),
    (["render", "p.json5", "-o", "x.mp4", "--preset", "prores"], "Possible: prores-422, prores-4444, prores-hlg, prores-pq."),
    (["render", "p.json5", "-o", "x.mp4", "--size", "1920*1080"], "'--size <WxH>'. Write it as 1920x1080."),
    (["render", "p.json5", "-o", "x.mp4", "--joint", "push:1s"], "Unknown option '--joint'."),
    (["render", "p.json5", "-o", "x.mp4", "--range", "-2s..1s"], "\"-2s\" is a negative time. Use a time of 0 or more here."),
    (["frame", "p.json5", "--at", "-2s", "-o", "x.png"], "is a negative time. Use a time of 0 or more here."),
    (["frame", "p.json5", "--at", "9s", "-o", "x.png"], "9s is not before the end of the timeline, 1 s."),
    (["thumbnails", "p.json5", "--at", "9s", "-o", "x.png"], "The last frame is --at 24f."),
    (["farm", "plan.json"], "See compositor farm --help."),
  ])
  func usage_wrong_saysWhatToDo(_ arguments: [String], _ words: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    expect(try ToolRun.compositor(arguments, in: scratch.folder), status: .usage, mentions: words)
  }

  @Test(arguments: [
    (["a.mkv", "gone.mp4"], Int32(66), "error: gone.mp4: The file cannot be opened."),
    (["a.mkv", "a.mkv", "--transition", "dissolve:3s"], 65, "a.mkv: The transition takes 3 s, longer than the 1 s before it."),
    (
      ["a.mkv", "b.mkv", "a.mkv", "--transition", "dissolve:0.5s"], 65,
      "b.mkv: The clip between the transitions takes 0.6 s, less than both. Shorten the transitions, to 0.3 s each, or use a longer"
    ),
  ])
  func join_clipThatDoesNotGo_isNamedByItsFile(_ arguments: [String], _ status: Int32, _ words: String) throws {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mkv", seconds: 1)
    _ = try scratch.clip("b.mkv", seconds: 0.6)
    let result = try ToolRun.compositor(["join"] + arguments + ["-o", "x.mp4"], in: scratch.folder)
    #expect(result.status == status && result.errors.contains(words), "\(result.errors)")
  }

  /// A program that reads progress gets its last event also if the arguments are wrong; the words for people stay as they are.
  @Test(arguments: [
    ["render", "p.json5", "-o", "x.mp4", "--threads", "0", "--progress", "json"],
    ["render", "p.json5", "-o", "x.avi", "--progress=json"], ["render", "p.json5", "--progress", "json"],
    ["render", "p.json5", "-o", "x.mp4", "--unknown", "--progress", "json"],
    ["render", "p.json5", "-o", "x.mp4", "--range", "1", "--progress", "json"],
  ])
  func usage_wrongUnderJSONProgress_isTheLastEvent(_ arguments: [String]) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    let result = try ToolRun.compositor(arguments, in: scratch.folder)
    expect(result, status: .usage)
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 1, "\(result.output)")
    let event = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
    #expect(event["event"] as? String == "failed")
    let error = try #require(event["error"] as? [String: Any])
    #expect(error["name"] as? String == "usage" && (error["message"] as? String)?.isEmpty == false, "\(event)")
  }

  @Test func help_underJSONProgress_isNoFailure() throws {
    let scratch = try Scratch()
    let result = try ToolRun.compositor(["render", "--progress", "json", "--help"], in: scratch.folder)
    #expect(result.status == 0 && !result.output.contains("\"failed\""))
  }

  @Test(arguments: [
    ("{ version: 1, tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }], asets: {} }", "Did you mean"),
    ("{ version: 9 }", "version 9"), ("{ version: 1, version: 1 }", "twice"), ("not JSON5", "not a value"),
    ("{ version: 1, assets: { a: { generate: 'bars' } }, tracks: [{ clips: [{ asset: 'a' }] }] }", "duration"),
  ])
  func project_invalid_ends65WithItsPlace(_ text: String, _ word: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", text)
    for command in [["render", "p.json5", "-o", "x.mp4"], ["validate", "p.json5"], ["explain", "p.json5"]] {
      let result = try ToolRun.compositor(command, in: scratch.folder)
      expect(result, status: .invalidProject, mentions: word, "p.json5:1:")
    }
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test func lookUpTable_thatIsNone_isFoundByValidate() throws {
    let scratch = try Scratch()
    _ = try scratch.file("bad.cube", "not a table")
    let text = Self.project.replacing("\"1s\"", with: "\"1s\", effects: [{ use: \"lut\", file: \"bad.cube\" }]")
    _ = try scratch.file("p.json5", text)
    for command in [["validate", "p.json5"], ["render", "p.json5", "-o", "x.mp4"]] {
      expect(
        try ToolRun.compositor(command, in: scratch.folder), status: .invalidProject, mentions: "(bad.cube)",
        "look-up table cannot be used")
    }
  }

  @Test func project_namedAsMedia_isToldByItsName() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.txt", Self.project)
    let result = try ToolRun.compositor(["render", "p.txt", "-o", "x.mp4"], in: scratch.folder)
    expect(
      result, status: .invalidProject,
      mentions: "p.txt: This is a text file, not media.", "If it's a project, name it *.json5.")
  }

  @Test(arguments: [
    "gone.mp4", "gone.json5", "http://127.0.0.1:9/x.mp4", "concat:a.mp4|b.mp4", "fifo.mp4", "folder", "/dev/zero",
  ])
  func media_missingOrRefused_ends66AtOnce(_ name: String) throws {
    let scratch = try Scratch()
    mkfifo(scratch.folder.appending(path: "fifo.mp4").path, 0o600)
    try FileManager.default.createDirectory(at: scratch.folder.appending(path: "folder"), withIntermediateDirectories: false)
    let before = try scratch.names()
    for command in [["render", name, "-o", "x.mp4"], ["probe", name], ["join", name, name, "-o", "x.mp4"]]
    where
      command[0] != "probe" || !name.hasSuffix(".json5")
    {
      expect(try ToolRun.compositor(command, in: scratch.folder), status: .missingMedia)
    }
    #expect(try scratch.names() == before)
  }

  @Test func media_unreadableOrCutShort_ends66AndLeavesNothing() throws {
    let scratch = try Scratch()
    _ = try scratch.file("noise.mp4", String(repeating: "not a movie ", count: 1000))
    _ = try scratch.file("empty.mp4", "")
    // The header first, so that it promises more than is there.
    let whole = try scratch.clip("whole.mkv", seconds: 4)
    try Data(contentsOf: whole).prefix(1).write(to: scratch.file("stub.mkv"))
    let moved = try scratch.file("front.mp4")
    _ = try ToolRun.program("ffmpeg", "-v", "error", "-i", whole.path, "-c", "copy", "-movflags", "+faststart", moved.path)
    let bytes = try Data(contentsOf: moved)
    try bytes.prefix(bytes.count / 2).write(to: scratch.file("cut.mp4"))
    let before = try scratch.names()
    for name in ["noise.mp4", "empty.mp4", "stub.mkv", "cut.mp4"] {
      let result = try ToolRun.compositor(["render", name, "-o", "x.mp4", "--progress", "none"], in: scratch.folder)
      expect(result, status: .missingMedia, mentions: name)
      #expect(try scratch.names() == before)
    }
  }

  /// In a project, a render says of media that are cut short what validation says, at the same places.
  @Test func media_cutShortInAProject_isSaidAsByValidate() throws {
    let scratch = try Scratch()
    let whole = try scratch.file("whole.mp4")
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4,noise=alls=40:allf=t", "-f", "lavfi", "-i",
      "sine=d=4", "-movflags", "+faststart", whole.path)
    try #require(made.status == 0, "\(made.errors)")
    let bytes = try Data(contentsOf: whole)
    try bytes.prefix(bytes.count / 2).write(to: scratch.file("cut.mp4"))
    _ = try scratch.file("p.json5", "{ version: 1, assets: { a: 'cut.mp4' }, tracks: [{ clips: [{ asset: 'a' }] }] }")
    let checked = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(checked.output.utf8)) as? [[String: Any]])
    let errors = found.filter { $0["severity"] as? String == "error" }.compactMap { $0["message"] as? String }
    #expect(errors.count == 2 && checked.status == 66, "\(checked.output)")
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 66, "\(result.errors)")
    for error in errors { #expect(result.errors.contains(error), "\(result.errors)") }
    // An explanation is printed, and the error is its status.
    let explained = try ToolRun.compositor(["explain", "p.json5"], in: scratch.folder)
    #expect(explained.status == 66 && !explained.output.isEmpty, "\(explained.errors)")
    for error in errors { #expect(explained.errors.contains("error: \(error)"), "\(explained.errors)") }
  }

  @Test func media_missingInAProject_ends66WithItsPlace() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", "{ version: 1, assets: { a: 'gone.mp4' }, tracks: [{ clips: [{ asset: 'a' }] }] }")
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4"], in: scratch.folder)
    expect(result, status: .missingMedia, mentions: "p.json5:1:", "gone.mp4", "assets.a")
  }

  @Test func compositor_unknown_ends69() throws {
    let scratch = try Scratch()
    let text = Self.project.replacing(
      "}] }] }", with: "}] }], effects: [{ at: 0, duration: '1s', compositor: 'org.example.none' }] }")
    _ = try scratch.file("p.json5", text)
    expect(
      try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4"], in: scratch.folder), status: .unavailable,
      mentions: "org.example.none")
  }

  @Test func output_existingMissingFolderOrInput_ends74AndTouchesNothing() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    let kept = try scratch.file("x.mp4", "kept")
    let clip = try scratch.clip("in.mp4", seconds: 0.4)
    let bytes = try Data(contentsOf: clip)
    for command in [
      ["render", "p.json5", "-o", "x.mp4"], ["render", "p.json5", "-o", "gone/x.mp4"],
      ["render", "in.mp4", "-o", "in.mp4", "--overwrite"],
      ["render", "in.mp4", "-o", "./../\(scratch.folder.lastPathComponent)/in.mp4", "--overwrite"],
    ] {
      expect(try ToolRun.compositor(command, in: scratch.folder), status: .inputOutput)
    }
    #expect(try String(contentsOf: kept, encoding: .utf8) == "kept")
    #expect(try Data(contentsOf: clip) == bytes)
    #expect(try scratch.names() == ["in.mp4", "p.json5", "x.mp4"])
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func signal_duringRender_endsQuicklyAndLeavesNothing(_ number: Int32, _ status: Int32) throws {
    let scratch = try Scratch()
    let text = Self.project.replacing("\"1s\"", with: "\"2000s\"").replacing(
      "\"160x90\", frameRate", with: "\"1280x720\", frameRate")
    _ = try scratch.file("p.json5", text)
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = ["render", "p.json5", "-o", "x.mp4", "--progress", "json"]
    process.currentDirectoryURL = scratch.folder
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    // The first line of progress says that it is under way.
    let first = try #require(try output.fileHandleForReading.read(upToCount: 1))
    #expect(first == Data("{".utf8))
    let start = ContinuousClock.now
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(process.terminationStatus == status)
    let complaint = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(complaint.split(separator: "\n").filter { $0.hasPrefix("compositor: error:") }.count == 1, "\(complaint)")
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test(arguments: ["render", "frame", "join", "probe", "validate", "explain", "compositors", "schema", "bench"])
  func help_everyCommand_hasExamples(_ command: String) throws {
    let result = try ToolRun.compositor([command, "--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("EXAMPLES"))
    #expect(result.output.contains("compositor \(command)"))
  }

  @Test func version_andCompletions_areThere() throws {
    #expect(try ToolRun.compositor(["--version"]).output.hasPrefix("compositor "))
    for shell in ["bash", "zsh", "fish"] {
      let result = try ToolRun.compositor(["--generate-completion-script", shell])
      #expect(result.status == 0 && result.output.contains("join"))
    }
  }

  @Test func standardOutput_full_ends74AndClosedIsQuiet() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mkv", seconds: 1)
    for command in [
      ["probe", "a.mkv"], ["schema"], ["compositors"], ["render", "a.mkv", "-o", "full.mkv", "--progress", "json"],
    ] {
      expect(
        try shell("exec \"$0\" \"$@\" > /dev/full", command, in: scratch), status: .inputOutput, mentions: "standard output")
    }
    let closed = try shell(
      "\"$0\" \"$@\" | true; exit ${PIPESTATUS[0]}", ["render", "a.mkv", "-o", "closed.mkv", "--progress", "json"], in: scratch)
    #expect(closed.status == 0 && closed.errors.isEmpty, "\(closed.errors)")
    #expect(try scratch.names() == ["a.mkv", "closed.mkv", "full.mkv"])
  }

  private func shell(_ script: String, _ arguments: [String], in scratch: Scratch) throws -> ToolRun.Result {
    try ToolRun.run(URL(filePath: "/bin/bash"), ["-c", script, ToolRun.tool.path] + arguments, in: scratch.folder)
  }

  @Test func still_withoutProject_isShownForFiveSeconds() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mkv", seconds: 1, sound: false)
    let png = try ToolRun.compositor(["frame", "a.mkv", "--at", "0", "-o", "still.png"], in: scratch.folder)
    #expect(png.status == 0, "\(png.errors)")
    for (command, output, frames) in [
      (["frame", "still.png", "--at", "4.9s"], "again.png", "1"), (["render", "still.png"], "still.mkv", "150"),
      // A still has the rate of what follows, 25 frames a second here.
      (["render", "still.png", "--range", "0..1s"], "part.mkv", "30"), (["join", "still.png", "a.mkv"], "all.mkv", "150"),
    ] {
      let result = try ToolRun.compositor(command + ["-o", output], in: scratch.folder)
      #expect(result.status == 0, "\(command): \(result.errors)")
      #expect(try ToolRun.streams(scratch.file(output)).first?["nb_read_frames"] == frames, "\(command)")
    }
  }

  @Test func turn_thatNeverEnds_ends65() throws {
    let scratch = try Scratch()
    let turn = "transform: [{ at: 0, rotation: 0 }, { at: '9000000000000000000s', rotation: 90 }]"
    _ = try scratch.file("p.json5", Self.project.replacing("duration: \"1s\"", with: "duration: \"1s\", \(turn)"))
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    expect(result, status: .invalidProject, mentions: "is too long")
  }

  @Test func deinterlace_interlacedFile_changesItsPicturesAndNoOthers() throws {
    let scratch = try Scratch()
    let made = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=1:s=96x64:r=50", "-vf", "interlace=lowpass=0", "-c:v",
        "libx264", "-flags", "+ildct+ilme", "-pix_fmt", "yuv420p", scratch.file("i.mp4").path,
      ])
    try #require(made.status == 0, "\(made.errors)")
    _ = try scratch.clip("p.mp4", seconds: 1, sound: false)
    var pictures: [String: Data] = [:]
    for (media, mode) in [("i", "off"), ("i", "same"), ("i", "double"), ("p", "off"), ("p", "same")] {
      _ = try scratch.file(
        "x.json5",
        """
        { version: 1, assets: { a: { file: "\(media).mp4", deinterlace: "\(mode)" } }, tracks: [{ clips: [{ asset: "a" }] }] }
        """)
      let result = try ToolRun.compositor(
        ["frame", "x.json5", "--at", "5f", "-o", "\(media)-\(mode).png"], in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      pictures["\(media) \(mode)"] = try Data(contentsOf: scratch.file("\(media)-\(mode).png"))
    }
    #expect(pictures["i off"] != pictures["i same"])
    #expect(pictures["i off"] != pictures["i double"])
    #expect(pictures["p off"] == pictures["p same"])
    _ = try scratch.file(
      "y.json5",
      """
      { version: 1, assets: { a: "i.mp4", b: { file: "i.mp4", deinterlace: "same" } },
        tracks: [{ clips: [{ asset: "a" }, { asset: "b" }] }] }
      """)
    expect(
      try ToolRun.compositor(["validate", "y.json5"], in: scratch.folder), status: .invalidProject, mentions: "deinterlace")
  }

  @Test func media_endingWithinItsLastFrame_isNoDiagnostic() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mkv", seconds: 0.9, rate: "30000/1001", sound: false)
    let project = Self.project.replacing("{ generate: \"bars\", size: \"160x90\" }", with: "\"a.mkv\"").replacing(
      "frameRate: 25", with: "frameRate: \"30000/1001\"")
    for (duration, isQuiet) in [("0.91s", true), ("0.95s", false)] {
      _ = try scratch.file("p.json5", project.replacing("\"1s\"", with: "\"\(duration)\""))
      let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
      #expect((result.status == 0 && result.output == "p.json5: valid\n") == isQuiet, "\(duration): \(result.output)")
    }
  }
}
