import CompositorTestSupport
import Foundation
import Testing

/// Cover and lyrics of a song with `--keep-metadata`, and what is said where a container cannot hold them.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct KeptCoverTests {
  private func song(_ scratch: Scratch) throws -> Data {
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x96", "-frames:v", "1", scratch.file("cover.jpg").path])
    let plain = try scratch.file("plain.mp3").path
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=440:duration=1", "-i", scratch.file("cover.jpg").path, "-map", "0", "-map",
        "1",
        "-c:a", "libmp3lame", "-c:v", "copy", "-disposition:v", "attached_pic", "-metadata", "title=Song", "-id3v2_version",
        "3",
        plain,
      ])
    // ffmpeg writes no lyrics frame: one is put in by hand.
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: plain)))
    let text = [UInt8](0...0) + Array("eng".utf8) + [0] + Array("La la\nla".utf8)
    let frame = Array("USLT".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) } + frame.count
    for index in 0..<4 { bytes[6 + index] = UInt8(size >> (7 * (3 - index)) & 0x7f) }
    bytes.insert(contentsOf: frame, at: 10)
    try Data(bytes).write(to: scratch.file("song.mp3"))
    return try Data(contentsOf: scratch.file("cover.jpg"))
  }

  /// The extension, and whether it holds covers and lyrics.
  static let containers: [(suffix: String, cover: Bool, lyrics: Bool)] = [
    ("m4a", true, true), ("mp4", true, true), ("mp3", true, true), ("flac", true, true), ("mkv", true, true),
    ("ogg", true, true),
    ("wav", false, false), ("mov", false, false),
  ]

  @Test(arguments: containers.indices) func keptMetadata_includesCoverAndLyrics_orSaysSo(_ index: Int) throws {
    let (suffix, holdsCover, holdsLyrics) = Self.containers[index]
    let scratch = try Scratch()
    let cover = try song(scratch)
    let result = try ToolRun.compositor(
      ["render", "song.mp3", "-o", "x.\(suffix)", "--keep-metadata", "--progress", "none"], in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("cannot hold the source's cover: left out") == !holdsCover, "\(result.errors)")
    #expect(result.errors.contains("cannot hold the source's lyrics: left out") == !holdsLyrics, "\(result.errors)")
    let data = try runProgram(
      "ffprobe", ["-v", "error", "-show_format", "-show_streams", "-of", "json", scratch.file("x.\(suffix)").path])
    let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let streams = try #require(all["streams"] as? [[String: Any]])
    // Ogg states entries of its only track.
    let tags = ([all["format"] as? [String: Any]] + streams).compactMap { $0?["tags"] as? [String: String] }
    let entries = tags.flatMap { $0 }.map { (key: $0.key.lowercased(), value: $0.value) }
    #expect(entries.contains { $0.key == "title" && $0.value == "Song" })
    #expect(entries.contains { $0.key.hasPrefix("lyrics") && $0.value == "La la\nla" } == holdsLyrics, "\(suffix): \(entries)")
    let pictures = streams.filter { ($0["disposition"] as? [String: Int])?["attached_pic"] == 1 }
    #expect(pictures.count == (holdsCover ? 1 : 0), "\(suffix)")
    guard holdsCover else { return }
    let picture = try runProgram(
      "ffmpeg", ["-v", "error", "-i", scratch.file("x.\(suffix)").path, "-map", "0:v", "-c", "copy", "-f", "image2pipe", "-"])
    #expect(picture == cover, "\(suffix): byte by byte")
  }

  @Test func cover_ofTheCommandLine_overridesTheKeptOne() throws {
    let scratch = try Scratch()
    _ = try song(scratch)
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "color=red:s=32x32", "-frames:v", "1", scratch.file("red.png").path])
    let result = try ToolRun.compositor(
      ["render", "song.mp3", "-o", "x.m4a", "--keep-metadata", "--cover", "red.png", "--progress", "none"], in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    let streams = try ToolRun.streams(scratch.file("x.m4a"))
    #expect(streams.contains { $0["codec_name"] == "png" && $0["width"] == "32" } && streams.count == 2, "\(streams)")
  }

  /// Both ways of stating that captions are forced: libavformat's in MP4, and the display flags of 3GPP timed text.
  @Test(arguments: ["mp4", "mov", "mkv"]) func forcedCaptions_areReadBackAsSuch(_ suffix: String) throws {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mp4", seconds: 1)
    _ = try scratch.file("a.srt", "1\n00:00:00,100 --> 00:00:00,900\nHello\n")
    for isForced in [true, false] {
      _ = try scratch.file(
        "p.json5",
        """
        { version: 1, assets: { a: "a.mp4" }, tracks: [{ clips: [{ asset: "a" }] }],
          captions: [{ file: "a.srt", as: "track", language: "de", forced: \(isForced) }] }
        """)
      let name = "\(isForced).\(suffix)"
      let result = try ToolRun.compositor(["render", "p.json5", "-o", name, "--progress", "none"], in: scratch.folder)
      try #require(result.status == 0, "\(result.errors)")
      let probe = try ToolRun.compositor(["probe", name], in: scratch.folder).output
      let line = try #require(probe.split(separator: "\n").first { $0.contains("subtitle 0") })
      #expect(line.contains("forced") == isForced, "\(name): \(line)")
    }
  }
}
