import CompositorTestSupport
import Foundation
import Testing

/// Uncompressed audio of DVDs, whose packets end within a block of samples, and whose times a muxer rounds or skips: samples follow one another as in ffmpeg.
@Suite(.enabled(if: hasFFmpeg)) struct DiscAudioTests {
  struct Layout: CustomTestStringConvertible {
    let channels, rate: Int
    let format: String
    var testDescription: String { "\(channels) channels at \(rate) Hz, \(format)" }
  }

  static let layouts = [1, 2].flatMap { channels in
    [48_000, 96_000].flatMap { rate in ["s16", "s32"].map { Layout(channels: channels, rate: rate, format: $0) } }
  }

  private static let seconds = 3

  private func make(_ layout: Layout, video: Bool, in folder: TemporaryFolder) throws -> String {
    let path = folder.file("a.vob")
    let channels = ["0.2*sin(2*PI*440*t)", "0.2*sin(2*PI*661*t)"].prefix(layout.channels).joined(separator: "|")
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=\(Self.seconds)"]
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y"] + (video ? picture : [])
        + ["-f", "lavfi", "-i", "aevalsrc='\(channels)':s=\(layout.rate):d=\(Self.seconds)"]
        + (video ? ["-c:v", "mpeg2video"] : []) + ["-c:a", "pcm_dvd", "-sample_fmt", layout.format, "-f", "vob", path])
    return path
  }

  private func samples(_ path: String) throws -> [Float] {
    let data = try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-map", "0:a", "-f", "f32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private func rendered(_ path: String, _ options: [String], in folder: TemporaryFolder) throws -> [Float] {
    let output = folder.file("o.wav")
    let result = try ToolRun.compositor(
      ["render", path, "-o", output, "--audio-codec", "pcm-f32", "--overwrite", "--progress", "none"] + options)
    try #require(result.status == 0, "\(result.errors)")
    #expect(!result.errors.contains("gap"), "\(result.errors)")
    return try samples(output)
  }

  @Test(arguments: layouts, [false, true]) func everySample_isHeardOnce(_ layout: Layout, _ hasVideo: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try make(layout, video: hasVideo, in: folder)
    let expected = try samples(path)
    try #require(expected.count == Self.seconds * layout.rate * layout.channels)
    #expect(try rendered(path, [], in: folder) == expected)
    // From the middle: decoding can't start within a block.
    let middle = expected[(2 * layout.rate * layout.channels)..<(5 * layout.rate / 2 * layout.channels)]
    #expect(try rendered(path, ["--range", "2s..2.5s"], in: folder) == Array(middle))
  }
}
