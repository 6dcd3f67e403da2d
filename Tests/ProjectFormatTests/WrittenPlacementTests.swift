import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import Testing

/// Keyframes and places that are written in a way that another program has.
@Suite struct WrittenPlacementTests {
  private func found(_ clip: String) throws -> [ValidationDiagnostic] {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "320x180", frameRate: 25 }, assets: { a: { generate: "color" } },
        tracks: [{ clips: [{ asset: "a", duration: "2s", \(clip) }] }] }
      """, name: "p")
    return file.writtenDiagnostics(catalog: MediaCatalog())
  }

  @Test(arguments: [
    ("opacity: [{ at: 0, value: 0 }, { at: '1s', value: 1, easing: 'ease-in' }]", "opacity[1].easing"),
    ("transform: [{ at: 0, x: 80 }, { at: '1s', x: 100, easing: 'ease-in' }, { at: '2s', x: 240 }]", nil),
    ("opacity: [{ at: 0, value: 0, easing: 'ease-in' }, { at: '1s', value: 1, easing: 'ease-in' }]", nil),
    ("opacity: [{ at: 0, value: 0 }, { at: '1s', value: 1, easing: 'linear' }]", nil),
    (
      "effects: [{ use: 'gaussian-blur', radius: [{ at: 0, value: 0 }, { at: '1s', value: 4, easing: 'ease-out' }] }]",
      "effects[0].radius[1].easing"
    ),
  ])
  func easing_ofTheLastKeyframe_isTold(_ clip: String, _ path: String?) throws {
    #expect(try found(clip).map(\.path) == (path.map { ["tracks[0].clips[0].\($0)"] } ?? []))
  }

  @Test(arguments: [
    ("{ x: 0.75, y: 0.25, scale: 0.3 }", "75%"), ("{ x: 0.5, scale: 0.3 }", "50%"),
    ("[{ at: 0, x: 0.25, y: 0.25 }, { at: '1s', x: 0.5, y: 1 }]", "25%"), ("{ x: 80.5, y: 0.5, scale: 0.3 }", nil),
    ("{ x: '75%', y: '25%' }", nil), ("{ x: 1, y: 1, scale: 0.3 }", nil), ("{ scale: 0.5, anchor: [0.5, 0.5] }", nil),
  ])
  func place_atAFractionOfAPixel_isTold(_ transform: String, _ advice: String?) throws {
    let found = try found("transform: \(transform)").filter { $0.message.contains("less than a pixel") }
    #expect(found.map(\.path) == (advice == nil ? [] : ["tracks[0].clips[0].transform"]))
    #expect(advice.map { found.first?.recoverySuggestion?.contains($0) == true } ?? true)
  }
}
