import CompositorTestSupport
import Foundation
import Testing

/// FLAC whose header promises more than the file holds: cut by a program that copied its frames, or by a transfer that stopped.
@Suite struct CutFLACTests {
  /// Formats of the samples, and from where to where a program copied, in seconds.
  private static let formats: [[String]] = [
    ["-ac", "1", "-sample_fmt", "s16"], ["-ac", "2", "-sample_fmt", "s32"],
    ["-ac", "2", "-sample_fmt", "s16", "-frame_size", "1152"],
  ]
  private static let cuts: [[String]] = [["-t", "1"], ["-ss", "1", "-t", "0.7"], ["-ss", "1"]]

  private func cut(_ format: [String], _ cut: [String], in scratch: Scratch) throws -> URL {
    let file = scratch.folder.appending(path: "cut.flac")
    let noise = ["-f", "lavfi", "-i", "anoisesrc=d=2:r=44100:a=0.2:seed=7"]
    try scratch.make("whole.flac", noise + format)
    let whole = scratch.folder.appending(path: "whole.flac").path
    try scratch.make("cut.flac", cut + ["-i", whole, "-c", "copy"])
    return file
  }

  /// The decoded samples, by ffmpeg.
  private func samples(_ file: URL) throws -> Data {
    try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-i", file.path, "-f", "s32le", "-"])
  }

  @Test(arguments: formats, cuts)
  func render_cutByCopying_hasEverySample(_ format: [String], _ part: [String]) throws {
    let scratch = try Scratch()
    let file = try cut(format, part, in: scratch)
    let result = try scratch.render([
      file.path, "-o", scratch.folder.appending(path: "out.wav").path, "--audio-codec", "pcm-s24",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let (expected, found) = (try samples(file), try samples(scratch.folder.appending(path: "out.wav")))
    #expect(!expected.isEmpty && expected == found, "\(expected.count) bytes, found \(found.count)")
    let probe = try ToolRun.compositor(["probe", file.path])
    // The header of a copy from the middle to the end promises the samples before it, too.
    #expect(probe.output.contains("The header promises 2.000 s; the samples end at"), "\(probe.output)")
  }

  @Test(arguments: formats, [1, 2, 100, 700])
  func render_cutWithinAFrame_isRefused(_ format: [String], _ missing: Int) throws {
    let scratch = try Scratch()
    let file = try cut(format, ["-t", "1"], in: scratch)
    try Data(contentsOf: file).dropLast(missing).write(to: file)
    let result = try scratch.render([file.path, "-o", scratch.folder.appending(path: "out.wav").path])
    #expect(result.status == 66 && result.errors.contains("cut short"), "\(result.errors)")
  }

  /// A part of the file is the same wherever reading began.
  @Test(arguments: formats) func render_aRangeOfACut_isThatPart(_ format: [String]) throws {
    let scratch = try Scratch()
    let file = try cut(format, ["-ss", "1", "-t", "0.7"], in: scratch)
    let out = scratch.folder.appending(path: "part.wav")
    let result = try scratch.render([file.path, "-o", out.path, "--range", "0.5s..0.6s", "--audio-codec", "pcm-s24"])
    #expect(result.status == 0, "\(result.errors)")
    let (whole, found) = (try samples(file), try samples(out))
    let frame = 4 * (format[1] == "1" ? 1 : 2)
    #expect(found == whole.dropFirst(22_050 * frame).prefix(4410 * frame), "\(found.count) bytes")
  }
}
