import CompositorTestSupport
import Foundation
import Testing

/// Audio alone has as many samples as its files have, joined, cut and in projects.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct ExactLengthTests {
  /// Writes a ramp of 16-bit samples, none of which is 0, so that a lost or an added one shows.
  private static func samples(_ count: Int, from first: Int = 0) -> [Int16] {
    (0..<count).map { Int16(truncatingIfNeeded: ($0 + first) % 20_000 + 1) }
  }

  private static func write(_ samples: [Int16], _ name: String, rate: Int, in scratch: Scratch) throws {
    let raw = scratch.folder.appending(path: "raw")
    try samples.withUnsafeBytes { Data($0) }.write(to: raw)
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-f", "s16le", "-ar", "\(rate)", "-ac", "1", "-i", raw.path,
      scratch.folder.appending(path: name).path)
    try #require(result.status == 0, "\(result.errors)")
  }

  private static func decoded(_ name: String, in scratch: Scratch) throws -> [Int16] {
    let data = try runProgram(
      "ffmpeg", ["-v", "error", "-i", scratch.folder.appending(path: name).path, "-f", "s16le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  private static func render(_ arguments: [String], in scratch: Scratch) throws -> [Int16] {
    let all = arguments + ["-o", "o.wav", "--overwrite", "--no-limiter", "--progress", "none"]
    let result = try ToolRun.compositor(all, in: scratch.folder)
    try #require(result.status == 0, "\(all): \(result.errors)")
    return try decoded("o.wav", in: scratch)
  }

  private static let formats = ["wav", "flac", "aiff", "caf"]

  /// `make test` takes one rate of each format and three of the lengths.
  @Test(arguments: TableSelection.pairs(formats, [22_050, 44_100, 48_000, 96_000], each: 1))
  func everySample_isKept(_ format: String, _ rate: Int) throws {
    let scratch = try Scratch()
    let row = Self.formats.firstIndex(of: format) ?? 0
    for count in TableSelection.columns([1, 3236, 9601, 44_101, 77_777], ofRow: row, each: 3) {
      let samples = Self.samples(count)
      try Self.write(samples, "a.\(format)", rate: rate, in: scratch)
      #expect(try Self.render(["render", "a.\(format)"], in: scratch) == samples, "\(count)")
      #expect(try Self.render(["join", "a.\(format)", "a.\(format)"], in: scratch) == samples + samples, "\(count) joined")
      let half = count / 2
      let output = "output: { audio: { sampleRate: \(rate), channels: 1, limiter: false } }"
      let clips =
        half > 0
        ? "{ asset: \"a\", duration: \"\(half)/\(rate)\" }, { asset: \"a\", in: \"\(half)/\(rate)\" }"
        : "{ asset: \"a\" }"
      let project = try scratch.file(
        "p.json5", "{ version: 1, \(output), assets: { a: \"a.\(format)\" }, tracks: [{ clips: [\(clips)] }] }")
      #expect(try Self.render(["render", project.path], in: scratch) == samples, "\(count) cut")
    }
    print("\(format) \(rate) Hz: 1, 3236, 9601, 44101 and 77777 samples are kept, joined and cut at half")
  }

  @Test func thirtyFiles_loseNothing() throws {
    let scratch = try Scratch()
    var all: [Int16] = []
    var names: [String] = []
    for index in 0..<30 {
      let samples = Self.samples(3236 + 7 * index, from: all.count)
      try Self.write(samples, "\(index).wav", rate: 44_100, in: scratch)
      names.append("\(index).wav")
      all += samples
    }
    #expect(try Self.render(["join"] + names, in: scratch) == all)
  }

  /// Files of several rates: the sum is exact to half a sample of the output, and there is no silence at the seams.
  @Test func severalRates_addUpExactly() throws {
    let scratch = try Scratch()
    var seconds = 0.0
    var names: [String] = []
    for (index, rate) in [44_100, 48_000, 22_050, 96_000, 32_000, 11_025, 16_000, 88_200].enumerated() {
      let count = 9601 + index
      try Self.write([Int16](repeating: 8000, count: count), "\(index).wav", rate: rate, in: scratch)
      names.append("\(index).wav")
      seconds += Double(count) / Double(rate)
    }
    let samples = try Self.render(["join"] + names, in: scratch)
    #expect(abs(Double(samples.count) - seconds * 44_100) <= 1, "\(samples.count) of \(seconds * 44_100)")
    // Where the rate changes, the resampler's filter sees the end of one file and the start of the other.
    let low = samples.dropFirst(100).dropLast(100).filter { $0 <= 6000 }
    #expect(low.count <= 7 * 8 && !low.contains(0), "\(low.count) too low: \(low)")
  }

  /// Times that programs print with many digits still add up with samples.
  @Test func longDecimals_addUpWithSamples() throws {
    let scratch = try Scratch()
    try Self.write(Self.samples(9601), "a.wav", rate: 44_100, in: scratch)
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { a: "a.wav" }, tracks: [{ clips: [
        { asset: "a", duration: "0.1234567s" }, { asset: "a" }, { asset: "a", in: "0.0000001s" }] }] }
      """)
    let samples = try Self.render(["render", project.path], in: scratch)
    let seconds = 0.1234567 + 2 * 9601.0 / 44_100
    #expect(abs(Double(samples.count) / 2 / 48_000 - seconds) < 2.0 / 48_000)
  }

  @Test func explain_showsExactTimes() throws {
    let scratch = try Scratch()
    try Self.write(Self.samples(9601), "a.wav", rate: 44_100, in: scratch)
    let result = try ToolRun.compositor(["explain", "a.wav", "--json"], in: scratch.folder)
    #expect(result.output.contains("9601/44100"), "\(result.output)")
  }
}
