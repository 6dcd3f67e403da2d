import CompositorTestSupport
import Foundation
import Testing

/// Parts of files that are not used, or cannot be, are named, alike in every command.
@Suite(.enabled(if: hasFFmpeg)) struct UnusedPartsTests {
  private static func ffmpeg(_ arguments: [String], to name: String, in scratch: Scratch) throws -> URL {
    let url = try scratch.file(name)
    let made = try ToolRun.run(URL(filePath: "/usr/bin/env"), ["ffmpeg", "-v", "error", "-y"] + arguments + [url.path])
    try #require(made.status == 0, "\(made.errors)")
    return url
  }

  private static let twoVideos = [
    "-f", "lavfi", "-i", "testsrc2=r=25:d=0.4:s=64x48", "-f", "lavfi", "-i", "testsrc=r=25:d=0.4:s=64x48", "-map", "0", "-map",
    "1",
    "-c:v", "libx264", "-pix_fmt", "yuv420p",
  ]

  @Test(arguments: ["mp4", "mkv"]) func secondVideoTrack_isNamed(_ container: String) throws {
    let scratch = try Scratch()
    _ = try Self.ffmpeg(Self.twoVideos, to: "a.\(container)", in: scratch)
    let result = try ToolRun.compositor(["render", "a.\(container)", "-o", "o.mp4", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0 && result.errors.contains("1 track is not used: video 1"), "\(result.errors)")
    let project = "{ version: 1, assets: { a: \"a.\(container)\" }, tracks: [{ clips: [{ asset: \"a\", videoTrack: 1 }] }] }"
    _ = try scratch.file("p.json5", project)
    let other = try ToolRun.compositor(["render", "p.json5", "-o", "p.mp4", "--progress", "none"], in: scratch.folder)
    #expect(other.status == 0 && other.errors.contains("not used: video 0"), "\(other.errors)")
  }

  /// An AVIF sequence with alpha differs from a movie with two video tracks in its brand.
  @Test(arguments: ["probe", "validate", "render"]) func alphaTrack_ofASequence_isNamed(_ command: String) throws {
    let scratch = try Scratch()
    let url = try Self.ffmpeg(Self.twoVideos, to: "a.mp4", in: scratch)
    var data = try Data(contentsOf: url)
    data.replaceSubrange(8..<12, with: Data("avis".utf8))
    try data.write(to: scratch.file("a.avif"))
    let options = command == "render" ? ["-o", "o.mp4", "--progress", "none"] : []
    let result = try ToolRun.compositor([command, "a.avif"] + options, in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect((result.output + result.errors).contains("alpha of the frames is a track of its own (video 1)"), "\(result.errors)")
  }

  /// Holes of audio are stated by every view.
  @Test(arguments: ["probe", "validate", "render"]) func gap_isNamed(_ command: String) throws {
    let scratch = try Scratch()
    let audio = ["-f", "lavfi", "-i", "sine=441:d=2:r=48000", "-c:a", "libopus"]
    let whole = try Self.ffmpeg(audio, to: "whole.webm", in: scratch)
    _ = try Self.ffmpeg(
      ["-i", whole.path, "-c", "copy", "-bsf:a", "setts=ts=TS+if(gt(TS*TB\\,1)\\,0.3/TB\\,0)"], to: "a.webm", in: scratch)
    let options = command == "render" ? ["-o", "o.wav", "--progress", "none", "--overwrite"] : []
    for (name, isStated) in [("a.webm", true), ("whole.webm", false)] {
      let result = try ToolRun.compositor([command, name] + options, in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      let said = result.output + result.errors
      #expect(said.contains(/a gap of 30[01] ms at (0.99|1.0)\d* s is silent/) == isStated, "\(name): \(said)")
    }
  }

  /// xHE-AAC, which FFmpeg 5.1 cannot decode: every command gives one answer.
  @Test func audioWithoutDecoder_isRefusedAlike() throws {
    let scratch = try Scratch()
    let url = try Self.ffmpeg(["-f", "lavfi", "-i", "sine=441:d=1:r=48000", "-c:a", "aac"], to: "a.mp4", in: scratch)
    var data = try Data(contentsOf: url)
    // The description of AAC LC with a stated absence of SBR becomes that of object type 42 (ISO/IEC 14496-3, 1.6.2.1).
    let place = try #require(data.range(of: Data([0x56, 0xe5, 0x00])))
    data.replaceSubrange(place.lowerBound - 2..<place.upperBound, with: [0xf9, 0x46, 0x40, 0, 0])
    try data.write(to: scratch.file("x.mp4"))
    let commands = [["probe", "x.mp4"], ["validate", "x.mp4"], ["render", "x.mp4", "-o", "o.wav", "--progress", "none"]]
    let results = try commands.map { try ToolRun.compositor($0, in: scratch.folder) }
    let statuses = Set(results.map { $0.status == 0 })
    #expect(statuses.count == 1, "\(results.map { "\($0.status) \($0.errors)" })")
    guard statuses == [false] else { return }
    for result in results { #expect((result.output + result.errors).contains("xHE-AAC"), "\(result.output) \(result.errors)") }
  }

  /// Subtitle tracks of large files are measured if the index tells, and are else said to be unknown.
  @Test(arguments: [("mp4", "0 s to 2.5 s"), ("mkv", "beginning and end unknown")])
  func subtitles_ofALargeFile(_ container: String, _ expected: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("s.srt", "1\n00:00:00,500 --> 00:00:01,000\nHello\n\n2\n00:00:02,000 --> 00:00:02,500\nYou\n")
    let codec = container == "mp4" ? "mov_text" : "srt"
    let noise = "nullsrc=r=10:d=3:s=1280x1280,geq=random(1)*255:random(2)*255:random(3)*255"
    let inputs = ["-f", "lavfi", "-i", noise, "-i", try scratch.file("s.srt").path]
    let codecs = ["-c:v", "mjpeg", "-q:v", "1", "-pix_fmt", "yuvj444p", "-c:s", codec]
    _ = try Self.ffmpeg(inputs + codecs, to: "a.\(container)", in: scratch)
    let size = try FileManager.default.attributesOfItem(atPath: scratch.file("a.\(container)").path)[.size] as? Int
    try #require(size.map { $0 > 64 << 20 } == true, "\(size ?? 0)")
    let result = try ToolRun.compositor(["probe", "a.\(container)"], in: scratch.folder)
    #expect(result.output.contains("subtitle 0  \(codec == "srt" ? "subrip" : codec), \(expected)"), "\(result.output)")
  }
}
