import CompositorTestSupport
import Foundation
import Testing

/// Sources with an odd number of rows or columns: outputs that can hold them have their size, and not a pixel is resampled.
@Suite(.enabled(if: hasFFmpeg)) struct OddSizeTests {
  private func pixels(_ name: String, in scratch: Scratch) throws -> Data {
    try runProgram(
      "ffmpeg", ["-v", "error", "-i", scratch.folder.appending(path: name).path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
  }

  private func size(_ name: String, in scratch: Scratch) throws -> String {
    let stream = try #require(try ToolRun.streams(scratch.folder.appending(path: name)).first)
    return "\(stream["width"] ?? "")x\(stream["height"] ?? "")"
  }

  @Test(arguments: ["53x37", "54x37", "53x38"]) func images_haveTheSizeOfTheirSource(_ size: String) throws {
    let scratch = try Scratch()
    let scale = "scale=\(size.replacing("x", with: ":"))"
    for source in ["in.png", "in.gif"] {
      let count = source == "in.gif" ? "3" : "1"
      try scratch.make(source, ["-f", "lavfi", "-i", "testsrc2=size=106x76:rate=10", "-vf", scale, "-frames:v", count])
    }
    for output in ["out.png", "out.webp", "out.jpg"] {
      let result = try ToolRun.compositor(["frame", "in.png", "--at", "0", "-o", output], in: scratch.folder)
      #expect(result.status == 0 && result.errors.contains("\(output): \(size)"), "\(result.errors)")
      #expect(try self.size(output, in: scratch) == size)
    }
    #expect(try pixels("out.png", in: scratch) == pixels("in.png", in: scratch))
    #expect(try scratch.render(["in.gif", "-o", "out.gif"]).status == 0 && self.size("out.gif", in: scratch) == size)
    let numbered = try scratch.render(["in.gif", "-o", "f%d.png"])
    #expect(numbered.status == 0 && (try self.size("f1.png", in: scratch)) == size, "\(numbered.errors)")
    let whole = try pixels("in.gif", in: scratch)
    #expect(try pixels("f1.png", in: scratch) + pixels("f2.png", in: scratch) + pixels("f3.png", in: scratch) == whole)
    // A movie of 4:2:0 has even sides, and a canvas that somebody chose stays.
    #expect(try scratch.render(["in.gif", "-o", "out.mp4"]).status == 0 && self.size("out.mp4", in: scratch) == "54x38")
    _ = try scratch.file(
      "p.json5", #"{ version: 2, output: { size: "54x38" }, assets: { a: "in.gif" }, tracks: [{ clips: [{ asset: "a" }] }] }"#)
    #expect(try scratch.render(["p.json5", "-o", "chosen.gif"]).status == 0 && self.size("chosen.gif", in: scratch) == "54x38")
  }
}
