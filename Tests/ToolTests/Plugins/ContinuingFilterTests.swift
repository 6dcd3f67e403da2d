import CompositorTestSupport
import Foundation
import Testing

/// Filters whose frames depend on the time or on earlier frames, across the instructions that other clips divide a clip into.
@Suite struct ContinuingFilterTests {
  struct Case: CustomTestStringConvertible {
    /// An effect.
    var effect: String
    var testDescription: String { effect }
  }

  /// A fade, a brightness that follows the time, a mean of many frames, and a fade by a graph.
  static let cases = [
    Case(effect: "use: 'avfilter.fade', type: 'in', nb_frames: 40"),
    Case(effect: "use: 'avfilter.hue', b: '-t*2'"),
    Case(effect: "use: 'avfilter.graph', graph: 'hue=b=4*sin(t*3),tmix=frames=20'"),
    Case(effect: "use: 'avfilter.graph', graph: 'fade=t=out:st=0.2:d=1.5'"),
  ]

  /// The mean luma of a corner of each frame.
  private func luma(_ project: URL, _ options: [String] = []) throws -> [Int] {
    let output = project.deletingPathExtension().appendingPathExtension("mkv")
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", output.path, "--overwrite", "--progress", "none"] + options)
    #expect(result.status == 0, "\(result.errors)")
    let bytes = try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-i", output.path, "-vf", "extractplanes=y,crop=8:8:0:0,scale=1:1", "-f", "rawvideo", "-pix_fmt", "gray",
        "-",
      ])
    return bytes.map(Int.init)
  }

  private func project(_ scratch: Scratch, _ name: String, tracks: String, effects: String = "") throws -> URL {
    try scratch.file(
      "\(name).json5",
      """
      { version: 1, output: { size: "64x48", frameRate: 25, video: { codec: "ffv1" }, audio: false },
        assets: { w: { generate: "gradient", from: "#e0e0e0", to: "#808080" }, small: { generate: "color", color: "red" } },
        tracks: [\(tracks)]\(effects) }
      """)
  }

  /// A small clip on another track divides the clip into three instructions.
  @Test(arguments: cases) func effectOfAClip_goesOnWhileOthersBeginAndEnd(_ filter: Case) throws {
    let scratch = try Scratch()
    let clip = "{ clips: [{ asset: 'w', duration: '2s', effects: [{ \(filter.effect) }] }] }"
    let other =
      "{ clips: [{ asset: 'small', at: '0.6s', duration: '0.5s', fit: 'none', transform: { x: 56, y: 40, scale: 0.1 } }] }"
    let plain = try luma(project(scratch, "plain", tracks: clip))
    let divided = try project(scratch, "divided", tracks: "\(clip), \(other)")
    #expect(try luma(divided) == plain && Set(plain).count > 5, "\(plain)")
    // A part that begins within shows the same.
    #expect(try luma(divided, ["--range", "1.4s..1.8s"]) == Array(plain[35..<45]))
  }

  /// An effect of the project over a cut.
  @Test(arguments: cases) func effectOfTheProject_goesOnOverACut(_ filter: Case) throws {
    let scratch = try Scratch()
    let effects = ", effects: [{ at: '0s', duration: '2s', \(filter.effect) }]"
    let whole = "{ clips: [{ asset: 'w', duration: '2s' }] }"
    let cut = "{ clips: [{ asset: 'w', duration: '1s' }, { asset: 'w', duration: '1s' }] }"
    let plain = try luma(project(scratch, "plain", tracks: whole, effects: effects))
    let divided = try project(scratch, "divided", tracks: cut, effects: effects)
    #expect(try luma(divided) == plain && Set(plain).count > 5, "\(plain)")
    #expect(try luma(divided, ["--range", "1.4s..1.8s"]) == Array(plain[35..<45]))
  }

  /// A dissolve divides both clips.
  @Test func effectOfAClip_goesOnWhenATransitionBegins() throws {
    let scratch = try Scratch()
    let clips = """
      { clips: [{ asset: 'w', duration: '2s', effects: [{ use: 'avfilter.fade', type: 'in', duration: 0.4 }] },
                { asset: 'w', duration: '1s', transition: { duration: '0.4s' } }] }
      """
    let shown = try luma(project(scratch, "dissolve", tracks: clips))
    #expect(Set(shown.dropFirst(11)).count == 1 && shown[0] < 40, "\(shown)")
  }
}
