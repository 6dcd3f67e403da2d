import CompositorTestSupport
import Foundation
import Testing

/// Outputs without loss keep what their only source has, and every output says what it loses of samples and frames.
@Suite(.enabled(if: hasFFmpeg)) struct LosslessKeepingTests {
  /// A source: arguments of ffmpeg, and a pixel format that compares it.
  private static let pictures: [(name: String, arguments: [String], format: String)] = [
    ("odd", ["-f", "lavfi", "-i", "testsrc2=s=96x64:d=0.2:r=10,scale=63:35,setsar=1", "-pix_fmt", "yuv420p"], "yuv420p"),
    ("rgb", ["-f", "lavfi", "-i", "testsrc2=s=64x36:d=0.2:r=10", "-pix_fmt", "gbrp"], "rgb24"),
    ("deep", ["-f", "lavfi", "-i", "testsrc2=s=64x36:d=0.2:r=10", "-pix_fmt", "yuv444p12le"], "yuv444p12le"),
    (
      "alpha",
      ["-f", "lavfi", "-i", "testsrc2=s=64x36:d=0.2:r=10,format=rgba,colorchannelmixer=aa=0.5", "-pix_fmt", "bgra"], "rgba"
    ),
  ]

  private static func bytes(of url: URL, _ format: String, in scratch: Scratch) throws -> Data {
    let raw = try scratch.file("raw")
    try runProgram("ffmpeg", ["-v", "error", "-y", "-i", url.path, "-pix_fmt", format, "-f", "rawvideo", raw.path])
    return try Data(contentsOf: raw)
  }

  /// {odd size, R'G'B', 12 bits, alpha} × {presets and containers without loss}.
  @Test(arguments: pictures.indices, ["archive mkv", "ffv1 mkv", "ffv1 mov", "ffv1 nut"])
  func outputsWithoutLoss_keepTheFramesOfOneSource(_ index: Int, _ output: String) throws {
    let (scratch, source) = (try Scratch(), Self.pictures[index])
    let words = output.split(separator: " ").map(String.init)
    let input = try scratch.file("in.mkv")
    try runProgram("ffmpeg", ["-v", "error"] + source.arguments + ["-c:v", "ffv1", input.path])
    let result = try ToolRun.compositor(
      ["render", "in.mkv", "-o", "out.\(words[1])", "--preset", words[0], "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0 && !result.errors.contains("note:"), "\(result.errors)")
    let expected = try Self.bytes(of: input, source.format, in: scratch)
    let found = try Self.bytes(of: scratch.file("out.\(words[1])"), source.format, in: scratch)
    #expect(found.count == expected.count && found == expected, "\(source.name), \(output)")
  }

  /// Frames that players turn: upright, bit by bit in luma, and in chroma if it is not subsampled; what is not is said.
  @Test(arguments: [90, 180, 270], ["yuv444p", "yuv420p"])
  func archive_turnsFramesExactly(_ angle: Int, _ format: String) throws {
    let scratch = try Scratch()
    try scratch.make(
      "in.mkv", ["-f", "lavfi", "-i", "testsrc2=s=96x64:d=0.2:r=10,scale=63:35,setsar=1", "-pix_fmt", format, "-c:v", "ffv1"])
    let turned = try scratch.render(["in.mkv", "-o", "turned.mov", "--preset", "ffv1", "--rotation", "\(angle)"])
    try #require(turned.status == 0, "\(turned.errors)")
    let archived = try scratch.render(["turned.mov", "-o", "out.mkv", "--preset", "archive"])
    #expect(archived.status == 0)
    #expect(archived.errors.contains("the chroma of turned frames") == (format == "yuv420p"), "\(archived.errors)")
    // ffmpeg turns what it reads.
    let compared = format == "yuv420p" ? "gray" : format
    let expected = try Self.bytes(of: scratch.file("turned.mov"), compared, in: scratch)
    let found = try Self.bytes(of: scratch.file("out.mkv"), compared, in: scratch)
    #expect(found == expected && !found.isEmpty)
  }

  @Test func archive_keepsFloatingPointAboveFullScale_andOthersSayThatTheyDont() throws {
    let scratch = try Scratch()
    let input = try scratch.file("in.wav")
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "aevalsrc=1.5*sin(2000*t):s=44100:d=0.3", "-c:a", "pcm_f32le", input.path])
    let archive = try ToolRun.compositor(
      ["render", "in.wav", "-o", "out.mkv", "--preset", "archive", "--progress", "none"], in: scratch.folder)
    #expect(archive.status == 0 && !archive.errors.contains("note:"), "\(archive.errors)")
    var peaks: [Float] = []
    for name in ["in.wav", "out.mkv"] {
      let (url, raw) = (try scratch.file(name), try scratch.file("raw.f32"))
      try runProgram("ffmpeg", ["-v", "error", "-y", "-i", url.path, "-f", "f32le", raw.path])
      peaks.append(try Data(contentsOf: raw).withUnsafeBytes { $0.bindMemory(to: Float.self).max() ?? 0 })
    }
    #expect(peaks[0] > 1.4 && peaks[0] == peaks[1], "\(peaks)")
    let plain = try ToolRun.compositor(["render", "in.wav", "-o", "out.wav", "--progress", "none"], in: scratch.folder)
    #expect(plain.status == 0 && plain.errors.contains("--audio-codec pcm-f32 keeps it"), "\(plain.errors)")
  }

  @Test func join_countsTheFramesThatALowerRateHides() throws {
    let scratch = try Scratch()
    for rate in [25, 50] {
      try runProgram(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x36:d=1:r=\(rate)", "-c:v", "ffv1",
          try scratch.file("\(rate).mkv").path,
        ])
    }
    let result = try ToolRun.compositor(
      ["join", "25.mkv", "50.mkv", "-o", "out.mkv", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0 && result.errors.contains("50.mkv has 50 frames a second, the output 25: 25 of its frames"))
    let same = try ToolRun.compositor(
      ["join", "25.mkv", "25.mkv", "-o", "same.mkv", "--progress", "none"], in: scratch.folder)
    #expect(same.status == 0 && !same.errors.contains("note:"), "\(same.errors)")
  }
}
