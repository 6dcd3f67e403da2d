import CompositorTestSupport
import Foundation
import Testing

/// AVI whose frames were left out here and there: libavformat counts packets wrongly after a seek if there is uncompressed audio, so that parts,
/// stills and backward play showed other frames than the whole.
@Suite(.enabled(if: hasFFmpeg)) struct SeekingNumberedTests {
  static let codings: [[String]] = [
    ["mpeg4", "-q:v", "3", "-bf", "0"], ["mjpeg", "-q:v", "3", "-strict", "unofficial"], ["libx264", "-bf", "0", "-g", "12"],
    // No parser tells which of its frames are key frames.
    ["msmpeg4v2", "-q:v", "3"],
  ]

  private static let count = 90

  private static func isThere(_ number: Int) -> Bool { !(10...14).contains(number) && number % 9 != 4 }

  /// The frame shown in each slot: its own, or the last one before.
  private static let shown: [Int] = (0..<count).map { slot in (0...slot).last(where: isThere) ?? 0 }

  private func make(_ coding: [String], hasAudio: Bool, in scratch: Scratch) throws {
    let selection = ["-vf", "select='not(between(n,10,14))*not(eq(mod(n,9),4))'", "-fps_mode", "vfr"]
    try NumberedMovie.make(
      try scratch.file("a.avi").path, count: Self.count, rate: "30",
      options: selection + ["-c:v"] + coding + ["-c:a", "pcm_s16le"], audio: hasAudio ? "0.3*sin(2000*t)" : nil)
  }

  private func render(_ arguments: [String], in scratch: Scratch) throws -> [Int] {
    let result = try ToolRun.compositor(
      ["render"] + arguments + ["-o", "o.mkv", "--codec", "ffv1", "--overwrite", "--progress", "none"], in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    return try NumberedMovie.numbers(try scratch.file("o.mkv").path)
  }

  @Test(arguments: codings, [true, false]) func everyAccess_showsTheSameFrames(_ coding: [String], _ hasAudio: Bool) throws {
    let scratch = try Scratch()
    try make(coding, hasAudio: hasAudio, in: scratch)
    #expect(try render(["a.avi"], in: scratch) == Self.shown)
    for first in [27, 51, 87] {
      let numbers = try render(["a.avi", "--range", "\(first)/30..3s"], in: scratch)
      #expect(numbers == Array(Self.shown[first...]), "from frame \(first)")
    }
    try Data("{version:1,assets:{a:'a.avi'},tracks:[{clips:[{asset:'a',reverse:true}]}]}".utf8).write(
      to: try scratch.file("back.json5"))
    #expect(try render(["back.json5"], in: scratch) == Self.shown.reversed())
    for slot in [23, 44, 53, 61, 80, 88] {
      let result = try ToolRun.compositor(
        ["frame", "a.avi", "--at", "\(slot)/30", "-o", "f.png", "--overwrite"], in: scratch.folder)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try NumberedMovie.numbers(try scratch.file("f.png").path) == [Self.shown[slot]], "still of frame \(slot)")
    }
  }
}
