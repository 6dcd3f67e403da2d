import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import Testing

/// Settings of shadows, borders and outlines without the key that switches them on are told at their place; others aren't.
@Suite struct MissingSwitchTests {
  /// A place where such keys are written: the text around them, its key path, and the switches that it has.
  struct Place: Sendable, CustomTestStringConvertible {
    let path: String
    let members: @Sendable (String) -> String
    let switches: [Switch]
    var testDescription: String { path }
  }

  struct Switch: Sendable {
    let key: String
    let off: String
    let on: String
    /// Keys that change nothing without it, with values.
    let dependents: [(key: String, value: String)]
  }

  private static let shadow = Switch(
    key: "shadowOpacity", off: "0", on: "0.5",
    dependents: [("shadowColor", "'red'"), ("shadowOffset", "[8, 8]"), ("shadowRadius", "10")])
  private static let border = Switch(key: "borderWidth", off: "0", on: "4", dependents: [("borderColor", "'white'")])
  private static let outline = Switch(key: "outlineWidth", off: "0", on: "'0.4%'", dependents: [("outlineColor", "'black'")])
  private static let captionOutline = Switch(
    key: "outlineWidth", off: "0", on: "0.1", dependents: [("outlineColor", "'black'")])

  /// A layer tree of a title around a layer with keys.
  private static func tree(_ layer: String, at path: String, _ switches: [Switch]) -> [Place] {
    [
      Place(
        path: "titles[0].layer\(path)", members: { "titles: [{ layer: \(layer.replacing("KEYS", with: $0)) }]" },
        switches: switches),
      Place(
        path: "assets.t.titles[0].layer\(path)",
        members: {
          "assets: { a: { generate: 'clock', size: '64x36' }, t: { titles: [{ layer: \(layer.replacing("KEYS", with: $0)) }] } }"
        },
        switches: switches),
    ]
  }

  private static let box = "bounds: [40, 20], position: [32, 18], backgroundColor: 'red'"
  static let places =
    [
      Place(
        path: "tracks[0].clips[0]", members: { "tracks: [{ clips: [{ asset: 'a', duration: '2s', \($0) }] }]" },
        switches: [shadow, border]),
      Place(
        path: "instructions[0].layers[0]", members: { "instructions: [{ layers: [{ track: 'A', \($0) }] }]" },
        switches: [shadow, border]),
      Place(path: "titles[0]", members: { "titles: [{ text: 'Hi', \($0) }]" }, switches: [outline]),
      Place(
        path: "assets.t.titles[0]",
        members: { "assets: { a: { generate: 'clock', size: '64x36' }, t: { titles: [{ text: 'Hi', \($0) }] } }" },
        switches: [outline]),
      Place(
        path: "captions[0].style", members: { "captions: [{ file: 'c.srt', style: { \($0) } }]" }, switches: [captionOutline]),
    ] + tree("{ \(box), KEYS }", at: "", [shadow, border])
    + tree("{ sublayers: [{ \(box) }, { \(box), KEYS }] }", at: ".sublayers[1]", [shadow, border])
    + tree("{ position: [32, 18], content: { text: { string: 'Hi', KEYS } } }", at: ".content.text", [outline])

  private static func found(_ members: String) throws -> [ValidationDiagnostic] {
    let usual = [
      "assets": "assets: { a: { generate: 'clock', size: '64x36' } }",
      "tracks": "tracks: [{ name: 'A', clips: [{ asset: 'a', duration: '2s' }] }]",
    ]
    let others = usual.filter { !members.hasPrefix($0.key) }.values.sorted()
    let text = "{ version: 1, output: { size: '64x36', frameRate: 25 }, \((others + [members]).joined(separator: ", ")) }"
    return try ProjectFile(text).writtenDiagnostics(catalog: MediaCatalog())
  }

  @Test(arguments: places) func settings_withoutTheirSwitch_areWarnedOf(_ place: Place) throws {
    for needed in place.switches {
      let all = needed.dependents.map { "\($0.key): \($0.value)" }
      for (dependent, written) in zip(needed.dependents, all) {
        let found = try Self.found(place.members(written))
        #expect(found.map(\.path) == ["\(place.path).\(dependent.key)"], "\(found)")
        #expect(found.first?.code == .effectUnchanging && found.first?.severity == .warning)
        #expect(found.first?.recoverySuggestion?.hasPrefix("Write \(needed.key), too, such as ") == true, "\(found)")
        // With it, and if it is off on purpose.
        for value in [needed.on, needed.off] {
          #expect(try Self.found(place.members("\(written), \(needed.key): \(value)")).isEmpty)
        }
      }
      // Several are one mistake.
      #expect(try Self.found(place.members(all.joined(separator: ", "))).count == 1)
      #expect(try Self.found(place.members("\(needed.key): \(needed.on)")).isEmpty)
    }
  }

  @Test(arguments: [
    ("shadowRadius: 4", "shadowOpacity"), ("borderColor: 'white'", "borderWidth"),
    ("content: { text: { string: 'Hi', outlineColor: 'white' } }", "text.outlineWidth"),
  ])
  func settings_thatAnAnimationSwitchesOn_areNot(_ keys: String, _ property: String) throws {
    let layer =
      "titles: [{ layer: { \(Self.box), \(keys), animations: [{ property: '\(property)', to: 1, duration: '1s' }] } }]"
    #expect(try Self.found(layer).isEmpty)
    #expect(try Self.found(layer.replacing(property, with: "opacity")).count == 1)
  }

  @Test func style_ofCaptionsThatPlayersDraw_isToldElsewhere() throws {
    #expect(try Self.found("captions: [{ file: 'c.srt', as: 'track', style: { outlineColor: 'black' } }]").isEmpty)
  }
}
