import Foundation
import Testing

@Suite struct ThumbnailsCommandTests {
  private struct Row: Decodable {
    let index: Int
    let requestedTime, actualTime: Double
    let file: String
    let column, row: Int?
  }

  private static func movie(in scratch: Scratch) throws {
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=4", "-c:v", "libx264", "-g", "50", "-pix_fmt",
      "yuv420p", scratch.folder.appending(path: "a.mp4").path)
    try #require(made.status == 0, "\(made.errors)")
  }

  private static func names(_ scratch: Scratch) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
  }

  @Test func thumbnails_inEveryWay_areListedAsJSON() throws {
    let scratch = try Scratch()
    try Self.movie(in: scratch)
    let cases: [([String], [Double], [Double])] = [
      (["--count", "2"], [1, 3], [1, 3]), (["--every", "1.5s"], [0, 1.5, 3], [0, 1.48, 3]),
      (["--at", "3s", "--at", "10f"], [3, 0.4], [3, 0.4]), (["--scenes"], [0], [0]),
      (["--at", "1s", "--tolerance", "1s"], [1], [0]), (["--sheet", "2x1"], [1, 3], [1, 3]),
    ]
    for (number, (arguments, requested, actual)) in cases.enumerated() {
      let run = try ToolRun.compositor(
        ["thumbnails", "a.mp4", "--json", "--size", "80x80", "-o", "\(number)_%d.jpg"] + arguments, in: scratch.folder)
      #expect(run.status == 0, "\(arguments): \(run.errors)")
      let rows = try JSONDecoder().decode([Row].self, from: Data(run.output.utf8))
      #expect(rows.map(\.requestedTime) == requested)
      #expect(rows.map(\.actualTime) == actual)
      #expect(rows.map(\.index) == Array(1...requested.count))
      for row in rows { #expect(FileManager.default.fileExists(atPath: scratch.folder.appending(path: row.file).path)) }
    }
  }

  @Test(arguments: [
    ["-o", "%d.png"], ["--count", "2", "--every", "1s", "-o", "%d.png"], ["--count", "0", "-o", "%d.png"],
    ["--count", "2", "-o", "x.bmp"], ["--count", "2", "--quality", "50", "-o", "%d.png"],
    ["--count", "2", "--quality", "101", "-o", "%d.jpg"], ["--count", "2", "--gap", "3", "-o", "%d.png"],
    ["--sheet", "2", "-o", "s.png"],
    ["--sheet", "0x2", "-o", "s.png"], ["--sheet", "2x2", "--background", "nothing", "-o", "s.png"],
    ["--at", "x", "-o", "s.png"],
    ["--at", "9s", "-o", "s.png"], ["--count", "1", "--size", "10", "-o", "s.png"],
    ["--count", "1", "--scene-threshold", "3", "-o", "s.png"], ["--count", "1", "--tolerance", "-1s", "-o", "s.png"],
  ]) func thumbnails_withOptionsThatDoNotGo_areAMistakeOfUsage(_ arguments: [String]) throws {
    let scratch = try Scratch()
    try Self.movie(in: scratch)
    let run = try ToolRun.compositor(["thumbnails", "a.mp4"] + arguments, in: scratch.folder)
    #expect(run.status == 64, "\(arguments): \(run.errors)")
    #expect(try Self.names(scratch) == ["a.mp4"])
  }

  @Test(arguments: [("x.jpg", "mjpeg"), ("x.jpeg", "mjpeg"), ("x.webp", "webp"), ("x.PNG", "png")])
  func frame_ofEveryKind_isWritten(_ name: String, _ codec: String) throws {
    let scratch = try Scratch()
    try Self.movie(in: scratch)
    let run = try ToolRun.compositor(["frame", "a.mp4", "--at", "1s", "-o", name], in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let stream = try #require(try ToolRun.streams(scratch.folder.appending(path: name)).first)
    #expect(stream["codec_name"] == codec)
    #expect(try ToolRun.compositor(["frame", "a.mp4", "--at", "1s", "-o", name], in: scratch.folder).status != 0)
  }

  @Test func render_toNumberedImagesOfOtherKinds_takesAQuality() throws {
    let scratch = try Scratch()
    try Self.movie(in: scratch)
    for (name, quality) in [("a%d.jpg", "20"), ("b%d.jpg", "95"), ("c%d.webp", "80")] {
      let run = try ToolRun.compositor(
        ["render", "a.mp4", "-o", name, "--range", "0..0.2s", "--quality", quality], in: scratch.folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    func size(_ name: String) throws -> Int { try Data(contentsOf: scratch.folder.appending(path: name)).count }
    #expect(try size("a3.jpg") < size("b3.jpg"))
    #expect(try Self.names(scratch).count == 16)
    for arguments in [
      ["-o", "d%d.png", "--quality", "50"], ["-o", "d%d.jpg", "--quality", "0"], ["-o", "d%d.jpg", "--codec", "h264"],
    ] {
      #expect(try ToolRun.compositor(["render", "a.mp4"] + arguments, in: scratch.folder).status == 64)
    }
  }
}
