import CompositorHost
import CompositorMedia
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Metadata of the command line and of projects, read back by ffprobe.
@Suite(.enabled(if: hasFFmpeg)) struct MetadataCommandTests {
  /// A clip as a phone writes it, with a date, a place and two chapters.
  private func phone(_ scratch: Scratch) throws -> String {
    let plain = try scratch.clip("plain.mov", seconds: 4).path
    let chapters = try scratch.file(
      "chapters.txt",
      """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=1500
      title=Eins
      [CHAPTER]
      TIMEBASE=1/1000
      START=1500
      END=4000
      title=Zwei
      """
    ).path
    let path = try scratch.file("phone.mov").path
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-i", plain, "-i", chapters, "-map_chapters", "1", "-c", "copy", "-metadata", "title=Hochzeit",
        "-metadata", "location=+48.2082+016.3738/", "-metadata", "creation_time=2024-05-01T12:30:00Z", path,
      ])
    return path
  }

  private struct Probe {
    let tags: [String: String]
    let chapters: [String]
    let streams: [[String: Any]]

    init(_ path: String) throws {
      let data = try runProgram(
        "ffprobe", ["-v", "error", "-show_format", "-show_chapters", "-show_streams", "-of", "json", path])
      let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let written = (all["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
      tags = Dictionary(written.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
      chapters = (all["chapters"] as? [[String: Any]] ?? []).map {
        "\(($0["start_time"] as? String).flatMap(Double.init) ?? -1) \(($0["tags"] as? [String: String])?["title"] ?? "")"
      }
      streams = all["streams"] as? [[String: Any]] ?? []
    }

    var cover: [String: Any]? { streams.first { ($0["disposition"] as? [String: Int])?["attached_pic"] == 1 } }
  }

  private func render(_ scratch: Scratch, _ arguments: [String]) throws -> ToolRun.Result {
    try ToolRun.compositor(arguments + ["--progress", "none"], in: scratch.folder)
  }

  @Test func render_withoutOptions_writesNothingOfTheSource() throws {
    let scratch = try Scratch()
    let result = try render(scratch, ["render", try phone(scratch), "-o", "x.mp4"])
    try #require(result.status == 0, "\(result.errors)")
    let probe = try Probe(scratch.file("x.mp4").path)
    #expect(probe.chapters.isEmpty && probe.cover == nil)
    #expect(
      Set(probe.tags.keys).isSubset(of: ["major_brand", "minor_version", "compatible_brands", "encoder"]), "\(probe.tags)")
  }

  @Test(arguments: ["mp4", "mov", "mkv", "m4a"]) func render_keepingMetadata_hasDatePlaceAndChapters(_ suffix: String) throws {
    let scratch = try Scratch()
    let result = try render(
      scratch, ["render", try phone(scratch), "-o", "x.\(suffix)", "--keep-metadata", "--range", "1s..3s"])
    try #require(result.status == 0, "\(result.errors)")
    let probe = try Probe(scratch.file("x.\(suffix)").path)
    #expect(probe.chapters == ["0.0 Eins", "0.5 Zwei"])
    #expect(probe.tags["title"] == "Hochzeit" && probe.tags["location"] == "+48.2082+016.3738/", "\(probe.tags)")
    #expect(probe.tags["creation_time"]?.hasPrefix("2024-05-01T12:30:00") == true, "\(probe.tags)")
  }

  @Test func join_withMetadataFrom_hasNoChapters() throws {
    let scratch = try Scratch()
    let clip = try phone(scratch)
    let refused = try render(scratch, ["join", clip, "plain.mov", "-o", "x.mp4", "--keep-metadata"])
    #expect(refused.status == ProcessStatus.usage.rawValue && refused.errors.contains("--metadata-from"), "\(refused.errors)")
    let result = try render(
      scratch, ["join", clip, "plain.mov", "-o", "x.mp4", "--metadata-from", clip, "--metadata", "title=Fest"])
    try #require(result.status == 0, "\(result.errors)")
    let probe = try Probe(scratch.file("x.mp4").path)
    #expect(probe.chapters.isEmpty && probe.tags["title"] == "Fest" && probe.tags["location"] == "+48.2082+016.3738/")
  }

  private static let project = """
    { version: 1, output: { size: "160x90", frameRate: 25, metadata: { title: "Vortrag – 講演", location: [48.2082, 16.3738] },
        chapters: [{ at: "0s", title: "Hello" }, { at: "25f", title: "Numbers" }], cover: { at: "1s" }, fastStart: false, rotation: 90 },
      assets: { a: { generate: "bars", size: "160x90" } }, tracks: [{ clips: [{ asset: "a", duration: "2s" }] }] }
    """

  @Test func project_saysMetadata_andTheCommandLineGoesBefore() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    let result = try render(scratch, ["render", "p.json5", "-o", "x.mp4"])
    try #require(result.status == 0, "\(result.errors)")
    let probe = try Probe(scratch.file("x.mp4").path)
    #expect(probe.tags["title"] == "Vortrag – 講演" && probe.tags["location"] == "+48.2082+016.3738/", "\(probe.tags)")
    #expect(probe.chapters == ["0.0 Hello", "1.0 Numbers"])
    #expect(probe.cover?["width"] as? Int == 160 && probe.cover?["codec_name"] as? String == "png")
    let sides = probe.streams.first?["side_data_list"] as? [[String: Any]]
    #expect(sides?.first?["rotation"] as? Int == -90, "\(probe.streams)")
    let other = try render(
      scratch,
      [
        "render", "p.json5", "-o", "y.mp4", "--metadata", "title=Neu", "--chapter", "0s=Only=this", "--rotation", "0",
        "--metadata", "location=-33.8568,151.2153",
      ])
    try #require(other.status == 0, "\(other.errors)")
    let second = try Probe(scratch.file("y.mp4").path)
    #expect(second.tags["title"] == "Neu" && second.tags["location"] == "-33.8568+151.2153/", "\(second.tags)")
    #expect(second.chapters == ["0.0 Only=this"] && second.streams.first?["side_data_list"] == nil)
  }

  @Test(arguments: [
    ["--metadata", "title"], ["--metadata", "=x"], ["--metadata", "location=Vienna"], ["--metadata", "location=91,0"],
    ["--metadata", "mood=x"], ["--chapter", "0s"], ["--chapter", "1=a"], ["--chapter", "-1s=a"], ["--cover-at", "x"],
    ["--rotation", "45"], ["--cover", "a.jpg", "--cover-at", "1s"], ["--keep-metadata", "--metadata-from", "a"],
  ]) func options_thatAreWrong_end64(_ options: [String]) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try render(scratch, ["render", "p.json5", "-o", "x.mp4"] + options)
    #expect(result.status == ProcessStatus.usage.rawValue, "\(options): \(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test(arguments: [("x.mkv", "--no-fast-start"), ("f%d.png", "--keep-metadata"), ("x.wav", "--fast-start")])
  func options_thatTheOutputHasNoUseFor_end64(_ output: String, _ option: String) throws {
    let scratch = try Scratch()
    let clip = try scratch.clip("a.mp4", seconds: 1).path
    let result = try render(scratch, ["render", clip, "-o", output, option])
    #expect(result.status == ProcessStatus.usage.rawValue && result.errors.contains("--output"), "\(result.errors)")
  }

  @Test(arguments: [
    ("metadata: { title: '' }", "output.metadata.title"), ("metadata: { location: [1] }", "output.metadata.location"),
    ("metadata: { location: [1, 200] }", "output.metadata.location"), ("metadata: { title: [1, 2] }", "output.metadata.title"),
    ("chapters: [{ at: '0s', title: '' }]", "output.chapters[0].title"), ("rotation: 45", "output.rotation"),
    ("chapters: [{ at: '-1s', title: 'a' }]", "output.chapters[0].at"), ("cover: {}", "output.cover"),
  ]) func projects_thatAreWrong_areLocated(_ output: String, _ path: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      "{ version: 1, output: { \(output) }, assets: { a: { generate: 'bars' } }, tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }] }"
    )
    let result = try render(scratch, ["render", "p.json5", "-o", "x.mp4"])
    #expect(result.status == ProcessStatus.invalidProject.rawValue && result.errors.contains(path), "\(result.errors)")
  }

  /// An entry that would change the terminal's color and title is printed as text.
  @Test func probe_entryWithControlCharacters_doesNotReachTheTerminal() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("plain.mp4", seconds: 0.2, sound: false)
    let made = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      [
        "ffmpeg", "-v", "error", "-i", "plain.mp4", "-c", "copy", "-metadata", "title=a\u{1B}[31mred\u{1B}]0;x\u{07}\nb",
        "entry.mp4",
      ],
      in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    let result = try ToolRun.compositor(["probe", "entry.mp4"], in: scratch.folder)
    #expect(result.output.contains("title: a\u{FFFD}[31mred\u{FFFD}]0;x\u{FFFD}\u{FFFD}b\n"), "\(result.output)")
    #expect(!result.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test func probe_listsEntriesChaptersAndCover() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    try #require(render(scratch, ["render", "p.json5", "-o", "x.mp4"]).status == 0)
    let text = try ToolRun.compositor(["probe", "x.mp4"], in: scratch.folder).output
    for part in ["title: Vortrag – 講演", "location: +48.2082+016.3738/", "chapter 1 s  Numbers", "cover png"] {
      #expect(text.contains(part), "\(text)")
    }
    let json = try ToolRun.compositor(["probe", "x.mp4", "--json"], in: scratch.folder).output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect((object["chapters"] as? [[String: Any]])?.map { $0["title"] as? String } == ["Hello", "Numbers"])
  }
}

