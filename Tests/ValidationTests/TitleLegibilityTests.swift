import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Testing

/// Texts that are longer than their titles were made for.
struct TitleLegibilityTests {
  private static func codes(_ titles: String, size: String = "1280x720") throws -> [ValidationDiagnostic] {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "\(size)", frameRate: 25 }, assets: { a: { generate: "color", size: "\(size)", duration: "4s" } },
        tracks: [{ clips: [{ asset: "a" }] }], titles: [\(titles)] }
      """)
    let catalog = MediaCatalog()
    let report = CompositionValidator.validate(try file.edit(catalog: catalog), catalog: catalog)
    _ = try report.get()
    return report.diagnostics.map(file.locating).filter { $0.code == .titleTextTooSmall }
  }

  private static func words(_ count: Int) -> String { Array(repeating: "Lovelace", count: count).joined(separator: " ") }

  private static func box(_ text: String, _ rest: String = "") -> String {
    "{ layer: { bounds: [400, 60], position: [640, 360], content: { text: { string: '\(text)', font: { size: 40 }, fit: 'shrink' } }\(rest) } }"
  }

  /// {lower third, box, box that animates} × lengths: said once capitals are below 1.5 % of the shorter side, 11 of 720.
  @Test(arguments: [(1, false), (4, false), (12, true), (40, true)]) func length_decides(_ count: Int, _ isSmall: Bool) throws {
    let text = Self.words(count)
    let animated = ", animations: [{ property: 'opacity', from: 0, duration: '1s' }]"
    for title in [Self.box(text), Self.box(text, animated)] {
      let found = try Self.codes(title)
      #expect(found.isEmpty != isSmall, "\(count): \(found)")
      if isSmall { #expect(found.first?.path == "titles[0]" && found.first?.message.contains("% of its size") == true) }
    }
  }

  @Test(arguments: ["1280x720", "720x1280", "720x720"]) func lowerThird_withALongRole_isSaid(_ size: String) throws {
    let title = "{ kind: 'lower-third', text: 'Ada', role: '\(Self.words(30))' }"
    #expect(try Self.codes(title, size: size).count == 1)
    #expect(try Self.codes("{ kind: 'lower-third', text: 'Ada Lovelace', role: 'Mathematician' }", size: size).isEmpty)
  }

  /// A line of dots is no small print.
  @Test(arguments: [("0.5%", "320x180", true), ("0.5%", "1280x720", false), ("1%", "320x180", false)])
  func text_lowerThanAPixel_isSaid(_ size: String, _ canvas: String, _ isSaid: Bool) throws {
    let found = try Self.codes("{ text: 'Hi', size: '\(size)' }", size: canvas)
    #expect(found.isEmpty != isSaid, "\(found)")
    #expect(found.allSatisfy { $0.path == "titles[0]" && $0.message.contains("cannot be read") })
  }

  /// Small print is a decision; what wraps is not shrunk; what grows is seen when it is large.
  @Test(arguments: [
    "{ layer: { position: [640, 360], content: { text: { string: 'small print', font: { size: 8 } } } } }",
    "{ text: 'small', size: 8 }",
    "{ layer: { bounds: [400, 60], position: [640, 360], content: { text: { string: 'tiny', font: { size: 9 }, fit: 'shrink' } } } }",
    "{ layer: { bounds: [400, 60], position: [640, 360], content: { text: { string: 'Lovelace Lovelace Lovelace Lovelace Lovelace Lovelace Lovelace Lovelace Lovelace Lovelace Lovelace Lovelace', font: { size: 40 }, fit: 'shrink' } }, animations: [{ property: 'transform.scale', from: 1, to: 8, duration: '4s' }] } }",
  ])
  func smallness_byChoice_isNotSaid(_ title: String) throws {
    #expect(try Self.codes(title).isEmpty)
  }
}
