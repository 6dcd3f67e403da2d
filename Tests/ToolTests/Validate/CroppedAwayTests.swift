import CompositorTestSupport
import Foundation
import Testing

/// Clips of which a crop leaves a part that `fit` or a transform has moved off the canvas: the frame is on it, the part is not.
@Suite struct CroppedAwayTests {
  private static let unseen = [
    #"crop: { x: 0, y: 0, width: 202, height: 360 }, fit: "fill""#,
    #"crop: { x: 438, y: 0, width: 202, height: 360 }, fit: "fill""#,
    "crop: { x: 400, y: 200, width: 160, height: 90 }, transform: { scale: 8 }", #"crop: { width: "10%" }, fit: "fill""#,
  ]
  private static let seen = [
    #"crop: { x: 219, y: 0, width: 202, height: 360 }, fit: "fill""#, #"crop: { x: 0, width: "60%" }, fit: "fill""#,
    "crop: { x: 240, y: 135, width: 160, height: 90 }, transform: { scale: 4 }", #"fit: "fill""#, "crop: { x: 0, width: 100 }",
    #"crop: [{ at: 0, x: 0, width: 202 }, { at: "0.4s", x: 219 }], fit: "fill""#,
  ]

  @Test(arguments: unseen + seen) func partOutsideOfTheCanvas_isTold(_ look: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "180x320", frameRate: 25 }, assets: { t: { generate: "bars", size: "640x360" } },
        tracks: [{ clips: [{ asset: "t", duration: "0.4s", \(look) }] }] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.output.contains("[layerNotSeen]") == Self.unseen.contains(look), "\(result.output)")
    let frame = try ToolRun.compositor(["frame", "p.json5", "--at", "0", "-o", "f.png"], in: scratch.folder)
    #expect(frame.status == 0, "\(frame.errors)")
  }
}
