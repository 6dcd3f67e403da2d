import Foundation
import CompositorTestSupport
import Testing

/// Which pixel format a movie gets: by codec, sources and wishes, checked with ffprobe.
struct DeliveryFormatTests {
  /// A clip of 5 frames in a pixel format, lossless.
  private func clip(_ scratch: Scratch, _ format: String) throws -> String {
    let path = scratch.folder.appending(path: "\(format).mkv").path
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "gradients=s=64x48:r=25:d=0.2:seed=3:c0=0x2050a0:c1=0xe0c060", "-pix_fmt",
        format, "-color_range", "tv",
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-c:v", "ffv1", path,
      ])
    return path
  }

  private func pixelFormat(_ path: String) throws -> String {
    try runTool(
      "ffprobe", ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream=pix_fmt", "-of", "default=nw=1:nk=1", path]
    )
    .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  // source, options, container → pixel format
  @Test(arguments: [
    ("yuv420p", [], "mp4", "yuv420p"), ("yuv420p10le", [], "mp4", "yuv420p"), ("yuv444p12le", [], "mp4", "yuv420p"),
    ("yuv420p10le", ["--color", "sdr"], "mp4", "yuv420p"), ("yuv420p10le", ["--codec", "h264"], "mov", "yuv420p"),
    ("yuv420p10le", ["--preset", "h264-sdr"], "mp4", "yuv420p"),
    ("yuv420p10le", ["--depth", "10"], "mp4", "yuv420p10le"), ("yuv420p", ["--depth", "10"], "mp4", "yuv420p10le"),
    ("yuv420p", ["--codec", "hevc"], "mp4", "yuv420p"), ("yuv420p10le", ["--codec", "hevc"], "mp4", "yuv420p10le"),
    ("yuv444p12le", ["--codec", "hevc"], "mp4", "yuv420p10le"),
    ("yuv420p10le", ["--codec", "hevc", "--depth", "8"], "mp4", "yuv420p"),
    ("yuv420p10le", ["--codec", "av1", "--encoder-speed", "ultrafast"], "mp4", "yuv420p10le"),
    ("yuv420p", ["--codec", "av1", "--encoder-speed", "ultrafast"], "mp4", "yuv420p"),
    ("yuv420p", ["--codec", "ffv1"], "mkv", "yuv420p"), ("yuv420p10le", ["--codec", "ffv1"], "mkv", "yuv420p10le"),
    ("yuv420p", ["--codec", "prores"], "mov", "yuv422p10le"), ("yuv420p", ["--color", "hlg"], "mp4", "yuv420p10le"),
    ("yuv420p", ["--color", "pq"], "mp4", "yuv420p10le"),
  ])
  func render_ofEverySourceAndCodec_hasTheRulesFormat(
    source: String, options: [String], container: String, expected: String
  ) throws {
    let scratch = try Scratch()
    let output = scratch.folder.appending(path: "out.\(container)").path
    let result = try ToolRun.compositor(["render", try clip(scratch, source), "-o", output, "--progress", "none"] + options)
    try #require(result.status == 0, "\(result.errors)")
    #expect(try pixelFormat(output) == expected)
  }

  @Test func joinWithADeepLogo_h264_stays8Bit() throws {
    let scratch = try Scratch()
    let movie = try clip(scratch, "yuv420p")
    let logo = scratch.folder.appending(path: "logo.mov").path
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=32x32:r=25:d=0.2,format=yuva444p10le", "-c:v", "prores_ks",
        "-profile:v",
        "4444", logo,
      ])
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { a: "\(movie)", logo: "\(logo)" },
        tracks: [ { clips: [{ asset: "a" }] }, { clips: [{ asset: "logo" }] } ] }
      """)
    for (options, expected) in [([], "yuv420p"), (["--codec", "hevc"], "yuv420p10le")] {
      let output = scratch.folder.appending(path: "out-\(expected).mp4").path
      let result = try ToolRun.compositor(["render", project.path, "-o", output, "--progress", "none"] + options)
      try #require(result.status == 0, "\(result.errors)")
      #expect(try pixelFormat(output) == expected)
    }
  }

  private func delivery(_ path: String, _ options: [String]) throws -> [String: String] {
    let result = try ToolRun.compositor(["explain", path, "--json"] + options)
    try #require(result.status == 0, "\(result.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    return try #require(object?["delivery"] as? [String: String])
  }

  @Test func explain_everyCodec_saysFormatAndReason() throws {
    let scratch = try Scratch()
    let deep = try clip(scratch, "yuv420p10le")
    let usual = try delivery(deep, [])
    #expect(usual["codec"] == "h264" && usual["format"] == "yuv420p")
    #expect(usual["reason"]?.contains("every player") == true && usual["reason"]?.contains("--depth 10") == true)
    let asked = try delivery(deep, ["--depth", "10"])
    #expect(asked["format"] == "yuv420p10" && asked["reason"] == "10 bits as asked for")
    let hevc = try delivery(deep, ["--codec", "hevc"])
    #expect(hevc["format"] == "yuv420p10" && hevc["reason"]?.contains("yuv420p10le.mkv has 10") == true)
    let hlg = try delivery(deep, ["--color", "hlg"])
    #expect(hlg["codec"] == "hevc" && hlg["format"] == "yuv420p10" && hlg["reason"]?.contains("HLG") == true)
    let refused = try delivery(deep, ["--color", "hlg", "--codec", "h264"])
    #expect(refused["reason"]?.hasPrefix("cannot be written") == true)
    let text = try ToolRun.compositor(["explain", deep]).output
    #expect(text.contains("as h264 in yuv420p, 8-bit 4:2:0"))
  }

  @Test(arguments: [["--depth", "12"], ["--depth", "8", "--color", "pq"]])
  func render_depthThatCannotBe_isAMistakeOfUsage(options: [String]) throws {
    let scratch = try Scratch()
    let result = try ToolRun.compositor(["render", "a.mov", "-o", scratch.folder.appending(path: "o.mp4").path] + options)
    #expect(result.status == 64 && result.errors.contains("--depth"), "\(result.errors)")
  }
}
