import CompositorTestSupport
import Foundation
import Testing

/// Parts of one recording as segmenters write them: `join` loses neither frames nor samples at their seams, and a tone goes on.
@Suite(.enabled(if: hasFFmpeg)) struct JoinedRecordingTests {
  private static func parts(_ container: String, _ arguments: [String], in scratch: Scratch) throws -> [String] {
    let pattern = try scratch.file("part%d.\(container)").path
    let whole =
      ["ffmpeg", "-v", "error", "-y"] + arguments + ["-f", "segment", "-segment_time", "2", "-reset_timestamps", "1", pattern]
    let made = try ToolRun.run(URL(filePath: "/usr/bin/env"), whole)
    try #require(made.status == 0, "\(made.errors)")
    return (0..<3).map { "part\($0).\(container)" }
  }

  /// The largest deviation from a tone of 441 Hz, 0 for any level and phase.
  private static func deviation(_ path: String, rate: Double) throws -> (worst: Float, count: Int) {
    let data = try runProgram(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "f32le", "-c:a", "pcm_f32le", "-"])
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let factor = Float(2 * cos(2 * Double.pi * 441 / rate))
    let range = samples.indices.dropFirst(Int(rate / 4)).dropLast(Int(rate / 10))
    return (range.map { abs(samples[$0] - factor * samples[$0 - 1] + samples[$0 - 2]) }.max() ?? 1, samples.count)
  }

  /// The audio of such parts leads or lags their video by the delay of B-frames.
  @Test(arguments: ["mp4", "mkv", "ts", "mov"], [0, 2]) func video_withAudioThatLeads(_ container: String, _ delay: Int) throws
  {
    let scratch = try Scratch()
    let sources = ["-f", "lavfi", "-i", "testsrc2=r=25:d=6:s=96x64", "-f", "lavfi", "-i", "sine=441:d=6:r=48000"]
    let codecs = ["-c:v", "libx264", "-g", "25", "-bf", "\(delay)", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    let parts = try Self.parts(container, sources + codecs, in: scratch)
    let result = try ToolRun.compositor(
      ["join"] + parts + ["-o", "o.mkv", "--codec", "ffv1", "--audio-codec", "pcm-f32", "--progress", "none"],
      in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(!result.errors.contains("silence for") && !result.errors.contains("left out"), "\(result.errors)")
    let (worst, count) = try Self.deviation(scratch.file("o.mkv").path, rate: 48_000)
    print("\(container), \(delay) B-frames: deviation \(worst), \(count) samples")
    #expect(worst < 1e-3 && count >= 287_000 && count < 294_000)
    let hashes = try runTool("ffmpeg", ["-v", "error", "-i", scratch.file("o.mkv").path, "-map", "0:v", "-f", "framemd5", "-"])
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last }
    #expect(Set(hashes).count == 150 && hashes.count <= 153, "\(hashes.count) frames")
  }

  /// At these rates, a frame is shorter than one of AAC: the first frame is shown once all the same.
  @Test(arguments: ["mp4", "mkv", "ts"], [50, 60]) func fastVideo_showsEachFrameOnce(_ container: String, _ rate: Int) throws {
    let scratch = try Scratch()
    let sources = ["-f", "lavfi", "-i", "testsrc2=r=\(rate):d=6:s=96x64", "-f", "lavfi", "-i", "sine=441:d=6:r=48000"]
    let codecs = ["-c:v", "libx264", "-g", "\(rate)", "-bf", "0", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    let parts = try Self.parts(container, sources + codecs, in: scratch)
    let result = try ToolRun.compositor(
      ["join"] + parts + ["-o", "o.mkv", "--codec", "ffv1", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let hashes = try runTool("ffmpeg", ["-v", "error", "-i", scratch.file("o.mkv").path, "-map", "0:v", "-f", "framemd5", "-"])
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last }
    #expect(hashes.count == 6 * rate && hashes[0] != hashes[1], "\(hashes.count) frames")
  }

  /// The header of each part of an MP3 states no delay, since packets were copied: all samples are audible.
  @Test func partsOfAnMP3_areOneTone() throws {
    let scratch = try Scratch()
    let whole = try scratch.file("whole.mp3").path
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=441:d=6:r=44100", "-c:a", "libmp3lame", "-b:a", "128k", whole])
    let parts = try Self.parts("mp3", ["-i", whole, "-c", "copy"], in: scratch)
    let result = try ToolRun.compositor(
      ["join"] + parts + ["-o", "o.wav", "--audio-codec", "pcm-f32", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let (worst, count) = try Self.deviation(scratch.file("o.wav").path, rate: 44_100)
    #expect(worst < 1e-3, "\(worst)")
    // The muxer of the parts drops the packet of the padding.
    #expect(count % 1152 == (1152 - 1105 % 1152) % 1152 && abs(count - 6 * 44_100) < 1152, "\(count)")
  }

  /// Copies cannot go on over a seam, which is said.
  @Test func copiedParts_areNamed() throws {
    let scratch = try Scratch()
    let sources = ["-f", "lavfi", "-i", "testsrc2=r=25:d=6:s=96x64", "-f", "lavfi", "-i", "sine=441:d=6:r=48000"]
    let codecs = ["-c:v", "libx264", "-g", "25", "-bf", "0", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    let parts = try Self.parts("mkv", sources + codecs, in: scratch)
    let result = try ToolRun.compositor(
      ["join"] + parts + ["-o", "o.mkv", "--passthrough", "auto", "--progress", "none"], in: scratch.folder)
    #expect(
      result.status == 0 && result.errors.contains("2 seams of files that look like parts of one recording"), "\(result.errors)"
    )
  }

  /// A default rate is stated.
  @Test(arguments: [("mjpeg", true), ("m2v", false)]) func rateOfAStream_isStated(_ suffix: String, _ isAssumed: Bool) throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.\(suffix)").path
    try runProgram("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=r=25:d=0.4:s=96x64", path])
    for command in ["probe", "validate"] {
      let result = try ToolRun.compositor([command, "a.\(suffix)"], in: scratch.folder)
      let said = result.output + result.errors
      #expect(result.status == 0 && said.contains("shown at 25 frames a second, its own rate or") == isAssumed, "\(said)")
    }
  }
}
