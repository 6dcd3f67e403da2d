import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorOverlay
import Testing

/// Older spellings in a project: read as before, and told.
@Suite struct ProjectSpellingTests {
  private func project(_ mode: String, _ curve: String, _ curves: String, easing: String) throws -> ProjectFile {
    try ProjectFile(
      """
      {
        version: 1, output: { size: "320x180", frameRate: 30 },
        assets: { a: { generate: "bars", size: "320x180", duration: "4s" } },
        tracks: [{ clips: [{ asset: "a", duration: "2s", opacity: 0.5 }, { asset: "a", duration: "2s", transition: { type: "wipe", duration: "1s", easing: \(easing) } }] }],
        titles: [{ layer: { bounds: [80, 80], position: [160, 90], backgroundColor: "orange", blendMode: \(mode),
          animations: [
            { property: "opacity", from: 0, duration: 1, curve: \(curve) },
            { property: "position", values: [[0, 0], [160, 90]], curves: [\(curves)], duration: 1 },
          ] } }],
      }
      """, name: "film.json5")
  }

  @Test(arguments: [
    (
      "\"colorDodge\"", "\"color-dodge\"", "\"easeInEaseOut\"", "\"ease-in-out\"", "[0.1, 0.2, 0.3, 0.4]",
      "\"cubic-bezier(0.1, 0.2, 0.3, 0.4)\""
    ),
    ("\"plusLighter\"", "\"plus-lighter\"", "\"default\"", "\"ease\"", "{ steps: 4 }", "\"steps(4, jump-end)\""),
    ("\"softLight\"", "\"soft-light\"", "\"easeIn\"", "\"ease-in\"", "\"stepStart\"", "\"step-start\""),
  ])
  func olderSpellings_readTheSameAndSayTheCurrentOne(
    _ mode: String, _ newMode: String, _ curve: String, _ newCurve: String, _ curves: String, _ newCurves: String
  ) throws {
    let old = try project(mode, curve, curves, easing: "\"easeOut\"")
    let new = try project(newMode, newCurve, newCurves, easing: "\"ease-out\"")
    #expect(new.warnings.isEmpty)
    let edits = try [old, new].map { try $0.edit(catalog: MediaCatalog()) }
    #expect(edits[0].videoComposition == edits[1].videoComposition)
    #expect(edits[0] == edits[1] && edits[0].titles.layers.count == 1)
    let warnings = old.warnings
    try #require(warnings.count == 4)
    #expect(
      warnings.map(\.location.path) == [
        "tracks[0].clips[1].transition.easing", "titles[0].layer.blendMode", "titles[0].layer.animations[0].curve",
        "titles[0].layer.animations[1].curves[0]",
      ])
    for (warning, spelling) in zip(warnings, ["\"ease-out\"", newMode, newCurve, newCurves]) {
      #expect(warning.recoverySuggestion == "Write \(spelling).", "\(warning)")
    }
    #expect(warnings[1].location.file == "film.json5:5:\(warnings[1].location.file?.split(separator: ":").last ?? "")")
  }

  @Test func titles_takeTheModesOfSection92() throws {
    for mode in ["hue", "saturation", "color", "luminosity"] {
      let file = try project("\"\(mode)\"", "\"linear\"", "\"linear\"", easing: "\"linear\"")
      #expect(file.warnings.isEmpty)
      let title = try #require(try file.edit(catalog: MediaCatalog()).titles.layers.first)
      #expect(title.sublayers[0].blendMode.rawValue == mode)
    }
  }
}
