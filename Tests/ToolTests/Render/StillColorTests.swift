import CompositorTestSupport
import Foundation
import Testing

/// Photos and their colors, as somebody puts them into a movie.
@Suite(.enabled(if: hasFFmpeg)) struct StillColorTests {
  private func make(_ scratch: Scratch, _ name: String, _ options: String...) throws {
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=1"] + options + [scratch.folder.appending(path: name).path])
  }

  private func colors(_ scratch: Scratch, _ name: String) throws -> String {
    try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=color_space,color_transfer,color_primaries", "-of",
        "default=nw=1:nk=1", scratch.folder.appending(path: name).path,
      ]
    ).split(separator: "\n").joined(separator: " ")
  }

  /// A photo is no reason for a movie of another matrix, curve or range.
  @Test(arguments: ["a.jpg", "a.png"]) func photo_first_doesNotDecideTheColor(_ photo: String) throws {
    let scratch = try Scratch()
    try make(scratch, photo, "-frames:v", "1")
    try make(
      scratch, "m.mp4", "-vf", "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv", "-pix_fmt",
      "yuv420p")
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { photo: "\(photo)", movie: "m.mp4" },
        tracks: [{ clips: [{ asset: "photo", duration: "5f" }, { asset: "movie", duration: "5f" }] }] }
      """)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try colors(scratch, "x.mp4") == "bt709 bt709 bt709")
  }

  /// Colors that no PNG can state become those of SDR.
  @Test(arguments: ["adobe-rgb", "prophoto-rgb", "s-log3", "display-p3"]) func frame_ofAPhotoInAnyColor_isWritten(
    _ color: String
  ) throws {
    let scratch = try Scratch()
    try make(scratch, "a.png", "-frames:v", "1")
    let result = try ToolRun.compositor(
      ["frame", "a.png", "--at", "0", "--source-color", color, "-o", "x.png"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// R, G, B movies without tags are of the usual kind: no word about them.
  @Test(arguments: [("a.mov", "qtrle"), ("a.mkv", "ffv1"), ("b.mov", "png")]) func untaggedRGBMovie_isNotSpokenOf(
    _ name: String, _ codec: String
  ) throws {
    let scratch = try Scratch()
    try make(scratch, name, "-c:v", codec, "-pix_fmt", codec == "ffv1" ? "bgr0" : "rgb24")
    let result = try ToolRun.compositor(["validate", name], in: scratch.folder)
    #expect(result.status == 0 && !result.output.contains("assumed") && !result.errors.contains("assumed"), "\(result)")
  }

  /// What is said on the command line leaves the rest of what the project says.
  @Test func sourcePeak_ofAnAssetWithAColor_keepsTheColor() throws {
    let scratch = try Scratch()
    try make(scratch, "m.mp4", "-pix_fmt", "yuv420p")
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { movie: { file: "m.mp4", color: "pq" } },
        tracks: [{ clips: [{ asset: "movie", duration: "5f" }] }] }
      """)
    let result = try ToolRun.compositor(["explain", "p.json5", "--source-peak", "400"], in: scratch.folder)
    #expect(result.status == 0 && result.output.contains("PQ"), "\(result.output) \(result.errors)")
  }

  /// What cannot be converted is found before it is rendered, on a track and in a title.
  @Test(arguments: [false, true]) func matrixThatIsNotConverted_isRefusedByValidate(inATitle: Bool) throws {
    let scratch = try Scratch()
    try make(scratch, "m.mkv", "-c:v", "ffv1", "-pix_fmt", "yuv444p", "-vf", "setparams=colorspace=ictcp")
    let tracks = inATitle ? #"[{ clips: [{ asset: "back", duration: "5f" }] }]"# : #"[{ clips: [{ asset: "movie" }] }]"#
    let titles =
      inATitle ? #"[{ layer: { bounds: [32, 18], position: [32, 18], content: { movie: { asset: "movie" } } } }]"# : "[]"
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25, color: "sdr" },
        assets: { movie: "m.mkv", back: { generate: "color", color: "#204060", size: "64x36" } }, tracks: \(tracks), titles: \(titles) }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status == 65 && (result.errors + result.output).contains("atrix coefficients"), "\(result)")
  }
}
