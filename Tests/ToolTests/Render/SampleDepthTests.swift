import CompositorTestSupport
import Foundation
import Testing

/// Samples above the depth of their format, in the 16 bits that hold them: an error of the plugin that made them; in media, the greatest
/// sample. No encoder sees them.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct SampleDepthTests {
  private static let codings = [
    ["--preset", "ffv1"], ["--preset", "av1"], ["--codec", "hevc", "--depth", "10"], ["--preset", "prores-422"],
  ]

  private static func make(_ name: String, _ options: [String], in scratch: Scratch) throws -> URL {
    let path = scratch.folder.appending(path: name)
    let result = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.4", "-pix_fmt", "yuv420p10le"] + options
        + [path.path])
    try #require(result.status == 0, "\(result.errors)")
    return path
  }

  @Test(arguments: codings.indices) func plugin_thatExceedsTheDepth_isAnError(_ coding: Int) throws {
    let workshop = try PluginWorkshop()
    let source = PluginWorkshop.fixtures.appending(path: "bright.c")
    _ = try workshop.compile(source, name: "bright")
    _ = try workshop.compile(source, flags: ["-DCLAMPS"], name: "clamped")
    let movie = try Self.make("t.mkv", ["-c:v", "ffv1"], in: workshop.scratch)
    for (plugin, status) in [("bright", 69), ("clamped", 0)] {
      let project = try workshop.scratch.file(
        "\(plugin).json5",
        "{ version: 1, plugins: [\"\(plugin).so\"], assets: { a: \"\(movie.lastPathComponent)\" }, "
          + "tracks: [{ clips: [{ asset: \"a\", effects: [{ use: \"org.example.bright\" }] }] }] }")
      let suffix = Self.codings[coding].contains("prores-422") ? "mov" : "mkv"
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", "\(plugin).\(suffix)", "--progress", "none"] + Self.codings[coding],
        in: workshop.scratch.folder)
      #expect(result.status == status, "\(plugin) \(Self.codings[coding]): \(result.errors)")
      if status != 0 {
        #expect(result.errors.contains("samples above 1023") && result.errors.contains("bright.so"), "\(result.errors)")
      }
    }
  }

  @Test func check_findsIt() throws {
    let workshop = try PluginWorkshop()
    let source = PluginWorkshop.fixtures.appending(path: "bright.c")
    for (flags, status) in [([], 65), (["-DCLAMPS"], 0)] {
      let plugin = try workshop.compile(source, flags: flags, name: "bright\(status)")
      let result = try ToolRun.compositor(["plugins", "check", plugin.path])
      #expect(result.status == Int32(status), "\(result.output)\(result.errors)")
      if status != 0 { #expect(result.output.contains("samples above 1023"), "\(result.output)") }
    }
  }

  /// Frames of floating point with a sample that is no number, and needs that name a track which isn't there: an error of the plugin, in
  /// its own process and in ours, and of `check`. Infinity is a number.
  @Test(arguments: [
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DUNDEFINED=0x7e00"], "no numbers"),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DUNDEFINED=0xfc01"], "no numbers"),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DUNDEFINED=0xfc00"], ""),
    (["-DSAMPLE=uint32_t", "-DFORMAT=\"rgbaf32\"", "-DUNDEFINED=0xffc00000"], "no numbers"),
    (["-DSAMPLE=uint32_t", "-DFORMAT=\"rgbaf32\"", "-DUNDEFINED=0x7f800001"], "no numbers"),
    (["-DSAMPLE=uint32_t", "-DFORMAT=\"rgbaf32\"", "-DUNDEFINED=0x7f800000"], ""),
    (["-DSAMPLE=uint32_t", "-DFORMAT=\"rgbaf32\""], ""),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DOTHER_TRACK=99"], "track 99"),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DOTHER_TRACK=-7"], "track -7"),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DPART_TRACK=99"], "track 99"),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DPARTS=1000000"], "1000000 needs"),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DPARTS=-4"], "-4 needs"),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DREFUSES"], "cannot say"),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DCANCELS"], "cancel"),
    (["-DSAMPLE=uint16_t", "-DFORMAT=\"rgbaf16\"", "-DNONE"], "needed"),
  ])
  func whatIsNoFrame_isAnError(_ flags: [String], _ said: String) throws {
    let workshop = try PluginWorkshop()
    let source = PluginWorkshop.fixtures.appending(path: "undefined.c")
    let plugin = try workshop.compile(source, flags: flags, name: "undefined")
    let project = try workshop.scratch.file(
      "p.json5",
      """
      { version: 1, plugins: ["undefined.so"], output: { size: "63x37", frameRate: 25 },
        assets: { a: { generate: "bars", size: "63x37", frameRate: 25 } },
        tracks: [{ clips: [{ asset: "a", duration: "3f", effects: [{ use: "org.example.undefined" }] }] }] }
      """)
    let output = workshop.scratch.folder.appending(path: "o.mkv")
    // A check waits for a second of the clock, in which the rest is done.
    let check = try ToolRun.start(ToolRun.tool, ["plugins", "check", plugin.path])
    for trusted in [[], ["--trust-plugin", plugin.path]] {
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", output.path, "--preset", "ffv1", "--progress", "none", "--overwrite"] + trusted)
      #expect(result.status == (said.isEmpty ? 0 : 69), "\(flags) \(result.errors)")
      #expect(result.errors.contains(said) || said.isEmpty, "\(flags) \(result.errors)")
      #expect(result.errors.contains("undefined") || said.isEmpty, "\(flags) \(result.errors)")
    }
    let checked = try check.result()
    #expect(checked.output.contains(said) || said.isEmpty, "\(flags) \(checked.output)")
    // What a compositor refuses is listed, and no failure.
    let mayRefuse = flags.contains("-DREFUSES")
    #expect((checked.status == 0) == (said.isEmpty || mayRefuse), "\(flags) \(checked.output)")
  }

  /// Raw files of 16 random bits a sample that call themselves 10-bit.
  @Test(arguments: ["oor.y4m", "oor.nut"], codings.indices) func media_thatExceedTheDepth_areClamped(
    _ name: String, _ coding: Int
  ) throws {
    let scratch = try Scratch()
    let (width, height, frames) = (64, 48, 5)
    var state: UInt64 = 7
    let samples = (0..<width * height * 3 / 2 * frames).map { _ -> UInt16 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt16(truncatingIfNeeded: state >> 40)
    }
    let raw = scratch.folder.appending(path: "oor.raw")
    try samples.withUnsafeBytes { Data($0) }.write(to: raw)
    let path = scratch.folder.appending(path: name).path
    let source = ["-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "\(width)x\(height)", "-r", "25", "-i", raw.path]
    let made = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      ["ffmpeg", "-v", "error", "-y"] + source + [
        "-strict", "-1", "-c:v", name.hasSuffix("y4m") ? "wrapped_avframe" : "copy", path,
      ])
    try #require(made.status == 0, "\(made.errors)")
    let suffix = Self.codings[coding].contains("prores-422") ? "mov" : "mkv"
    let result = try ToolRun.compositor(
      ["render", path, "-o", "o.\(suffix)", "--progress", "none"] + Self.codings[coding], in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    guard Self.codings[coding].contains("ffv1") else { return }
    let decoded = try runProgram(
      "ffmpeg",
      ["-v", "error", "-i", scratch.folder.appending(path: "o.mkv").path, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-"])
    let found = decoded.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    #expect(found == samples.map { min($0, 1023) })
  }
}
