import CompositorTestSupport
import Foundation
import Testing

/// Movies whose edit list has several parts of audio, which begin and end anywhere, also within packets: each sample is heard that the list names.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct AudioEditListTests {
  /// A codec in a container, at a rate.
  struct Row: Sendable, CustomTestStringConvertible {
    let codec: String
    let container: String
    let rate: Int
    var testDescription: String { "\(codec) in \(container) at \(rate) Hz" }
  }

  /// A part: milliseconds, and the sample of the media with which it begins.
  private typealias Part = (length: Int, start: Int)

  static let rows: [Row] = [
    ("aac", ["mp4", "mov", "m4a"]), ("alac", ["m4a", "mov"]), ("flac", ["mp4"]), ("ac3", ["mp4"]), ("pcm_s16le", ["mov"]),
  ]
  .flatMap { codec, containers in
    containers.flatMap { container in [44_100, 48_000].map { Row(codec: codec, container: container, rate: $0) } }
  }

  /// Parts apart from each other, that go on, and that repeat.
  private static func edits(_ rate: Int) -> [[Part]] {
    [
      [(500, 6024), (250, 60_000), (750, 100_001)], [(500, 3000), (500, 3000 + rate / 2), (250, 3000 + rate)],
      [(250, 20_000), (250, 20_000), (500, 10_001)],
    ]
  }

  /// Replaces the edit list of a file with one track, whose media come before the header.
  private static func edit(_ file: URL, _ parts: [Part], to name: URL) throws {
    func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    var data = try [UInt8](Data(contentsOf: file))
    func size(at place: Int) -> Int { data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    func find(_ box: String, in range: Range<Int>) throws -> Int {
      var place = range.lowerBound
      while place + 8 <= range.upperBound {
        if data[place + 4..<place + 8].elementsEqual(box.utf8) { return place }
        place += max(8, size(at: place))
      }
      return try #require(nil, "no \(box)")
    }
    let movie = try find("moov", in: 0..<data.count)
    let track = try find("trak", in: movie + 8..<movie + size(at: movie))
    let old = try find("edts", in: track + 8..<track + size(at: track))
    let entries = parts.flatMap { bytes($0.length) + bytes($0.start) + bytes(1 << 16) }
    let list = bytes(16 + entries.count) + Array("elst".utf8) + bytes(0) + bytes(parts.count) + entries
    let box = bytes(8 + list.count) + Array("edts".utf8) + list
    let growth = box.count - size(at: old)
    data.replaceSubrange(old..<old + size(at: old), with: box)
    for place in [movie, track] { data.replaceSubrange(place..<place + 4, with: bytes(size(at: place) + growth)) }
    try Data(data).write(to: name)
  }

  private static func samples(_ options: [String], in scratch: Scratch) throws -> [Float] {
    try scratch.make("raw.f32", options + ["-map", "0:a:0", "-ac", "1", "-f", "f32le"])
    return try Data(contentsOf: scratch.folder.appending(path: "raw.f32")).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
  }

  @Test(arguments: rows) func everyPart_hasItsSamples(_ row: Row) throws {
    let scratch = try Scratch()
    try scratch.make(
      "whole.\(row.container)",
      [
        "-f", "lavfi", "-i", "aevalsrc='0.3*sin(1000*t*(1+t))+0.1*sin(7000*t)':s=\(row.rate):d=4", "-c:a", row.codec, "-strict",
        "-2",
      ])
    let whole = scratch.folder.appending(path: "whole.\(row.container)")
    // What the decoder gives of the media, without any list.
    let media = try Self.samples(["-ignore_editlist", "1", "-i", whole.path], in: scratch)
    for parts in Self.edits(row.rate) {
      let edited = scratch.folder.appending(path: "edited.\(row.container)")
      try Self.edit(whole, parts, to: edited)
      let result = try scratch.render([
        edited.path, "-o", "out.wav", "--audio-codec", "pcm-f32", "--sample-rate", "\(row.rate)", "--channels", "1",
        "--overwrite",
      ])
      try #require(result.status == 0, "\(result.errors)")
      let heard = try Self.samples(["-i", scratch.folder.appending(path: "out.wav").path], in: scratch)
      let expected = parts.flatMap { part in media[part.start..<part.start + part.length * row.rate / 1000] }
      #expect(heard.count == expected.count, "\(parts)")
      let differing = zip(heard, expected).enumerated().filter { abs($0.element.0 - $0.element.1) > 1e-3 }
      #expect(differing.isEmpty, "\(parts): \(differing.count) samples differ, from \(differing.first?.offset ?? 0) on")
    }
  }

  /// Ranges and loops of such a file begin at their samples, too.
  @Test(arguments: ["aac", "alac"]) func range_hasItsSamples(_ codec: String) throws {
    let scratch = try Scratch()
    try scratch.make(
      "whole.m4a", ["-f", "lavfi", "-i", "aevalsrc='0.3*sin(1000*t*(1+t))':s=48000:d=4", "-c:a", codec])
    let whole = scratch.folder.appending(path: "whole.m4a")
    let media = try Self.samples(["-ignore_editlist", "1", "-i", whole.path], in: scratch)
    let parts: [Part] = [(500, 6024), (250, 60_000), (750, 100_001)]
    try Self.edit(whole, parts, to: scratch.folder.appending(path: "edited.m4a"))
    let all = parts.flatMap { part in media[part.start..<part.start + part.length * 48] }
    for (first, end) in [(100, 400), (400, 600), (510, 740), (700, 1500), (1400, 1500)] {
      let result = try scratch.render([
        "edited.m4a", "-o", "out.wav", "--audio-codec", "pcm-f32", "--channels", "1", "--range",
        "\(Double(first) / 1000)s..\(Double(end) / 1000)s", "--overwrite",
      ])
      try #require(result.status == 0, "\(result.errors)")
      let heard = try Self.samples(["-i", scratch.folder.appending(path: "out.wav").path], in: scratch)
      #expect(heard.count == (end - first) * 48)
      let differing = zip(heard, all[first * 48..<end * 48]).filter { abs($0 - $1) > 1e-3 }
      #expect(differing.isEmpty, "\(first)..\(end): \(differing.count) samples differ")
    }
  }
}
