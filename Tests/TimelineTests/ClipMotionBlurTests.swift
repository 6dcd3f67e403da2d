import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Testing

/// Motion blur of clips: what of it is in the edit, and what validation says.
@Suite struct ClipMotionBlurTests {
  private static func project(_ clip: String, _ others: String = "") throws -> ProjectFile {
    try ProjectFile(
      """
      { version: 1, output: { size: "320x180", frameRate: 25 },
        assets: { a: { generate: "bars", size: "320x180" }, b: { generate: "clock", size: "320x180", frameRate: 25 } },
        tracks: [
          { clips: [{ asset: "a", duration: "2s" }] }, { clips: [{ asset: "b", duration: "2s", \(clip) }] },
        ] \(others) }
      """)
  }

  private static let moving = "transform: [{ at: 0, x: 90, scale: 0.5, easing: 'ease-in' }, { at: '2s', x: 230 }]"

  private func diagnostics(_ file: ProjectFile) throws -> (edit: Edit, found: [ValidationDiagnostic]) {
    let catalog = MediaCatalog()
    let timeline = try file.timeline(catalog: catalog)
    let edit = try timeline.edit(catalog: catalog)
    let report = CompositionValidator.validate(edit, catalog: catalog)
    return (edit, report.diagnostics + (try timeline.diagnostics(of: edit, catalog: catalog)))
  }

  @Test func clip_hasItsMotionBlur_inEachInstruction() throws {
    let file = try Self.project(
      "\(Self.moving), motionBlur: { exposure: '1f', samples: 24 }",
      ", effects: [{ use: 'gaussian-blur', radius: 1, at: '1s', duration: '0.5s' }]")
    let (edit, found) = try diagnostics(file)
    #expect(found.isEmpty, "\(found)")
    let instructions = edit.videoComposition.instructions
    #expect(instructions.count == 3)
    for instruction in instructions {
      let layer = try #require(instruction.layers.first)
      #expect(layer.motionBlur == MotionBlur(exposure: 0.04, samples: 24) && instruction.layers[1].motionBlur == nil)
      // While a shutter is open at a cut of instructions, the layer moves on as in the instruction beside it.
      for neighbor in instructions {
        let other = try #require(neighbor.layers.first)
        for time in [instruction.timeRange.start, instruction.timeRange.end] {
          guard neighbor.timeRange.start <= time, neighbor.timeRange.end >= time else { continue }
          for offset in [-0.02, -0.01, 0, 0.01, 0.02] {
            let moment = time + .seconds(offset)
            guard moment >= .zero, moment <= edit.composition.duration else { continue }
            let (one, two) = (layer.transform.value(at: moment), other.transform.value(at: moment))
            #expect(abs(one.tx - two.tx) < 1e-9, "\(moment)")
          }
        }
      }
    }
  }

  @Test func layer_ofAnInstruction_hasItsOwn() throws {
    let file = try Self.project(
      Self.moving, ", instructions: [{ layers: [{ track: 1, motionBlur: { exposure: '20ms' } }, { track: 0 }] }]")
    let (edit, found) = try diagnostics(file)
    #expect(found.isEmpty, "\(found)")
    let layers = edit.videoComposition.instructions[0].layers
    #expect(layers[0].motionBlur == MotionBlur(exposure: 0.02) && layers[1].motionBlur == nil)
  }

  @Test(arguments: [
    ("transform: { scale: 0.5 }, motionBlur: { exposure: '20ms' }", true),
    ("opacity: 0.5, motionBlur: { exposure: '20ms' }", true),
    ("opacity: [{ at: 0, value: 0 }, { at: '1s', value: 0.5 }], motionBlur: { exposure: '20ms' }", false),
  ])
  func clipThatStandsStill_isWarnedOf(clip: String, isWarnedOf: Bool) throws {
    let found = try diagnostics(Self.project(clip)).found
    #expect(found.map(\.code) == (isWarnedOf ? [.effectUnchanging] : []), "\(found)")
    #expect(found.allSatisfy { $0.path == "tracks[1].clips[0].motionBlur" }, "\(found)")
  }

  @Test(arguments: [
    ("{}", "motionBlur"), ("{ exposure: '0s' }", "motionBlur.exposure"), ("{ exposure: '61s' }", "motionBlur.exposure"),
    ("{ exposure: '1f', samples: 65 }", "motionBlur.samples"), ("{ exposure: '1f', shutter: 180 }", "motionBlur.shutter"),
  ])
  func motionBlur_thatIsNotPossible_isRefusedAtItsPlace(blur: String, path: String) throws {
    let error = #expect(throws: CompositorError.self) { try Self.project("\(Self.moving), motionBlur: \(blur)") }
    #expect(error?.location.path == "tracks[1].clips[0].\(path)", "\(error.map { "\($0)" } ?? "")")
  }

  @Test func edit_withAnImpossibleOne_isRefused() throws {
    var edit = try diagnostics(Self.project(Self.moving)).edit
    edit.videoComposition.instructions[0].layers[0].motionBlur = MotionBlur(exposure: .nan)
    let report = CompositionValidator.validate(edit, catalog: MediaCatalog())
    #expect(report.errors.map(\.code) == [.invalidValueForKey], "\(report.diagnostics)")
  }
}
