import CompositorTestSupport
import Foundation
import Testing

/// What files state of themselves, and what they don't: starts, ends, alpha, orientation, fields, sizes.
@Suite(.enabled(if: hasFFmpeg)) struct MediaDoorTests {
  private func ffmpeg(_ arguments: [String]) throws { try runProgram("ffmpeg", ["-v", "error", "-y"] + arguments) }

  private func tool(_ arguments: [String], in folder: TemporaryFolder) throws -> ToolRun.Result {
    let result = try ToolRun.compositor(arguments, in: folder.url)
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    return result
  }

  private func pixels(_ path: String, _ format: String = "rgb24") throws -> Data {
    try runProgram("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"])
  }

  private func hashes(_ path: String) throws -> [String] {
    try runTool("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last.map(String.init) }
  }

  /// The video of these containers starts some 20 ms after the audio. The start of the file is the start of the clip, in sync.
  @Test(arguments: ["mkv", "ts", "flv", "mp4"]) func inAtZero_isTheStart(_ container: String) throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      [
        "-f", "lavfi", "-i", "mandelbrot=s=96x64:r=25:end_pts=40", "-f", "lavfi", "-i", "sine=d=1", "-t", "1", "-c:v",
        "libx264", "-pix_fmt",
        "yuv420p",
      ]
        + ["-c:a", "aac", folder.file("a.\(container)")])
    for start in ["0s", "0f", "0.01s"] {
      let project =
        "{ version: 1, assets: { a: \"a.\(container)\" }, tracks: [{ clips: [{ asset: \"a\", in: \"\(start)\", duration: \"0.8s\" }] }] }"
      try Data(project.utf8).write(to: URL(filePath: folder.file("p.json5")))
      let checked = try tool(["validate", "p.json5"], in: folder)
      #expect(!(checked.output + checked.errors).contains("warning"), "\(checked.output) \(checked.errors)")
      _ = try tool(["render", "p.json5", "-o", "o.mkv", "--codec", "ffv1", "--overwrite"], in: folder)
      let (found, all) = (try hashes(folder.file("o.mkv")), try hashes(folder.file("a.\(container)")))
      #expect(found.count == 20 && found.first == all.first, "\(container) \(start)")
      #expect(Array(NSOrderedSet(array: found)).count >= 19)
    }
  }

  /// Media whose video starts a second late is valid, and it is said what is shown.
  @Test func inAtZero_longBeforeTheVideo_holdsItsFirstFrameWithAWarning() throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      [
        "-itsoffset", "1", "-f", "lavfi", "-i", "mandelbrot=s=96x64:r=25:end_pts=40", "-f", "lavfi", "-i", "sine=d=2", "-t",
        "2", "-c:v", "libx264",
      ]
        + ["-pix_fmt", "yuv420p", "-c:a", "aac", folder.file("late.mkv")])
    let project =
      "{ version: 1, assets: { a: \"late.mkv\" }, tracks: [{ clips: [{ asset: \"a\", in: \"0s\", duration: \"1.5s\" }] }] }"
    try Data(project.utf8).write(to: URL(filePath: folder.file("p.json5")))
    let result = try tool(["render", "p.json5", "-o", "o.mkv", "--codec", "ffv1"], in: folder)
    #expect(result.errors.contains("its first frame is shown before that"), "\(result.errors)")
    let found = try hashes(folder.file("o.mkv"))
    let first = try #require(try hashes(folder.file("late.mkv")).first)
    #expect(found.prefix(25).allSatisfy { $0 == first })
    #expect(found.last != first)
  }

  /// The last frame of a variable rate with reordered frames lasts as long as the header says.
  @Test func variableRateWithBFrames_endsWhereTheHeaderSays() throws {
    let folder = try TemporaryFolder()
    for (index, times) in ["(N+gt(N\\,40)*16)/30/TB", "(N+floor(N/10)*6)/30/TB", "(N+4*floor(N/3))/30/TB"].enumerated() {
      for container in ["mp4", "mov"] {
        let file = folder.file("v\(index).\(container)")
        try ffmpeg(
          ["-f", "lavfi", "-i", "testsrc2=r=30:d=1.4:s=96x64", "-vf", "setpts='\(times)'", "-fps_mode", "passthrough"]
            + ["-enc_time_base", "1/1000", "-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p", file])
        let header = try runTool("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file])
        let stated = try #require(Double(header.trimmingCharacters(in: .whitespacesAndNewlines)))
        let object = try JSONSerialization.jsonObject(with: Data(try tool(["probe", file, "--json"], in: folder).output.utf8))
        let text = "\(object)"
        let probed = try tool(["probe", file], in: folder).output
        let seconds = probed.firstMatch(of: /\(?([0-9.]+) s\)?\n/).flatMap { Double($0.1) }
        #expect(seconds.map { abs($0 - stated) < 0.04 } == true, "\(file): \(stated), \(probed) \(text.prefix(80))")
      }
    }
  }

  /// The orientation of a PNG's eXIf chunk, wherever the chunk is.
  @Test(arguments: [1, 3, 6, 8], [true, false]) func orientationOfAPNG_isApplied(_ orientation: UInt8, _ isFirst: Bool) throws {
    let folder = try TemporaryFolder()
    try ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=96x64", "-frames:v", "1", "-pix_fmt", "rgb24", folder.file("plain.png")])
    let plain = try Data(contentsOf: URL(filePath: folder.file("plain.png")))
    let exif: [UInt8] = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    let chunk = Self.chunk("eXIf", exif)
    // After IHDR (33 bytes), or before IEND (12 bytes).
    let place = isFirst ? 33 : plain.count - 12
    try (plain.prefix(place) + chunk + plain.suffix(from: place)).write(to: URL(filePath: folder.file("turned.png")))
    _ = try tool(["frame", "turned.png", "--at", "0", "-o", "o.png"], in: folder)
    let filter = [1: "null", 3: "hflip,vflip", 6: "transpose=1", 8: "transpose=2"][Int(orientation)] ?? ""
    try ffmpeg(["-i", folder.file("plain.png"), "-vf", filter, folder.file("expected.png")])
    #expect(try pixels(folder.file("o.png")) == (try pixels(folder.file("expected.png"))))
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> Data {
    func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let body = Array(name.utf8) + content
    var crc: UInt32 = 0xffff_ffff
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return Data(big(UInt32(content.count)) + body + big(~crc))
  }

  /// Half transparent white, multiplied by alpha: 128 of 128 over black is 128, over white it is white.
  @Test func premultipliedAlpha_isStatedByTheAsset() throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      [
        "-f", "lavfi", "-i", "color=0x808080:s=32x32:r=25:d=0.2", "-vf", "format=rgba,colorchannelmixer=aa=0.502", "-c:v",
        "png",
      ]
        + [folder.file("a.mov")])
    for (alpha, expected) in [
      ("", 191), (", alpha: \"straight\"", 191), (", alpha: \"premultiplied\"", 255), (", alpha: \"ignore\"", 128),
    ] {
      let project = """
        {
          version: 1, output: { size: "32x32", frameRate: 25 },
          assets: { a: { file: "a.mov"\(alpha) }, white: { generate: "color", color: "#ffffff" } },
          tracks: [{ clips: [{ asset: "white", duration: "0.2s" }] }, { clips: [{ asset: "a", duration: "0.2s" }] }],
        }
        """
      try Data(project.utf8).write(to: URL(filePath: folder.file("p.json5")))
      _ = try tool(["frame", "p.json5", "--at", "0", "-o", "o.png", "--overwrite"], in: folder)
      let value = Int(try pixels(folder.file("o.png"))[16 * 32 * 3])
      #expect(abs(value - expected) <= 3, "alpha\(alpha): \(value), not \(expected)")
    }
  }

  /// A panorama larger than any canvas keeps its aspect ratio.
  @Test func hugePanorama_keepsItsAspectRatio() throws {
    let folder = try TemporaryFolder()
    try ffmpeg(["-f", "lavfi", "-i", "color=red:s=18000x600", "-frames:v", "1", "-pix_fmt", "rgb24", folder.file("pano.png")])
    _ = try tool(["frame", "pano.png", "--at", "0", "-o", "o.png"], in: folder)
    let size = try runTool(
      "ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", folder.file("o.png")])
    #expect(size.trimmingCharacters(in: .whitespacesAndNewlines) == "16384,546")
    let image = try pixels(folder.file("o.png"))
    #expect(image.prefix(3).elementsEqual(image.suffix(3)))
  }

  /// Interlaced media is reported, and an option of the command line deinterlaces it.
  @Test func interlacedFile_isReportedAndDeinterlaced() throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=96x64:r=50:d=0.6", "-vf", "interlace=lowpass=off", "-c:v", "mpeg2video", "-flags",
        "+ildct+ilme",
      ]
        + ["-pix_fmt", "yuv420p", folder.file("tape.ts")])
    let woven = try tool(["render", "tape.ts", "-o", "woven.mkv", "--codec", "ffv1"], in: folder)
    #expect(woven.errors.contains("is interlaced") && woven.errors.contains("--deinterlace same"), "\(woven.errors)")
    let clean = try tool(["render", "tape.ts", "-o", "clean.mkv", "--codec", "ffv1", "--deinterlace", "same"], in: folder)
    #expect(!clean.errors.contains("is interlaced"), "\(clean.errors)")
    let joined = try tool(["join", "tape.ts", "tape.ts", "-o", "joined.mkv"], in: folder)
    #expect(joined.errors.contains("is interlaced") && joined.errors.contains("--deinterlace same"), "\(joined.errors)")
    #expect(!joined.errors.contains("Edit."), "\(joined.errors)")
    let (left, right) = (try pixels(folder.file("woven.mkv"), "gray"), try pixels(folder.file("clean.mkv"), "gray"))
    #expect(left.count == right.count && left != right)
    // Combs: rows differ from both of their neighbors.
    func combs(_ bytes: Data) -> Int {
      var sum = 0
      for y in stride(from: 1, to: 63, by: 1) {
        for x in 0..<96 {
          let (above, here, below) = (
            Int(bytes[(5 * 64 + y - 1) * 96 + x]), Int(bytes[(5 * 64 + y) * 96 + x]), Int(bytes[(5 * 64 + y + 1) * 96 + x])
          )
          if (here - above) * (here - below) > 400 { sum += 1 }
        }
      }
      return sum
    }
    #expect(combs(right) < combs(left))
  }
}
