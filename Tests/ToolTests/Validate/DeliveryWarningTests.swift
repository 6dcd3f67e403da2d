import Foundation
import Testing

/// `validate` says which movies phones and browsers do not play, at the key that makes them so.
@Suite struct DeliveryWarningTests {
  struct Case: CustomTestStringConvertible, Sendable {
    /// What stands in `output` beside size and frame rate.
    let output: String
    var size = "320x180"
    var rate = "25"
    /// What is said, in order: a part of the message.
    var says: [String] = []
    var path = "output"
    var testDescription: String { "\(output) \(size) \(rate)" }
  }

  static let cases = [
    Case(output: "video: { codec: 'h264' }, format: 'yuv420p10'", says: ["H.264 with 10 bits"], path: "output.format"),
    Case(output: "video: { codec: 'h264' }, format: 'yuv422p'", says: ["H.264 with 4:2:2 chroma"], path: "output.format"),
    Case(output: "video: { codec: 'h264' }, format: 'yuv444p'", says: ["H.264 with 4:4:4 chroma"], path: "output.format"),
    Case(
      output: "video: { codec: 'h264' }, format: 'yuv422p10'", says: ["H.264 with 10 bits and 4:2:2 chroma"],
      path: "output.format"),
    Case(output: "preset: 'h264', format: 'yuv444p'", says: ["H.264 with 4:4:4 chroma"], path: "output.format"),
    // The usual codec of a movie is H.264.
    Case(output: "format: 'yuv444p'", says: ["H.264 with 4:4:4 chroma"], path: "output.format"),
    Case(output: "video: { codec: 'hevc' }, format: 'yuv444p'", says: ["HEVC with 4:4:4 chroma"], path: "output.format"),
    Case(output: "video: { codec: 'hevc' }, format: 'yuv422p10'", says: ["HEVC with 4:2:2 chroma"], path: "output.format"),
    Case(
      output: "video: { codec: 'h264' }", size: "4098x1000", says: ["exceed what hardware decodes"], path: "output.video.codec"),
    Case(
      output: "video: { codec: 'h264' }", size: "1000x4098", says: ["exceed what hardware decodes"], path: "output.video.codec"),
    Case(output: "preset: 'h264'", size: "4098x1000", says: ["exceed what hardware decodes"], path: "output.preset"),
    Case(
      output: "video: { codec: 'h264' }", size: "3840x2160", rate: "120", says: ["exceed level 5.2"], path: "output.video.codec"
    ),
    Case(output: "background: 'black'", size: "4098x1000", says: ["exceed what hardware decodes"]),
    Case(
      output: "video: { codec: 'h264' }, format: 'yuv420p10'", size: "4098x1000",
      says: ["H.264 with 10 bits", "exceed what hardware decodes"], path: "output.format"),
    Case(
      output: "video: { codec: 'h264', quality: 0 }", says: ["quality 0 is lossless"], path: "output.video.quality"),
    Case(output: "video: { quality: 0 }", says: ["quality 0 is lossless"], path: "output.video.quality"),
    // What hardware plays.
    Case(output: "video: { codec: 'h264', quality: 1 }"), Case(output: "video: { codec: 'hevc', quality: 0 }"),
    Case(output: "background: 'black'"), Case(output: "video: { codec: 'h264' }", size: "4096x2160", rate: "60"),
    Case(output: "video: { codec: 'h264' }", size: "1920x1080", rate: "240"), Case(output: "preset: 'phone'"),
    Case(output: "preset: 'web'"), Case(output: "preset: 'hevc'"), Case(output: "preset: 'hevc-10'"),
    Case(output: "preset: 'hevc-pq'"), Case(output: "preset: 'hevc-hlg'"), Case(output: "color: 'hlg'"),
    Case(output: "video: { codec: 'hevc' }", size: "8192x4320", rate: "60"),
    // What is not for players.
    Case(output: "preset: 'edit'"), Case(output: "preset: 'archive'"), Case(output: "preset: 'prores-4444'"),
    Case(output: "preset: 'dnxhr-444'"), Case(output: "preset: 'ffv1'"), Case(output: "video: { codec: 'prores' }"),
    Case(output: "video: { codec: 'ffv1' }, format: 'yuv444p16'"), Case(output: "preset: 'gif'"),
    Case(output: "preset: 'webp'"),
    Case(output: "preset: 'vp9'"), Case(output: "preset: 'av1'", size: "8192x4320"),
    // Audio and images alone.
    Case(output: "preset: 'aac'", size: "8192x4320"), Case(output: "preset: 'flac', format: 'yuv444p'"),
    Case(output: "format: 'rgba'"),
  ]

  @Test(arguments: cases) func movie_isCalledHardToPlay_whereItIs(_ mistake: Case) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "\(mistake.size)", frameRate: \(mistake.rate), \(mistake.output) },
        assets: { a: { generate: "clock", size: "320x180", frameRate: \(mistake.rate) } },
        tracks: [{ clips: [{ asset: "a", duration: "1s" }] }] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(result.status == 0 && found.count == mistake.says.count, "\(result)")
    for (diagnostic, text) in zip(found, mistake.says) {
      #expect(diagnostic["code"] as? String == "limitedPlayback" && diagnostic["severity"] as? String == "warning")
      #expect((diagnostic["message"] as? String)?.contains(text) == true, "\(result.output)")
      #expect(diagnostic["line"] as? Int == 1)
    }
    if let first = found.first { #expect(first["path"] as? String == mistake.path) }
    let strict = try ToolRun.compositor(["validate", "p.json5", "--strict"], in: scratch.folder)
    #expect(strict.status == (mistake.says.isEmpty ? 0 : 65))
  }

  /// {codec, container, preset} × alpha that was asked for: kept, or said.
  @Test(arguments: [
    (["-o", "o.mov"], "h264"), (["-o", "o.mp4", "--codec", "hevc"], "hevc"),
    (["-o", "o.mov", "--preset", "prores-422"], "prores"),
    (["-o", "o.mov", "--preset", "prores-4444"], nil), (["-o", "o.webm", "--preset", "vp9-alpha"], nil),
    (["-o", "o.mkv", "--preset", "archive"], nil), (["-o", "o.webp"], nil), (["-o", "o.gif"], nil),
  ])
  func alpha_thatIsAskedFor_isKeptOrSaid(_ arguments: [String], _ codec: String?) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x48", frameRate: 25, alpha: true, background: "#00000000" },
        assets: { a: { titles: [{ text: "LIVE", fade: "0s" }], size: "64x48", duration: "0.2s" } }, tracks: [{ clips: [{ asset: "a" }] }] }
      """)
    let result = try scratch.render(["p.json5"] + arguments)
    let said = result.errors.contains("the output was to have alpha, but \(codec ?? "")")
    #expect(result.status == 0 && said == (codec != nil), "\(arguments): \(result.errors)")
  }

  /// What phones don't play is said by render, too, whether the project or an option chooses it.
  @Test func lossless_isSaidByRender() throws {
    let scratch = try Scratch()
    try scratch.make("a.mp4", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let best = try scratch.render(["a.mp4", "-o", "o.mp4", "--preset", "phone", "--quality", "0"])
    #expect(best.status == 0 && best.errors.contains("quality 0 is lossless"), "\(best.errors)")
    let good = try scratch.render(["a.mp4", "-o", "o.mp4", "--preset", "phone", "--quality", "1"])
    #expect(good.status == 0 && !good.errors.contains("lossless"), "\(good.errors)")
  }
}
