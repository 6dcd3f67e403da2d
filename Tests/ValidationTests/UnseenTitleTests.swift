import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorOverlay
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Testing

/// Titles that can be drawn and are never seen.
struct UnseenTitleTests {
  static func diagnostics(_ titles: String) throws -> [ValidationDiagnostic] {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "320x180", frameRate: 25 }, assets: { a: { generate: "color", size: "320x180", duration: "4s" } },
        tracks: [{ clips: [{ asset: "a" }] }], titles: [{ text: "seen" }, \(titles)] }
      """)
    let catalog = MediaCatalog()
    let report = CompositionValidator.validate(try file.edit(catalog: catalog), catalog: catalog)
    _ = try report.get()
    return report.diagnostics.map(file.locating)
  }

  @Test(arguments: [
    ("{ text: 'late', start: '4s' }", "over"), ("{ text: 'late', start: '60s', duration: '1s' }", "over"),
    ("{ text: '  \\n ' }", "nothing"),
    ("{ layer: {} }", "nothing"), ("{ layer: { content: { text: { string: '' } } } }", "nothing"),
    ("{ layer: { content: { shape: { path: 'M 0 0 L 9 9 L 0 9 Z', fillColor: null } } } }", "nothing"),
    ("{ layer: { bounds: [9, 9], position: [9, 9], backgroundColor: '#ff000000' } }", "nothing"),
    ("{ layer: { bounds: [9, 9], position: [9, 9], backgroundColor: 'red', opacity: 0 } }", "nothing"),
    ("{ text: 'off', position: ['-400%', '50%'] }", "outside"), ("{ text: 'off', position: [160, 900] }", "outside"),
    ("{ layer: { bounds: [20, 20], position: [340, 90], backgroundColor: 'red' } }", "outside"),
    ("{ layer: { layout: { left: '101%', top: 0, width: 20, height: 20 }, backgroundColor: 'red' } }", "outside"),
    ("{ layer: { position: [160, 300], content: { text: { string: 'low' } } } }", "outside"),
    ("{ layer: { content: { shape: { path: 'M 400 0 L 500 0 L 500 50 Z' } } } }", "outside"),
    (
      "{ layer: { bounds: [20, 20], position: [-100, 90], backgroundColor: 'red', animations: [{ property: 'position.x', to: -20, duration: '4s' }] } }",
      "outside"
    ),
  ])
  func title_thatIsNeverSeen_isWarnedOf(title: String, why: String) throws {
    let found = try Self.diagnostics(title)
    #expect(found.count == 1 && found.first?.code == .titleNotSeen && found.first?.severity == .warning, "\(found)")
    #expect(found.first?.path == "titles[1]" && found.first?.message.contains(why) == true, "\(found)")
    #expect(found.first?.recoverySuggestion != nil)
  }

  @Test func title_underALaterOne_isWarnedOf() throws {
    let cover = "layer: { bounds: [200, 99], position: [160, 90], backgroundColor: 'black' }"
    let found = try Self.diagnostics("{ \(cover) }")
    #expect(found.map(\.code) == [.titleNotSeen] && found.first?.path == "titles[0]", "\(found)")
    #expect(found.first?.message.contains("an opaque layer of title 1 lies above it all the time") == true, "\(found)")
    #expect(try Self.diagnostics("{ start: '1s', \(cover) }").isEmpty)
    #expect(try Self.diagnostics("{ duration: '3s', \(cover) }").isEmpty)
  }

  @Test(arguments: [
    ("{ text: 'x', start: '1s', duration: '1f' }", "one frame"), ("{ text: 'x', start: '3.96s' }", "one frame"),
    ("{ text: 'x', start: '1.01s', duration: '0.02s' }", "No frame"),
  ])
  func title_visibleBetweenFramesOnly_isWarnedOf(title: String, why: String) throws {
    let found = try Self.diagnostics(title)
    #expect(found.count == 1 && found.first?.code == .titleNotSeen && found.first?.message.contains(why) == true, "\(found)")
  }

  @Test(arguments: [
    "{ text: 'x', start: '1s', duration: '1f', fade: '0s' }", "{ text: 'x', start: '1s', duration: '2f' }",
    "{ text: 'x', start: '33f', duration: '3f', fade: '1f' }",
  ])
  func title_ofFewFrames_isSeen(title: String) throws {
    #expect(try Self.diagnostics(title).isEmpty)
  }

  @Test(arguments: [
    "{ kind: 'credits', text: 'a\\nb' }", "{ kind: 'lower-third', text: 'a' }",
    "{ kind: 'caption', text: 'a' }",
    // A moment on the canvas, on its way through.
    "{ layer: { bounds: [20, 20], position: [-100, 90], backgroundColor: 'red', animations: [{ property: 'position.x', to: 500, duration: '4s' }] } }",
    // Its shadow, its line, its text beyond its bounds.
    "{ layer: { bounds: [20, 20], position: [340, 90], backgroundColor: 'red', shadowOpacity: 1, shadowOffset: [-40, 0] } }",
    "{ layer: { content: { shape: { path: 'M 330 0 L 330 180', strokeColor: 'red', lineWidth: 30 } } } }",
    "{ layer: { bounds: [20, 20], position: [-20, 90], content: { text: { string: 'a long line of text' } } } }",
    "{ layer: { sublayers: [{ timing: { beginTime: '3.9s' }, bounds: [9, 9], position: [9, 9], backgroundColor: 'red' }] } }",
    "{ layer: { bounds: [9, 9], position: [9, 9], sublayers: [{ bounds: [4, 4], position: [4, 4], backgroundColor: 'red' }], content: { emitter: { birthRate: 1 } } } }",
    "{ layer: { content: { video: true } } }",
    "{ layer: { position: [9, 9], content: { text: { generator: { timecode: { framesPerSecond: 25 } } } } } }",
    "{ layer: { content: { replicator: { instanceCount: 5, instanceTransform: { translationX: 100 } } }, sublayers: [{ bounds: [9, 9], position: [-200, 9], backgroundColor: 'red' }] } }",
  ])
  func title_thatIsSeen_isNot(title: String) throws {
    // Some lie at the edge of the canvas, which is said too, and one hides the title below it.
    #expect(try !Self.diagnostics(title).contains { $0.code != .titleOutsideSafeArea && $0.path != "titles[0]" })
  }
}
