import CompositorTestSupport
import Foundation
import Testing

/// What is behind the layers of an output with alpha: nothing, unless a background was chosen.
@Suite(.enabled(if: hasFFmpeg)) struct AlphaOutputTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let output: String
    var rest = "tracks: [{ clips: [{ asset: 'a', transform: { scale: 0.5 } }] }]"
    var file = "o.mov"
    /// The alpha in the corner of the first frame, 0 to 255.
    let corner: UInt8
    var testDescription: String { "\(output) \(rest) \(file)" }
  }

  private static let x264 = ["-c:v", "libx264", "-crf", "5", "-pix_fmt", "yuv420p"]
  private static let proRes = "alpha: true, video: { codec: 'prores', profile: '4444' }"
  private static let keyed = "tracks: [{ clips: [{ asset: 'a', effects: [{ use: 'chroma-key', color: '#00b140' }] }] }]"

  static let rows: [Row] = [
    Row(output: proRes, corner: 0), Row(output: proRes, rest: keyed, corner: 0),
    Row(output: proRes, rest: "tracks: [{ clips: [{ asset: 't' }] }]", corner: 0),
    Row(output: proRes, rest: "tracks: [{ clips: [{ asset: 't' }] }], titles: [{ text: 'A' }]", corner: 0),
    Row(output: proRes, rest: "tracks: [{ clips: [{ asset: 'a', at: '0.1s' }] }]", corner: 0),
    Row(output: proRes + ", background: 'black'", corner: 255), Row(output: proRes + ", background: '#00000000'", corner: 0),
    Row(output: proRes, rest: "tracks: [{ clips: [{ asset: 'a' }] }]", corner: 255),
    Row(
      output: proRes,
      rest:
        "tracks: [{ name: 'A', clips: [{ asset: 'a', transform: { scale: 0.5 } }] }], instructions: [{ background: 'red', layers: [{ track: 'A' }] }]",
      corner: 255),
    Row(output: "preset: 'prores-4444'", corner: 0),
    Row(output: "alpha: true, video: { codec: 'ffv1' }", file: "o.mkv", corner: 0),
    Row(output: "alpha: true", file: "o.gif", corner: 0), Row(output: "alpha: true", file: "o%02d.png", corner: 0),
    Row(output: "alpha: true", file: "frame.png", corner: 0),
    Row(output: "alpha: true, background: 'black'", file: "frame.png", corner: 255),
    Row(output: "", file: "frame.png", corner: 255),
  ]

  @Test(arguments: rows) func corner_ofAnOutput_isAsWritten(_ row: Row) throws {
    let scratch = try Scratch()
    try scratch.make(
      "a.mp4", ["-f", "lavfi", "-i", "color=0x00b140:s=64x48:r=25:d=0.2"] + Self.x264)
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x48", frameRate: 25, \(row.output) },
        assets: { a: "a.mp4", t: { titles: [{ layer: { bounds: [8, 8], position: [32, 24], backgroundColor: "white" } }], duration: "0.2s" } },
        \(row.rest) }
      """)
    let command = row.file == "frame.png" ? ["frame", "p.json5", "--at", "0s"] : ["render", "p.json5", "--progress", "none"]
    let made = try ToolRun.compositor(command + ["-o", row.file], in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    let image = row.file.replacing("%02d", with: "01")
    let alpha = try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-i", scratch.folder.appending(path: image).path, "-frames:v", "1", "-vf", "format=rgba,alphaextract",
        "-f",
        "rawvideo", "-",
      ])
    #expect(alpha.count == 64 * 48 && alpha.first == row.corner, "\(made.errors)")
  }

  /// A codec without alpha gets what it gets without being asked for alpha.
  @Test func output_thatStoresNoAlpha_isTheSame() throws {
    let scratch = try Scratch()
    var movies: [Data] = []
    for alpha in [true, false] {
      _ = try scratch.file(
        "p.json5",
        """
        { version: 1, output: { size: "64x48", frameRate: 25, alpha: \(alpha), video: { codec: "h264" } },
          assets: { a: { generate: "clock", size: "32x24" } }, tracks: [{ clips: [{ asset: "a", duration: "0.2s", opacity: 0.5 }] }] }
        """)
      let made = try scratch.render(["p.json5", "-o", "o\(alpha).mp4"])
      try #require(made.status == 0, "\(made.errors)")
      movies.append(try Data(contentsOf: scratch.folder.appending(path: "o\(alpha).mp4")))
    }
    #expect(movies[0] == movies[1])
  }
}
