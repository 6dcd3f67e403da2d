import CompositorTestSupport
import Foundation
import Testing

/// Recordings that begin anywhere: a later part of a disc, a capture, a file that was cut at a sector. What is whole of them is heard, and
/// `validate` and `render` agree.
@Suite(.enabled(if: hasFFmpeg)) struct PartOfDiscTests {
  private static let kinds: [(suffix: String, audio: [String], sector: Int)] = [
    ("vob", ["mp2", "-b:a", "192k"], 2048), ("vob", ["ac3", "-b:a", "192k"], 2048), ("mpg", ["mp2", "-b:a", "64k"], 2048),
    ("vob", ["pcm_dvd"], 2048), ("ts", ["mp2", "-b:a", "192k"], 188), ("ts", ["ac3", "-b:a", "96k"], 188),
  ]
  /// Bytes that are missing at the beginning, in the 188 parts of a file's first half.
  private static let parts = [11, 29, 47, 73, 101, 139, 181]

  @Test(arguments: TableSelection.pairs(Array(kinds.indices), parts, each: 4))
  func part_isHeardFromItsFirstWholeFrame(_ kind: Int, _ part: Int) throws {
    let (suffix, audio, sector) = Self.kinds[kind]
    let scratch = try Scratch()
    try scratch.make(
      "whole.\(suffix)",
      ["-f", "lavfi", "-i", "testsrc2=r=25:d=2:s=320x180", "-f", "lavfi", "-i", "sine=440:r=48000:d=2", "-c:v", "mpeg2video"]
        + ["-q:v", "3", "-bf", "2", "-c:a"] + audio)
    let whole = try Data(contentsOf: scratch.file("whole.\(suffix)"))
    let start = whole.count * part / 376 / sector * sector
    let file = try scratch.file("part.\(suffix)")
    try whole.dropFirst(start).write(to: file)

    let output = try scratch.file("out.wav")
    let validation = try ToolRun.compositor(["validate", file.path])
    let result = try scratch.render([file.path, "-o", output.path])
    #expect(validation.status == 0 && result.status == 0, "\(validation.output)\(result.errors)")
    let (expected, found) = (try DecodedAudio(file.path), try DecodedAudio(output.path))
    // Behind the fragments at the beginning, ffmpeg's samples are ours, wherever in the clip its audio begins.
    let end = try #require(found.samples.lastIndex { abs($0) > 0.001 })
    let expectedEnd = try #require(expected.samples.lastIndex { abs($0) > 0.001 })
    let heard = min(end, expectedEnd) - 9600
    try #require(heard > 9600)
    let differences = zip(found.samples[...end].suffix(heard), expected.samples[...expectedEnd].suffix(heard)).map {
      abs($0 - $1)
    }
    #expect(differences.max() ?? 1 < 0.001, "\(differences.max() ?? 1) in \(heard) samples")
  }
}
