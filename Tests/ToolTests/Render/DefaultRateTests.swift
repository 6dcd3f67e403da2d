import CompositorTestSupport
import Foundation
import Testing

/// The frame rate of an output that states none: that of the first clip that moves, whatever stands before it.
@Suite struct DefaultRateTests {
  private func rate(_ path: String) throws -> String {
    try runTool(
      "ffprobe", ["-v", "error", "-select_streams", "v", "-show_entries", "stream=r_frame_rate", "-of", "csv=p=0", path]
    ).trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: ",")))
  }

  @Test(arguments: ["25/1", "24000/1001", "50/1"]) func stillFirst_hasTheRateOfWhatFollows(_ expected: String) throws {
    let scratch = try Scratch()
    try scratch.make("v.mp4", ["-f", "lavfi", "-i", "testsrc2=d=1:s=64x48:r=\(expected)", "-pix_fmt", "yuv420p"])
    try scratch.make("title.png", ["-f", "lavfi", "-i", "color=navy:s=64x48", "-frames:v", "1"])
    let joins = [["title.png", "v.mp4"], ["v.mp4", "title.png"], ["title.png", "title.png", "v.mp4"]]
    for files in joins {
      let joined = try ToolRun.compositor(["join"] + files + ["-o", "j.mp4", "--overwrite"], in: scratch.folder)
      #expect(joined.status == 0, "\(joined.errors)")
      #expect(try rate(scratch.folder.appending(path: "j.mp4").path) == expected, "\(files)")
    }
    // A still below a movie, which is on a later track.
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { t: "title.png", v: "v.mp4" },
        tracks: [{ clips: [{ asset: "t", duration: "1s" }] }, { clips: [{ asset: "v", fit: "none" }] }] }
      """)
    let render = try ToolRun.compositor(["render", "p.json5", "-o", "p.mp4", "--progress", "none"], in: scratch.folder)
    #expect(render.status == 0, "\(render.errors)")
    #expect(try rate(scratch.folder.appending(path: "p.mp4").path) == expected)
  }

  @Test func stillsAlone_haveThirty() throws {
    let scratch = try Scratch()
    try scratch.make("title.png", ["-f", "lavfi", "-i", "color=navy:s=64x48", "-frames:v", "1"])
    let joined = try ToolRun.compositor(["join", "title.png", "title.png", "-o", "j.mp4"], in: scratch.folder)
    #expect(joined.status == 0, "\(joined.errors)")
    #expect(try rate(scratch.folder.appending(path: "j.mp4").path) == "30/1")
  }
}
