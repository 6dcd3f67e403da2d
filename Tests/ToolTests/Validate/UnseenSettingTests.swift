import Foundation
import Testing

/// Settings that nothing uses are warned of at their key; the same settings where they count aren't.
@Suite struct UnseenSettingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// Members of the clip, and of the project.
    var clip: String
    var rest = ""
    /// The asset "t", if the clip plays it.
    var asset = ""
    /// The key paths of the warnings, in order.
    var paths: [String]
    var testDescription: String { "\(clip) \(rest) \(asset)" }
  }

  private static let clip = "tracks[1].clips[0]"
  private static let looks = [
    "fit: 'fill'", "opacity: 0.5", "transform: { x: 3 }", "crop: { x: 0, y: 0, width: 9, height: 9 }", "sampling: 'best'",
    "effects: [{ use: 'gaussian-blur', radius: 3 }]", "cornerRadius: 4", "borderWidth: 2", "shadowOpacity: 0.5",
    "borderWidth: [{ at: 0, value: 0 }, { at: '1s', value: 2 }]",
  ]
  /// The second track alone, passed through, then as a layer.
  private static let passed = "instructions: [{ duration: '1s', passthrough: 'B' }, { layers: [{ track: 'B' }] }]"

  private static let box = "bounds: [9, 9], position: [32, 18], backgroundColor: 'red'"
  /// Animations of a title, and the keys of those that are warned of.
  private static func title(_ animations: String, _ paths: [String], more: String = "") -> Row {
    let layer = "{ \(box), animations: [\(animations)] \(more) }"
    return Row(
      clip: "asset: 'a'", rest: "titles: [{ layer: \(layer) }]", paths: paths.map { "titles[0].layer.animations[\($0)" })
  }
  private static func titles(_ layer: String) -> String { "{ titles: [{ layer: \(layer) }], duration: '3s' }" }
  private static let ofTitles = [
    title("{ property: 'opacity', from: 0.5, duration: '0s' }", ["0].duration"]),
    title(
      "{ property: 'opacity', from: 0.5, duration: 0 }, { transition: {}, duration: '0f' }",
      ["0].duration", "1].duration"]),
    title("{ group: [{ property: 'opacity', from: 0.5, duration: '0ms' }], duration: '1s' }", ["0].group[0].duration"]),
    title("{ property: 'opacity', from: 0.5 }, { property: 'zPosition', from: 0, to: 0, duration: '10f' }", []),
    title("{ property: 'position.x', to: 20, duration: 0, spring: {} }", []),
    title("{ property: 'position.x', by: 2, duration: '0s', wiggle: {} }", []),
    title("", [], more: ", timing: { duration: '0s', beginTime: '0s' }"),
    title("{ property: 'opacity', from: 0.5, repeatCount: 2, repeatDuration: '1s' }", ["0].repeatCount"]),
    Row(
      clip: "asset: 't'", asset: titles("{ \(box), transitionSource: { bounds: [4, 4] } }"),
      paths: ["assets.t.titles[0].layer.transitionSource"]),
    Row(
      clip: "asset: 't'",
      asset: titles("{ \(box), animations: [{ property: 'opacity', from: 0.5, duration: 0 }] }"),
      paths: ["assets.t.titles[0].layer.animations[0].duration"]),
  ]

  private static let ofAssets = [
    ("{ file: 'opaque.png', alpha: 'premultiplied' }", ["alpha"]), ("{ file: 'movie.mkv', alpha: 'straight' }", ["alpha"]),
    ("{ file: 'opaque.png', alpha: 'ignore' }", []), ("{ file: 'clear.png', alpha: 'premultiplied' }", []),
    ("{ file: 'clear.png', deinterlace: 'same' }", ["deinterlace"]), ("{ file: 'movie.mkv', deinterlace: 'same' }", []),
    ("{ file: 'opaque.png', deinterlace: 'off' }", []),
  ].map { (asset: String, keys: [String]) in
    Row(clip: "asset: 't'", asset: asset, paths: keys.map { "assets.t.\($0)" })
  }

  /// The second track alone, or over the first one, in a blend mode.
  private static let blended = [
    ("layers: [{ track: 'B' }]", "multiply", true), ("layers: [{ track: 'B' }]", "screen", true),
    ("layers: [{ track: 'B' }]", "normal", false), ("layers: [{ track: 'B' }, { track: 'A' }]", "multiply", false),
    ("background: 'white', layers: [{ track: 'B' }]", "multiply", false),
  ].map { (layers: String, mode: String, isWarned: Bool) in
    let blend = "{ \(layers), compositor: 'builtin.blend', parameters: { mode: '\(mode)' } }"
    return Row(clip: "asset: 'a'", rest: "instructions: [\(blend)]", paths: isWarned ? ["instructions[0]"] : [])
  }

  private static let sounds = [
    "volume: '-6dB'", "fadeIn: '1s'", "fadeOut: '0.5s'", "pan: 0.5", "audioEffects: [{ use: 'avfilter.highpass' }]",
  ]
  /// Settings of audio at a clip that is silent by choice. The volume of one that is muted is meant for later.
  private static let unheard = sounds.flatMap { sound in
    let path = "\(clip).\(sound.prefix { $0 != ":" })"
    return [
      Row(clip: "asset: 'a', audio: false, \(sound)", paths: [path]),
      Row(clip: "asset: 'a', mute: true, \(sound)", paths: sound.hasPrefix("volume") ? [] : [path]),
      Row(clip: "asset: 'a', mute: false, \(sound)", paths: []),
    ]
  }

  static let rows: [Row] =
    ofTitles + ofAssets + blended + unheard
    + looks.map { look in
      Row(clip: "asset: 'a', video: false, \(look)", paths: ["\(clip).\(look.prefix { $0 != ":" })"])
    }
    + looks.map { look in Row(clip: "asset: 's', \(look)", paths: ["\(clip).\(look.prefix { $0 != ":" })"]) }
    + [
      Row(
        clip: "asset: 'a', opacity: 0.2, transform: { scale: 0.5 }", rest: passed,
        paths: ["\(clip).opacity", "\(clip).transform"]),
      Row(clip: "asset: 'a'", rest: passed, paths: []),
      Row(clip: "asset: 'a', video: false, volume: '-6dB', fadeIn: '1s'", paths: []),
      Row(clip: "asset: 's', fit: 'fit', opacity: 1", paths: []),
      Row(
        clip: "asset: 's'", rest: "captions: [{ file: 'c.srt', as: 'track', style: { color: 'red' } }]",
        paths: ["captions[0].style"]),
      Row(
        clip: "asset: 's'", rest: "captions: [{ file: 'c.srt', default: true, forced: true }]",
        paths: ["captions[0].default", "captions[0].forced"]),
      Row(
        clip: "asset: 's'", rest: "captions: [{ file: 'c.srt', as: 'both', default: true, style: { color: 'red' } }]",
        paths: []),
    ]

  @Test(arguments: rows) func setting_thatNothingUses_isWarnedOfAtItsKey(_ row: Row) throws {
    let scratch = try Scratch()
    try scratch.make("s.wav", ["-f", "lavfi", "-i", "sine=440:d=2:r=48000"])
    _ = try scratch.file("c.srt", "1\n00:00:00,200 --> 00:00:01,000\nHello\n")
    try scratch.make("opaque.png", ["-f", "lavfi", "-i", "color=red:s=64x36,format=rgb24", "-frames:v", "1"])
    try scratch.make("clear.png", ["-f", "lavfi", "-i", "color=red@0.5:s=64x36,format=rgba", "-frames:v", "1"])
    try scratch.make("movie.mkv", ["-f", "lavfi", "-i", "color=red:s=64x36:d=2:r=25", "-c:v", "ffv1"])
    let asset = row.asset.isEmpty ? "" : ", t: \(row.asset)"
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars", size: "64x36", tone: 440 }, s: "s.wav"\(asset) },
        tracks: [{ name: "A", clips: [{ asset: "a", duration: "2s", audio: false }] }, { name: "B", clips: [{ duration: "2s", \(row.clip) }] }],
        \(row.rest) }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let unchanging = found.filter { $0["code"] as? String == "effectUnchanging" }
    #expect(unchanging.map { $0["path"] as? String } == row.paths, "\(result.output)")
    #expect(unchanging.allSatisfy { $0["severity"] as? String == "warning" && $0["recoverySuggestion"] != nil })
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(arguments: [("{ titles: [] }", true), (titles("{ \(box) }"), false)])
  func titles_thatAreNone_areWarnedOf(_ asset: String, _ isWarned: Bool) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { t: \(asset), unused: { titles: [] } },
        tracks: [{ clips: [{ asset: "t", duration: "1s" }] }] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status == 0 && result.output.contains("\"t\" has no titles") == isWarned, "\(result.output)")
    #expect(!result.output.contains("\"unused\" has no titles"), "\(result.output)")
  }
}
