import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTimeline
import Foundation
import Testing

/// Variables in every value of a project.
@Suite struct VariableTests {
  /// A project with something in its clip, its output, its titles and its variables.
  private static func project(
    clip: String = "", output: String = "", titles: String = "", variables: String = "{}", set: [String: String] = [:]
  ) throws -> ProjectFile {
    let text = """
      { version: 1, variables: \(variables), output: { size: "320x180", frameRate: 25, \(output) },
        assets: { a: { generate: "bars", size: "320x180", duration: "4s", tone: 440 } },
        tracks: [{ name: "1", clips: [{ asset: "a", \(clip) }] }], titles: [\(titles)] }
      """
    return try ProjectFile(text, name: "p", variables: set)
  }

  private static func edit(_ file: ProjectFile) throws -> Edit { try file.edit(catalog: MediaCatalog()) }

  /// The same value as a variable of strings, of its own type, and as a default.
  private static func spellings(_ value: String) -> [(written: String, variables: String, set: [String: String])] {
    let bare = value.hasPrefix("\"") ? String(value.dropFirst().dropLast()) : value
    return [
      ("\"${V}\"", "{}", ["V": bare]), ("\"${V}\"", "{ V: \(value) }", [:]), ("\"${V}\"", "{ V: \"\(bare)\" }", [:]),
      ("\"${V:\(bare)}\"", "{}", [:]), ("\"${V:wrong}\"", "{}", ["V": bare]),
    ]
  }

  /// Keys of clips with a value of every type: a variable gives the edit that the value gives.
  @Test(arguments: [
    ("duration", "\"2s\""), ("in", "\"12f\""), ("speed", "\"1/2\""), ("speed", "2"), ("opacity", "0.25"),
    ("cornerRadius", "12"),
    ("fit", "\"none\""), ("reverse", "true"), ("volume", "\"-6dB\""), ("volume", "0.5"), ("pan", "-0.5"), ("mute", "true"),
    ("borderColor", "\"#ff0000\""), ("fadeIn", "\"5f\""), ("loop", "2"), ("frames", "\"blend\""), ("audio", "false"),
  ])
  func variable_ofAClip_hasTheTypeOfItsPlace(key: String, value: String) throws {
    let wanted = try Self.edit(try Self.project(clip: "\(key): \(value)"))
    for (written, variables, set) in Self.spellings(value) {
      let found = try Self.edit(try Self.project(clip: "\(key): \(written)", variables: variables, set: set))
      #expect(found == wanted, "\(key): \(written) of \(variables) and \(set)")
    }
  }

  @Test(arguments: [
    ("transform: { x: $ }", "\"40%\""), ("transform: { x: $ }", "100"),
    ("transform: [{ at: 0, scale: 1 }, { at: \"1s\", scale: $ }]", "0.5"),
    ("transform: [{ at: 0, scale: 1 }, { at: $, scale: 2 }]", "\"1s\""),
    ("opacity: [{ at: 0, value: $ }, { at: \"1s\", value: 1 }]", "0.5"),
    ("crop: { x: 0, y: 0, width: $, height: 20 }", "30"), ("shadowOffset: [$, 4]", "3"),
    ("effects: [{ use: \"color\", saturation: $ }]", "0.5"), ("effects: [{ use: $ }]", "\"gaussian-blur\""),
    ("effects: [{ use: \"gaussian-blur\", radius: [{ at: 0, value: $ }, { at: \"1s\", value: 3 }] }]", "1.5"),
    ("audioEffects: [{ use: \"avfilter.bass\", parameters: { gain: $ } }]", "3"),
    ("effects: [{ use: \"chroma-key\", color: $ }]", "\"#00b140\""),
    ("speed: [{ at: 0, value: 1, easing: $ }, { at: \"1s\", value: 2 }]", "\"ease-in\""),
  ])
  func variable_insideAValue_hasTheTypeOfItsPlace(clip: String, value: String) throws {
    let wanted = try Self.edit(try Self.project(clip: clip.replacing("$", with: value)))
    for (written, variables, set) in Self.spellings(value) {
      let found = try Self.edit(
        try Self.project(clip: clip.replacing("$", with: written), variables: variables, set: set))
      #expect(found == wanted, "\(clip) with \(written) of \(variables) and \(set)")
    }
  }

