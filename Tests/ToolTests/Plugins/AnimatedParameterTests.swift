import Foundation
import Testing

/// Points, colors and integers that change over time, in a plugin of the C interface; and what is refused, where it is written.
@Suite(.serialized) struct AnimatedPluginParameterTests {
  private static let output = #"size: "128x72", frameRate: 25, format: "yuv444p", video: { codec: "ffv1" }, audio: false"#

  private func project(_ effect: String, duration: String = "25f", in workshop: PluginWorkshop) throws -> URL {
    let plugin = try workshop.compile(PluginWorkshop.fixtures.appending(path: "marker.c"), name: "marker")
    return try workshop.scratch.file(
      "marker.json5",
      """
      { version: 1, plugins: ["\(plugin.path)"], output: { \(Self.output) },
        assets: { a: { generate: "bars", size: "128x72", frameRate: 25 } },
        tracks: [{ clips: [{ asset: "a", duration: "\(duration)", effects: [{ use: "org.example.marker", \(effect) }] }] }] }
      """)
  }

  private func planes(_ movie: URL, _ workshop: PluginWorkshop) throws -> [[UInt8]] {
    let raw = workshop.scratch.folder.appending(path: "frames.raw")
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-i", movie.path, "-map", "0:v", "-pix_fmt", "yuv444p", "-f", "rawvideo", raw.path)
    try #require(result.status == 0, "\(result.errors)")
    let bytes = [UInt8](try Data(contentsOf: raw))
    let length = 128 * 72 * 3
    return (0..<bytes.count / length).map { Array(bytes[$0 * length..<($0 + 1) * length]) }
  }

  /// Frame by frame what the formula says: isolated, trusted, on two threads, in a range, and as a still.
  @Test func pointsColorsAndIntegers_changeAsTheFormulaSays() throws {
    let workshop = try PluginWorkshop()
    let project = try project(
      """
      at: [{ at: 0, value: [20, 20] }, { at: "20f", value: [100, 60] }],
      tint: [{ at: 0, value: "#ff0000" }, { at: "10f", value: [0, 0, 1] }, { at: "20f", value: [0, 0, 1, 0.5] }],
      side: [{ at: 0, value: 2 }, { at: "8f", value: 6 }]
      """, in: workshop)
    func expected(_ number: Int) -> [UInt8] {
      let n = Double(number)
      let (x, y) = (20 + 4 * min(number, 20), 20 + 2 * min(number, 20))
      let tint = n < 10 ? [1 - n / 10, 0, n / 10] : [0, 0, 1]
      let half = Int((2 + 4 * min(n / 8, 1)).rounded())
      return tint.enumerated().flatMap { plane, part in
        (0..<128 * 72).map { index -> UInt8 in
          let (column, row) = (index % 128, index / 128)
          let isInside = plane == 0 && (x - half..<x + half).contains(column) && (y - half..<y + half).contains(row)
          return isInside ? 235 : UInt8(16 + 200 * part + 0.5)
        }
      }
    }
    let movie = workshop.scratch.folder.appending(path: "o.mkv")
    let plugin = workshop.scratch.folder.appending(path: "marker.so")
    for (arguments, first, count) in [
      ([], 0, 25), (["--threads", "2"], 0, 25), (["--trust-plugin", plugin.path], 0, 25), (["--range", "7f..13f"], 7, 6),
    ] {
      let result = try ToolRun.compositor(
        ["render", project.path, "-o", movie.path, "--overwrite", "--progress", "none"] + arguments)
      try #require(result.status == 0, "\(result.errors)")
      let frames = try planes(movie, workshop)
      try #require(frames.count == count)
      for (number, frame) in frames.enumerated() {
        let isEqual = frame == expected(first + number)
        #expect(isEqual, "\(arguments), frame \(first + number)")
      }
    }
  }

  struct Mistake: CustomTestStringConvertible {
    var written: String
    var path: String
    var says: String
    var testDescription: String { written }
  }

  /// Each is reported with line, column and key path, by `validate` and by `render` alike.
  @Test(arguments: [
    Mistake(written: "mode: [{ at: 0, value: 'plain' }]", path: "mode[0].value", says: "numbers, points and colors change"),
    Mistake(written: "mode: [{ at: 0, value: 1 }]", path: "mode", says: "it is one of several values"),
    Mistake(written: "at: [{ at: 0, value: 3 }]", path: "at[0].value", says: "a list of 2 numbers"),
    Mistake(
      written: "at: [{ at: 0, value: [1, 2] }, { at: '1s', value: '#ff0000' }]", path: "at[1].value",
      says: "a list of 2 numbers"),
    Mistake(written: "tint: [{ at: 0, value: [2, 0, 0] }]", path: "tint[0].value", says: "numbers 0 … 1"),
    Mistake(written: "tint: 'reddish'", path: "tint", says: "is not a color"),
    Mistake(written: "side: [{ at: 0, value: 2.5 }]", path: "side[0].value", says: "an integer 1 … 20"),
    Mistake(written: "side: 21", path: "side", says: "an integer 1 … 20"),
    Mistake(written: "tnit: '#ff0000'", path: "tnit", says: "Did you mean \"tint\"?"),
  ])
  func mistakes_areToldWhereTheyAreWritten(_ mistake: Mistake) throws {
    let workshop = try PluginWorkshop()
    let project = try project(mistake.written, in: workshop)
    let output = workshop.scratch.folder.appending(path: "o.mkv")
    for arguments in [["validate", project.path], ["render", project.path, "-o", output.path, "--progress", "none"]] {
      let result = try ToolRun.compositor(arguments)
      #expect(result.status == 65, "\(result.errors)")
      #expect(
        result.errors.contains("marker.json5:3:") && result.errors.contains("tracks[0].clips[0].effects[0].\(mistake.path):")
          && result.errors.contains(mistake.says), "\(result.errors)")
    }
  }

  /// A text stands for a color, as with built-in effects; names of compositors nearby are offered, and no list of all.
  @Test func colorsAsTexts_andUnknownCompositors() throws {
    let workshop = try PluginWorkshop()
    let named = try project("tint: '#0000ff'", duration: "1f", in: workshop)
    let movie = workshop.scratch.folder.appending(path: "o.mkv")
    let result = try ToolRun.compositor(["render", named.path, "-o", movie.path, "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    #expect(try planes(movie, workshop)[0].last == 216)
    for (use, near) in [
      ("avfilter.gbulr", "Did you mean “avfilter.gblur”?"), ("avflter.gblur", "Did you mean “avfilter.gblur”?"),
      ("org.example.markr", "Did you mean “org.example.marker”?"),
      ("avfilter.minterpolate", "it needs later frames"),
      ("avfilter.qqqqqqqqqqq", "compositor plugins list"), ("builtin.dissolv", "Did you mean “builtin.dissolve”?"),
    ] {
      let text = try String(contentsOf: named, encoding: .utf8)
        .replacing("use: \"org.example.marker\", tint: '#0000ff'", with: "use: \"\(use)\"")
      let project = try workshop.scratch.file("unknown.json5", text)
      let result = try ToolRun.compositor(["validate", project.path])
      #expect(result.status == 69, "\(result.errors)")
      #expect(
        result.errors.components(separatedBy: "unknown.json5:3:").count == 2 && result.errors.contains(near)
          && result.errors.utf8.count < 500,
        "\(use): \(result.errors)")
    }
  }
}
