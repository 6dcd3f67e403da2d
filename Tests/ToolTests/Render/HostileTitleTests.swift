import Foundation
import Testing

/// Malicious titles, through the tool: a clear error with the status of an invalid project, or a picture in bounded
/// time.
@Suite struct HostileTitleTests {
  private func frame(_ titles: String, more: String = "", _ scratch: Scratch) throws -> ToolRun.Result {
    let project = try scratch.file(
      "t.json5",
      """
      { version: 1, output: { size: "640x360", frameRate: 25, audio: false }, \(more)
        assets: { a: { generate: "color", color: "#204060", size: "640x360", duration: "2s" } },
        tracks: [{ clips: [{ asset: "a" }] }],
        titles: [\(titles)] }
      """)
    return try ToolRun.compositor(
      ["frame", project.path, "--at", "0.5s", "-o", scratch.file("\(UUID().uuidString).png").path])
  }

  private static func path(_ count: Int, height: Int) -> String {
    "M 0 0" + (1..<count).map { " L \($0 * 7919 % 601) \($0 / 1000 % 60 + $0 * 104_729 % height)" }.joined()
  }

  private static func shape(_ path: String) -> String {
    "{ layer: { bounds: [640, 360], position: [320, 180], content: { shape: { path: \"\(path)\", fillColor: \"white\" } } } }"
  }

  private static func nested(_ depth: Int) -> String {
    String(repeating: "{ sublayers: [", count: depth) + "{ bounds: [9, 9], backgroundColor: \"red\" }"
      + String(repeating: "] }", count: depth)
  }

  /// Titles and a part of what is said about them.
  static let refused: [(name: String, titles: @Sendable () -> String, message: String)] = [
    ("1 MB of text", { "{ text: \"\(String(repeating: "word ", count: 200_000))\" }" }, "longer than 200000 bytes"),
    ("a path of a million points", { shape(path(1_000_000, height: 700)) }, "at most 100000"),
    ("a path that winds densely", { shape(path(99_999, height: 700)) }, "too densely"),
    ("a text of size 0", { "{ text: \"a\", size: 0 }" }, "titles[0].size"),
    ("not a number", { "{ layer: { position: [NaN, 0] } }" }, "titles[0].layer.position[0]"),
    (
      "opacity in percent without its sign", { "{ layer: { opacity: 50, bounds: [9, 9], backgroundColor: \"red\" } }" },
      "50 is outside 0 to 1"
    ),
    (
      "an animation of opacity in percent without its sign",
      {
        """
        { layer: { bounds: [9, 9], backgroundColor: "red", animations: [
          { property: "opacity", from: 0, to: 100, duration: "1s" }] } }
        """
      }, "100 is outside 0 to 1. Write a number from 0 to 1, or \"100%\"."
    ),
    (
      "a weight that no font has",
      { "{ layer: { content: { text: { runs: [{ text: \"a\", font: { weight: 2000 } }] } } } }" }, "2000 is outside 1 to 1000"
    ),
    ("infinite", { "{ layer: { opacity: Infinity } }" }, "titles[0].layer.opacity"),
    ("10,000 nested layers", { "{ layer: \(nested(10_000)) }" }, "nested more than 64 deep"),
    (
      "a billion particles",
      {
        "{ layer: { content: { emitter: { birthRate: 1e9, lifetime: \"1000000000s\" } }, sublayers: [{ bounds: [5, 5] }] } }"
      }, "20000 particles"
    ),
    (
      "a hundred million copies",
      {
        """
        { layer: { content: { replicator: { instanceCount: 10000 } }, sublayers: [
          { content: { replicator: { instanceCount: 10000 } }, sublayers: [{ bounds: [5, 5], backgroundColor: "red" }] }] } }
        """
      }, "more than 100000 layers"
    ),
    (
      "letters of a million pixels",
      {
        "{ layer: { content: { text: { string: \"abc\", font: { size: 1e6 } } } } }"
      }, "font sizes"
    ),
    (
      "a wall of 900,000 pixels",
      { "{ layer: { bounds: [900000, 900000], backgroundColor: \"red\", shadowOpacity: 1 } }" }, "too large to draw"
    ),
  ]

