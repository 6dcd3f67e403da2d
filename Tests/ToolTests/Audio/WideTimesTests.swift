import CompositorTestSupport
import Foundation
import Testing

/// Movies of boxes whose times of audio are more than half a packet beside the samples, as recorders write them that read a clock when
/// they hand packets over: no sample is cut, and none is put in.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct WideTimesTests {
  /// Samples by which the times of packets are late (early if negative), by the packet's number.
  struct Times: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let offset: @Sendable (_ number: Int) -> Int
  }

  private static let wavering = [
    Times(testDescription: "up to 14 ms late") { $0 * 7919 % 673 },
    Times(testDescription: "up to 18 ms late") { $0 * 7919 % 865 },
    Times(testDescription: "12 ms early or late") { $0 == 0 ? 0 : $0 * 7919 % 1153 - 576 },
  ]
  private static let grouped = [
    Times(testDescription: "two at one time") { -1024 * ($0 % 2) },
    Times(testDescription: "four at one time") { -1024 * ($0 % 4) },
  ]

  /// Replaces the durations of the second track of a file whose index is the last box (ISO/IEC 14496-12, 8.6.1.2).
  private static func replaceTimes(of url: URL, by times: Times) throws {
    var bytes = [UInt8](try Data(contentsOf: url))
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    func encoded(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    func place(of type: String, from start: Int) throws -> Int {
      let name = Array(type.utf8)
      return try #require((start..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == name }) - 4
    }
    var boxes = [try place(of: "moov", from: 0)]
    var start = try place(of: "trak", from: boxes[0]) + 8
    for type in ["trak", "mdia", "minf", "stbl", "stts"] {
      boxes.append(try place(of: type, from: start))
      start = (boxes.last ?? 0) + 8
    }
    let table = try #require(boxes.last)
    let count = (0..<number(table + 12)).reduce(0) { $0 + number(table + 16 + 8 * $1) }
    let starts = (0...count).map { 1024 * $0 + times.offset($0) }
    let durations = zip(starts.dropFirst(), starts).map { max(0, $0 - $1) }
    let content = encoded(0) + encoded(count) + durations.flatMap { encoded(1) + encoded($0) }
    let (size, added) = (number(table), 8 + content.count - number(table))
    for box in boxes { bytes.replaceSubrange(box..<box + 4, with: encoded(number(box) + added)) }
    bytes.replaceSubrange(table + 8..<table + size, with: content)
    try Data(bytes).write(to: url)
  }

  /// Four seconds of noise, and the same packets with other times.
  private static func make(_ times: Times, in scratch: Scratch) throws {
    try scratch.make(
      "whole.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:a=0.3:c=pink:seed=3",
        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25", "-ac", "1", "-c:a", "aac", "-aac_pns", "0",
      ])
    try FileManager.default.copyItem(at: scratch.file("whole.mp4"), to: scratch.file("a.mp4"))
    try replaceTimes(of: scratch.file("a.mp4"), by: times)
  }

  private static func decoded(_ name: String, in scratch: Scratch) throws -> [Float] {
    try scratch.make("raw.f32", ["-i", try scratch.file(name).path, "-map", "0:a", "-f", "f32le"])
    return try Data(contentsOf: try scratch.file("raw.f32")).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private static func rendered(_ options: [String] = [], in scratch: Scratch) throws -> [Float] {
    let result = try scratch.render(["a.mp4", "-o", "out.wav", "--no-video", "--channels", "1", "--no-limiter"] + options)
    try #require(result.status == 0, "\(result.errors)")
    return try decoded("out.wav", in: scratch)
  }

  /// By how many samples `found` is later than `expected`, by a passage in the middle; `nil` if it doesn't have it.
  private static func shift(of found: [Float], from expected: [Float]) -> Int? {
    let place = 40_000
    let passage = expected[place..<(place + 500)]
    return (-4000...4000).first { shift in
      place + shift + 500 <= found.count && zip(passage, found[(place + shift)...]).allSatisfy { abs($0 - $1) < 0.002 }
    }
  }

  /// {times}: after the beginning, the samples are those of the packets, and a part is that of the whole.
  @Test(arguments: wavering + grouped) func samples_followOneAnother(_ times: Times) throws {
    let scratch = try Scratch()
    try Self.make(times, in: scratch)
    let (expected, found) = (try Self.decoded("whole.mp4", in: scratch), try Self.rendered(in: scratch))
    let shift = try #require(Self.shift(of: found, from: expected), "they differ")
    let common = 8000..<min(expected.count, found.count - shift) - 4096
    let differing = common.filter { abs(expected[$0] - found[$0 + shift]) > 0.002 }
    #expect(differing.isEmpty, "\(differing.count) samples, from \(differing.first ?? 0) on")
    let part = try Self.rendered(["--range", "1s..2s"], in: scratch)
    #expect(part.count == 48_000 && zip(part, found[48_000...]).allSatisfy { abs($0 - $1) < 0.002 }, "a part")
  }

  /// {times that waver, packets at one time} × {whole, a part}: a copy has the times of its samples, and is heard where a render is.
  @Test(arguments: wavering.suffix(1) + grouped, [[], ["--range", "1s..3s"]])
  func copies_haveTheTimesOfTheirSamples(_ times: Times, _ range: [String]) throws {
    let scratch = try Scratch()
    try Self.make(times, in: scratch)
    let result = try scratch.render(["a.mp4", "--passthrough", "edit-list", "-o", "copy.mp4"] + range)
    try #require(result.status == 0, "\(result.errors)")
    let packets = try ToolRun.program(
      "ffprobe", "-v", "error", "-ignore_editlist", "1", "-show_entries", "packet=dts", "-select_streams", "a", "-of",
      "csv=p=0", try scratch.file("copy.mp4").path)
    let stamps = packets.output.split(separator: "\n").compactMap { Int($0.prefix { $0 != "," }) }
    let steps = zip(stamps.dropFirst(), stamps).map { $0 - $1 }
    // The beginning may be placed by other packets than what follows.
    #expect(steps.count > 80 && steps.allSatisfy { $0 > 0 }, "\(steps)")
    #expect(steps.dropFirst(4).allSatisfy { $0 == 1024 }, "\(steps)")
    let shift = Self.shift(of: try Self.decoded("copy.mp4", in: scratch), from: try Self.rendered(range, in: scratch))
    #expect(shift.map(abs) ?? .max <= 48, "\(shift ?? .max) samples")
  }
}
