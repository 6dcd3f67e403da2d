import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import Testing

/// Colors of titles written in codes of 0 to 255 are told, with the color that is meant; those of numbers up to 1, and of light above
/// white, aren't.
@Suite struct ByteColorTests {
  /// The places of such colors in a layer of a title, and what is to be written.
  private static func found(_ layer: String) throws -> [String] {
    let text = """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "clock", size: "64x36" } },
        tracks: [{ clips: [{ asset: "a", duration: "2s" }] }],
        titles: [{ layer: { bounds: [40, 20], position: [32, 18], \(layer) } }] }
      """
    let catalog = MediaCatalog()
    let file = try ProjectFile(text)
    let places = ProjectPlaces(file, try file.edit(catalog: catalog), catalog: catalog)
    let found = file.timelineDiagnostics(places, catalog: catalog) + file.writtenDiagnostics(catalog: catalog)
    return found.map { places.locating($0).diagnostic }.map {
      "\($0.code) \($0.path ?? ""): \($0.recoverySuggestion ?? "")"
    }
  }

  @Test(arguments: [
    ("backgroundColor: [255, 128, 0]", "backgroundColor", "#ff8000"),
    ("backgroundColor: [255, 128, 0, 1]", "backgroundColor", "#ff8000ff"),
    ("backgroundColor: [0, 0, 9, 0.5]", "backgroundColor", "#00000980"),
    ("backgroundColor: 'red', borderWidth: 2, borderColor: [16, 32, 255, 128]", "borderColor", "#1020ff80"),
    ("backgroundColor: [0, 0, 0, 128]", "backgroundColor", "#00000080"),
    ("content: { text: { string: 'x', color: [200, 0, 0] } }", "content.text.color", "#c80000"),
    ("content: { gradient: { colors: ['red', [0, 0, 255]] } }", "content.gradient.colors[1]", "#0000ff"),
    (
      "backgroundColor: 'red', animations: [{ property: 'backgroundColor', to: [0, 255, 0], duration: '1s' }]",
      "animations[0].to", "#00ff00"
    ),
    (
      "backgroundColor: 'red', animations: [{ property: 'backgroundColor', values: ['red', [0, 99, 0]], duration: '1s' }]",
      "animations[0].values[1]", "#006300"
    ),
    ("sublayers: [{ bounds: [9, 9], shadowColor: [50, 50, 50], shadowOpacity: 1 }]", "sublayers[0].shadowColor", "#323232"),
  ])
  func codes_areToldWithTheColor(_ layer: String, _ path: String, _ color: String) throws {
    #expect(try Self.found(layer) == ["colorClipped titles[0].layer.\(path): Write \"\(color)\"."])
  }

  @Test(arguments: [
    "backgroundColor: [1, 0.5, 0]", "backgroundColor: [1, 1, 1, 1]", "backgroundColor: [0, 0, 0]", "backgroundColor: '#ff8000'",
    "backgroundColor: [2.5, 2, 2]", "backgroundColor: [4, 1, 0]", "backgroundColor: [1000, 1000, 1000]",
    "backgroundColor: 'red', animations: [{ property: 'position', to: [64, 36], duration: '1s' }]",
    "backgroundColor: 'red', animations: [{ property: 'bounds', to: [0, 0, 20, 10], duration: '1s' }]",
  ])
  func numbers_ofLight_areNot(_ layer: String) throws {
    #expect(try Self.found(layer).isEmpty)
  }
}
