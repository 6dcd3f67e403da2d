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
    let scale = "scale=\(size.replacing("x", with: ":")),setsar=1"
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
    // A movie of 4:2:0 has even sides, and a canvas that was chosen stays.
    _ = try scratch.file(
      "p.json5", #"{ version: 1, output: { size: "54x38" }, assets: { a: "in.gif" }, tracks: [{ clips: [{ asset: "a" }] }] }"#)
    for (input, output, file, expected) in [
      ("in.gif", "out.gif", "out.gif", size), ("in.gif", "f%d.png", "f1.png", size), ("in.gif", "out.mp4", "out.mp4", "54x38"),
      ("p.json5", "chosen.gif", "chosen.gif", "54x38"),
    ] {
      let result = try scratch.render([input, "-o", output])
      #expect(result.status == 0, "\(result.errors)")
      #expect(try self.size(file, in: scratch) == expected, "\(output)")
    }
    let frames = try (1...3).map { try pixels("f\($0).png", in: scratch) }
    let whole = try pixels("in.gif", in: scratch)
    let (made, given) = ([UInt8](frames.reduce(Data(), +)), [UInt8](whole))
    try #require(made.count == given.count)
    // Numbered images come from limited-range Y′CbCr in 4:4:4, which rounds to two codes of RGB. Resampling differs by many.
    #expect(zip(made, given).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
  }
}
