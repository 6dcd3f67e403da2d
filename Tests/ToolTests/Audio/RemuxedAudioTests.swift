import CompositorTestSupport
import Foundation
import Testing

/// Audio that was copied from Matroska, whose times are milliseconds, to MP4: the samples follow one another, as ffmpeg decodes them.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct RemuxedAudioTests {
  /// A codec and a way from Matroska to MP4.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let coding: [String]
    let route: Route
    var rate: Int { name.hasPrefix("opus") ? 48_000 : 44_100 }
    var testDescription: String { "\(name), \(route.rawValue)" }
  }

  /// Matroska is written by ffmpeg, except by `mkvmerge`, whose blocks have several packets and no durations.
  enum Route: String, CaseIterable { case plain, fragmented, webm, mkvmerge, mkvmergeFragmented }

  static let rows: [Row] = [
    ("aac", ["aac", "-aac_pns", "0"]), ("dts", ["dca"]), ("vorbis", ["libvorbis"]), ("flac", ["flac"]), ("alac", ["alac"]),
    ("opus2", ["libopus", "-frame_duration", "2.5"]), ("opus5", ["libopus", "-frame_duration", "5"]), ("opus20", ["libopus"]),
    ("mp3", ["libmp3lame"]), ("ac3", ["ac3"]),
  ]
  .enumerated().flatMap { index, codec in
    let isOfWebM = codec.0 == "vorbis" || codec.0.hasPrefix("opus")
    // `make test` takes three ways of each.
    return TableSelection.columns(Route.allCases.filter { $0 != .webm || isOfWebM }, ofRow: index, each: 3).map {
      Row(name: codec.0, coding: codec.1, route: $0)
    }
  }

  private static let hasMKVToolNix = (try? ToolRun.program("mkvmerge", "--version").status) == 0

  /// Four seconds of noise. `nil` without the program of the route.
  private static func make(_ row: Row, in scratch: Scratch) throws -> String? {
    let noise = ["-f", "lavfi", "-i", "anoisesrc=d=4:r=\(row.rate):a=0.3:c=pink:seed=3", "-ac", "1", "-strict", "-2", "-c:a"]
    var source = row.route == .webm ? "s.webm" : "s.mkv"
    try scratch.make(source, noise + row.coding)
    if row.route == .mkvmerge || row.route == .mkvmergeFragmented {
      guard hasMKVToolNix else { return nil }
      let (from, to) = (try scratch.file(source).path, try scratch.file("merged.mkv").path)
      let merged = try ToolRun.program("mkvmerge", "-q", "-o", to, from)
      try #require(merged.status == 0, "\(merged.output)")
      source = "merged.mkv"
    }
    let isFragmented = row.route == .fragmented || row.route == .mkvmergeFragmented
    let fragments = isFragmented ? ["-movflags", "empty_moov+delay_moov", "-frag_duration", "1000000"] : []
    try scratch.make("s.mp4", ["-i", try scratch.file(source).path, "-c", "copy", "-strict", "-2"] + fragments)
    return "s.mp4"
  }

  /// What ffmpeg decodes of a file: packet after packet, whatever their times.
  private static func decoded(_ name: String, in scratch: Scratch) throws -> [Float] {
    try scratch.make("raw.f32", ["-i", try scratch.file(name).path, "-map", "0:a:0", "-ac", "1", "-f", "f32le"])
    return try Data(contentsOf: try scratch.file("raw.f32")).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private static func rendered(_ name: String, rate: Int, _ options: [String] = [], in scratch: Scratch) throws -> [Float] {
    let arguments = [name, "-o", "out.wav", "--sample-rate", "\(rate)", "--channels", "1", "--no-limiter"] + options
    let result = try scratch.render(arguments)
    try #require(result.status == 0, "\(result.errors)")
    #expect(!result.errors.contains("unsteady"), "\(result.errors)")
    return try decoded("out.wav", in: scratch)
  }

  /// By how many samples `found` is later than `expected`, by a passage in the middle.
  private static func shift(of found: [Float], from expected: [Float]) -> Int? {
    let place = 20_000
    let passage = expected[place..<(place + 500)]
    return (-500...1500).first { shift in
      place + shift + 500 <= found.count && zip(passage, found[(place + shift)...]).allSatisfy { abs($0 - $1) < 0.002 }
    }
  }

  /// {codecs} × {routes}: no sample is cut, none is put in, and a part is that of the whole.
  @Test(arguments: rows) func samples_areThoseThatFFmpegDecodes(_ row: Row) throws {
    let scratch = try Scratch()
    guard let name = try Self.make(row, in: scratch) else { return }
    let expected = try Self.decoded(name, in: scratch)
    let found = try Self.rendered(name, rate: row.rate, in: scratch)
    let shift = try #require(Self.shift(of: found, from: expected), "they differ")
    let common = zip(expected.dropFirst(max(0, -shift)), found.dropFirst(max(0, shift)))
    let differing = common.enumerated().filter { abs($0.element.0 - $0.element.1) > 0.002 }
    #expect(differing.isEmpty, "\(differing.count) samples, from \(differing.first?.offset ?? 0) on")
    // The last packet of Opus is filled.
    let mostMissing = row.name.hasPrefix("opus") ? 120 : 0
    #expect(abs(found.count - shift - expected.count) <= mostMissing, "\(found.count), \(expected.count)")
    let part = try Self.rendered(name, rate: row.rate, ["--range", "1s..2s"], in: scratch)
    let sameness = zip(part, found[row.rate...]).allSatisfy { abs($0 - $1) < 0.002 }
    #expect(part.count == row.rate && sameness, "a part")
  }

  private static let copied: [(String, [Int])] = [
    ("dca", [512]), ("libvorbis", [128, 576, 1024]), ("alac", [4096]), ("aac", [1024]),
  ]

  /// Copies of such packets have the times of their samples. Blocks of libvorbis have 256 or 2048 samples, of which those of two overlap.
  @Test(arguments: copied) func copies_haveTheTimesOfTheirSamples(_ codec: String, _ steps: [Int]) throws {
    let scratch = try Scratch()
    try scratch.make(
      "s.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:a=0.3", "-c:v", "libx264",
        "-strict", "-2", "-c:a", codec,
      ])
    for options in [[], ["--range", "1s..3s"]] {
      let result = try scratch.render(["s.mkv", "--passthrough", "edit-list", "-o", "copy.mp4"] + options)
      try #require(result.status == 0, "\(result.errors)")
      let packets = try ToolRun.program(
        "ffprobe", "-v", "error", "-ignore_editlist", "1", "-select_streams", "a", "-show_entries", "packet=pts", "-of",
        "csv=p=0", try scratch.file("copy.mp4").path)
      let times = packets.output.split(separator: "\n").compactMap { Int($0.prefix { $0 != "," }) }
      let found = Set(zip(times.dropFirst(), times).map { $0 - $1 })
      // After a jump, one packet may be the first of which the samples are not known.
      #expect(times.count > 20 && found.subtracting(steps).count <= (options.isEmpty ? 0 : 1), "\(options): \(found)")
    }
  }

  /// FFmpeg writes DTS to AVI with a rate that stretches it to half an hour.
  @Test func timesOfAVI_thatContradictItsHeader_areIgnored() throws {
    let scratch = try Scratch()
    try scratch.make(
      "s.avi",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:a=0.3:seed=3", "-ac", "1",
        "-c:v", "mpeg4", "-strict", "-2", "-c:a", "dca",
      ])
    let (expected, found) = (
      try Self.decoded("s.avi", in: scratch), try Self.rendered("s.avi", rate: 48_000, ["--no-video"], in: scratch)
    )
    #expect(found.count == expected.count && zip(expected, found).allSatisfy { abs($0 - $1) < 0.002 })
    let part = try Self.rendered("s.avi", rate: 48_000, ["--no-video", "--range", "1s..2s"], in: scratch)
    #expect(zip(part, found[48_000...]).allSatisfy { abs($0 - $1) < 0.002 })
  }
}
