import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Testing

/// Transitions and effects by name in projects.
@Suite struct ProjectEffectTests {
  private func project(_ clip: String, _ more: String = "") throws -> ProjectFile {
    try ProjectFile(
      """
      {
        version: 1, output: { size: '64x36', frameRate: 25 }, \(more)
        assets: { bars: { generate: 'bars' }, clock: { generate: 'clock' } },
        tracks: [{ clips: [{ asset: 'bars', duration: '2s' }, { asset: 'clock', duration: '2s', \(clip) }] }],
      }
      """, name: "p.json5", directory: "films/")
  }

  private func edit(_ clip: String, _ more: String = "") throws -> Edit {
    try project(clip, more).edit(catalog: MediaCatalog())
  }

  @Test func transitionByName_becomesACompositorWithProgressAndParameters() throws {
    let edit = try edit("transition: { type: 'wipe-up-left', duration: '1s', softness: 0.5, easing: 'ease-in' }")
    let instruction = try #require(edit.videoComposition.instructions.dropFirst().first)
    #expect(instruction.compositor == "builtin.wipe")
    #expect(
      instruction.parameters == ["direction": .string("up-left"), "softness": .number(0.5), "easing": .string("ease-in")])
    #expect(instruction.progressRange == instruction.timeRange)
    #expect(instruction.additionalTrackIDs == instruction.layers.map(\.trackID))
    #expect(CompositionValidator.validate(edit, catalog: MediaCatalog()).diagnostics.isEmpty)
  }

  @Test func colors_areWrittenAsEverywhere() throws {
    let edit = try edit("transition: { type: 'dip', duration: '1s', color: '#ff0000' }")
    #expect(
      edit.videoComposition.instructions[1].parameters["color"] == .list([.integer(1), .integer(0), .integer(0), .integer(1)]))
  }

  @Test func everyTransitionName_isValid() throws {
    for name in [
      "dissolve", "push", "push-up", "dip-to-white", "clock", "iris-diamond", "blinds-vertical", "blur-through", "zoom-out",
    ] {
      let edit = try edit("transition: { type: '\(name)', duration: '1s' }")
      #expect(CompositionValidator.validate(edit, catalog: MediaCatalog()).diagnostics.isEmpty, "\(name)")
      _ = try Timeline.joint("\(name):1s")
    }
  }

  @Test func transition_underAnotherTracksClip_isSplitButOneTransition() throws {
    let file = try ProjectFile(
      """
      {
        version: 1, output: { size: '64x36', frameRate: 25 },
        assets: { bars: { generate: 'bars' }, clock: { generate: 'clock' } },
        tracks: [
          { clips: [{ asset: 'bars', duration: '2s' }, { asset: 'clock', duration: '2s', transition: { type: 'wipe', duration: '1s' } }] },
          { clips: [{ asset: 'bars', at: '0.5s', duration: '1s', transform: { scale: 0.2 } }] },
        ],
      }
      """)
    let edit = try file.edit(catalog: MediaCatalog())
    let wipes = edit.videoComposition.instructions.filter { $0.compositor == "builtin.wipe" }
    #expect(wipes.count == 2)
    #expect(Set(wipes.map(\.progressRange)).count == 1)
    #expect(wipes.map(\.layers.count) == [3, 2])
    #expect(CompositionValidator.validate(edit, catalog: MediaCatalog()).diagnostics.isEmpty)
  }

  @Test func effects_ofAClip_followItIntoEveryInstruction_withTheirTimes() throws {
    let edit = try edit(
      """
      transition: { type: 'dissolve', duration: '1s' },
      effects: [{ use: 'color', saturation: 0 }, { use: 'gaussian-blur', radius: [{ at: 0, value: 0 }, { at: '2s', value: 10 }] }]
      """)
    let instructions = edit.videoComposition.instructions
    let layers = instructions.dropFirst().flatMap(\.layers).filter { !$0.effects.isEmpty }
    try #require(layers.count == 2)
    for layer in layers {
      #expect(layer.effects.map(\.compositor) == ["builtin.color", "builtin.gaussian-blur"])
      #expect(layer.effects[0].parameters == ["saturation": .integer(0)])
    }
    let radius = try #require(layers[0].effects[1].animatedParameters["radius"])
    #expect(radius.value(at: MediaTime(value: 3, timescale: 2)) == .number(2.5))
    #expect(layers[1].effects[1].animatedParameters["radius"]?.value(at: MediaTime(value: 3, timescale: 1)) == .integer(10))
  }

  @Test func stretchWithAnEffect_changesTheComposedPicture() throws {
    let edit = try edit("", "effects: [{ at: '1s', duration: '1s', use: 'gaussian-blur', radius: 4 }],")
    let counts = edit.videoComposition.instructions.map(\.effects.count)
    #expect(counts == [0, 1, 0])
  }

  @Test func explicitInstructions_takeEffectsOnLayersAndOnThemselves() throws {
    let edit = try edit(
      "",
      """
      instructions: [{
        layers: [{ track: 0, effects: [{ use: 'color', contrast: 2 }] }], effects: [{ use: 'org.example.glow', amount: 3 }],
      }],
      """)
    let instruction = try #require(edit.videoComposition.instructions.first)
    #expect(instruction.layers[0].effects == [EffectReference("builtin.color", parameters: ["contrast": .integer(2)])])
    #expect(instruction.effects == [EffectReference("org.example.glow", parameters: ["amount": .integer(3)])])
    let diagnostic = CompositionValidator.validate(edit, catalog: MediaCatalog()).errors.first
    #expect(diagnostic?.message.contains("Instruction 0, effect 0 names the compositor “org.example.glow”") == true)
  }

  @Test func fileOfALut_isRelativeToTheProject_andMissingOnesAreFound() throws {
    let edit = try edit("effects: [{ use: 'lut', file: 'looks/none.cube' }]")
    let effect = edit.videoComposition.instructions.flatMap(\.layers).flatMap(\.effects).first
    #expect(effect?.parameters["file"] == .string("films/looks/none.cube"))
    let errors = CompositionValidator.validate(edit, catalog: MediaCatalog()).errors
    #expect(errors.map(\.code) == [.invalidParameter])
    #expect(errors.first?.message.contains("cannot be read") == true)
  }

  @Test(arguments: [
    ("transition: { type: 'wipe-lefd', duration: '1s' }", ".transition.type", "Did you mean \"wipe-left\"?"),
    ("transition: { type: 'wipe', duration: '1s', sofness: 1 }", ".transition.sofness", "Did you mean \"softness\"?"),
    (
      "transition: { type: 'wipe', duration: '1s', softness: 3 }", ".transition.softness",
      "It must be a number 0.0 … 1.0 of the way."
    ),
    (
      "transition: { type: 'wipe-left', duration: '1s', direction: 'right' }", ".transition.direction",
      "Write type: \"wipe-right\", or leave the direction out."
    ),
    (
      "transition: { type: 'push-up', duration: '1s', direction: 'down' }", ".transition.direction",
      "Write type: \"push-down\", or leave the direction out."
    ),
    (
      "transition: { type: 'iris-circle', duration: '1s', shape: 'diamond' }", ".transition.shape",
      "Write type: \"iris-diamond\", or leave the shape out."
    ),
    (
      "transition: { type: 'dip-to-white', duration: '1s', color: '#ff0000' }", ".transition.color",
      "Write type: \"dip\", or leave the color out."
    ),
    (
      "transition: { type: 'dip-to-black', duration: '1s', color: [{ at: 0, value: '#000000' }, { at: '1s', value: '#ffffff' }] }",
      ".transition.color", "Write type: \"dip\", or leave the color out."
    ),
    ("transition: { type: 'dissolve', duration: '1s', softness: 1 }", ".transition.softness", ""),
    ("effects: [{ use: 'gausian-blur' }]", ".effects[0].use", "Did you mean \"gaussian-blur\"?"),
    ("effects: [{ use: 'gaussian-blur', radios: 2 }]", ".effects[0].radios", "Did you mean \"radius\"?"),
    ("effects: [{ use: 'gaussian-blur', radius: -2 }]", ".effects[0].radius", "It must be a number 0.0 … 1000.0 px."),
    ("effects: [{ use: 'gaussian-blur', radius: [{ at: 0, value: -2 }] }]", ".effects[0].radius[0].value", ""),
    (
      "effects: [{ use: 'chroma-key', color: [{ at: 0, value: 1 }] }]", ".effects[0].color[0].value",
      "a list of 3 or 4 numbers 0 … 1"
    ),
    ("transition: { type: 'wipe', duration: '1s', softness: [{ at: 0, value: 0 }] }", ".transition.softness", "one value"),
    (
      "transition: { type: 'dip', duration: '1s', easing: [{ at: 0, value: 0 }] }", ".transition.easing",
      "Parameters that can change: color."
    ),
    ("effects: [{ use: 'color', saturation: [{ at: 0, value: true }] }]", ".effects[0].saturation[0].value", "a color such as"),
    (
      "effects: [{ use: 'org.example.glow', mode: [{ at: 0, value: 'round' }] }]", ".effects[0].mode[0].value",
      "a color such as"
    ),
    (
      "effects: [{ use: 'org.example.glow', at: [{ at: 0, value: [1, 2, 3, 4, 5] }] }]", ".effects[0].at[0].value",
      "such as [320, 180]"
    ),
    ("effects: [{ use: 'lut' }]", ".effects[0].use", ""), ("effects: [{ radius: 2 }]", ".effects[0]", ""),
  ])
  func mistakes_areToldWithTheirPlace(_ clip: String, _ path: String, _ recoverySuggestion: String) {
    let error = #expect(throws: CompositorError.self) { try project(clip) }
    #expect(error?.code == .invalidProject)
    #expect(error?.location.path == "tracks[0].clips[1]" + path, "\(String(describing: error))")
    #expect(
      recoverySuggestion.isEmpty || error?.recoverySuggestion?.contains(recoverySuggestion) == true,
      "\(error?.recoverySuggestion ?? "none")")
  }

  /// What a name says may be said again, and what it doesn't say is free.
  @Test(arguments: [
    "type: 'wipe-left', direction: 'left'", "type: 'wipe', direction: 'right'", "type: 'push-up', direction: 'up'",
    "type: 'push', direction: 'down'", "type: 'iris-circle', direction: 'close'", "type: 'dip-to-white', color: 'white'",
    "type: 'dip-to-black', color: '#000000'", "type: 'dip', color: 'red'",
  ])
  func transition_thatSaysWhatItsNameSays_isRight(_ keys: String) {
    #expect(throws: Never.self) { try project("transition: { \(keys), duration: '1s' }") }
  }
}
