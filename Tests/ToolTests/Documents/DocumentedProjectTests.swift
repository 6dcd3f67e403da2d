import CompositorTestSupport
import Foundation
import Testing

/// Every project that the documents and the examples show is one that a strict check has nothing to say of.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct DocumentedProjectTests {
  /// A whole project of a page.
  struct Shown: CustomTestStringConvertible, Sendable {
    let page: String
    let index: Int
    let text: String
    var testDescription: String { "\(page) #\(index)" }
  }

  /// Pages whose projects are run by ``RecipesTests`` have their media there.
  static let shown: [Shown] = {
    let folder = ToolRun.root.appending(path: "docs")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let sources = FileManager.default.enumerator(atPath: ToolRun.root.appending(path: "Sources").path)?.compactMap {
      $0 as? String
    }
    // The articles of DocC too.
    let articles = (sources ?? []).filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted().map { "Sources/\($0)" }
    let pages =
      names.filter { $0.hasSuffix(".md") && $0 != "recipes.md" }.sorted().map { "docs/\($0)" } + ["README.md"] + articles
    return pages.flatMap { page in
      let text = (try? String(contentsOf: ToolRun.root.appending(path: page), encoding: .utf8)) ?? ""
      let blocks = text.components(separatedBy: "```json5\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] + "\n" }
      return blocks.enumerated().filter { $0.element.contains("version: 1") && $0.element.contains("tracks:") }
        .map { Shown(page: page, index: $0.offset, text: $0.element) }
    }
  }()

  /// Projects that cannot be checked here, and why.
  static let unchecked: [String: String] = [
    "docs/debugging.md #0": "It shows a mistake, and what the tool says of it.",
    "docs/plugins.md #0": "Its plugin is built by the page's own commands.",
  ]

  private func expectNothing(_ name: String, in folder: URL) throws {
    let result = try ToolRun.compositor(["validate", name, "--strict"], in: folder)
    #expect(result.status == 0 && result.output == "\(name): valid\n", "\(result.output)\(result.errors)")
  }

  @Test func pages_showProjects() {
    #expect(Self.shown.count >= 40)
    #expect(Set(Self.unchecked.keys).isSubset(of: Self.shown.map(\.testDescription)))
  }

  @Test(arguments: shown.filter { unchecked[$0.testDescription] == nil })
  func project_ofAPage_isStrictlyValid(_ shown: Shown) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", shown.text)
    for match in shown.text.matches(of: /"([A-Za-z0-9\/-]+\.(mp4|mov|mkv|mp3|jpg|png|ass|srt|wav))"/) {
      try DocumentedMedia.make(String(match.1), in: scratch)
    }
    try expectNothing("p.json5", in: scratch.folder)
  }

  @Test func recipes_areStrictlyValid() throws {
    for recipe in try Recipe.page() {
      let scratch = try Scratch()
      for project in recipe.projects { _ = try scratch.file(project.name, project.lines.joined(separator: "\n")) }
      let everything = recipe.blocks.flatMap(\.lines).joined(separator: "\n")
      for (name, make) in RecipeMedia.all where everything.contains(name) { try make(scratch, name) }
      for project in recipe.projects where !project.lines.contains(where: { $0.contains("variables:") }) {
        try expectNothingButSmallness(project.name, in: scratch.folder)
      }
    }
  }

  /// The clips that stand in for a recipe's are smaller than anyone's own.
  private func expectNothingButSmallness(_ name: String, in folder: URL) throws {
    let result = try ToolRun.compositor(["validate", name, "--json"], in: folder)
    let diagnostics = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let codes = diagnostics.map { $0["code"] as? String ?? "" }
    #expect(result.status == 0 && Set(codes).isSubset(of: ["upscaled"]), "\(name): \(codes) \(result.errors)")
  }

  @Test(arguments: [("Wedding", "make-media", "wedding"), ("HDRMix", "make-clips", "mix")])
  func example_withMediaOfItsScript_isStrictlyValid(_ folder: String, _ script: String, _ name: String) throws {
    let scratch = try Scratch()
    let example = ToolRun.root.appending(path: "Examples/\(folder)")
    let made = try ToolRun.run(example.appending(path: script), [scratch.folder.path])
    try #require(made.status == 0, "\(made.errors)")
    let text = try String(contentsOf: example.appending(path: "\(name).json5"), encoding: .utf8)
    _ = try scratch.file("\(name).json5", text)
    try expectNothing("\(name).json5", in: scratch.folder)
  }
}

/// The media that projects of the pages name: what their extension says, ten seconds at 25 frames a second.
private enum DocumentedMedia {
  static func make(_ name: String, in scratch: Scratch) throws {
    let url = try scratch.file(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    guard !FileManager.default.fileExists(atPath: url.path) else { return }
    let video = ["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25:duration=10"]
    let audio = ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=10"]
    let arguments: [String]
    switch url.pathExtension {
    case "ass":
      _ = try scratch.file(
        name,
        """
        [Script Info]
        ScriptType: v4.00+

        [V4+ Styles]
        Format: Name, Fontname, Fontsize
        Style: Default,DejaVu Sans,20

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hello there

        """)
      return
    case "srt":
      _ = try scratch.file(name, "1\n00:00:01,000 --> 00:00:02,000\nHello there\n")
      return
    case "jpg", "png": arguments = ["-f", "lavfi", "-i", "testsrc2=size=1280x720", "-frames:v", "1"]
    case "mp3", "wav": arguments = audio
    case "mkv":
      let lines = try scratch.file("lines.srt", "1\n00:00:01,000 --> 00:00:02,000\nHello there\n")
      let maps = ["0", "1", "2", "2"].flatMap { ["-map", $0] }
      arguments = video + audio + ["-i", lines.path] + maps + ["-c:v", "libx264", "-preset", "ultrafast", "-c:s", "srt"]
    default: arguments = video + audio + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-shortest"]
    }
    // All of one kind are the same.
    try MadeOnce.file(url, key: ["documented", url.pathExtension]) {
      let made = try ToolRun.run(URL(filePath: "/usr/bin/env"), ["ffmpeg", "-v", "error", "-y"] + arguments + [url.path])
      try #require(made.status == 0, "\(made.errors)")
    }
  }
}
