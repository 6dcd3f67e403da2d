import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import Testing

/// Clips that are cropped to the shape of the canvas and left where fitting put them, on an empty canvas.
@Suite struct CropInPlaceTests {
  private static func found(_ clip: String, output: String = "", rest: String = "") throws -> [ValidationDiagnostic] {
    let text = """
      { version: 1, output: { size: "202x360", frameRate: 25\(output) }, assets: { a: { generate: "bars", size: "640x360" } },
        tracks: [{ clips: [{ asset: "a", duration: "1s", \(clip) }] }\(rest)] }
      """
    let catalog = MediaCatalog()
    let file = try ProjectFile(text)
    let places = ProjectPlaces(file, try file.edit(catalog: catalog), catalog: catalog)
    return file.timelineDiagnostics(places, catalog: catalog).map { places.locating($0).diagnostic }
  }

  @Test(arguments: [
    ("crop: { x: 219, y: 0, width: 202, height: 360 }", "Write fit: \"fill\" to fill the canvas with it."),
    (
      "crop: { x: 0, y: 0, width: 202, height: 360 }",
      "Write fit: \"fill\" and transform: { x: 320 } to fill the canvas with it."
    ),
    (
      "crop: { x: 219, y: 0, width: 101, height: 180 }",
      "Write fit: \"fill\" and transform: { x: 202, y: 360, scale: 2 } to fill the canvas with it."
    ),
    (
      "fit: 'fill', crop: { x: 219, y: 0, width: 101, height: 180 }",
      "Write fit: \"fill\" and transform: { x: 202, y: 360, scale: 2 } to fill the canvas with it."
    ),
  ])
  func crop_ofTheCanvasesShape_isWarnedOf_withAPlaceThatFillsIt(_ clip: String, _ advice: String) throws {
    let found = try Self.found(clip)
    #expect(found.map(\.code) == [.canvasUnfilled] && found.first?.path == "tracks[0].clips[0].crop", "\(found)")
    #expect(found.first?.recoverySuggestion == advice, "\(found)")
    let place = try #require(advice.firstMatch(of: /Write (.+) to fill/)).1.replacing(" and ", with: ", ")
    let mended = clip.replacing("fit: 'fill', ", with: "") + ", " + place
    #expect(try Self.found(mended).isEmpty)
  }

  private static let narrow = "crop: { x: 219, y: 0, width: 202, height: 360 }"

  @Test(arguments: [
    ("crop: { x: 0, y: 0, width: 300, height: 100 }", "", ""), ("crop: { x: 0, y: 0, width: 640, height: 360 }", "", ""),
    ("\(narrow), fit: 'fill'", "", ""), ("\(narrow), transform: { scale: 0.5 }", "", ""),
    ("\(narrow), cornerRadius: 9", "", ""),
    (narrow, ", background: 'white'", ""), (narrow, "", ", { clips: [{ asset: 'a', duration: '1s' }] }"),
  ])
  func crop_ofAnotherKind_isNot(_ clip: String, _ output: String, _ rest: String) throws {
    #expect(try !Self.found(clip, output: output, rest: rest).contains { $0.code == .canvasUnfilled })
  }
}
