import CompositorTestSupport
import Foundation
import Testing

/// Streams whose frame size changes: each frame fills the place of the clip, in every view. ffmpeg scales what it is compared with.
@Suite(.enabled(if: hasFFmpeg)) struct FrameSizeTests {
  /// A codec, and the containers that keep its streams when they are joined.
  struct Codec: CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    /// The container of the parts.
    let part: String
    let containers: [String]
    var testDescription: String { name }

    static let all = [
      Codec(name: "vp8", arguments: ["-c:v", "libvpx", "-b:v", "3M"], part: "webm", containers: ["webm", "mkv"]),
      Codec(
        name: "vp9", arguments: ["-c:v", "libvpx-vp9", "-b:v", "3M", "-cpu-used", "8"], part: "webm",
        containers: ["webm", "mkv", "mp4"]),
      Codec(
        name: "av1", arguments: ["-c:v", "libaom-av1", "-cpu-used", "8", "-b:v", "3M"], part: "mkv",
        containers: ["webm", "mkv", "mp4"]),
      Codec(name: "h264", arguments: ["-c:v", "libx264", "-crf", "12"], part: "ts", containers: ["ts", "mkv", "mp4", "h264"]),
      Codec(
        name: "hevc", arguments: ["-c:v", "libx265", "-crf", "12", "-x265-params", "log-level=0"], part: "ts",
        containers: ["ts", "mkv", "mp4", "hevc"]),
    ]
  }

  /// The two sizes of a stream, and the pixel aspect of the second.
  struct Change: CustomTestStringConvertible {
    let name: String
    let first, second: String
    var aspect = "1"
    var testDescription: String { name }

    static let all = [
      Change(name: "down", first: "160x96", second: "80x48"), Change(name: "up", first: "80x48", second: "160x96"),
      Change(name: "anamorphic", first: "160x96", second: "80x96", aspect: "2"),
    ]
  }

  private static let frames = 10

  /// Two parts of the same test card at different sizes, joined without encoding.
  private func media(_ codec: Codec, _ change: Change, in folder: TemporaryFolder) throws -> [String] {
    for (part, size, aspect) in [("a", change.first, "1"), ("b", change.second, change.aspect)] {
      try runProgram(
        "ffmpeg",
        [
          "-v", "error", "-y", "-f", "lavfi", "-i", "smptebars=s=\(size):r=25", "-frames:v", "\(Self.frames)", "-vf",
          "setsar=\(aspect)",
        ]
          + ["-pix_fmt", "yuv420p"] + codec.arguments + [folder.file("\(part).\(codec.part)")])
    }
    let list = ["a", "b"].map { "file \($0).\(codec.part)\n" }.joined()
    try Data(list.utf8).write(to: URL(filePath: folder.file("list")))
    return try codec.containers.map { container in
      let path = folder.file("joined.\(container)")
      // A transport stream is joined as cat does it; its clock then starts again.
      if container == "ts" {
        let bytes = try ["a", "b"].map { try Data(contentsOf: URL(filePath: folder.file("\($0).ts"))) }
        try (bytes[0] + bytes[1]).write(to: URL(filePath: path))
      } else {
        try runProgram("ffmpeg", ["-v", "error", "-y", "-f", "concat", "-i", folder.file("list"), "-c", "copy", path])
      }
      return path
    }
  }

  /// All frames of a movie as gray bytes of a size.
  private func gray(_ path: String, scaledTo size: String? = nil) throws -> Data {
    let scale = size.map { ["-vf", "scale=\($0.replacing("x", with: ":")):flags=bicubic"] } ?? []
    return try runProgram(
      "ffmpeg", ["-v", "error", "-i", path] + scale + ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
  }

  private func difference(_ left: Data, _ right: Data) -> Double {
    guard left.count == right.count, !left.isEmpty else { return .infinity }
    return Double(zip(left, right).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(left.count)
  }

  private func run(_ arguments: [String], in folder: TemporaryFolder) throws -> String {
    let result = try ToolRun.compositor(arguments, in: folder.url)
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    return result.errors
  }

  /// `make test` takes two containers of each codec.
  @Test(arguments: Codec.all, Change.all)
  func everyFrame_fillsTheClip_asFFmpegScalesIt(_ codec: Codec, _ change: Change) throws {
    // VP8, VP9 and AV1 have no pixel aspect in their bitstream.
    if change.aspect != "1", codec.name.hasPrefix("vp") || codec.name == "av1" { return }
    let folder = try TemporaryFolder()
    let row = Change.all.firstIndex { $0.name == change.name } ?? 0
    for path in TableSelection.columns(try media(codec, change, in: folder), ofRow: row, each: 2) {
      let notes = try run(["render", path, "-o", "out.mkv", "--codec", "ffv1", "--overwrite"], in: folder)
      #expect(notes.contains("frame size changes"), "\(path): \(notes)")
      let (found, expected) = (try gray(folder.file("out.mkv")), try gray(path, scaledTo: change.first))
      let size = expected.count / (2 * Self.frames)
      #expect(found.count == expected.count, "\(path)")
      for frame in [0, Self.frames - 1, Self.frames, 2 * Self.frames - 1] where found.count == expected.count {
        let part = (frame * size)..<((frame + 1) * size)
        let distance = difference(found.subdata(in: part), expected.subdata(in: part))
        #expect(distance < 1.5, "\(path), frame \(frame): \(distance)")
      }
    }
  }

  /// Every view of a stream whose size changes is that of a stream that ffmpeg scaled to one size.
  @Test(arguments: Codec.all) func everyView_isThatOfAStreamOfOneSize(_ codec: Codec) throws {
    let folder = try TemporaryFolder()
    let path = try #require(try media(codec, Change.all[0], in: folder).first)
    let (found, expected) = (try views(of: path, in: folder), try Self.scaledViews.get())
    try #require(found.count == 6 && expected.count == 6)
    for (view, images) in zip(found, expected).enumerated() {
      #expect(difference(images.0, images.1) < 1.5, "\(codec) view \(view): \(difference(images.0, images.1))")
    }
  }

  /// The views of the stream that ffmpeg scaled, which are the same for every codec.
  private static let scaledViews = Result { try FrameSizeTests().scaledViews() }

  private func scaledViews() throws -> [Data] {
    let folder = try TemporaryFolder()
    let scaled = folder.file("scaled.mkv")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "smptebars=s=160x96:r=25:d=0.4", "-f", "lavfi", "-i",
        "smptebars=s=80x48:r=25:d=0.4",
      ]
        + ["-filter_complex", "[1]format=yuv420p,scale=160:96:flags=bicubic[b];[0]format=yuv420p[a];[a][b]concat"]
        + ["-pix_fmt", "yuv420p", "-c:v", "ffv1", scaled])
    return try views(of: scaled, in: folder)
  }

  /// Stills before and after the change: of the file, of a project that shows it small, with an effect and in a title, and thumbnails.
  private func views(of path: String, in folder: TemporaryFolder) throws -> [Data] {
    let name = URL(filePath: path).lastPathComponent
    let project = folder.file("views.json5")
    try Data(
      """
      {
        version: 1,
        output: { size: "160x96", frameRate: 25 },
        assets: { a: "\(name)", gray: { generate: "color", color: "#808080" } },
        tracks: [
          { clips: [{ asset: "gray", duration: "0.8s" }] },
          { clips: [{ asset: "a", duration: "0.8s", transform: { scale: 0.5, x: 40, y: 24 } }] },
          { clips: [{ asset: "a", duration: "0.8s", transform: { scale: 0.5, x: 120, y: 24 }, effects: [{ use: "gaussian-blur", radius: 2 }] }] },
        ],
        titles: [
          { start: "0s", duration: "0.8s", layer: { bounds: [80, 48], position: [40, 72], content: { movie: { asset: "a" } } } },
        ],
      }
      """.utf8
    ).write(to: URL(filePath: project))
    var images: [Data] = []
    for (source, time) in [(path, "0.2s"), (path, "0.6s"), (project, "0.2s"), (project, "0.6s")] {
      _ = try run(["frame", source, "--at", time, "-o", "still.png", "--overwrite"], in: folder)
      images.append(try gray(folder.file("still.png")))
    }
    _ = try run(
      ["thumbnails", path, "--at", "0.2s", "--at", "0.6s", "--size", "80x48", "-o", "t%d.png", "--overwrite"], in: folder)
    let thumbnails = try folder.names.filter { $0.hasPrefix("t") && $0.hasSuffix(".png") }.sorted()
    return images + (try thumbnails.map { try gray(folder.file($0)) })
  }

  /// A frame of another aspect ratio keeps it, between bars.
  @Test func anotherAspectRatio_isKept() throws {
    let folder = try TemporaryFolder()
    let change = Change(name: "narrow", first: "160x96", second: "80x96")
    let path = try #require(try media(Codec.all[0], change, in: folder).first)
    _ = try run(["render", path, "-o", "out.mkv", "--codec", "ffv1"], in: folder)
    let found = try gray(folder.file("out.mkv"))
    let frame = found.subdata(in: (15 * 160 * 96)..<(16 * 160 * 96))
    let whole = try gray(path, scaledTo: "80x96")
    let narrow = whole.subdata(in: (15 * 80 * 96)..<(16 * 80 * 96))
    for y in [0, 40, 95] {
      let row = frame.subdata(in: (y * 160)..<((y + 1) * 160))
      #expect(row.prefix(40).allSatisfy { $0 <= 17 } && row.suffix(40).allSatisfy { $0 <= 17 }, "row \(y)")
      let inner = row.subdata(in: 40..<120)
      #expect(difference(inner, narrow.subdata(in: (y * 80)..<((y + 1) * 80))) < 1.5, "row \(y)")
    }
  }

  @Test(.enabled(if: mediaFolder != nil)) func realFile_keepsItsPlace() throws {
    let folder = try TemporaryFolder()
    let path = try #require(mediaFolder).appending(path: "400x300-red-resize-200x150-green.mp4").path
    _ = try run(["frame", path, "--at", "1.5s", "-o", "still.png"], in: folder)
    let pixels = try runProgram(
      "ffmpeg", ["-v", "error", "-i", folder.file("still.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    try #require(pixels.count == 400 * 300 * 3)
    for (x, y) in [(5, 5), (395, 5), (5, 295), (395, 295), (200, 150)] {
      let pixel = pixels.subdata(in: ((y * 400 + x) * 3)..<((y * 400 + x) * 3 + 3))
      #expect(pixel[0] < 30 && pixel[1] > 90 && pixel[2] < 30, "\(x), \(y): \(Array(pixel))")
    }
  }
}
