import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import Testing

/// Titles of assets that clips don't show, or not to their end, and text in them that cannot be read on the movie's canvas.
@Suite struct TitleAssetCheckTests {
  /// - Parameters:
  ///   - asset: Members of the asset that is played.
  ///   - clips: The clips that play it.
  private static func found(_ asset: String, _ clips: String, size: String = "320x180") throws -> [ValidationDiagnostic] {
    let text = """
      { version: 1, output: { size: "\(size)", frameRate: 25 },
        assets: { a: { generate: "clock", size: "\(size)" }, t: { \(asset) } },
        tracks: [{ clips: [{ asset: "a", duration: "6s" }] }, { clips: [\(clips)] }] }
      """
    let catalog = MediaCatalog()
    let file = try ProjectFile(text)
    let places = ProjectPlaces(file, try file.edit(catalog: catalog), catalog: catalog)
    return file.timelineDiagnostics(places, catalog: catalog).map { places.locating($0).diagnostic }
  }

  private static func hello(_ times: String) -> String { "titles: [{ text: 'Hello', \(times) }]" }
  private static let second = hello("start: '1s', duration: '1s'")

  // MARK: Times

  @Test(arguments: [
    (second, "{ asset: 't', duration: '1.2s' }", "only until 1.2 s: its last 0.8 s are not seen"),
    (second + ", duration: '1.2s'", "{ asset: 't' }", "only until 1.2 s: its last 0.8 s are not seen"),
    (second, "{ asset: 't', duration: '0.4s' }", "only until 0.4 s: the title is never visible"),
    (second, "{ asset: 't', in: '1.8s', duration: '1s' }", "only from 1.8 s: its first 0.8 s are not seen"),
    (second, "{ asset: 't', in: '2s', duration: '1s' }", "only from 2 s: the title is never visible"),
    (second, "{ asset: 't', in: '3s', duration: '1s' }", "only from 3 s: the title is never visible"),
    (
      second, "{ asset: 't', duration: '0.4s' }, { asset: 't', in: '3s', duration: '1s' }",
      "only other parts of it: the title is never visible"
    ),
    // Of two clips, the one that plays more counts.
    (
      second, "{ asset: 't', duration: '1.2s' }, { asset: 't', duration: '1.6s' }",
      "only until 1.6 s: its last 0.4 s are not seen"
    ),
    // Twice as fast, a second is two of the asset.
    (hello("duration: '3s'"), "{ asset: 't', speed: 2, duration: '1s' }", "only until 2 s: its last 1 s are not seen"),
    (
      "titles: [{ layer: { bounds: [40, 20], position: [50, 50], backgroundColor: 'red' }, duration: '2s' }]",
      "{ asset: 't', duration: '1s' }", "only until 1 s: its last 1 s are not seen"
    ),
  ])
  func title_thatClipsLeaveOut_isWarnedOf(_ asset: String, _ clips: String, _ why: String) throws {
    let found = try Self.found(asset, clips)
    #expect(found.map(\.code) == [.titleNotSeen] && found.first?.path == "assets.t.titles[0]", "\(found)")
    #expect(found.first?.message.contains(why) == true, "\(found)")
    #expect(found.first?.cause != nil && found.first?.recoverySuggestion != nil, "\(found)")
  }

  @Test(arguments: [
    (second, "{ asset: 't', duration: '2s' }"), (second, "{ asset: 't', duration: '1.97s' }"),
    (second, "{ asset: 't', in: '1s', duration: '1s' }"), (second, "{ asset: 't', in: '1.2s', duration: '1s' }"),
    (second, "{ asset: 't', duration: '1.1s' }, { asset: 't', in: '1s', duration: '1s' }"),
    // A title without a duration lasts as long as the asset, of which a part is played.
    (hello("start: '1s'"), "{ asset: 't', duration: '1.2s' }"),
    (hello("start: '1s'") + ", duration: '5s'", "{ asset: 't', duration: '2s' }"),
    // Clips that fade, or show a moment.
    (second, "{ asset: 't', duration: '1.8s', opacity: [{ at: '1s', value: 1 }, { at: '1.8s', value: 0 }] }"),
    (second, "{ asset: 't', duration: '1.8s' }, { asset: 'a', duration: '2s', transition: { duration: '0.4s' } }"),
    (second, "{ asset: 't', in: '1.5s', duration: '2s', speed: 0 }"),
  ])
  func title_thatClipsPlay_isNot(_ asset: String, _ clips: String) throws {
    #expect(try Self.found(asset, clips).isEmpty)
  }

  // MARK: Contents

