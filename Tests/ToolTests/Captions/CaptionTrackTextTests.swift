import CompositorTestSupport
import Foundation
import Testing

/// Characters with a meaning in some notation of captions, through the caption tracks of each container.
@Suite(.enabled(if: hasFFmpeg)) struct CaptionTrackTextTests {
  static let texts = [
    "Bonjour\u{a0}!", "{x} and {y}", #"C:\new\Names"#, "Tom & Jerry <3 you, I said: 1 < 2 and 3 > 2",
    "Ada: 100\u{a0}%",
  ]

  private func captions() -> String {
    Self.texts.enumerated().map { index, text in
      "\(index + 1)\n00:00:0\(index),000 --> 00:00:0\(index),900\n\(text)\n"
    }.joined(separator: "\n")
  }

  /// What a file's caption track holds, as it is stored.
  private func stored(_ name: String, as format: String, in scratch: Scratch) throws -> String {
    String(
      decoding: try runProgram(
        "ffmpeg",
        ["-v", "error", "-i", scratch.folder.appending(path: name).path, "-map", "0:s", "-c", "copy", "-f", format, "-"]),
      as: UTF8.self)
  }

  @Test(arguments: ["mkv", "webm", "mp4", "mov"]) func text_comesBackAsItWas(_ kind: String) throws {
    let scratch = try Scratch()
    _ = try scratch.clip("in.mp4", seconds: 6, size: "64x48", sound: false)
    _ = try scratch.file("in.srt", captions())
    let result = try scratch.render(["in.mp4", "--captions", "in.srt", "--caption-as", "track", "-o", "out.\(kind)"])
    try #require(result.status == 0, "\(result.errors)")
    let back = try ToolRun.compositor(["captions", "out.\(kind)", "-o", "back.srt", "--overwrite"], in: scratch.folder)
    try #require(back.status == 0, "\(back.errors)")
    let read = try String(contentsOf: scratch.folder.appending(path: "back.srt"), encoding: .utf8)
    for text in Self.texts { #expect(read.contains("\n\(text)\n"), "\(kind): \(text) in \(read)") }
    if kind == "mkv" {
      let held = try stored("out.mkv", as: "srt", in: scratch)
      for text in Self.texts { #expect(held.contains("\n\(text)\n"), "\(text) in \(held)") }
    }
    if kind == "webm" {
      let held = try stored("out.webm", as: "webvtt", in: scratch)
      #expect(held.contains("Tom &amp; Jerry &lt;3 you, I said: 1 &lt; 2 and 3 &gt; 2"), "\(held)")
    }
  }

  /// The mistake is at the captions that are a track, not at those that are burned in.
  @Test(arguments: ["wav", "gif"]) func track_ofAFileWithoutCaptions_isAMistakeAtTheCaptions(_ kind: String) throws {
    let scratch = try Scratch()
    _ = try scratch.clip("in.mp4", seconds: 1, size: "64x48")
    _ = try scratch.file("in.srt", "1\n00:00:00,000 --> 00:00:00,900\nHello\n")
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { a: "in.mp4" }, tracks: [{ clips: [{ asset: "a" }] }],
        captions: [{ file: "in.srt" }, { file: "in.srt", as: "track" }] }
      """)
    let result = try scratch.render(["p.json5", "-o", "o.\(kind)"])
    #expect(result.status != 0 && result.errors.contains("p.json5:2:34, at captions[1]"), "\(result.errors)")
  }
}