  @Test(arguments: ["false", "FALSE", "False"])
  func variable_declaredAsABoolean_takesTheSpellingOfSpreadsheets(_ word: String) throws {
    let (output, declared) = ("audio: \"${SOUND}\"", "{ SOUND: true }")
    #expect(try Self.project(output: output, variables: declared).output.audio != nil)
    #expect(try Self.project(output: output, variables: declared, set: ["SOUND": word]).output.audio == nil)
    #expect(throws: CompositorError.self) { try Self.project(output: output, variables: declared, set: ["SOUND": "no"]) }
  }

  @Test func variable_inTheOutput_isRead() throws {
    let file = try Self.project(
      output: """
        video: { codec: "${CODEC}", quality: "${Q}" }, audio: "${SOUND}", background: "${BACK:#102030}",
        colorConversion: { diffuseWhite: "${WHITE:203}" }
        """, set: ["CODEC": "hevc", "Q": "21.5", "SOUND": "false"])
    #expect(file.output.video.codec == .hevc && file.output.video.quality == .constant(21.5) && file.output.audio == nil)
    #expect(file.output.background == Color(notation: "#102030") && file.output.colorConversion.diffuseWhite == 203)
  }

  @Test(arguments: [
    ("{ text: \"a\", size: $, fade: \"0s\" }", "\"10%\""), ("{ text: \"a\", weight: $ }", "700"),
    ("{ text: \"a\", position: [$, 20] }", "\"25%\""), ("{ text: $ }", "\"25\""), ("{ text: \"a\", start: $ }", "\"10f\""),
    ("{ layer: { bounds: [$, 10], backgroundColor: \"red\" } }", "30"),
    ("{ layer: { opacity: $, bounds: [1, 1] } }", "\"50%\""),
    ("{ layer: { isHidden: $, bounds: [1, 1] } }", "true"), ("{ layer: { transform: { rotationZ: $ } } }", "45"),
    ("{ layer: { timing: { duration: $ } } }", "\"2s\""),
    ("{ layer: { animations: [{ property: \"opacity\", from: 0, to: $ }] } }", "0.5"),
    ("{ layer: { animations: [{ property: \"opacity\", values: [0, $, 1] }] } }", "0.5"),
    ("{ layer: { animations: [{ property: \"backgroundColor\", from: \"red\", to: $ }] } }", "\"blue\""),
    ("{ layer: { animations: [{ property: \"position\", from: [0, 0], to: [$, 20] }] } }", "\"50%\""),
    ("{ layer: { content: { text: { string: \"a\", font: { size: $ } } } } }", "40"),
  ])
  func variable_inATitle_hasTheTypeOfItsPlace(title: String, value: String) throws {
    let wanted = try Self.edit(try Self.project(titles: title.replacing("$", with: value)))
    for (written, variables, set) in Self.spellings(value) {
      let found = try Self.edit(
        try Self.project(titles: title.replacing("$", with: written), variables: variables, set: set))
      #expect(found == wanted, "\(title) with \(written) of \(variables) and \(set)")
    }
  }

  @Test func list_ofAVariable_hasTheTypesOfItsPlace() throws {
    let wanted = try Self.edit(try Self.project(clip: "shadowOffset: [3, 4], transform: { scale: [1, 2] }"))
    let found = try Self.edit(
      try Self.project(
        clip: "shadowOffset: \"${O}\", transform: { scale: \"${S}\" }", variables: "{ O: [3, \"4\"], S: [\"1\", 2] }"))
    #expect(found == wanted)
  }

