import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import Testing

/// Transitions by compositors that mix two layers, whatever the time is.
@Suite struct StandingTransitionTests {
  private static func found(_ transition: String) throws -> [ValidationDiagnostic] {
    let text = """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars", size: "64x36" } },
        tracks: [{ clips: [{ asset: "a", duration: "2s" }, { asset: "a", duration: "2s", transition: \(transition) }] }] }
      """
    let catalog = MediaCatalog()
    let file = try ProjectFile(text)
    let places = ProjectPlaces(file, try file.edit(catalog: catalog), catalog: catalog)
    return file.timelineDiagnostics(places, catalog: catalog).map { places.locating($0).diagnostic }
  }

  @Test(arguments: [
    ("{ compositor: 'frei0r.xfade0r', duration: '0.4s' }", "fader: [{ at: 0, value: 0 }, { at: \"0.4s\", value: 1 }]"),
    ("{ compositor: 'frei0r.xfade0r', duration: '0.4s', parameters: { fader: 0.5 } }", "fader: [{"),
    ("{ compositor: 'builtin.blend', duration: '1s', parameters: { mode: 'screen' } }", "such as dissolve"),
  ])
  func compositor_thatIsNotToldTheProgress_isWarnedOf(_ transition: String, _ advice: String) throws {
    let found = try Self.found(transition)
    #expect(found.map(\.code) == [.effectUnchanging] && found.first?.path == "tracks[0].clips[1].transition", "\(found)")
    #expect(found.first?.recoverySuggestion?.contains(advice) == true, "\(found)")
  }

  @Test(arguments: [
    "{ duration: '1s' }", "{ type: 'push', duration: '1s' }", "{ type: 'wipe', duration: '1s' }",
    "{ compositor: 'builtin.wipe', duration: '1s' }", "{ compositor: 'avfilter.xfade', duration: '1s' }",
    "{ compositor: 'frei0r.xfade0r', duration: '1s', parameters: { fader: [{ at: 0, value: 0 }, { at: '1s', value: 1 }] } }",
  ])
  func transition_thatGoesFromOneToTheOther_isNot(_ transition: String) throws {
    #expect(try Self.found(transition).isEmpty)
  }
}