  @Test(arguments: refused.indices) func title_thatCannotBeDrawn_isRefusedWithItsReason(index: Int) throws {
    let hostile = Self.refused[index]
    let result = try frame(hostile.titles(), Scratch())
    #expect(result.status == 65, "\(hostile.name): \(result.status)")
    #expect(result.errors.contains(hostile.message), "\(hostile.name): \(result.errors.suffix(300))")
  }

  @Test(arguments: [
    "{ layer: { bounds: [0, 0], backgroundColor: \"red\", content: { shape: { path: \"M 0 0 L 0 0 Z\" } } } }",
    "{ layer: { content: { text: { string: \"a\", font: { size: 0 } } } } }",
    "{ layer: { position: [1e308, 5], bounds: [10, 10], backgroundColor: \"red\" } }",
    "{ layer: { bounds: [600, 300], position: [320, 180], backgroundColor: \"red\", shadowOpacity: 1, shadowRadius: 1e6 } }",
    """
    { layer: { bounds: [50, 50], backgroundColor: "red", animations: [
      { property: "opacity", from: 1, by: -0.5, duration: "1s" }, { property: "opacity", values: [0, 1.2, 1], duration: "1s" },
      { property: "opacity", from: -0.2, to: 0.1, additive: true, duration: "1s" }] } }
    """,
    "{ text: \"\(String(repeating: "word ", count: 2_000))\" }",
    "{ text: \"\u{1F98A}\u{200D}\u{1F98A}\u{202E}\u{202E}\u{0301}\u{0301}\u{0301}\", substituteFont: true }",
  ])
  func title_ofNothingOrFarAway_isDrawn(titles: String) throws {
    let result = try frame(titles, Scratch())
    #expect(result.status == 0, "\(result.errors)")
  }

  /// The longest path that is allowed, and as many layers as a long list has: seconds, not minutes.
  @Test func titles_justWithinTheLimits_areDrawnInBoundedTime() throws {
    let layer = "{ bounds: [6, 6], position: [9, 9], backgroundColor: \"red\" }"
    let layers = [String](repeating: layer, count: 10_000).joined(separator: ", ")
    for titles in [Self.shape(Self.path(99_999, height: 20)), "{ layer: { sublayers: [\(layers)] } }"] {
      let start = ContinuousClock.now
      let result = try frame(titles, Scratch())
      #expect(result.status == 0, "\(result.errors)")
      #expect(ContinuousClock.now - start < .seconds(30))
    }
  }

  @Test func fontFile_thatIsNone_isRefusedByItsName() throws {
    let scratch = try Scratch()
    let dejaVu = URL(filePath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    var files = ["noise.ttf": Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }), "empty.ttf": Data()]
    if let font = try? Data(contentsOf: dejaVu) { files["third.ttf"] = font.prefix(font.count / 3) }
    for (name, bytes) in files {
      try bytes.write(to: scratch.folder.appending(path: name))
      let result = try frame("{ text: \"a\" }", more: "fonts: [\"\(name)\"],", scratch)
      #expect(result.status == 66 && result.errors.contains(name), "\(name): \(result.status) \(result.errors)")
    }
  }

  /// A font whose tables lie is used or refused, but ends nothing.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")))
  func fontFile_withLyingTables_endsNothing() throws {
    let scratch = try Scratch()
    let sound = [UInt8](try Data(contentsOf: URL(filePath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")))
    var state: UInt64 = 7
    for round in 0..<6 {
      var bytes = sound
      for _ in 0..<3_000 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[300 + Int(state >> 33) % (bytes.count - 300)] = UInt8(truncatingIfNeeded: state >> 24)
      }
      try Data(bytes).write(to: scratch.folder.appending(path: "lies\(round).ttf"))
      let result = try frame(
        "{ text: \"Ab\u{E9} \u{416}\", font: \"DejaVu Sans\", substituteFont: true }", more: "fonts: [\"lies\(round).ttf\"],",
        scratch)
      #expect([0, 65, 66].contains(result.status), "\(result.status) \(result.errors)")
    }
  }
}