  @Test func string_ofSeveralVariables_isReadAsAWhole() throws {
    let found = try Self.edit(
      try Self.project(clip: "duration: \"${N}s\", opacity: \"0.${T}\"", set: ["N": "2", "T": "5"]))
    #expect(found == (try Self.edit(try Self.project(clip: "duration: \"2s\", opacity: 0.5"))))
  }

  /// A text may look like a number, and a place that takes both keeps what the variable is declared as.
  @Test func text_thatLooksLikeANumber_staysAText() throws {
    let file = try Self.project(titles: "{ text: \"${N}\" }", variables: "{ N: 5 }")
    #expect(try Self.edit(file) == Self.edit(try Self.project(titles: "{ text: \"5\" }")))
    let named = { (variables: String) throws in
      try Self.edit(
        try ProjectFile(
          """
          { version: 1, variables: \(variables), output: { size: "320x180", frameRate: 25 },
            assets: { a: { generate: "bars", duration: "1s" }, b: { generate: "clock", duration: "1s" } },
            tracks: [{ name: "1", clips: [{ asset: "a" }] }, { name: "0", clips: [{ asset: "b" }] }],
            instructions: [{ layers: [{ track: "${T}" }] }] }
          """))
    }
    #expect(try named("{ T: \"1\" }") != named("{ T: 1 }"))
  }

  @Test(arguments: [
    (
      "opacity: \"${V}\"", "big", "tracks[0].clips[0].opacity",
      "Expected a number, but found a string. Here \"${V}\" is \"big\""
    ),
    ("opacity: \"${V}\"", "7", "tracks[0].clips[0].opacity", "7 is outside 0 to 1. Here \"${V}\" is 7."),
    ("duration: \"${V}\"", "2.5", "tracks[0].clips[0].duration", "is not a time. Here \"${V}\" is \"2.5\"."),
    ("duration: \"${V}s\"", "x", "tracks[0].clips[0].duration", "Here \"${V}s\" is \"xs\"."),
    (
      "reverse: \"${V}\"", "yes", "tracks[0].clips[0].reverse",
      "Expected true or false, but found a string. Here \"${V}\" is \"yes\"."
    ),
    ("fit: \"${V}\"", "fil", "tracks[0].clips[0].fit", "Here \"${V}\" is \"fil\"."),
    ("borderColor: \"${V}\"", "reddish", "tracks[0].clips[0].borderColor", "Here \"${V}\" is \"reddish\"."),
    (
      "effects: [{ use: \"color\", saturation: \"${V}\" }]", "much", "tracks[0].clips[0].effects[0].saturation",
      "\"${V}\" is \"much\"."
    ),
    ("opacity: \"${W}\"", "1", "tracks[0].clips[0].opacity", "The variable \"W\" has no value."),
    ("opacity: \"${V\"", "1", "tracks[0].clips[0].opacity", "not closed"),
  ])
  func value_thatDoesNotFit_isReportedWithVariableAndPlace(clip: String, value: String, path: String, words: String) {
    let error = #expect(throws: CompositorError.self) { try Self.project(clip: clip, set: ["V": value]) }
    #expect(error?.location.path == path && error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(error?.location.place?.hasPrefix("p:3:") == true)
  }

  @Test func defaults_andEscapes_standInAnyValue() throws {
    let file = try Self.project(
      titles: "{ text: \"${A:x:y} ${B:} $${C} ${D: d }${E:e}\" }", variables: "{ D: \"!\", E: \"\" }")
    #expect(try Self.edit(file) == Self.edit(try Self.project(titles: "{ text: \"x:y  $${C} !e\" }")))
    let stray = #expect(throws: CompositorError.self) {
      try Self.project(clip: "opacity: \"${ALPHA:1}\"", set: ["ALHPA": "1"])
    }
    #expect(stray?.recoverySuggestion?.contains("\"ALPHA\"") == true)
  }

  @Test func schemaKey_ofEditors_isAccepted() throws {
    let text =
      "{ $schema: 'compositor.schema.json', version: 1, assets: { a: { generate: 'bars' } }, tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }] }"
    #expect(throws: Never.self) { try ProjectFile(text) }
  }
}
