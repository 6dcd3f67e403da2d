import CompositorAPI
import CompositorMedia
import CompositorPlugins
import CompositorProjectFormat
import Synchronization
import Testing

/// The plugins that a project names are known from its text: they are opened before its clips are laid out, once.
@Suite struct ProjectPluginsTests {
  /// A compositor and an audio processor as a plugin may bring them.
  private struct Tint: VideoCompositor {
    static let descriptor = CompositorDescriptor(id: "test.tint", name: "Tint") {
      $0.parameters = [
        ParameterDescription("color", .color, default: .list([.number(0), .number(0), .number(0)]), summary: "Tint.")
      ]
      $0.role = .effect
    }
    init(parameters: ParameterValues, context: RenderContext) throws {}
    func compose(_ request: CompositionRequest) throws -> Frame { try request.context.makeFrame(filledWith: .black) }
  }

  private final class Gain: AudioProcessor {
    static let descriptor = AudioProcessorDescriptor(
      id: "test.gain", name: "Gain", summary: "Amplifies.",
      parameters: [
        ParameterDescription("factor", .number(minimum: 0, maximum: 8, unit: ""), default: .number(1), summary: "The factor.")
      ])
    init(parameters: ParameterValues, context: AudioProcessingContext) throws {}
    func process(_ channels: [UnsafeMutablePointer<Float>], count: Int, position: Int64) throws {}
  }

  /// What a loader did.
  private struct Run {
    var project: LoadedProject
    var openings: Int
    var notes: [String]
  }

  /// Loads a project of a clip with some keys, and another one.
  ///
  /// - Parameter plugins: The error of opening its plugins; `nil` if they are found.
  private func load(
    _ clip: String, variables: [String: String] = [:], failing error: CompositorError? = nil
  ) throws -> Run {
    let openings = Mutex(0)
    let notes = Mutex<[String]>([])
    var registry = CompositorRegistry.builtIn
    try registry.register(Tint.self)
    try registry.register(Gain.self)
    var found = OpenedPlugins(registry: registry)
    found.files = ["test.so": ["test.gain", "test.tint"]]
    found.notes = ["a note"]
    let loader = ProjectLoader(
      catalog: MediaCatalog(), note: { text in notes.withLock { $0.append(text) } },
      plugins: { [found] _ throws(CompositorError) in
        openings.withLock { $0 += 1 }
        if let error { throw error }
        return found
      })
    let project = loader.load(try Self.file(clip, variables: variables))
    return Run(project: project, openings: openings.withLock(\.self), notes: notes.withLock(\.self))
  }

  private static func file(_ clip: String, variables: [String: String] = [:]) throws -> ProjectFile {
    try ProjectFile(
      """
      { version: 1, output: { size: "64x64", frameRate: 25 },
        assets: { a: { generate: "bars", duration: "1s", tone: 440 }, none: "nowhere/none.mp4" },
        tracks: [{ clips: [{ \(clip) }, { asset: "a" }] }] }
      """, name: "p.json5", variables: variables)
  }

  @Test(arguments: [
    ("asset: \"a\"", []),
    ("asset: \"a\", effects: [{ use: \"gaussian-blur\" }], audioEffects: [{ use: \"avfilter.bass\" }]", []),
    ("asset: \"a\", effects: [{ use: \"test.tint\" }]", ["test.tint"]),
    ("asset: \"a\", video: false, effects: [{ use: \"test.tint\" }]", ["test.tint"]),
    ("asset: \"none\", effects: [{ use: \"test.tint\" }, { use: \"test.other\" }]", ["test.other", "test.tint"]),
    ("asset: \"a\", mute: true, audioEffects: [{ use: \"test.gain\" }]", ["test.gain"]),
    (
      "asset: \"a\" }, { asset: \"a\", transition: { compositor: \"test.wipe\", duration: \"0.2s\" }", ["test.wipe"]
    ),
  ])
  func pluginIDs_ofAProject_areThoseItNames_withoutItsMedia(clip: String, expected: [String]) throws {
    #expect(try Self.file(clip).pluginIDs.map(\.rawValue).sorted() == expected)
  }

  @Test func colorOfAPlugin_isReadByItsParameters_withOneOpening() throws {
    let run = try load("asset: \"a\", effects: [{ use: \"test.tint\", color: \"#ff0000\" }]")
    #expect(run.project.failure == nil, "\(run.project.diagnostics)")
    #expect(run.openings == 1 && run.notes == ["a note"])
    let edit = try #require(run.project.edit)
    let effects = edit.videoComposition.instructions.flatMap { $0.layers.flatMap(\.effects) + $0.effects }
    #expect(effects.map(\.parameters) == [["color": .list([.number(1), .number(0), .number(0), .number(1)])]])
    #expect(run.project.plugins == ["test.so": ["test.tint"]])
  }

  /// Before, it stayed a string, which the processor refused.
  @Test func variableForAnAudioProcessorOfAPlugin_hasTheTypeOfItsParameter() throws {
    let literal = try load("asset: \"a\", audioEffects: [{ use: \"test.gain\", factor: 2 }]")
    let variable = try load("asset: \"a\", audioEffects: [{ use: \"test.gain\", factor: \"${F}\" }]", variables: ["F": "2"])
    #expect(literal.project.failure == nil && variable.project.failure == nil, "\(variable.project.diagnostics)")
    #expect(literal.project.edit == variable.project.edit)
    #expect(variable.project.plugins == ["test.so": ["test.gain"]])
  }

  @Test func missingMedia_areReportedBeforePlugins() throws {
    let refused = CompositorError(.pluginFailed, "The plugin is broken.")
    for effect in ["{ use: \"test.tint\" }", "{ use: \"test.tint\", tone: \"red\" }"] {
      for error in [nil, refused] {
        let run = try load("asset: \"none\", effects: [\(effect)]", failing: error)
        #expect(run.project.failure?.code == .fileNotFound && run.project.errorCount == 1, "\(run.project.diagnostics)")
        #expect(run.notes.isEmpty)
      }
    }
  }

  @Test func pluginsThatFail_leaveTheTimelineToBeShown() throws {
    let effect = "asset: \"a\", effects: [{ use: \"test.tint\" }]"
    let broken = try load(effect, failing: CompositorError(.pluginFailed, "The plugin is broken."))
    #expect(broken.project.failure?.code == .pluginFailed && broken.project.stage == .laying)
    let mistaken = try load("asset: \"a\", effects: [{ use: \"test.tint\", tone: \"red\" }]")
    #expect(mistaken.project.failure?.location.path == "tracks[0].clips[0].effects[0].tone")
    #expect(mistaken.notes == ["a note"])
    for run in [broken, mistaken] {
      #expect(run.project.edit?.composition.duration == .seconds(2) && run.project.composition == nil)
      #expect(run.openings == 1)
    }
  }

  @Test(arguments: [
    "video: false, effects: [{ use: \"test.none\" }]", "video: false, effects: [{ use: \"test.tint\", tone: \"red\" }]",
  ])
  func effectThatIsNotSeen_needsNoPlugin(keys: String) throws {
    for error in [nil, CompositorError(.pluginFailed, "The plugin is broken.")] {
      let run = try load("asset: \"a\", \(keys)", failing: error)
      #expect(run.project.failure == nil && run.project.composition != nil, "\(run.project.diagnostics)")
      #expect(run.project.plugins.isEmpty)
    }
  }
}
