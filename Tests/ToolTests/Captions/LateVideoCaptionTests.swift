import CompositorTestSupport
import Foundation
import Testing

/// A file's own captions where its video begins after its audio, or ends before: while a picture is held, they go on.
@Suite(.enabled(if: hasFFmpeg)) struct LateVideoCaptionTests {
  private static let cues = [(0.2, 0.9), (1.0, 2.0), (3.0, 3.5), (5.4, 5.9)]

  /// Video from 1.2 s to 5.2 s, audio from 0 to 6 s.
  private static func make(_ container: String, in scratch: Scratch) throws -> String {
    func time(_ seconds: Double) -> String { String(format: "00:00:%06.3f", seconds).replacing(".", with: ",") }
    let blocks = cues.enumerated().map { "\($0 + 1)\n\(time($1.0)) --> \(time($1.1))\nWord \($0)\n" }
    let srt = try scratch.file("e.srt", blocks.joined(separator: "\n"))
    let name = "late.\(container)"
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-itsoffset", "1.2", "-f", "lavfi", "-i", "testsrc2=r=25:d=4:s=160x96", "-f", "lavfi",
      "-i",
      "sine=440:d=6", "-i", srt.path, "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a",
      container == "mkv" ? "flac" : "aac", "-c:s", container == "mkv" ? "srt" : "mov_text", try scratch.file(name).path)
    try #require(made.status == 0, "\(made.errors)")
    return name
  }

  private static func times(of url: URL) throws -> [(Double, Double)] {
    let text = try ToolRun.program("ffmpeg", "-v", "error", "-i", url.path, "-map", "0:s", "-f", "srt", "-").output
    func seconds(_ text: Substring) -> Double {
      text.replacing(",", with: ".").split(separator: ":").reduce(0) { $0 * 60 + (Double($1) ?? .nan) }
    }
    return text.matches(of: #/([0-9:,]+) --> ([0-9:,]+)/#).map { (seconds($0.1), seconds($0.2)) }
  }

  /// {containers} × {one file, a range of it, the file twice}, each cue at its time.
  @Test(arguments: ["mkv", "mp4"]) func cues_whileAPictureIsHeld_areKept(_ container: String) throws {
    let scratch = try Scratch()
    let input = try Self.make(container, in: scratch)
    let range = Self.cues.filter { $0.0 < 3 }
    let twice = Self.cues + Self.cues.map { ($0.0 + 6, $0.1 + 6) }
    let rows: [([String], [(Double, Double)])] = [
      (["render", input], Self.cues), (["render", input, "--range", "0s..3s"], range), (["join", input, input], twice),
    ]
    for (command, expected) in rows {
      let result = try ToolRun.compositor(
        command + ["--subtitle-tracks", "all", "--audio-codec", "flac", "-o", "o.mkv", "--overwrite", "--progress", "none"],
        in: scratch.folder)
      try #require(result.status == 0, "\(result.errors)")
      let found = try Self.times(of: scratch.file("o.mkv"))
      let isSame =
        found.count == expected.count && zip(found, expected).allSatisfy { abs($0.0 - $1.0) < 0.03 && abs($0.1 - $1.1) < 0.03 }
      #expect(isSame, "\(container) \(command): \(found), not \(expected)")
    }
  }
}
