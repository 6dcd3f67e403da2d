import CompositorTestSupport
import Foundation
import Testing

/// Mistakes that new users make: what is wrong, where, and the text to write. A fix is applied, after which the mistake is gone.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct LiteralMistakeTests {
  struct Row: Sendable {
    let name: String
    var file = "p.json5"
    let text: String
    /// Line and column of the mistake.
    let place: String?
    let message: String
    let advice: String
    var hasFix = false
  }

  private static func project(
    _ clips: String = "{ asset: \"a\" }", output: String = "size: \"320x180\"", extra: String = ""
  ) -> String {
    """
    {
      version: 1, output: { \(output) }, assets: { a: "a.mp4" },
      \(extra)
      tracks: [{ clips: [\(clips)] }],
    }
    """
  }

  private static func animation(of property: String) -> String {
    project(
      extra: "titles: [{ layer: { content: { text: { string: \"Hi\" } }, animations: [{ property: \"\(property)\", "
        + "from: 0, to: 1, duration: \"1s\" }] } }],")
  }

  private static let smallest = "Write a project, such as { version: 1, assets:"

  static let rows: [Row] = [
    Row(
      name: "name of an effect", text: project("{ asset: \"a\", effects: [\"gaussian-blur\"] }"), place: "4:46",
      message: "Expected an object (an effect in use), but found a string.", advice: "Write { use: \"gaussian-blur\" }.",
      hasFix: true),
    Row(
      name: "filter that opens files", text: project("{ asset: \"a\", effects: [{ use: \"avfilter.drawtext\" }] }"),
      place: "4:53",
      message: "There is no compositor \"avfilter.drawtext\".", advice: "it opens files; titles do what it does."),
    Row(
      name: "filter of subtitles", text: project("{ asset: \"a\", effects: [{ use: \"avfilter.subtitles\" }] }"), place: "4:53",
      message: "There is no compositor \"avfilter.subtitles\".", advice: "it opens files; captions do what it does."),
    Row(
      name: "name of an audio effect", text: project("{ asset: \"a\", audioEffects: [\"avfilter.aecho\"] }"), place: "4:51",
      message: "Expected an object (an audio effect in use)", advice: "Write { use: \"avfilter.aecho\" }.", hasFix: true),
    Row(
      name: "name of an asset as a clip", text: project("\"a\""), place: "4:22", message: "Expected an object (a clip)",
      advice: "Write { asset: \"a\" }.", hasFix: true),
    Row(
      name: "text as a title", text: project(extra: "titles: [\"Hello\"],"), place: "3:12",
      message: "Expected an object (a title)",
      advice: "Write { text: \"Hello\" }.", hasFix: true),
    Row(
      name: "path as captions", text: project(extra: "captions: [\"cues.srt\"],"), place: "3:14",
      message: "Expected an object (captions in one language)", advice: "Write { file: \"cues.srt\" }.", hasFix: true),
    Row(
      name: "size as a list", text: project(output: "size: [320, 180]"), place: "2:31",
      message: "Expected a size in quotes, but found a list", advice: "Write \"320x180\".", hasFix: true),
    Row(
      name: "size with spaces", text: project(output: "size: \"320 × 180\""), place: "2:31",
      message: "This is not a size.", advice: "Write \"320x180\".", hasFix: true),
    Row(
      name: "ducking by nothing",
      text: project(extra: "").replacing("clips: [", with: "duck: { by: \"0dB\" }, clips: ["), place: "4:26",
      message: "0dB is outside 0.1dB to 120.0dB.", advice: "Write a level in between, such as \"60dB\"."),
    Row(
      name: "project as an asset", text: project().replacing("a.mp4", with: "cart.json5"), place: nil,
      message: "The file is JSON, which is not supported.", advice: "If it is a project, render it first, and name the movie."),
    Row(
      name: "colors of a gradient",
      text: "{ version: 1, assets: { g: { generate: \"gradient\", colors: [\"red\"] } }, tracks: [] }", place: "1:52",
      message: "There is no key \"colors\" here.", advice: "Write from and to, the two colors of a gradient."),
    Row(
      name: "number in the metadata", text: project(output: "metadata: { track: 3 }"), place: "2:44",
      message: "Expected a string in quotes, but found a number.", advice: "Write \"3\".", hasFix: true),
    Row(
      name: "track of an empty list", text: project("{ forEach: [], asset: \"a\" }"), place: "4:21",
      message: "A track needs a clip.", advice: "its list, which may be empty"),
    Row(
      name: "missing template", text: project(extra: "titles: [{ template: \"lower-third.json5\" }],"), place: "3:24",
      message: "There is no template \"lower-third.json5\".", advice: "Write the path of a title template"),
    Row(
      name: "misspelled template", text: project(extra: "titles: [{ template: \"caart.json5\" }],"), place: "3:24",
      message: "There is no template \"caart.json5\".", advice: "Did you mean \"cart.json5\"?"),
    Row(
      name: "font of a title as an object",
      text: project(extra: "titles: [{ text: \"Hi\", font: { family: \"Inter\", size: 40 } }],"),
      place: "3:32", message: "Expected a string in quotes, but found an object.",
      advice: "Write \"Inter\" here, and beside it size: 40."),
    Row(
      name: "font of a layer as a string",
      text: project(extra: "titles: [{ layer: { content: { text: { string: \"Hi\", font: \"Inter\" } } } }],"), place: "3:62",
      message: "Expected an object, but found a string.", advice: "Write { family: \"Inter\" }.", hasFix: true),
    Row(
      name: "last part of a property", text: animation(of: "fontSize"), place: "3:85",
      message: "\"fontSize\" is not possible here.", advice: "Did you mean \"text.fontSize\"?", hasFix: true),
    Row(
      name: "property of other programs", text: animation(of: "scale"), place: "3:85",
      message: "\"scale\" is not possible here.",
      advice: "Did you mean \"transform.scale\"?", hasFix: true),
    Row(
      name: "property of a shape in SVG", text: animation(of: "stroke-dashoffset"), place: "3:85",
      message: "\"stroke-dashoffset\" is not possible here.", advice: "Did you mean \"lineDashPhase\"?", hasFix: true),
    Row(
      name: "property of CSS", text: animation(of: "letterSpacing"), place: "3:85",
      message: "\"letterSpacing\" is not possible here.", advice: "Did you mean \"text.tracking\"?", hasFix: true),
    Row(
      name: "one coordinate of a scale", text: animation(of: "scaleX"), place: "3:85",
      message: "\"scaleX\" is not possible here.", advice: "Did you mean \"transform.scale.x\"?", hasFix: true),
    Row(
      name: "unknown property", text: animation(of: "wobble"), place: "3:85", message: "\"wobble\" is not possible here.",
      advice: "emitter.… (12 names)"),
    Row(
      name: "clips of a project", text: "{ version: 1, assets: { a: \"a.mp4\" }, clips: [{ asset: \"a\" }] }", place: "1:39",
      message: "There is no key \"clips\" here.", advice: "Clips belong to a track: tracks: [{ clips: [{ asset: \"a\" }] }]."
    ),
    Row(
      name: "clip as a track", text: "{ version: 1, assets: { a: \"a.mp4\" }, tracks: [{ asset: \"a\" }] }", place: "1:50",
      message: "There is no key \"asset\" here.", advice: "It is a key of a clip: clips: [{ asset: \"a\" }]."),
    Row(
      name: "track without a list", text: "{ version: 1, assets: { a: \"a.mp4\" }, tracks: { clips: [{ asset: \"a\" }] } }",
      place: "1:47", message: "Expected a list, but found an object.", advice: "Write it in brackets: [{ … }]."),
    Row(
      name: "YAML", file: "p.yaml", text: "version: 1\nassets:\n  a: a.mp4\n", place: nil, message: "The file is YAML",
      advice: "A project is JSON5: convert it, for example with yq -o=json"),
    Row(
      name: "YAML with another extension", text: "version: 1\nassets:\n  a: a.mp4\n", place: "1:1",
      message: "The text begins with \"version\", as YAML or TOML does; a project is JSON5.", advice: "Write it in braces"),
    Row(
      name: "decimal comma", text: project("{ asset: \"a\", duration: \"0,5s\" }"), place: "4:46",
      message: "\"0,5s\" has a decimal comma.", advice: "Write \"0.5s\".", hasFix: true),
    Row(
      name: "fps", text: project(output: "fps: 25"), place: "2:25", message: "There is no key \"fps\" here.",
      advice: "Did you mean \"frameRate\"?", hasFix: true),
    Row(
      name: "width and height", text: project(output: "width: 320, height: 180"), place: "2:25",
      message: "There is no key \"width\" here.", advice: "Write size: \"320x180\" instead of width and height."),
    Row(
      name: "path of the output", text: project(output: "file: \"out.mp4\""), place: "2:25",
      message: "There is no key \"file\" here.",
      advice: "the path of the output, \"out.mp4\", is an option of the render."),
    Row(
      name: "Latin-1", text: project(extra: "captions: [{ file: \"latin1.srt\" }],"), place: "3:14",
      message: "latin1.srt: The text is not UTF-8: line 3 is “Grüße” if it is Latin-1", advice: "say encoding \"windows-1252\""),
    Row(
      name: "fit of CSS", text: project("{ asset: \"a\", fit: \"cover\" }"), place: "4:41",
      message: "\"cover\" is not possible here.",
      advice: "Did you mean \"fill\"?", hasFix: true),
    Row(
      name: "music of a project", text: project(extra: "music: \"song.mp3\","), place: "3:3",
      message: "There is no key \"music\" here.",
      advice: "assets: { music: \"song.mp3\" }, tracks: [ …, { clips: [{ asset: \"music\" }] }]."),
    Row(
      name: "path of an asset", text: project("{ asset: \"a.mp4\" }"), place: "4:31", message: "There is no asset \"a.mp4\".",
      advice: "Write \"a\", the asset of this file.", hasFix: true),
    Row(
      name: "path of another file", text: project("{ asset: \"clips/beach 2.mp4\" }"), place: "4:31",
      message: "There is no asset \"clips/beach 2.mp4\".",
      advice: "A clip names an asset: assets: { beach_2: \"clips/beach 2.mp4\" }, and here \"beach_2\"."),
    Row(name: "empty file", text: "", place: "1:1", message: "The file is empty.", advice: smallest),
    Row(
      name: "comments alone", text: "// later\n", place: "2:1", message: "The file has only space or comments.",
      advice: smallest),
    Row(
      name: "crop beyond the source",
      text: project("{ asset: \"a\", crop: { x: 0, y: 0, width: 1920, height: 1080 } }"), place: "4:42",
      message: "The crop of 1920x1080 at 0, 0 goes beyond \"a\" (a.mp4) of 320x180", advice: "320x180 at 0, 0 shows the same",
      hasFix: true),
  ]

  /// What depends on a template that cannot be read isn't a mistake of its own.
  @Test func missingTemplate_withVariables_isOneMistake() throws {
    let scratch = try Scratch()
    _ = try scratch.clip("a.mp4", seconds: 1, size: "320x180")
    _ = try scratch.file(
      "p.json5", Self.project(extra: "titles: [{ template: \"nope.json5\", variables: { name: \"Ada\" } }],"))
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(
      result.output.contains("There is no template \"nope.json5\".") && result.output.contains("p.json5: 1 error\n"),
      "\(result)")
  }

  @Test(arguments: rows.indices) func mistake_ofANewUser_isAnsweredWithWhatToWrite(_ index: Int) throws {
    let row = Self.rows[index]
    let scratch = try Scratch()
    _ = try scratch.clip("a.mp4", seconds: 1, size: "320x180")
    _ = try scratch.file("cart.json5", "{ version: 1, layer: { content: { text: { string: \"Hi\" } } } }")
    _ = try scratch.file("cues.srt", "1\n00:00:00,000 --> 00:00:00,800\nHello\n")
    try Data("1\n00:00:00,000 --> 00:00:00,800\nGr\u{fc}\u{df}e\n".unicodeScalars.map { UInt8($0.value) }).write(
      to: scratch.file("latin1.srt"))
    _ = try scratch.file(row.file, row.text)
    let result = try ToolRun.compositor(["validate", row.file], in: scratch.folder)
    let said = result.output.split(separator: "\n").map(String.init)
    let place = row.place.map { ":\($0): " } ?? ""
    let head = try #require(
      said.firstIndex { $0.contains(row.message) && (place.isEmpty || $0.contains(place)) },
      "\(row.name): \(result.output)")
    let own = said[head...].dropFirst().prefix { !$0.contains(": error: ") && !$0.contains(": warning: ") }
    #expect(own.contains { $0.contains("help: ") && $0.contains(row.advice) }, "\(row.name): \(result.output)")
    #expect(own.contains { $0.contains("  fix: ") } == row.hasFix, "\(row.name): \(result.output)")
    print("\(row.name) | \(said[head]) | \(own.first { $0.contains("help: ") } ?? "")")
    guard row.hasFix else { return }
    _ = try ToolRun.compositor(["validate", row.file, "--fix-unsafe"], in: scratch.folder)
    let mended = try ToolRun.compositor(["validate", row.file], in: scratch.folder)
    #expect(!mended.output.contains(row.message), "\(row.name): \(mended.output)")
  }
}
