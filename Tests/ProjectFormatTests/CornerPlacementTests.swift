import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import Testing

/// A clip whose center is placed at a corner of the canvas is told, unless the place may be meant.
@Suite struct CornerPlacementTests {
  @Test(arguments: [
    ("{ x: 0, y: 0 }", "[0, 0]"), ("{ x: '0%', y: 0, scale: 0.3 }", "[0, 0]"), ("{ x: '100%', y: '100%' }", "[1, 1]"),
    ("{ x: 64, y: 0, scale: 0.5 }", "[1, 0]"), ("{ x: 0, y: 36 }", "[0, 1]"), ("{ x: 64, y: '100%' }", "[1, 1]"),
    ("{ x: 0, y: 0, anchor: [0, 0] }", ""), ("{ x: '100%', y: '100%', anchor: [1, 1] }", ""),
    ("{ x: 0, y: 0, scale: 2 }", ""), ("{ x: 0, y: 0, rotation: 45 }", ""), ("{ x: 0, y: '50%' }", ""),
    ("{ x: '100%', y: '50%' }", ""), ("{ x: 36, y: 64 }", ""), ("{ x: '90%', y: '100%' }", ""), ("{ x: 0 }", ""),
    ("[{ at: 0, x: 0, y: 0 }, { at: '1s', x: 32, y: 18 }]", ""),
  ])
  func center_atACorner_isWarnedOf_withItsAnchor(_ transform: String, _ anchor: String) throws {
    let text = """
      { version: 1, output: { size: '64x36', frameRate: 25 }, assets: { a: { generate: 'clock', size: '16x16' } },
        tracks: [{ clips: [{ asset: 'a', duration: '2s', fit: 'none', transform: \(transform) }] }] }
      """
    let found = try ProjectFile(text).writtenDiagnostics(catalog: MediaCatalog())
    #expect(found.map(\.code) == (anchor.isEmpty ? [] : [.layerNotSeen]), "\(found)")
    #expect(
      found.allSatisfy {
        $0.path == "tracks[0].clips[0].transform" && $0.recoverySuggestion?.contains("anchor: \(anchor) ") == true
      })
  }
}
