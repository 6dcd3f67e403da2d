import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// The matte of a mask is placed as its clip says, whether or not the instruction names it as a layer, too.
@Suite struct MaskInstructionTests {
  /// The instruction that masks the track `top` with a matte of twice the size of the canvas.
  private static func instruction(clip: String, layers: String = "", compositor: String = "builtin.mask") throws -> Instruction
  {
    let project = try ProjectFile(
      """
      { version: 1, output: { size: "320x180", frameRate: 25 },
        assets: { bars: { generate: "bars" }, matte: { generate: "gradient", from: "white", to: "black", size: "640x360" } },
        tracks: [{ name: "under", clips: [{ asset: "bars", duration: "1s" }] },
          { name: "top", clips: [{ asset: "bars", duration: "1s" }] },
          { name: "matte", clips: [{ asset: "matte", duration: "1s"\(clip) }] }],
        instructions: [
          { layers: [{ track: "top" }, { track: "under" }\(layers)], compositor: "\(compositor)", tracks: ["matte"] }] }
      """)
    let edit = try project.edit(catalog: MediaCatalog())
    return edit.videoComposition.instructions[0]
  }

  @Test(
    arguments: [
      "", ", fit: \"none\"", ", transform: { scale: 0.5, x: 40 }",
      ", opacity: 0.5, crop: { x: 20, y: 0, width: 300, height: 300 }",
      ", transform: [{ at: 0, x: 0 }, { at: \"1s\", x: 100 }]",
    ])
  func matte_isPlacedAsItsClipSays(clip: String) throws {
    let instruction = try Self.instruction(clip: clip)
    #expect(instruction.layers.count == 3 && instruction.layers.last?.trackID == instruction.additionalTrackIDs.first)
    #expect(try instruction == Self.instruction(clip: clip, layers: ", { track: \"matte\" }"))
  }

  @Test func matte_ofAnotherSize_isFitted() throws {
    let instruction = try Self.instruction(clip: "")
    #expect(instruction.layers.last?.transform.value(at: .zero) == .scale(x: 0.5, y: 0.5))
  }

  @Test func matte_thatIsPlacedInTheInstruction_isLeftThere() throws {
    let instruction = try Self.instruction(clip: "", layers: ", { track: \"matte\", fit: \"none\" }")
    #expect(instruction.layers.count == 3 && instruction.layers.last?.transform.value(at: .zero) != .scale(x: 0.5, y: 0.5))
  }

  /// What another compositor does with its layers is its own affair.
  @Test func tracksOfOtherCompositors_areNoLayers() throws {
    let instruction = try Self.instruction(clip: "", compositor: "org.example.glow")
    #expect(instruction.layers.count == 2 && instruction.additionalTrackIDs.count == 1)
  }
}
