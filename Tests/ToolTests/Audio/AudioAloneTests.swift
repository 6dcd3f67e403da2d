import CompositorTestSupport
import Foundation
import Testing

/// Timelines without pictures, through the tool.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct AudioAloneTests {
  private static let captions = "1\n00:00:00,200 --> 00:00:00,800\nhello\n"

  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=f=440:d=1:r=48000", scratch.folder.appending(path: "s.wav").path)
    try #require(made.status == 0, "\(made.errors)")
    _ = try scratch.file("s.srt", Self.captions)
    return scratch
  }

  private func kinds(_ name: String, _ scratch: Scratch) throws -> [String] {
    try ToolRun.streams(scratch.folder.appending(path: name)).compactMap { $0["codec_type"] }.sorted()
  }

  @Test func captions_besideAudioAlone_areWrittenOrDrawnOrRefused() throws {
    let scratch = try scratch()
    let track = ["--captions", "s.srt", "--caption-as", "track"]
    for name in ["t.mp4", "t.mkv"] {
      let result = try ToolRun.compositor(["render", "s.wav", "-o", name, "--progress", "none"] + track, in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try kinds(name, scratch) == ["audio", "subtitle"])
    }
    for name in ["t.wav", "t.mp3"] {
      let result = try ToolRun.compositor(["render", "s.wav", "-o", name, "--progress", "none"] + track, in: scratch.folder)
      #expect(result.status != 0 && result.errors.contains("caption"), "\(result.errors)")
    }
    let drawn = try ToolRun.compositor(
      ["join", "s.wav", "s.wav", "-o", "d.mp4", "--captions", "s.srt", "--progress", "none"], in: scratch.folder)
    #expect(drawn.status == 0, "\(drawn.errors)")
    #expect(try kinds("d.mp4", scratch) == ["audio", "video"])
  }

  /// Captions that are drawn over frames are told where there are none; those that are a track are kept.
  @Test(
    arguments: [
      (["-o", "t.wav"], [], true), (["-o", "t.mp3"], [], true), (["-o", "t.m4a"], ["--caption-as", "burned-in"], true),
      (["-o", "t.mkv", "--no-video"], [], true), (["-o", "t.mkv", "--no-video"], ["--caption-as", "both"], false),
      (["-o", "t.mp4", "--no-video"], ["--caption-as", "track"], false), (["-o", "t.mkv"], [], false),
    ] as [([String], [String], Bool)])
  func captions_drawnOverNothing_areTold(_ output: [String], _ presentation: [String], _ isTold: Bool) throws {
    let scratch = try scratch()
    let result = try ToolRun.compositor(
      ["render", "s.wav", "--captions", "s.srt", "--progress", "none"] + output + presentation, in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let note = "captions 0 are drawn over the frames, and audio alone has none: they are left out"
    #expect(result.errors.contains(note) == isTold, "\(result.errors)")
    #expect(try kinds(output[1], scratch).contains("subtitle") == !(presentation.isEmpty || isTold))
  }

  /// Times whose samples cannot be counted are mistakes, however a clip plays.
  @Test(arguments: ["speed: 2", "reverse: true", "speed: 2, pitch: 'follow'", "volume: [{ at: '200000000000000s', value: 0 }]"])
  func farTimes_areMistakes(_ keys: String) throws {
    let scratch = try scratch()
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { a: { generate: "bars", tone: 440 } },
        tracks: [{ clips: [{ asset: "a", video: false, in: "200000000000000s", duration: "1s", \(keys) }] }] }
      """)
    let result = try ToolRun.compositor(["render", project.path, "-o", "o.wav", "--progress", "none"], in: scratch.folder)
    #expect((1..<128).contains(result.status), "\(result.status): \(result.errors)")
  }
}
