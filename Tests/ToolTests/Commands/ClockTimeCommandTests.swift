import CompositorTestSupport
import Foundation
import Testing

/// Times such as `0:01` in options, tables and lists of chapters.
@Suite(.enabled(if: hasFFmpeg)) struct ClockTimeCommandTests {
  private static let project = """
    { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars" } },
      tracks: [{ clips: [{ asset: "a", duration: "${length:0:02}" }] }] }
    """

  @Test(arguments: [
    ["frame", "p.json5", "--at", "0:01", "-o", "a.png"], ["frame", "p.json5", "--at", "00:00:00,500", "-o", "a.png"],
    ["render", "p.json5", "--range", "0:00.5..0:01", "-o", "a.mkv"], ["render", "p.json5", "--range", "0:01..", "-o", "a.mkv"],
    ["render", "p.json5", "--key-interval", "0:01", "-o", "a.mp4"], ["render", "p.json5", "--cover-at", "0:01", "-o", "a.mp4"],
    ["render", "p.json5", "--chapter", "0:00=A", "--chapter", "00:00:01.5=B", "-o", "a.mkv"],
    ["render", "p.json5", "--set", "length=0:01", "-o", "a.mkv"], ["thumbnails", "p.json5", "--at", "0:01", "-o", "a%d.png"],
    ["thumbnails", "p.json5", "--every", "0:01", "-o", "a%d.png"], ["diagram", "p.json5", "--at", "0:01", "-o", "a.svg"],
    ["plan", "p.json5", "--length", "0:01", "-o", "plan.json"],
  ])
  func option_withAClockTime_isRead(_ arguments: [String]) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    let result = try ToolRun.compositor(arguments, in: scratch.folder)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
  }

  @Test func range_ofClockTimes_hasTheirFrames() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    let result = try scratch.render(["p.json5", "--range", "0:00.2..0:01", "-o", "a.mkv"])
    try #require(result.status == 0, "\(result.errors)")
    let streams = try ToolRun.streams(scratch.file("a.mkv"))
    #expect(streams.first?["nb_read_frames"] == "20", "\(streams)")
  }

  @Test func transitionAndTable_withClockTimes_areRead() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    _ = try scratch.file("t.csv", "length,name\n0:01,one\n00:00:01.2,two\n")
    let batch = try scratch.render(["p.json5", "--batch", "t.csv", "-o", "{name}.mkv"])
    try #require(batch.status == 0, "\(batch.errors)")
    let joined = try ToolRun.compositor(
      ["join", "one.mkv", "two.mkv", "--transition", "dissolve:0:00.2", "-o", "x.mkv", "--progress", "none"], in: scratch.folder
    )
    try #require(joined.status == 0, "\(joined.errors)")
    #expect(try ToolRun.streams(scratch.file("x.mkv")).first?["nb_read_frames"] == "50")
  }

  @Test(arguments: [("1:5", "Write \"1:05\"."), ("1m5s", "Write \"1:05\"."), ("0:75", "Write \"1:15\".")])
  func option_withAnotherNotation_saysWhatToWrite(_ text: String, _ advice: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    let result = try ToolRun.compositor(["frame", "p.json5", "--at", text, "-o", "a.png"], in: scratch.folder)
    #expect(result.status == 64 && result.errors.contains(advice), "\(result.errors)")
  }

  private func chapters(_ url: URL) throws -> [String] {
    let data = try runProgram("ffprobe", ["-v", "error", "-show_chapters", "-of", "json", url.path])
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return (object?["chapters"] as? [[String: Any]] ?? []).map {
      "\(($0["start_time"] as? String).flatMap(Double.init) ?? -1) \(($0["tags"] as? [String: String])?["title"] ?? "")"
    }
  }

  /// The option, the project's key and the range agree; the option takes precedence.
  @Test func chapters_ofAFile_areWritten() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    _ = try scratch.file("q.json5", Self.project.replacing("frameRate: 25", with: "frameRate: 25, chapters: \"a.txt\""))
    _ = try scratch.file("a.txt", "Chapters:\n0:00 Hello\n0:01.2 - Numbers\n")
    _ = try scratch.file(
      "a.cue", "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nTITLE \"One\"\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:01:15\n")
    for (arguments, expected) in [
      (["p.json5", "--chapters", "a.txt"], ["0.0 Hello", "1.2 Numbers"]), (["q.json5"], ["0.0 Hello", "1.2 Numbers"]),
      (["p.json5", "--chapters", "a.cue"], ["0.0 One", "1.2 Track 2"]),
      (["q.json5", "--chapters", "a.cue"], ["0.0 One", "1.2 Track 2"]),
      (["q.json5", "--range", "0:01.."], ["0.0 Hello", "0.2 Numbers"]),
    ] {
      let result = try scratch.render(arguments + ["-o", "x.mp4"])
      try #require(result.status == 0, "\(arguments): \(result.errors)")
      #expect(try chapters(scratch.file("x.mp4")) == expected, "\(arguments)")
    }
  }

  @Test(arguments: [
    ("0:00 A\n0:75 B\n", 2, "Write \"1:15\"."), ("0:01 A\n0:00.5 B\n", 2, "not after the one before it"),
    ("0:00 A\n\n0:30 B\n", 3, "the movie ends at"), ("0:00 A\nB\n", 2, "has no time"),
    ("0:00 A\n00:00:01:30 B\n", 2, "from 0 to 24"),
  ])
  func chapters_withAMistake_nameItsLine(_ text: String, _ line: Int, _ words: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    _ = try scratch.file("q.json5", Self.project.replacing("frameRate: 25", with: "frameRate: 25, chapters: \"a.txt\""))
    _ = try scratch.file("a.txt", text)
    for arguments in [["p.json5", "--chapters", "a.txt"], ["q.json5"]] {
      let result = try scratch.render(arguments + ["-o", "x.mp4"])
      #expect(result.status != 0 && result.errors.contains("a.txt:\(line)"), "\(arguments): \(result.errors)")
      #expect(result.errors.contains(words), "\(result.errors)")
    }
    let validated = try ToolRun.compositor(["validate", "q.json5"], in: scratch.folder)
    #expect(validated.status != 0 && (validated.output + validated.errors).contains("a.txt:\(line)"), "\(validated)")
  }

  @Test func chapters_bothOptions_areRefused() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    let result = try scratch.render(["p.json5", "--chapters", "a.txt", "--chapter", "0:00=A", "-o", "x.mp4"])
    #expect(result.status == 64 && result.errors.contains("--chapter and --chapters exclude each other."), "\(result.errors)")
  }
}
