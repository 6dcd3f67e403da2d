import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import Testing

/// A clip whose center is placed at the corner of the canvas is told, unless the place may be meant.
@Suite struct CornerPlacementTests {
  @Test(arguments: [
    ("{ x: 0, y: 0 }", true), ("{ x: '0%', y: 0, scale: 0.3 }", true), ("{ x: 0, y: 0, anchor: [0, 0] }", false),
    ("{ x: 0, y: 0, scale: 2 }", false), ("{ x: 0, y: 0, rotation: 45 }", false), ("{ x: 0, y: '50%' }", false),
    ("{ x: 0 }", false), ("{ x: '100%', y: '100%' }", false), ("[{ at: 0, x: 0, y: 0 }, { at: '1s', x: 32, y: 18 }]", false),
  ])
  func center_atTheCorner_isWarnedOf(_ transform: String, _ isWarned: Bool) throws {
    let text = """
      { version: 1, output: { size: '64x36', frameRate: 25 }, assets: { a: { generate: 'clock', size: '16x16' } },
        tracks: [{ clips: [{ asset: 'a', duration: '2s', fit: 'none', transform: \(transform) }] }] }
      """
    let found = try ProjectFile(text).writtenDiagnostics(catalog: MediaCatalog())
    #expect(found.map(\.code) == (isWarned ? [.layerNotSeen] : []), "\(found)")
    #expect(
      found.allSatisfy {
        $0.path == "tracks[0].clips[0].transform" && $0.recoverySuggestion?.contains("anchor: [0, 0]") == true
      })
  }
}