  @Test(arguments: [
    "text: ''", "text: '  \\n '", "layer: {}", "layer: { content: { text: { string: '' } } }",
    "layer: { bounds: [9, 9], position: [9, 9], backgroundColor: '#ff000000' }",
  ])
  func title_thatShowsNothing_isWarnedOf(_ title: String) throws {
    let found = try Self.found("titles: [{ \(title) }]", "{ asset: 't', duration: '1s' }")
    #expect(found.map(\.message) == ["The title shows nothing."] && found.first?.code == .titleNotSeen, "\(found)")
    #expect(found.first?.path == "assets.t.titles[0]" && found.first?.recoverySuggestion != nil, "\(found)")
    // A title beside it doesn't hide that, and an asset that isn't played is not looked at.
    #expect(
      try Self.found("titles: [{ text: 'Hi' }, { \(title) }]", "{ asset: 't', duration: '1s' }").map(\.path) == [
        "assets.t.titles[1]"
      ])
    #expect(try Self.found("titles: [{ \(title) }]", "{ asset: 'a', duration: '1s' }").isEmpty)
  }

  @Test(arguments: [
    "text: 'x'", "layer: { bounds: [9, 9], position: [9, 9], backgroundColor: 'red' }", "kind: 'lower-third', text: 'Ada'",
    "layer: { bounds: [9, 9], position: [9, 9], sublayers: [{ bounds: [4, 4], position: [4, 4], backgroundColor: 'red' }], content: { emitter: { birthRate: 9 } } }",
  ])
  func title_thatShowsSomething_isNot(_ title: String) throws {
    #expect(try Self.found("titles: [{ \(title) }]", "{ asset: 't', duration: '1s' }").isEmpty)
  }

  /// A layer of an asset in which something is wrong: the clip is not below it, or its image moves.
  @Test(arguments: [
    ("{ video: true }", ValidationDiagnostic.Code.titleNotSeen, ".content", "the titles of an asset lie over none"),
    ("{ image: { image: 'a' } }", .invalidTitle, "", "only its first frame is shown"),
  ])
  func content_thatIsAnotherThanInTitlesOfAMovie_isWarnedOf(
    _ content: String, _ code: ValidationDiagnostic.Code, _ key: String, _ why: String
  ) throws {
    let asset = "titles: [{ text: 'Hi' }, { layer: { bounds: [99, 50], position: [90, 90], content: \(content) } }]"
    let found = try Self.found(asset, "{ asset: 't', duration: '1s' }")
    #expect(found.map(\.code) == [code] && found.first?.path == "assets.t.titles[1].layer\(key)", "\(found)")
    #expect(found.first?.message.contains(why) == true && found.first?.recoverySuggestion != nil, "\(found)")
    #expect(
      try Self.found(asset.replacing(content, with: "{ movie: { asset: 'a' } }"), "{ asset: 't', duration: '1s' }").isEmpty)
    #expect(try Self.found(asset, "{ asset: 'a', duration: '1s' }").isEmpty)
  }

  // MARK: Size

  /// A badge of 80x30 whose text is shrunk, at several scales on canvases of several sizes: what counts is its height on the movie's
  /// canvas, 1.5 % of the shorter side.
  @Test(arguments: [("1280x720", "1", true), ("1280x720", "6", false), ("1280x720", "[6, 1]", true), ("320x180", "1", false)])
  func text_thatWasShrunk_isMeasuredOnTheMoviesCanvas(_ size: String, _ scale: String, _ isSmall: Bool) throws {
    let text = "content: { text: { string: 'A badge that says more', font: { size: 20 }, fit: 'shrink' } }"
    let asset = "titles: [{ layer: { bounds: [70, 10], position: [40, 15], \(text) } }], size: '80x30'"
    let found = try Self.found(asset, "{ asset: 't', duration: '1s', fit: 'none', transform: { scale: \(scale) } }", size: size)
    #expect(found.map(\.code) == (isSmall ? [.titleTextTooSmall] : []), "\(found)")
    #expect(!isSmall || found.first?.message.contains("on the canvas of \(size)") == true, "\(found)")
    let short = asset.replacing("A badge that says more", with: "OK").replacing("size: 20", with: "size: 6")
    #expect(try Self.found(short, "{ asset: 't', duration: '1s', fit: 'none' }", size: size).isEmpty)
  }

  // MARK: Place

  /// A badge of 160x90 on a canvas of 320x180, whose text is in its middle.
  @Test(arguments: [
    ("x: '100%'", "right edge"), ("x: 0", "left edge"), ("y: '100%'", "bottom edge"), ("y: 0", "top edge"),
    ("x: 0, y: 0", "left and top edges"), ("x: '75%'", nil), ("x: '75%', y: '75%'", nil),
    ("x: '100%', scale: 0.1", "right edge"),
    ("scale: 2", nil), ("scale: 6", "left and right edges"),
  ])
  func text_thatTheMoviesCanvasCutsOff_isWarnedOf(_ transform: String, _ edges: String?) throws {
    let asset =
      "titles: [{ layer: { position: [80, 45], content: { text: { string: 'LIVE', font: { size: 30 } } } } }], size: '160x90'"
    let found = try Self.found(asset, "{ asset: 't', duration: '1s', fit: 'none', transform: { \(transform) } }")
    #expect(found.map(\.code) == (edges == nil ? [] : [.titleOutsideSafeArea]), "\(found)")
    if let edges {
      #expect(found.first?.message.contains("is cut off at the \(edges) of the canvas of 320x180") == true, "\(found)")
    }
    // On its way, it is meant.
    let moving = "transform: [{ at: 0, x: '75%' }, { at: '1s', \(transform) }]"
    #expect(try Self.found(asset, "{ asset: 't', duration: '1s', fit: 'none', \(moving) }").isEmpty)
  }
}
