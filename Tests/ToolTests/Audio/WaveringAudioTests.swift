import CompositorTestSupport
import Foundation
import Testing

/// Movies whose audio has times that waver by a few samples, as ffmpeg writes them when it encodes what it reads from Matroska.
@Suite(.enabled(if: hasFFmpeg)) struct WaveringAudioTests {
  /// A codec in a container, at a rate.
  struct Row: Sendable, CustomTestStringConvertible {
    var codec: String
    var suffix: String
    var rate: Int
    var testDescription: String { "\(codec) in \(suffix) at \(rate) Hz" }
  }

  /// {codecs} × {containers that ffmpeg writes them to} × {rates}.
  static let rows: [Row] = [
    ("alac", ["m4a", "mp4", "mov"]), ("flac", ["mp4"]), ("libopus", ["mp4"]), ("ac3", ["m4a", "mp4", "mov"]),
    ("eac3", ["mp4", "mov"]), ("aac", ["m4a", "mp4", "mov"]),
  ]
  .flatMap { codec, suffixes in
    suffixes.flatMap { suffix in [44_100, 48_000].map { Row(codec: codec, suffix: suffix, rate: $0) } }
  }

  private static func make(_ row: Row, in scratch: Scratch) throws -> String {
    try scratch.make("s.mkv", ["-f", "lavfi", "-i", "sine=440:d=4:r=\(row.rate)", "-c:a", "pcm_s16le"])
    let name = "s." + row.suffix
    try scratch.make(name, ["-i", scratch.folder.path + "/s.mkv", "-c:a", row.codec, "-strict", "-2"])
    return name
  }

  /// What ffmpeg decodes of a file: packet after packet, whatever their times.
  private static func samples(_ name: String, in scratch: Scratch) throws -> [Float] {
    let file = scratch.folder.appending(path: name)
    try scratch.make("raw.f32", ["-i", file.path, "-map", "0:a:0", "-ac", "1", "-f", "f32le"])
    return try Data(contentsOf: scratch.folder.appending(path: "raw.f32")).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
  }

  /// Renders at the file's own rate, so that samples can be compared one by one.
  private static func rendered(_ name: String, in scratch: Scratch) throws -> [Float] {
    let rate = try #require(try ToolRun.streams(scratch.folder.appending(path: name)).first?["sample_rate"])
    let result = try scratch.render([name, "-o", "out.wav", "--sample-rate", rate, "--channels", "1"])
    try #require(result.status == 0, "\(result.errors)")
    return try samples("out.wav", in: scratch)
  }

  private static func greatestStep(_ samples: ArraySlice<Float>) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  /// Times of packets, in samples.
  private static func times(_ name: String, in scratch: Scratch) throws -> [Int] {
    let result = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "packet=pts", "-of", "csv=p=0",
      scratch.folder.appending(path: name).path)
    return result.output.split(separator: "\n").compactMap { Int($0.prefix { $0 != "," }) }
  }

  @Test(arguments: rows) func samples_followEachOther(_ row: Row) throws {
    let scratch = try Scratch()
    let name = try Self.make(row, in: scratch)
    let times = try Self.times(name, in: scratch)
    let steps = Set(zip(times, times.dropFirst()).map { $1 - $0 })
    try #require(steps.count > 1, "the times do not waver")
    let expected = try Self.samples(name, in: scratch)
    let found = try Self.rendered(name, in: scratch)
    // The last packets of AAC and Opus are filled; ffmpeg decodes that, too.
    let mostFilled = row.codec == "aac" || row.codec == "libopus" ? 1024 : 0
    #expect(found.count <= expected.count && found.count >= expected.count - mostFilled, "\(found.count), \(expected.count)")
    let count = min(found.count, expected.count)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 0.001 })
    #expect(Self.greatestStep(found[...]) < Self.greatestStep(expected[..<count]) * 1.05 + 0.001)
  }

  /// Packets that are missing leave their gap, and what is behind keeps its place.
  @Test(arguments: ["alac", "flac", "libopus", "ac3", "eac3"]) func gaps_stay(_ codec: String) throws {
    let scratch = try Scratch()
    let name = try Self.make(Row(codec: codec, suffix: "mp4", rate: 48_000), in: scratch)
    try scratch.make(
      "gap.mp4",
      ["-i", scratch.folder.path + "/" + name, "-c", "copy", "-strict", "-2", "-bsf:a", "noise=drop=between(n\\,15\\,16)"])
    let (whole, found) = (try Self.rendered(name, in: scratch), try Self.rendered("gap.mp4", in: scratch))
    let dropped = try Self.times(name, in: scratch)[15...17]
    let (start, end) = (dropped[15], dropped[17])
    #expect(abs(found.count - whole.count) <= 48, "\(found.count), \(whole.count)")
    #expect(found[(start + 600)..<(end - 600)].allSatisfy { abs($0) < 0.01 }, "the gap is silent")
    #expect(found[(end + 1000)...].contains { abs($0) > 0.05 }, "there is audio after it")
  }
}
