import CompositorTestSupport
import Foundation
import Testing

/// FLAC in CAF, to whose packets FFmpeg gives the times of packets of the mean size: every sample is heard once, as ffmpeg decodes them.
@Suite(.enabled(if: hasFFmpeg)) struct MeanPacketTests {
  private static let formats: [(rate: Int, channels: Int)] = [(44_100, 1), (44_100, 2), (48_000, 2), (22_050, 1)]

  private func samples(_ path: String) throws -> Data {
    try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-f", "s16le", "-"])
  }

  @Test(arguments: formats, ["1", "2", "1.37", "3"]) func everySample_isHeardOnce(
    _ format: (rate: Int, channels: Int), _ seconds: String
  ) throws {
    let folder = try TemporaryFolder()
    let (wave, caf, output) = (folder.file("a.wav"), folder.file("a.caf"), folder.file("o.wav"))
    let tool = ["-v", "error", "-nostdin", "-y"]
    let noise = "anoisesrc=d=\(seconds):r=\(format.rate):a=0.3:c=pink:seed=3"
    try runProgram("ffmpeg", tool + ["-f", "lavfi", "-i", noise, "-ac", "\(format.channels)", wave])
    // From a file: of a filter's frames, the muxer writes a file that nothing opens.
    try runProgram("ffmpeg", tool + ["-i", wave, "-c:a", "flac", caf])
    let expected = try samples(caf)
    try #require(expected == (try samples(wave)) && !expected.isEmpty)

    func render(_ options: [String]) throws -> Data {
      let result = try ToolRun.compositor(["render", caf, "-o", output, "--overwrite", "--progress", "none"] + options)
      try #require(result.status == 0, "\(result.errors)")
      #expect(!result.errors.contains("unsteady"), "\(result.errors)")
      return try samples(output)
    }
    #expect(try render([]) == expected)
    let frame = 2 * format.channels
    let part = expected.dropFirst(format.rate / 2 * frame).prefix(format.rate * 2 / 5 * frame)
    #expect(try render(["--range", "0.5s..0.9s"]) == part)
  }
}
