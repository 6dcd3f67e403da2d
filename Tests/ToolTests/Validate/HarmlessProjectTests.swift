import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import Foundation
import Testing

/// Projects that do on purpose what is a mistake elsewhere: nothing is said of them.
@Suite struct HarmlessProjectTests {
  /// A project of clips of 320x180 at 25 frames a second.
  struct Harmless: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String

    init(_ name: String, output: String = "", _ body: String) {
      testDescription = name
      text = """
        { version: 1, output: { size: "320x180", frameRate: 25, \(output) },
          assets: { clock: { generate: "clock", size: "320x180", frameRate: 25, tone: 440 },
            bars: { generate: "bars", size: "320x180", frameRate: 25 }, red: { generate: "color", color: "red", size: "320x180" } },
          \(body) }
        """
    }
  }

  static let projects = [
    Harmless(
      "a cut under what is talked about",
      """
      tracks: [{ clips: [{ asset: "clock", duration: "1s" }, { asset: "clock", in: "3s", duration: "1s" }] },
        { clips: [{ asset: "red", at: "1s", duration: "1s" }] }]
      """),
    Harmless(
      "a fade from nothing that begins late",
      """
      tracks: [{ clips: [{ asset: "bars", duration: "4s" }] },
        { clips: [{ asset: "red", at: "1s", duration: "2s", opacity: [{ at: "1s", value: 0 }, { at: "2s", value: 1 }] }] }]
      """),
    Harmless(
      "a clip of which the first half is hidden",
      """
      tracks: [{ clips: [{ asset: "clock", duration: "4s", opacity: [{ at: "2s", value: 0 }, { at: "3s", value: 1 }] }] },
        { clips: [{ asset: "bars", duration: "4s", opacity: 0.5 }] }]
      """),
    Harmless(
      "a crop that grows from nothing",
      """
      tracks: [{ clips: [{ asset: "bars", duration: "2s" }] }, { clips: [{ asset: "red", duration: "2s",
        crop: [{ at: 0, x: 0, y: 0, width: 0, height: 180 }, { at: "1s", x: 0, y: 0, width: 320, height: 180 }] }] }]
      """),
    Harmless(
      "a logo that flies in and out",
      """
      tracks: [{ clips: [{ asset: "bars", duration: "3s" }] }, { clips: [{ asset: "red", duration: "3s",
        transform: [{ at: 0, scale: 0.2, x: -100 }, { at: "1s", scale: 0.2, x: 160 }, { at: "3s", scale: 0.2, x: 500 }] }] }]
      """),
    Harmless(
      "a picture that grows from a point",
      """
      tracks: [{ clips: [{ asset: "bars", duration: "2s" }] },
        { clips: [{ asset: "red", duration: "2s", transform: [{ at: 0, scale: 0 }, { at: "1s", scale: 1 }] }] }]
      """),
    Harmless(
      "a pause in black", output: "background: \"black\"",
      "tracks: [{ clips: [{ asset: \"bars\", duration: \"1s\" }, { asset: \"red\", at: \"2s\", duration: \"1s\" }] }]"),
    Harmless(
      "a title over nothing",
      """
      tracks: [{ clips: [{ asset: "bars", duration: "1s" }, { asset: "red", at: "3s", duration: "1s" }] }],
        titles: [{ text: "Part two", start: "1s", duration: "2s" }]
      """),
    Harmless(
      "a blurred copy behind",
      """
      tracks: [{ name: "A", clips: [{ asset: "bars", duration: "1s" }] }],
        instructions: [{ layers: [{ track: "A", transform: { scale: 0.5 } }, { track: "A", transform: { scale: 2 } }] }]
      """),
    Harmless(
      "a keyed picture over another",
      """
      tracks: [{ clips: [{ asset: "bars", duration: "2s" }] },
        { clips: [{ asset: "clock", duration: "2s", effects: [{ use: "chroma-key", color: "#00ff00" }] }] }]
      """),
    Harmless(
      "a picture that shrinks over another",
      """
      tracks: [{ clips: [{ asset: "bars", duration: "2s" }] }, { clips: [{ asset: "red", duration: "2s",
        transform: [{ at: 0, scale: 1.2 }, { at: "1s", scale: 1 }, { at: "2s", scale: 0.5 }] }] }]
      """),
    Harmless(
      "a card that turns over another",
      """
      tracks: [{ clips: [{ asset: "bars", duration: "2s" }] }, { clips: [{ asset: "red", duration: "2s",
        transform: [{ at: 0, rotation: 0 }, { at: "2s", rotation: 180 }], effects: [{ use: "gaussian-blur", radius: 2 }] }] }]
      """),
    Harmless("a muted clip", "tracks: [{ clips: [{ asset: \"clock\", duration: \"1s\", mute: true }] }]"),
    Harmless(
      "a fade of the audio from nothing",
      "tracks: [{ clips: [{ asset: \"clock\", duration: \"2s\", volume: [{ at: 0, value: 0 }, { at: \"1s\", value: 1 }] }] }]"),
    Harmless(
      "alpha that its codec stores", output: "alpha: true, video: { codec: \"ffv1\" }",
      "tracks: [{ clips: [{ asset: \"red\", duration: \"1s\", opacity: 0.5 }] }]"),
    Harmless(
      "a push",
      "tracks: [{ clips: [{ asset: \"bars\", duration: \"2s\" }, { asset: \"red\", duration: \"2s\", transition: { type: \"push\", duration: \"1s\" } }] }]"
    ),
  ]

  @Test(arguments: projects) func project_thatIsMeantSo_isValid(_ project: Harmless) async throws {
    let scratch = try Scratch()
    let file = try scratch.file("p.json5", project.text)
    let opened = try #require(try ProjectText.opening(file.path))
    let loaded = await ProjectLoader(catalog: MediaCatalog()).check(file.path, opened)
    #expect(loaded.failure == nil && loaded.diagnostics.isEmpty, "\(loaded.diagnostics.map(\.diagnostic.description))")
  }

  /// A rotation of a project starts from the upright picture, and is meant.
  @Test func rotationOfAPhonesMovie_isSilent() throws {
    let fixture = try #require(DiagnosticFixture.all.first { $0.name == "matrix-of-stored-frame.json5" })
    let scratch = try fixture.scratch()
    for turn in ["90", "-90", "180", "270"] {
      let text = try fixture.text().replacing("matrix: [0, -1, 1, 0, 0, 180]", with: "rotation: \(turn)")
      _ = try scratch.file("p.json5", text)
      let result = try ToolRun.compositor(["validate", "p.json5", "--strict"], in: scratch.folder)
      #expect(result.status == 0 && result.output == "p.json5: valid\n", "\(turn): \(result.output)")
    }
  }
}
