import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Testing

/// Burned-in captions that are drawn over titles, on a canvas of 640×360.
@Suite struct CaptionOverTitleTests {
  private static let lowerThird = "kind: 'lower-third', text: 'Ada Lovelace', role: 'Mathematician'"
  private static let long = "Today we talk about editing movies for everyone."

  private func diagnostics(
    _ titles: String, _ cues: [CaptionCue], _ change: (inout CaptionTrack) -> Void = { _ in }
  ) throws -> [ValidationDiagnostic] {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "640x360", frameRate: 25 }, assets: { a: { generate: "color", size: "640x360", duration: "8s" } },
        tracks: [{ clips: [{ asset: "a" }] }], titles: [\(titles)] }
      """)
    let catalog = MediaCatalog()
    var edit = try file.edit(catalog: catalog)
    var track = CaptionTrack(cues)
    change(&track)
    edit.captions = [track]
    let report = CompositionValidator.validate(edit, catalog: catalog)
    _ = try report.get()
    return report.diagnostics
  }

  private func cue(_ start: Double, _ end: Double, _ text: String = long, _ placement: CaptionPlacement? = nil) -> CaptionCue {
    CaptionCue(TimeRange(start: .seconds(start), end: .seconds(end)), text, placement: placement)
  }

  /// The margin that a suggestion says to write.
  private func margin(_ diagnostic: ValidationDiagnostic?) throws -> Double {
    let match = try #require(diagnostic?.recoverySuggestion?.firstMatch(of: /marginY: "([0-9]+)%"/), "\(diagnostic as Any)")
    return try #require(Double(match.1)) / 100
  }

  @Test(arguments: [
    "{ \(lowerThird), fade: '0s' }", "{ \(lowerThird) }", "{ kind: 'caption', text: 'A title at the bottom' }",
    "{ layer: { layout: { left: '40%', bottom: '8%' }, content: { text: { string: 'Somebody', font: { size: 30 } } } } }",
  ])
  func captionsOnATitle_areToldWithAPlaceThatIsFree(_ title: String) throws {
    let cues = [cue(1, 3), cue(4, 6, "And of sound."), cue(6.5, 7.5)]
    let found = try diagnostics(title, cues)
    #expect(found.map(\.code) == [.captionOverTitle] && found.first?.severity == .warning, "\(found)")
    #expect(found.first?.path == "captions[0]" && found.first?.message.contains("of title 0") == true, "\(found)")
    #expect(found.first?.message.contains("“\(Self.long.prefix(39))…”") == true, "\(found)")
    let free = try margin(found.first)
    #expect(try diagnostics(title, cues) { $0.style.verticalMargin = free }.isEmpty)
    // What is advised is what is needed.
    #expect(try !diagnostics(title, cues) { $0.style.verticalMargin = free - 0.05 }.isEmpty)
  }

  @Test func firstTimeAndCount_areTold() throws {
    let title = "{ \(Self.lowerThird), fade: '0s', start: '2s', duration: '5s' }"
    let found = try diagnostics(title, [cue(0, 1.5), cue(2.5, 4), cue(5, 6), cue(7.1, 7.9)])
    #expect(found.first?.message.hasPrefix("2 captions lie on a title, the first at ") == true, "\(found)")
    #expect((2.5..<3).contains(found.first?.foundTime?.seconds ?? 0), "\(found)")
    #expect(found.first?.recoverySuggestion?.contains("style: { marginY: ") == true, "\(found)")
  }

  /// A style of one's own is completed, and a title in the middle is evaded to the top.
  @Test func adviceFollowsTheStyle() throws {
    let found = try diagnostics("{ \(Self.lowerThird) }", [cue(1, 3)]) { $0.style.maximumLineCount = 2 }
    #expect(found.first?.path == "captions[0].style", "\(found)")
    #expect(found.first?.recoverySuggestion?.hasPrefix("Write marginY: ") == true, "\(found)")
    let lines = Array(repeating: "Lines of text here", count: 6).joined(separator: "\\n")
    let text = "content: { text: { string: '\(lines)', font: { size: 24 } } }"
    let tall = "{ layer: { layout: { left: '20%', top: '45%' }, \(text) } }"
    let top = try diagnostics(tall, [cue(1, 3)])
    #expect(top.first?.recoverySuggestion?.contains("style: { position: \"top\" }") == true, "\(top)")
    // A place of the caption's own doesn't follow a style.
    let placed = try diagnostics("{ \(Self.lowerThird) }", [cue(1, 3, Self.long, CaptionPlacement(.bottom, .center, y: 0.93))])
    #expect(placed.first?.recoverySuggestion == "Move the title, or show it at another time.", "\(placed)")
  }

  @Test(arguments: [
    // In the middle, at the top, faint, a background of the whole movie, another time, and only while it fades.
    ("{ text: 'Hello' }", 1.0, 3.0), ("{ kind: 'lower-third', text: 'Ada', position: ['30%', '20%'] }", 1, 3),
    (
      "{ layer: { opacity: 0.3, layout: { left: '40%', bottom: '8%' }, content: { text: { string: 'Somebody', font: { size: 30 } } } } }",
      1, 3
    ),
    (
      "{ layer: { backgroundColor: '#00000080', sublayers: [{ layout: { left: '40%', top: '10%' }, content: { text: { string: 'x', font: { size: 30 } } } }] } }",
      1, 3
    ),
    ("{ \(lowerThird), start: '4s' }", 1, 4), ("{ \(lowerThird), duration: '2s' }", 1.9, 4),
    ("{ layer: { layout: { left: '10%', right: '10%', bottom: '5%', height: '20%' }, backgroundColor: 'red' } }", 1, 3),
  ])
  func captionsBesideATitle_areNotToldOf(_ title: String, _ start: Double, _ end: Double) throws {
    #expect(try diagnostics(title, [cue(start, end)]).filter { $0.code == .captionOverTitle }.isEmpty)
  }

  @Test func tracksForPlayers_areNotDrawn() throws {
    let found = try diagnostics("{ \(Self.lowerThird) }", [cue(1, 3)]) { $0.presentation = .track }
    #expect(found.isEmpty, "\(found)")
  }
}
