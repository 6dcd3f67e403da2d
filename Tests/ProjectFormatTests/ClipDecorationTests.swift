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

  private func frame(_ edit: Edit) async throws -> [[Int]] { try await frames(edit, at: [.zero])[0] }

  /// The luma of frames that one generator makes.
  private func frames(_ edit: Edit, at times: [MediaTime]) async throws -> [[[Int]]] {
    let generator = try ImageGenerator(
      CompositionValidator.validate(edit, catalog: MediaCatalog()).get(), settings: ImageSettings(format: .yuv444p).exactly)
    var frames: [[[Int]]] = []
    for time in times {
      let frame = try await generator.image(at: time).frame
      frames.append(
        (0..<100).map { y in frame.withRow(y, plane: 0, as: UInt8.self) { row in row.indices.map { Int(row[$0]) } } })
    }
    await generator.close()
    return frames
  }

  private let card = """
    transform: { scale: 0.5 }, cornerRadius: 20, borderWidth: 6, borderColor: "#808080",
    shadowOpacity: 0.5, shadowOffset: [0, 30], shadowRadius: 2, shadowColor: "#ff0000"
    """

  /// The card is fitted to half of its size and placed at half of that: its lengths are pixels of the canvas times the scale.
  @Test func lengths_arePixelsOfTheCanvasTimesTheScale() async throws {
    let edit = try edit(card)
    let look = try #require(edit.videoComposition.instructions[0].layers.first?.decoration?.defaultValue)
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
    #expect(edit.videoComposition.instructions[0].layers[0].decoration?.defaultValue.cornerRadius == 60)
    let rows = try await frame(edit)
    #expect(rows[0][0] < 60 && rows[50][100] == 235 && rows[0][40] == 235)
    // What the layer does not say is the clip's.
    let taken = try self.edit("cornerRadius: 30", instructions: "instructions: [{ layers: [{ track: \"top\" }] }]")
    #expect(taken.videoComposition.instructions[0].layers[0].decoration?.defaultValue.cornerRadius == 60)
  }

  /// Each key with keyframes, and its values at 0, a quarter and half of the way, and at the end.
  static let changes: [(keyframes: String, constants: [String], others: String)] = [
    (change("cornerRadius", "0", "32"), ["0", "8", "16", "32"].map { "cornerRadius: \($0)" }, ""),
    (change("borderWidth", "4", "20"), ["4", "8", "12", "20"].map { "borderWidth: \($0)" }, "borderColor: 'red'"),
    (
      change("borderColor", "'#00000000'", "'#ff0000'"),
      ["0", "4", "8", "f"].map { "borderColor: '#ff0000\($0 == "f" ? "ff" : $0 + "0")'" },
      "borderWidth: 8"
    ),
    (
      change("shadowOpacity", "1", "0.5"), ["1", "0.875", "0.75", "0.5"].map { "shadowOpacity: \($0)" }, "shadowColor: 'white'"
    ),
    (
      change("shadowOffset", "[0, 0]", "[16, -8]"), ["[0, 0]", "[4, -2]", "[8, -4]", "[16, -8]"].map { "shadowOffset: \($0)" },
      "shadowOpacity: 1, shadowColor: 'white'"
    ),
    (
      change("shadowRadius", "0", "8"), ["0", "2", "4", "8"].map { "shadowRadius: \($0)" },
      "shadowOpacity: 1, shadowColor: 'white'"
    ),
  ]

  private static func change(_ key: String, _ start: String, _ end: String) -> String {
    "\(key): [{ at: 0, value: \(start) }, { at: '0.8s', value: \(end) }]"
  }

  /// The card is a still, so that only its decoration changes from frame to frame.
  @Test(arguments: changes) func keyframes_areDrawnLikeConstants(
    keyframes: String, constants: [String], others: String
  ) async throws {
    let times = [0, 5, 10, 20].map { MediaTime(value: $0, timescale: 25) }
    func clip(_ key: String) -> String { "transform: { scale: 0.5 }, \(key), \(others)" }
    let found = try await frames(edit(clip(keyframes)), at: times)
    for (index, constant) in constants.enumerated() {
      let expected = try await frame(edit(clip(constant)))
      // A color of a constant is rounded to bytes.
      let tolerance = constant.contains("borderColor") ? 1 : 0
      let largest = zip(found[index].joined(), expected.joined()).map { abs($0 - $1) }.max() ?? 0
      #expect(largest <= tolerance, "\(constant): \(largest)")
    }
  }

  @Test func keyframes_ofSeveralKeys_haveTheirOwnTimesAndEasings() throws {
    let edit = try edit(
      """
      cornerRadius: [{ at: "0.2s", value: 0 }, { at: "0.6s", value: 40 }],
      borderWidth: [{ at: "0.4s", value: 10, easing: "back-in" }, { at: "0.8s", value: 0 }], shadowOpacity: 1
      """)
    let look = try #require(edit.videoComposition.instructions[0].layers[0].decoration)
    func value(_ frame: Int64) -> LayerDecoration { look.value(at: MediaTime(value: frame, timescale: 25)) }
    // The source is twice as large as the canvas.
    #expect(value(0).cornerRadius == 0 && value(5).cornerRadius == 0 && value(15).cornerRadius == 80)
    #expect(abs(value(10).cornerRadius - 40) < 1e-9 && value(24).cornerRadius == 80)
    #expect(value(0).borderWidth == 20 && value(10).borderWidth == 20 && value(12).borderWidth > 20)
    #expect(value(20).borderWidth == 0 && value(3).shadowOpacity == 1 && value(24).shadowOpacity == 1)
    #expect(edit.videoComposition.instructions[0].containsTweening)
    let explanation = try EditExplanation(CompositionValidator.validate(edit, catalog: MediaCatalog()).get())
    #expect(explanation.instructions[0].layers[0].animatedProperties == ["decoration"])
    #expect(explanation.instructions[0].reason.contains("round corners"))
  }

  @Test func keyframes_ofLayers_countFromTheInstruction() throws {
    let layer = "{ track: 'top', borderWidth: [{ at: 0, value: 0 }, { at: '0.4s', value: 8 }] }"
    let edit = try edit(
      "fit: 'fit'", instructions: "instructions: [{ duration: '0.4s', layers: [{ track: 0 }] }, { layers: [\(layer)] }]")
    let look = try #require(edit.videoComposition.instructions[1].layers[0].decoration)
    #expect(look.value(at: MediaTime(value: 10, timescale: 25)).borderWidth == 0)
    #expect(look.value(at: MediaTime(value: 15, timescale: 25)).borderWidth == 8)
    #expect(look.value(at: MediaTime(value: 20, timescale: 25)).borderWidth == 16)
  }

  @Test func keys_outOfRange_areRefusedAtTheirPlace() {
    for (clip, path) in [
      ("cornerRadius: -1", "tracks[1].clips[0].cornerRadius"), ("shadowOpacity: 2", "tracks[1].clips[0].shadowOpacity"),
      ("shadowOffset: [1]", "tracks[1].clips[0].shadowOffset"),
      ("borderWidth: [{ at: 0, value: -1 }]", "tracks[1].clips[0].borderWidth[0].value"),
      ("shadowOffset: [{ at: 0, value: [1] }]", "tracks[1].clips[0].shadowOffset[0].value"),
      ("borderColor: [{ at: 0, value: 'red' }, { at: 0, value: 'blue' }]", "tracks[1].clips[0].borderColor[1].at"),
      ("cornerRadius: [4, 4, 0, 0]", "tracks[1].clips[0].cornerRadius"),
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
