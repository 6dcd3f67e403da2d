import Foundation
import CompositorTestSupport
import Testing

/// Every kind of image does what a PNG does, in every command.
struct ImageKindTests {
  private static let kinds: [(name: String, arguments: [String])] = [
    ("a.tiff", ["-pix_fmt", "rgba"]), ("a.bmp", ["-pix_fmt", "bgra"]), ("a.tga", ["-pix_fmt", "bgra"]),
    ("a.pam", ["-pix_fmt", "rgba"]), ("a.webp", ["-c:v", "libwebp", "-lossless", "1", "-pix_fmt", "bgra"]),
    ("a.jxl", ["-c:v", "libjxl", "-distance", "0", "-pix_fmt", "rgba"]),
    ("a.jp2", ["-c:v", "libopenjpeg", "-pix_fmt", "rgba"]),
  ]

  private func make(_ name: String, _ arguments: [String], in scratch: Scratch) throws -> String {
    let path = scratch.folder.appending(path: name).path
    let picture = "testsrc2=s=64x48,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(lt(X,32),255,128)'"
    try runProgram("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", picture, "-frames:v", "1"] + arguments + [path])
    return path
  }

  private func frame(of path: String, in scratch: Scratch) throws -> Data {
    let output = scratch.folder.appending(path: "frame.png").path
    let result = try ToolRun.compositor(["frame", path, "--at", "0", "-o", output, "--overwrite"])
    try #require(result.status == 0, "\(result.errors)")
    return try Data(contentsOf: URL(filePath: output))
  }

  @Test(arguments: kinds.map(\.name))
  func frame_ofEveryKind_isThatOfThePNG(name: String) throws {
    let scratch = try Scratch()
    let kind = try #require(ImageKindTests.kinds.first { $0.name == name })
    let path = try make(name, kind.arguments, in: scratch)
    let reference = try make("a.png", ["-pix_fmt", "rgba"], in: scratch)
    #expect(try frame(of: path, in: scratch) == frame(of: reference, in: scratch))
  }

  @Test(arguments: kinds.map(\.name))
  func titleWithAPicture_ofEveryKind_isThatOfThePNG(name: String) throws {
    let scratch = try Scratch()
    let kind = try #require(ImageKindTests.kinds.first { $0.name == name })
    _ = try make(name, kind.arguments, in: scratch)
    _ = try make("a.png", ["-pix_fmt", "rgba"], in: scratch)
    func project(_ picture: String) throws -> String {
      try scratch.file(
        "\(picture).json5",
        """
        { version: 1, output: { size: "128x96", frameRate: 25 },
          assets: { logo: "\(picture)", red: { generate: "color", color: "#804020" } },
          tracks: [{ clips: [{ asset: "red", duration: "1s" }] }],
          titles: [{ layer: { bounds: [64, 48], position: [64, 48], content: { image: { image: "logo" } } } }] }
        """
      ).path
    }
    #expect(try frame(of: project(name), in: scratch) == frame(of: project("a.png"), in: scratch))
  }

  @Test func join_ofStillsOfEveryKind_showsEachForFiveSeconds() throws {
    let scratch = try Scratch()
    let stills =
      try ImageKindTests.kinds.map { try make($0.name, $0.arguments, in: scratch) }
      + [
        make("a.gif", [], in: scratch), make("a.avif", ["-c:v", "libaom-av1", "-still-picture", "1"], in: scratch),
        make("one.webp", ["-c:v", "libwebp_anim"], in: scratch), make("a.ppm", [], in: scratch), make("a.jpg", [], in: scratch),
      ]
    let output = scratch.folder.appending(path: "out.mkv")
    let result = try ToolRun.compositor(["join"] + stills + ["-o", output.path, "--codec", "ffv1", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let video = try #require(try ToolRun.streams(output).first)
    // 30 frames a second, where no source has a rate.
    #expect(video["nb_read_frames"] == "\(stills.count * 5 * 30)")
  }

  @Test func render_ofAnAnimatedWebP_hasItsFramesAtTheirTimes() throws {
    let scratch = try Scratch()
    let source = scratch.folder.appending(path: "a.webp").path
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1", "-c:v", "libwebp_anim", "-lossless", "1", source,
      ])
    let output = scratch.folder.appending(path: "out.mkv")
    let result = try ToolRun.compositor(["render", source, "-o", output.path, "--codec", "ffv1", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let video = try #require(try ToolRun.streams(output).first)
    #expect(video["nb_read_frames"] == "10" && video["r_frame_rate"] == "10/1")
  }
}
