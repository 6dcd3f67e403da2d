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
    _ titles: String, _ cues: [CaptionCue], assets: String = "", tracks: String = "",
    _ change: (inout CaptionTrack) -> Void = { _ in }
  ) throws -> [ValidationDiagnostic] {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "640x360", frameRate: 25 },
        assets: { a: { generate: "color", size: "640x360", duration: "8s" }, \(assets) },
        tracks: [{ clips: [{ asset: "a" }] }, \(tracks)], titles: [\(titles)] }
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

  /// The lower third as an asset that lasts 4 s.
  private static let badge = "n: { titles: [{ \(lowerThird), fade: '0s' }], duration: '4s' }"

  /// Clips that show the asset, which lasts 4 s, and the time of the first caption on it: captions are at 1–3 and 4–6 s.
  @Test(arguments: [
    ("{ asset: 'n' }", 1.0), ("{ asset: 'n', at: '2s' }", 2), ("{ asset: 'n', in: '2s' }", 1),
    ("{ asset: 'n', speed: 0.5 }", 1), ("{ asset: 'n', opacity: 0.8 }", 1),
    ("{ asset: 'n', opacity: [{ at: 0, value: 0 }, { at: '0.5s', value: 1 }] }", 1),
    ("{ asset: 'n', transform: { scale: 0.8, x: '50%', y: '55%' } }", 1),
  ])
  func captionsOnATitleInAClip_areToldOf(_ clip: String, _ first: Double) throws {
    let cues = [cue(1, 3), cue(4, 6)]
    let tracks = "{ clips: [\(clip)] }"
    func told(_ change: (inout CaptionTrack) -> Void = { _ in }) throws -> [ValidationDiagnostic] {
      try diagnostics("", cues, assets: Self.badge, tracks: tracks, change).filter { $0.code == .captionOverTitle }
    }
    let found = try told()
    #expect(found.count == 1)
    let seconds = found.first?.foundTime?.seconds ?? 0
    #expect(abs(seconds - first) < 0.6 && found.first?.path == "captions[0]", "\(found)")
    #expect(found.first?.message.contains("segment \(first == 2 ? 1 : 0) of track ") == true, "\(found)")
    let free = try margin(found.first)
    #expect(try told { $0.style.verticalMargin = free }.isEmpty)
  }

  /// Elsewhere, at another time, faint, moving, with an effect, and under another clip.
  @Test(arguments: [
    "{ clips: [{ asset: 'n', transform: { scale: 0.5, x: '50%', y: '30%' } }] }",
    "{ clips: [{ asset: 'n', at: '3.9s', duration: '0.2s' }] }",
    "{ clips: [{ asset: 'n', opacity: 0.3 }] }",
    "{ clips: [{ asset: 'n', transform: [{ at: 0, x: '50%', y: '50%' }, { at: '4s', x: '50%', y: '60%' }] }] }",
    "{ clips: [{ asset: 'n', effects: [{ use: 'gaussian-blur', radius: 2 }] }] }",
    "{ clips: [{ asset: 'n' }] }, { clips: [{ asset: 'a', duration: '4s', opacity: 0.9 }] }",
  ])
  func captionsBesideATitleInAClip_areNot(_ tracks: String) throws {
    let found = try diagnostics("", [cue(1, 3)], assets: Self.badge, tracks: tracks)
    #expect(!found.contains { $0.code == .captionOverTitle }, "\(found)")
  }

  /// A script's lines at 1–3 and 4–6 s.
  private func script(_ text: String, tags: String = "") -> String {
    """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 640
    PlayResY: 360

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
    Style: Default,DejaVu Sans,24,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,10,10,30,1

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,\(tags)\(text)
    Dialogue: 0,0:00:04.00,0:00:06.00,Default,,0,0,0,,\(tags)\(text)
    """
  }

  @Test(arguments: [
    ("", true), ("{\\an8}", false), ("{\\pos(320,150)}", false), ("{\\pos(200,330)}", true), ("{\\alpha&HC0&}", false),
    ("{\\move(200,330,220,330)}", true), ("{\\fad(200,200)}", true),
    ("{\\an7\\pos(0,0)\\p1}m 0 0 l 640 0 640 100 0 100{\\p0}", false),
  ])
  func linesOfAScriptOnATitle_areToldOf(_ tags: String, _ isOn: Bool) throws {
    let found = try diagnostics("{ \(Self.lowerThird), fade: '0s' }", []) {
      $0.script = script(tags.contains("p1") ? "" : Self.long, tags: tags)
    }.filter { $0.code == .captionOverTitle }
    #expect(found.count == (isOn ? 1 : 0), "\(found)")
    guard isOn else { return }
    #expect(found.first?.message.hasPrefix("Lines of the script lie on a title, the first at 1.") == true, "\(found)")
    #expect(
      found.first?.message.contains("“\(Self.long.prefix(39))…”") == true && found.first?.path == "captions[0]", "\(found)")
    #expect(found.first?.recoverySuggestion?.contains("MarginV") == true, "\(found)")
  }

  /// The background of a line is as much of a title as its letters.
  @Test(arguments: [0.0, 8, 16]) func captions_evadeTheBackgroundOfLines(_ padding: Double) throws {
    let text = "string: 'Two lines\\nof text', font: { size: 24 }, background: { color: 'black', padding: \(padding) }"
    let title = "{ layer: { layout: { left: '35%', bottom: '10%' }, content: { text: { \(text) } } } }"
    let free = try margin(try diagnostics(title, [cue(1, 3)]).first)
    let without = try margin(try diagnostics(title.replacing("padding: \(padding)", with: "padding: 0"), [cue(1, 3)]).first)
    #expect(abs(free - without - padding / 360) < 0.011, "\(free) \(without)")
  }

  /// A margin is that of captions at the top, too.
  @Test func movingOtherCaptions_isSaid() throws {
    let title = "{ \(Self.lowerThird) }"
    let top = cue(4, 6, "At the top", CaptionPlacement(.top, .center))
    #expect(
      try diagnostics(title, [cue(1, 3), top]).first?.recoverySuggestion?.contains("captions at the top move down, too") == true
    )
    #expect(try diagnostics(title, [cue(1, 3)]).first?.recoverySuggestion?.contains("at the top") == false)
  }
}
