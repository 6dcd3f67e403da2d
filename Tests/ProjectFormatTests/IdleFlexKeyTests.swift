import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import Testing

/// Keys of rows and columns that change nothing are told at their place; others aren't.
@Suite struct IdleFlexKeyTests {
  private static func found(_ layer: String) throws -> [String] {
    let text = """
      { version: 1, output: { size: '64x36', frameRate: 25 }, assets: { a: { generate: 'clock', size: '64x36' } },
        tracks: [{ clips: [{ asset: 'a', duration: '2s' }] }], titles: [{ layer: { \(layer) } }] }
      """
    return try ProjectFile(text).writtenDiagnostics(catalog: MediaCatalog()).map { diagnostic in
      #expect(diagnostic.code == .effectUnchanging && diagnostic.severity == .warning)
      return diagnostic.path ?? ""
    }
  }

  @Test(arguments: ["grow: 1", "shrink: 0", "basis: 30", "alignSelf: 'end'"])
  func keysOfAnItem_needAParentThatArranges(_ key: String) throws {
    let name = key.prefix { $0 != ":" }
    let child = "sublayers: [{ layout: { width: 9, \(key) }, backgroundColor: 'red' }]"
    #expect(try Self.found("flex: {}, \(child)").isEmpty)
    #expect(try Self.found(child) == ["titles[0].layer.sublayers[0].layout.\(name)"])
    // One that says its own place isn't arranged.
    let placed = "sublayers: [{ layout: { left: 1, width: 9, \(key) }, backgroundColor: 'red' }]"
    #expect(try Self.found("flex: {}, \(placed)") == ["titles[0].layer.sublayers[0].layout.\(name)"])
    #expect(
      try Self.found("flex: {}, sublayers: [{ position: [3, 4], layout: { width: 9, \(key) } }]")
        == ["titles[0].layer.sublayers[0].layout.\(name)"])
    // Neither is a mask.
    #expect(
      try Self.found("flex: {}, sublayers: [{}], mask: { layout: { width: 9, \(key) }, backgroundColor: 'red' }")
        == ["titles[0].layer.mask.layout.\(name)"])
  }

  @Test(arguments: ["lineGap: 3", "alignContent: 'end'"]) func keysOfLines_needSeveralLines(_ key: String) throws {
    let name = key.prefix { $0 != ":" }
    #expect(try Self.found("flex: { wraps: true, \(key) }, sublayers: [{}]").isEmpty)
    #expect(try Self.found("flex: { \(key) }, sublayers: [{}]") == ["titles[0].layer.flex.\(name)"])
  }

  /// Keys of a layer that lose against others, and values that are taken for others.
  @Test(arguments: [
    ("cornerRadius: 5, cornerRadii: [20, 0, 20, 0]", ["cornerRadius"]), ("cornerRadii: [20, 0, 20, 0]", []),
    ("cornerRadius: 5", []), ("cornerRadius: -5", ["cornerRadius"]), ("cornerRadii: [200, 0, 0, -5]", ["cornerRadii[3]"]),
    ("cornerRadii: ['5%', 0, '-1%', 0]", ["cornerRadii[2]"]),
    ("layout: { width: 9, minimumWidth: 150, maximumWidth: 120 }", ["layout.maximumWidth"]),
    ("layout: { height: 9, minimumHeight: '20%', maximumHeight: '10%' }", ["layout.maximumHeight"]),
    ("layout: { width: 9, minimumWidth: 120, maximumWidth: 120 }", []),
    ("layout: { width: 9, minimumWidth: 90, maximumWidth: '50%' }", []),
    ("flex: {}", ["flex"]), ("flex: { gap: 3 }, sublayers: []", ["flex"]), ("flex: { padding: 9 }", []),
    ("flex: {}, sublayers: [{ backgroundColor: 'red' }]", []),
  ])
  func keysOfALayer_thatLose(_ layer: String, _ paths: [String]) throws {
    #expect(try Self.found("sublayers: [{ \(layer) }]") == paths.map { "titles[0].layer.sublayers[0].\($0)" })
  }
}
