import Foundation
import Testing

/// Points that a plugin declares in fractions of the canvas.
@Suite(.serialized) struct RelativePointTests {
  /// The sum of the frames of a render with the marker at a point.
  private static func frames(
    _ at: String, size: String, isRelative: Bool, _ workshop: PluginWorkshop
  ) throws -> String {
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "marker.c"), flags: isRelative ? ["-DRELATIVE"] : [],
      name: "marker\(UUID().uuidString)")
    let project = try workshop.scratch.file(
      "marker.json5",
      """
      { version: 1, plugins: ["\(plugin.path)"],
        output: { size: "\(size)", frameRate: 25, format: "yuv444p", video: { codec: "ffv1" }, audio: false },
        assets: { a: { generate: "bars", size: "\(size)", frameRate: 25 } },
        tracks: [{ clips: [{ asset: "a", duration: "10f", effects: [{ use: "org.example.marker"\(at) }] }] }] }
      """)
    let movie = workshop.scratch.folder.appending(path: "o.mkv")
    let result = try ToolRun.compositor(["render", project.path, "-o", movie.path, "--overwrite", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    return try ToolRun.program("ffmpeg", "-v", "error", "-i", movie.path, "-map", "v", "-f", "framemd5", "-").output
  }

  @Test(arguments: [
    ("", "128x72", ", at: [64, 36]"), ("", "320x180", ", at: [160, 90]"),
    (", at: [0.25, 0.75]", "320x180", ", at: [80, 135]"), (", at: [\"25%\", \"75%\"]", "128x72", ", at: [32, 54]"),
    (
      ", at: [{ at: 0, value: [\"25%\", 0.5] }, { at: \"5f\", value: [\"75%\", \"50%\"] }]", "128x72",
      ", at: [{ at: 0, value: [32, 36] }, { at: \"5f\", value: [96, 36] }]"
    ),
  ])
  func points_inFractions_areThoseInPixels(_ relative: String, _ size: String, _ absolute: String) throws {
    let workshop = try PluginWorkshop()
    let frames = try Self.frames(relative, size: size, isRelative: true, workshop)
    #expect(try frames == Self.frames(absolute, size: size, isRelative: false, workshop) && frames.contains(","))
  }

  @Test func points_inFractions_areReportedSo() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "marker.c"), flags: ["-DRELATIVE"], name: "marker")
    let text = try ToolRun.compositor(["plugins", "inspect", plugin.path]).output
    #expect(text.contains("at: a point in fractions of the canvas, by default [0.5, 0.5], may change over time"), "\(text)")
    let json = try ToolRun.compositor(["plugins", "inspect", plugin.path, "--json"]).output
    #expect(json.contains(#/"isRelative" *: *true/#))
  }
}
