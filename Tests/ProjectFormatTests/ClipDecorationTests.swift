import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Testing

/// Corners, border and shadow of clips, from the project file to the frame.
struct ClipDecorationTests {
  private func edit(_ clip: String, instructions: String = "") throws -> Edit {
    let text = """
      { version: 1, output: { size: "200x100", frameRate: 25, color: "sdr", format: "yuv444p" },
        assets: { back: { generate: "color", color: "#202020", size: "200x100" }, card: { generate: "color", color: "#ffffff", size: "400x200" } },
        tracks: [
          { clips: [{ asset: "back", duration: "1s" }] },
          { name: "top", clips: [{ asset: "card", duration: "1s", \(clip) }] },
        ], \(instructions) }
      """
    return try ProjectFile(text, directory: "/").edit(catalog: MediaCatalog())
  }

  private func frame(_ edit: Edit) async throws -> [[Int]] {
    let generator = try ImageGenerator(
      CompositionValidator.validate(edit, catalog: MediaCatalog()).get(), settings: ImageSettings(format: .yuv444p).exactly)
    let frame = try await generator.image(at: .zero).frame
    await generator.close()
    return (0..<100).map { y in frame.withRow(y, plane: 0, as: UInt8.self) { row in row.indices.map { Int(row[$0]) } } }
  }

  private let card = """
    transform: { scale: 0.5 }, cornerRadius: 20, borderWidth: 6, borderColor: "#808080",
    shadowOpacity: 0.5, shadowOffset: [0, 30], shadowRadius: 2, shadowColor: "#ff0000"
    """

  /// The card is fitted to half of its size and placed at half of that: its lengths are pixels of the canvas times the scale.
  @Test func lengths_arePixelsOfTheCanvasTimesTheScale() async throws {
    let edit = try edit(card)
    let look = try #require(edit.videoComposition.instructions[0].layers.first?.decoration)
    #expect(look.cornerRadius == 40 && look.borderWidth == 12 && look.shadowRadius == 4)
    #expect(look.shadowOffset == Point(x: 0, y: 60) && look.shadowOpacity == 0.5)
    let rows = try await frame(edit)
    // The card covers (50, 25) to (150, 75); corners of 10, a border of 3.
    #expect(rows[50][100] == 235)
    #expect(rows[50][51] == rows[50][52] && rows[50][51] == 126)
    #expect(rows[25][50] == rows[5][5] && rows[26][51] == rows[5][5])
    #expect(rows[30][48] == rows[5][5])
    // Below it the shadow: 15 pixels down.
    #expect(rows[82][100] > rows[5][5] + 7)
    #expect(rows[98][100] == rows[5][5])
  }

  @Test func layersOfInstructions_haveTheKeysToo() async throws {
    let instructions = "instructions: [{ layers: [{ track: \"top\", cornerRadius: 30 }, { track: 0 }] }]"
    let edit = try edit("fit: \"fit\"", instructions: instructions)
    #expect(edit.videoComposition.instructions[0].layers[0].decoration?.cornerRadius == 60)
    let rows = try await frame(edit)
    #expect(rows[0][0] < 60 && rows[50][100] == 235 && rows[0][40] == 235)
    // What the layer does not say is the clip's.
    let taken = try self.edit("cornerRadius: 30", instructions: "instructions: [{ layers: [{ track: \"top\" }] }]")
    #expect(taken.videoComposition.instructions[0].layers[0].decoration?.cornerRadius == 60)
  }

  @Test func keys_outOfRange_areRefusedAtTheirPlace() {
    for (clip, path) in [
      ("cornerRadius: -1", "tracks[1].clips[0].cornerRadius"), ("shadowOpacity: 2", "tracks[1].clips[0].shadowOpacity"),
      ("shadowOffset: [1]", "tracks[1].clips[0].shadowOffset"),
    ] {
      #expect {
        _ = try edit(clip)
      } throws: { error in
        (error as? CompositorError)?.location.path == path
      }
    }
  }

  @Test func clipsWithout_areAsBefore() throws {
    let plain = try edit("transform: { scale: 0.5 }")
    #expect(plain.videoComposition.instructions[0].layers.allSatisfy { $0.decoration == nil })
    let report = CompositionValidator.validate(plain, catalog: MediaCatalog())
    let explanation = try EditExplanation(report.get())
    #expect(explanation.instructions[0].route == .planar)
    let decorated = try EditExplanation(CompositionValidator.validate(edit(card), catalog: MediaCatalog()).get())
    #expect(decorated.instructions[0].route == .planar && decorated.instructions[0].reason.contains("round corners"))
  }
}
