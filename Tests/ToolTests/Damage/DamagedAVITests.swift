import CompositorTestSupport
import Foundation
import Testing

/// AVI files that lack packets: at the end, of which the header tells how many there were, or within, of which the index tells where.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct DamagedAVITests {
  /// A kind of AVI, by its encoders.
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    var video: [String]?
    var audio: [String]?
    var testDescription: String { name }
  }

  private static let kinds = [
    Kind(name: "MJPEG, PCM", video: ["mjpeg", "-q:v", "4"], audio: ["pcm_s16le"]),
    Kind(name: "HuffYUV, PCM of 8 bits", video: ["huffyuv"], audio: ["pcm_u8"]),
    Kind(name: "uncompressed, PCM", video: ["rawvideo", "-pix_fmt", "yuv420p"], audio: ["pcm_s16le"]),
    Kind(name: "MPEG-4, MP3", video: ["mpeg4", "-g", "25"], audio: ["libmp3lame"]),
    Kind(name: "MPEG-4 with B-frames, AC-3", video: ["mpeg4", "-g", "25", "-bf", "2"], audio: ["ac3"]),
    Kind(name: "H.264, AAC", video: ["libx264", "-pix_fmt", "yuv420p", "-g", "25", "-bf", "0"], audio: ["aac"]),
    Kind(name: "MPEG-4", video: ["mpeg4", "-g", "25"]),
    Kind(name: "MP3", audio: ["libmp3lame"]),
    Kind(name: "PCM", audio: ["pcm_s16le"]),
  ]

  private static func make(_ kind: Kind, in scratch: Scratch) throws -> Data {
    var options: [String] = []
    if kind.video != nil { options += ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=4"] }
    if kind.audio != nil { options += ["-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:a=0.3:seed=3", "-ac", "1"] }
    if let video = kind.video { options += ["-c:v"] + video }
    if let audio = kind.audio { options += ["-c:a"] + audio }
    try scratch.make("whole.avi", options)
    return try Data(contentsOf: scratch.file("whole.avi"))
  }

  private static func render(
    _ name: String, _ kind: Kind, _ options: [String] = [], in scratch: Scratch
  ) throws -> ToolRun.Result {
    try scratch.render([name, "-o", kind.video == nil ? "out.wav" : "out.mkv"] + options)
  }

  /// {kinds} × {half, 85 % of the file}: what is missing is refused, by `validate`, too; what is there renders.
  @Test(arguments: kinds) func fileThatIsCutShort_isRefused(_ kind: Kind) throws {
    let scratch = try Scratch()
    let bytes = try Self.make(kind, in: scratch)
    for part in [0.5, 0.85] {
      try bytes.prefix(Int(Double(bytes.count) * part)).write(to: scratch.file("cut.avi"))
      let validated = try ToolRun.compositor(["validate", "cut.avi"], in: scratch.folder)
      #expect(validated.status == 66 && validated.output.contains("cut short"), "\(part): \(validated.output)")
      let rendered = try Self.render("cut.avi", kind, in: scratch)
      #expect(rendered.status == 66 && rendered.errors.contains("cut short"), "\(part): \(rendered.errors)")
      let beginning = try Self.render("cut.avi", kind, ["--range", "0s..1s"], in: scratch)
      #expect(beginning.status == 0, "\(part): \(beginning.errors)")
    }
    let kept = try Self.render("cut.avi", kind, ["--damaged", "keep"], in: scratch)
    let said = kind.video == nil ? "cut short" : "frames are missing"
    #expect(kept.status == 0 && kept.errors.contains(said), "\(kept.errors)")
    let probe = try ToolRun.compositor(["probe", "cut.avi"], in: scratch.folder)
    #expect(probe.output.contains("but the header promises them until 4.0"), "\(probe.output)")
  }

  /// A count that the missing bytes can't hold is none.
  @Test func impossibleCount_isIgnored() throws {
    let scratch = try Scratch()
    var bytes = try Self.make(Self.kinds[0], in: scratch)
    let count = try #require(bytes.range(of: Data("strh".utf8))).upperBound + 36
    bytes.replaceSubrange(count..<count + 4, with: [0xff, 0xff, 0xff, 0x7f])
    try bytes.prefix(bytes.count / 2).write(to: scratch.file("cut.avi"))
    let probe = try ToolRun.compositor(["probe", "cut.avi"], in: scratch.folder)
    #expect(probe.output.contains(/its frames end at [12]\.\d\d\d s, but more should follow/), "\(probe.output)")
  }

  // MARK: within

  /// The chunks of a stream, each with its header.
  private static func chunks(_ stream: String, of bytes: Data) throws -> [Range<Int>] {
    var (chunks, place) = ([Range<Int>](), try #require(bytes.range(of: Data("movi".utf8))).upperBound)
    while place + 8 < bytes.count, !bytes[place...].starts(with: Data("idx1".utf8)) {
      let size = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = place + 8 + size + size % 2
      if size > 0, bytes[place...].starts(with: Data(stream.utf8)) { chunks.append(place..<end) }
      place = end
    }
    return chunks
  }

  /// {kinds} × {one, three frames}: `validate` says how many are missing, and where.
  @Test(arguments: kinds.filter { $0.video != nil }, [1, 3]) func lostFrames_areCounted(_ kind: Kind, _ count: Int) throws {
    let scratch = try Scratch()
    var bytes = try Self.make(kind, in: scratch)
    let frames = try Self.chunks("00", of: bytes)
    try #require(frames.count >= 100)
    for frame in frames[40..<40 + count] { bytes.replaceSubrange(frame, with: Data(count: frame.count)) }
    try bytes.write(to: scratch.file("lost.avi"))
    #expect(try !ToolRun.compositor(["validate", "whole.avi"], in: scratch.folder).output.contains("lost"))
    let result = try ToolRun.compositor(["validate", "lost.avi"], in: scratch.folder)
    let said = "\(count) of the packets that the file's index lists \(count == 1 ? "is" : "are") missing, the first at 1."
    #expect(result.output.contains(said), "\(result.output)")
  }

  private static func samples(_ name: String, in scratch: Scratch) throws -> [Float] {
    let result = try scratch.render([name, "-o", "out.wav", "--no-video", "--channels", "1", "--no-limiter"])
    try #require(result.status == 0, "\(result.errors)")
    try scratch.make("raw.f32", ["-i", try scratch.file("out.wav").path, "-f", "f32le"])
    return try Data(contentsOf: scratch.file("raw.f32")).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// {PCM of 16 and 8 bits} × {one chunk, two}: silence, and all else in its place.
  @Test(arguments: [kinds[0], kinds[1]], [1, 2]) func lostSamples_areSilent(_ kind: Kind, _ count: Int) throws {
    let scratch = try Scratch()
    var bytes = try Self.make(kind, in: scratch)
    let expected = try Self.samples("whole.avi", in: scratch)
    let chunks = try Self.chunks("01wb", of: bytes)
    let size = kind.audio == ["pcm_u8"] ? 1 : 2
    let lost = chunks[chunks.count / 2..<chunks.count / 2 + count]
    let first = chunks.prefix { $0.lowerBound < lost[lost.startIndex].lowerBound }.reduce(0) { $0 + $1.count - 8 } / size
    let silent = first..<first + lost.reduce(0) { $0 + $1.count - 8 } / size
    for chunk in lost { bytes.replaceSubrange(chunk, with: Data(count: chunk.count)) }
    try bytes.write(to: scratch.file("lost.avi"))
    let found = try Self.samples("lost.avi", in: scratch)
    #expect(found.count == expected.count)
    let wrong = found.indices.filter { abs(found[$0] - (silent.contains($0) ? 0 : expected[$0])) > 0.001 }
    #expect(wrong.isEmpty, "\(wrong.count) samples, from \(wrong.first ?? 0) on; \(silent) is silent")
    let validated = try ToolRun.compositor(["validate", "lost.avi"], in: scratch.folder)
    let said = "\(count) of the packets that the file's index lists \(count == 1 ? "is" : "are") missing, the first at 2.0"
    #expect(validated.output.contains(said), "\(validated.output)")
  }
}
