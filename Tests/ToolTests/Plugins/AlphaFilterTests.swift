import CompositorTestSupport
import Foundation
import Testing

/// Filters of libavfilter that make transparency show what is below an opaque clip; others leave it opaque.
@Suite(.enabled(if: hasFFmpeg)) struct AlphaFilterTests {
  static let making = [
    "use: 'avfilter.chromakey', color: '0x00b140', similarity: 0.2",
    "use: 'avfilter.colorkey', color: '0x00b140', similarity: 0.3",
    "use: 'avfilter.colorchannelmixer', aa: 0", "use: 'avfilter.geq', lum: 'lum(X,Y)', a: '0'",
    "use: 'avfilter.rotate', angle: '0.5', fillcolor: 'none'",
    "use: 'avfilter.fade', type: 'out', start_time: 0, duration: 0.1, alpha: true",
    "use: 'avfilter.graph', graph: 'gblur=sigma=1,chromakey=0x00b140:0.2'",
  ]
  static let others = ["use: 'avfilter.hue', s: 1.1", "use: 'avfilter.graph', graph: 'gblur=sigma=1'"]

  @Test(arguments: making.map { ($0, true) } + others.map { ($0, false) })
  func corner_ofAnOpaqueClip_showsWhatIsBelow(_ effect: String, _ isTransparent: Bool) throws {
    let scratch = try Scratch()
    for (name, color) in [("below.mp4", "red"), ("above.mp4", "0x00b140")] {
      try scratch.make(
        name, ["-f", "lavfi", "-i", "color=\(color):s=64x48:r=25:d=0.4", "-c:v", "libx264", "-crf", "5", "-pix_fmt", "yuv420p"])
    }
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x48", frameRate: 25 }, assets: { below: "below.mp4", above: "above.mp4" },
        tracks: [{ clips: [{ asset: "below" }] }, { clips: [{ asset: "above", effects: [{ \(effect) }] }] }] }
      """)
    let validated = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(validated.status == 0, "\(validated.errors)")
    let said = validated.output + validated.errors
    #expect(said.contains("never seen") != isTransparent, "\(said)")
    let frame = try ToolRun.compositor(["frame", "p.json5", "-o", "f.png", "--at", "0.2s"], in: scratch.folder)
    try #require(frame.status == 0, "\(frame.errors)")
    let pixels = try runProgram(
      "ffmpeg",
      ["-v", "error", "-i", scratch.folder.appending(path: "f.png").path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    try #require(pixels.count == 64 * 48 * 3)
    #expect((pixels[0] > 150) == isTransparent && (pixels[1] < 80) == isTransparent, "\(Array(pixels.prefix(3)))")
  }
}
