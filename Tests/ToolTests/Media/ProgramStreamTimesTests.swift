import CompositorTestSupport
import Foundation
import Testing

/// Program streams state a time for the first frame of each packet only: those of the others follow from the rate.
@Suite(.enabled(if: hasFFmpeg)) struct ProgramStreamTimesTests {
  struct Coding: CustomTestStringConvertible {
    let name: String
    let options: [String]
    var rates = ["30", "25", "30000/1001"]
    var testDescription: String { name }
  }

  /// Small frames, of which many share a packet, and large ones. Where frames of a few hundred bytes have B frames, libavformat gives the time of a packet
  /// to two of them: 98 of 100 frames of H.264 at 25 per second, of HEVC at 29.97 and of MPEG-1 are shown.
  static let codings = [
    Coding(name: "H.264, small, without B frames", options: ["-c:v", "libx264", "-crf", "40", "-bf", "0"]),
    Coding(
      name: "H.264, noisy",
      options: ["-vf", "noise=alls=40:allf=t,scale=640:128:flags=neighbor", "-c:v", "libx264", "-b:v", "500k"]),
    Coding(
      name: "HEVC, small", options: ["-c:v", "libx265", "-x265-params", "log-level=0", "-crf", "40"], rates: ["30", "25"]),
    Coding(name: "MPEG-2", options: ["-c:v", "mpeg2video", "-bf", "2", "-q:v", "3"]),
  ]

  @Test(arguments: codings.flatMap { coding in coding.rates.map { (coding, $0) } }) func everyFrame_isShownOnce(
    _ coding: Coding, _ rate: String
  ) throws {
    let folder = try TemporaryFolder()
    let (path, output) = (folder.file("a.mpg"), folder.file("o.mkv"))
    try NumberedMovie.make(
      path, count: 100, rate: rate, options: coding.options + ["-c:a", "mp2", "-f", "vob"], audio: "0.2*sin(2*PI*440*t)")
    let result = try ToolRun.compositor(
      ["render", path, "-o", output, "--codec", "ffv1", "--audio-codec", "pcm-s16", "--ends", "video", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let scaled = folder.file("s.mkv")
    try runProgram(
      "ffmpeg", ["-v", "error", "-i", output, "-an", "-vf", "scale=160:32:flags=neighbor", "-c:v", "ffv1", scaled])
    let numbers = try NumberedMovie.numbers(scaled)
    print("\(coding.name) at \(rate): \(Set(numbers).count) of 100 frames")
    #expect(numbers == Array(0..<100), "\(result.errors)")
  }
}
