import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import Testing

/// A clip whose center is placed at a corner of the canvas, or near one, is told, unless the place may be meant.
@Suite struct CornerPlacementTests {
  /// The warnings about corners in a project on a canvas of 64×36.
  private func found(_ clip: String, more: String = "") throws -> [ValidationDiagnostic] {
    let text = """
      { version: 1, output: { size: '64x36', frameRate: 25 },
        assets: { a: { generate: 'clock', size: '16x16' }, w: { generate: 'clock', size: '64x36' }, p: { generate: 'clock', size: '18x36' } },
        tracks: [{ clips: [{ duration: '2s', \(clip) }] }], \(more) }
      """
    let (file, catalog) = (try ProjectFile(text), MediaCatalog())
    let places = ProjectPlaces(file, try file.edit(catalog: catalog), catalog: catalog)
    return file.timelineDiagnostics(places, catalog: catalog).filter { $0.message.contains("corner of the canvas") }
  }

  @Test(arguments: [
    ("{ x: 0, y: 0 }", "[0, 0]"), ("{ x: '0%', y: 0, scale: 0.3 }", "[0, 0]"), ("{ x: '100%', y: '100%' }", "[1, 1]"),
    ("{ x: 64, y: 0, scale: 0.5 }", "[1, 0]"), ("{ x: 0, y: 36 }", "[0, 1]"), ("{ x: 64, y: '100%' }", "[1, 1]"),
    ("[{ at: 0, x: '100%', y: '100%', scale: 0.3 }, { at: '1s', scale: 0.35 }]", "[1, 1]"),
    ("[{ at: 0, x: 0, y: 0, scale: 0 }, { at: '1s', scale: 0.5 }]", "[0, 0]"),
    ("{ x: 0, y: 0, anchor: [0, 0] }", ""), ("{ x: '100%', y: '100%', anchor: [1, 1] }", ""),
    ("{ x: 0, y: 0, anchor: [0.5, 0.5] }", ""),
    ("{ x: 0, y: 0, scale: 2 }", ""), ("{ x: 0, y: 0, rotation: 45 }", ""), ("{ x: 0, y: '50%' }", ""),
    ("{ x: '100%', y: '50%' }", ""), ("{ x: 36, y: 64 }", ""), ("{ x: '90%', y: '100%' }", ""), ("{ x: 0 }", ""),
    ("[{ at: 0, x: 0, y: 0 }, { at: '1s', x: 32, y: 18 }]", ""),
    ("[{ at: 0, x: 0, y: 0 }, { at: '1s', rotation: 90 }]", ""), ("[{ at: 0, x: 0, y: 0 }, { at: '1s', x: 64, y: 36 }]", ""),
  ])
  func center_atACorner_isWarnedOf_withItsAnchor(_ transform: String, _ anchor: String) throws {
    let found = try found("asset: 'a', fit: 'none', transform: \(transform)")
    #expect(found.map(\.code) == (anchor.isEmpty ? [] : [.layerNotSeen]), "\(found)")
    #expect(
      found.allSatisfy {
        $0.path == "tracks[0].clips[0].transform" && $0.recoverySuggestion?.contains("anchor: \(anchor) ") == true
          && $0.message.hasSuffix("three quarters of it are outside.")
      })
  }

  /// Near a corner it depends on the size of what is seen: the wide clip is as large as the canvas, the others are lower or narrower.
  @Test(arguments: [
    ("w", "{ x: 2, y: 2, scale: 0.3 }", "near the top left corner", 59),
    ("w", "{ x: 2, y: 2 }", "near the top left corner", 70),
    ("w", "{ x: '98%', y: '98%', scale: 0.3 }", "near the bottom right corner", 68),
    ("w", "{ x: '98%', y: 0, scale: 0.3 }", "near the top right corner", 72),
    ("w", "{ x: -2, y: -2 }", "near the top left corner", 79),
    ("w", "[{ at: 0, x: 2, y: 2, scale: 0.3 }, { at: '1s', scale: 0.5 }]", "near the top left corner", 59),
    ("p", "{ x: 2, y: 2 }", "near the top left corner", 66),
    ("w", "{ x: 4, y: 2, scale: 0.2 }", "", 0), ("w", "{ x: 6, y: 4 }", "", 0), ("p", "{ x: 2, y: 2, scale: 0.3 }", "", 0),
    ("w", "{ x: 2, y: 2, scale: 0.1 }", "", 0), ("w", "{ x: 2, y: 2, scale: 0.3, anchor: [0, 0] }", "", 0),
    ("w", "[{ at: 0, x: 2, y: 2, scale: 0.3 }, { at: '1s', scale: 0.1 }]", "", 0),
    ("w", "[{ at: 0, x: 2, y: 2, scale: 0.3 }, { at: '1s', x: 32 }]", "", 0),
  ])
  func center_nearACorner_isWarnedOf_ifMostOfItIsOutside(_ asset: String, _ transform: String, _ place: String, _ share: Int)
    throws
  {
    let found = try found("asset: '\(asset)', transform: \(transform)")
    #expect(found.count == (place.isEmpty ? 0 : 1), "\(found)")
    #expect(
      found.allSatisfy { $0.message.contains(place) && $0.message.hasSuffix(": \(share) % of it are outside.") }, "\(found)")
  }

  @Test(arguments: [
    ("{ x: '100%', y: '100%', scale: 0.3 }", true), ("{ x: 2, y: 2, scale: 0.3 }", true),
    ("{ x: '100%', y: '100%', anchor: [1, 1] }", false),
    ("{ x: '50%', y: '50%' }", false),
  ])
  func layerOfAnInstruction_isWarnedOf(_ transform: String, _ isFound: Bool) throws {
    let found = try found("asset: 'w'", more: "instructions: [{ layers: [{ track: 0, transform: \(transform) }] }]")
    #expect(found.map(\.path) == (isFound ? ["instructions[0].layers[0].transform"] : []), "\(found)")
  }

  /// A layer's transform replaces that of its clip.
  @Test func clipWithAnotherPlaceInALayer_isNot() throws {
    let layer = "{ track: 0, transform: { x: '50%', y: '50%' } }"
    #expect(try found("asset: 'w', transform: { x: 0, y: 0 }", more: "instructions: [{ layers: [\(layer)] }]").isEmpty)
  }
}