/// The last line of progress JSON says how it ended.
@Suite struct ExportEventTests {
  private func events(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func last(_ output: String) throws -> [String: Any] {
    let events = try events(output)
    let last = try #require(events.last)
    #expect(events.dropLast().allSatisfy { $0["event"] as? String == "progress" }, "\(output)")
    return last
  }

  @Test func events_ofARender_riseToOneCompleted() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4", "--progress", "json"], in: scratch.folder)
    let events = try events(result.output)
    let fractions = events.compactMap { $0["fraction"] as? Double }
    #expect(fractions == fractions.sorted() && fractions.count { $0 == 1 } == 1, "\(fractions)")
    #expect(events.dropLast().last?["phase"] as? String == "completed")
    #expect(try last(result.output)["event"] as? String == "completed")
  }

  @Test(
    arguments: [
      (["render", "bad.json5"], "invalidProject", 1009), (["render", "no.mp4"], "fileNotFound", 2000),
      (["render", "p.json5", "--metadata", "title=x", "--cover", "no.jpg"], "fileNotFound", 2000),
      (["render", "p.json5", "--chapter", "9s=x"], "invalidValue", 1000), (["join", "no.mp4", "p.mp4"], "fileNotFound", 2000),
      (["render", "p.json5", "--range", "3s..4s"], "usage", nil),
    ] as [([String], String, Int?)]) func events_ofWhatFails_endWithTheError(
      _ arguments: [String], _ name: String, _ code: Int?
    ) throws
  {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    _ = try scratch.file("bad.json5", "{ version: 1, tracks: [{ clips: [{ asset: 'a' }] }], asets: {} }")
    let result = try ToolRun.compositor(arguments + ["-o", "x.mp4", "--progress", "json"], in: scratch.folder)
    #expect(result.status != 0)
    let event = try last(result.output)
    #expect(event["event"] as? String == "failed" && event["output"] as? String == "x.mp4", "\(event)")
    let error = try #require(event["error"] as? [String: Any])
    #expect(error["name"] as? String == name && error["code"] as? Int == code && error["message"] is String, "\(error)")
    #expect(try scratch.names() == ["bad.json5", "p.json5"])
  }

