import CompositorTestSupport
import Foundation
import Testing

/// Copies of Vorbis, of which each packet completes the one before: they are heard where a render is.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct CopiedVorbisTests {
  /// A source, and by how many samples a copy of it may be early or late: the times of Matroska are milliseconds, also those that were copied from it.
  struct Source: Sendable, CustomTestStringConvertible {
    let name: String
    var tolerance = 96
    var testDescription: String { name }
  }

  private static let sources = [
    Source(name: "a.mkv"), Source(name: "a.webm"), Source(name: "copied.mp4"), Source(name: "a.mp4", tolerance: 2),
  ]

  /// Four seconds with a click at 2 s.
  private static func make(_ source: Source, in scratch: Scratch) throws {
    guard source.name != "copied.mp4" else {
      try make(sources[0], in: scratch)
      return try scratch.make(source.name, ["-i", try scratch.file("a.mkv").path, "-c", "copy"])
    }
    let isWebM = source.name.hasSuffix("webm")
    let video = isWebM ? ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"] : ["libx264", "-pix_fmt", "yuv420p"]
    try scratch.make(
      source.name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=4", "-f", "lavfi", "-i",
        "aevalsrc='0.8*between(n,96000,96007)':s=48000:d=4", "-g", "25", "-c:a", "libvorbis", "-q:a", "8", "-c:v",
      ] + video)
  }

  /// The position of the loudest sample in a file, in samples from time 0.
  private static func click(_ name: String, in scratch: Scratch) throws -> Int {
    let path = try scratch.file(name).path
    try scratch.make("raw.f32", ["-i", path, "-map", "0:a:0", "-ac", "1", "-f", "f32le"])
    let samples = try Data(contentsOf: scratch.file("raw.f32")).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let probed = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=start_time", "-of", "csv=p=0", path)
    let start = Double(probed.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    return Int((start * 48_000).rounded()) + (samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } ?? 0)
  }

  /// {sources} × {whole, from a key frame, between key frames}: the click is where it is in a render, by ffmpeg and by this tool.
  @Test(arguments: sources, [[], ["--range", "1s..3s"], ["--range", "1.24s..3s"]])
  func click_isWhereARenderHasIt(_ source: Source, _ range: [String]) throws {
    let scratch = try Scratch()
    try Self.make(source, in: scratch)
    let rendered = try scratch.render([source.name, "-o", "render.wav", "--no-limiter"] + range)
    try #require(rendered.status == 0, "\(rendered.errors)")
    let copied = try scratch.render([source.name, "-o", "copy.mp4", "--passthrough", "edit-list"] + range)
    try #require(copied.status == 0 && copied.errors.contains("audio copied"), "\(copied.errors)")
    // Audio alone would begin with its first sample.
    let again = try scratch.render(["copy.mp4", "-o", "again.mkv", "--audio-codec", "pcm-s16", "--no-limiter"])
    try #require(again.status == 0, "\(again.errors)")
    let expected = try Self.click("render.wav", in: scratch)
    for name in ["copy.mp4", "again.mkv"] {
      let found = try Self.click(name, in: scratch)
      #expect(abs(found - expected) <= source.tolerance, "\(name): \(found), rendered \(expected)")
    }
  }
}
