import Foundation
import Testing

/// No input is ever overwritten, whatever it is an input of.
@Suite struct GuardedInputTests {
  private static let head = "version: 1, output: { size: \"64x48\", frameRate: 25"
  private static let tracks = "tracks: [{ clips: [{ asset: \"a\", duration: \"0.2s\" }] }]"
  private static let asset = "a: { generate: \"clock\", size: \"64x48\", frameRate: 25 }"

  /// {captions, metadataFrom, a cover, an asset without a clip} × {render, frame}, and options of the command line.
  @Test(arguments: [
    ("captions: [{ file: \"in.mkv\" }],", "", "", "in.mkv", [String]()),
    ("", ", metadataFrom: \"in.mp4\"", "", "in.mp4", []),
    ("", "", ", b: \"in.mp4\"", "in.mp4", []),
    ("", "", "", "in.mp4", ["--metadata-from", "in.mp4"]), ("", "", "", "in.mkv", ["--captions", "in.mkv"]),
  ])
  func input_isNotReplaced(
    _ captions: String, _ output: String, _ asset: String, _ name: String, _ arguments: [String]
  ) throws {
    let scratch = try Scratch()
    let subtitles = try scratch.file("s.srt", "1\n00:00:00,000 --> 00:00:01,000\nHello\n")
    try scratch.make(
      name,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-i", subtitles.path, "-map", "0", "-map", "1", "-c:v", "libx264"]
        + ["-c:s", name.hasSuffix("mkv") ? "srt" : "mov_text"])
    _ = try scratch.file(
      "p.json5", "{ \(Self.head)\(output) }, \(captions) assets: { \(Self.asset)\(asset) }, \(Self.tracks) }")
    let before = try Data(contentsOf: scratch.folder.appending(path: name))
    let result = try scratch.render(["p.json5", "-o", name] + arguments)
    #expect(result.status == 74 && result.errors.contains("The output is the input"), "\(result)")
    #expect(try Data(contentsOf: scratch.folder.appending(path: name)) == before)
    let other = try scratch.render(["p.json5", "-o", "other.\(name.suffix(3))"] + arguments)
    #expect(other.status == 0, "\(other.errors)")
  }

  @Test func picture_withoutAClip_isNotReplacedByAFrame() throws {
    let scratch = try Scratch()
    try scratch.make("b.png", ["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1"])
    _ = try scratch.file("p.json5", "{ \(Self.head) }, assets: { \(Self.asset), b: \"b.png\" }, \(Self.tracks) }")
    let before = try Data(contentsOf: scratch.folder.appending(path: "b.png"))
    for command in ["frame", "thumbnails"] {
      let result = try ToolRun.compositor([command, "p.json5", "--at", "0s", "-o", "b.png", "--overwrite"], in: scratch.folder)
      #expect(result.status == 74 && result.errors.contains("The output is the input"), "\(command): \(result)")
    }
    #expect(try Data(contentsOf: scratch.folder.appending(path: "b.png")) == before)
  }

  /// Captions of a project, which each run would shift again.
  @Test func captions_ofAProject_areNotReplaced() throws {
    let scratch = try Scratch()
    let text = "1\n00:00:00,000 --> 00:00:01,000\nHello\n"
    _ = try scratch.file("s.srt", text)
    _ = try scratch.file(
      "p.json5",
      "{ \(Self.head) }, captions: [{ file: \"s.srt\", offset: \"1s\" }], assets: { \(Self.asset) }, \(Self.tracks) }")
    let result = try ToolRun.compositor(["captions", "p.json5", "-o", "s.srt", "--overwrite"], in: scratch.folder)
    #expect(result.status == 74 && result.errors.contains("The output is the input"), "\(result)")
    #expect(try String(contentsOf: scratch.folder.appending(path: "s.srt"), encoding: .utf8) == text)
  }
}