  @Test func event_ofAnOutputThatIsThere_hasAVFoundationsNumber() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    _ = try scratch.file("x.mp4", "there")
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4", "--progress", "json"], in: scratch.folder)
    let error = try #require(try last(result.output)["error"] as? [String: Any])
    #expect(error["avFoundationCode"] as? Int == -11823 && error["file"] as? String == "x.mp4", "\(error)")
  }

  /// The file system, or a limit, refuses more bytes.
  @Test func event_ofAFileThatMayNotGrow_hasAVFoundationsNumber() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project.replacing("1s", with: "20s"))
    let command = "trap '' XFSZ; ulimit -f 16; exec \"$0\" render p.json5 -o x.mkv --codec ffv1 --progress json"
    let result = try ToolRun.run(URL(filePath: "/bin/bash"), ["-c", command, ToolRun.tool.path], in: scratch.folder)
    let error = try #require(try last(result.output)["error"] as? [String: Any], "\(result.errors)")
    #expect(error["name"] as? String == "writeFailed" && error["avFoundationCode"] as? Int == -11811, "\(error)")
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test(arguments: [SIGINT, SIGTERM]) func event_ofAnInterruptedRender_isCanceled(_ number: Int32) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project.replacing("1s", with: "1000s"))
    let name = number == SIGINT ? "INT" : "TERM"
    let command = "\"$0\" render p.json5 -o x.mp4 --progress json & sleep 1; kill -\(name) $!; wait $!"
    let result = try ToolRun.run(URL(filePath: "/bin/bash"), ["-mc", command, ToolRun.tool.path], in: scratch.folder)
    #expect(result.status == 128 + number, "\(result.errors)")
    #expect(try last(result.output)["event"] as? String == "canceled", "\(result.output)")
    #expect(try scratch.names() == ["p.json5"])
  }
}
