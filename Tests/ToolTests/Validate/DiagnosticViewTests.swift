import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorPlugins
import CompositorPreview
import CompositorProjectFormat
import CompositorTestSupport
import Foundation
import Testing

/// What a view shows of a diagnostic.
private struct Shown: Hashable, CustomStringConvertible {
  var code: String
  /// `line:column`; empty if it isn't known.
  var place: String
  /// The time in the movie in seconds, to three decimals; empty if it concerns none.
  var time: String

  var description: String { "\(code) at \(place.isEmpty ? "no place" : place)\(time.isEmpty ? "" : ", \(time) s")" }
}

/// Mistaken projects in three views: `validate`, `diagram` and `preview` show the same diagnostics at the same places and times, and so do
/// `explain` and `render` as far as they print them. What the advice says is then done, and the result measured. `make test` asks `diagram` of
/// every other project and `explain` of the others.
@Suite struct DiagnosticViewTests {
  @Test func sixtyMistakenProjects_inThreeViews_areTheSame() async throws {
    #expect(DiagnosticFixture.all.count >= 60)
    var rows: [String] = []
    for (index, fixture) in DiagnosticFixture.all.enumerated() {
      let scratch = try fixture.scratch()
      let validated = try validated(fixture)
      let (isDrawn, isExplained) = (TableSelection.isWhole || index % 2 == 0, TableSelection.isWhole || index % 2 == 1)
      let previewed = try await previewed(fixture, in: scratch)
      let drawn = isDrawn ? try drawn(fixture, in: scratch, expecting: validated) : nil
      #expect(validated == previewed, "\(fixture.name): validate \(validated), preview \(previewed)")
      #expect(drawn.map { $0 == validated } ?? true, "\(fixture.name): validate \(validated), diagram \(drawn ?? [])")
      if isExplained { try explain(fixture, in: scratch, expecting: validated) }
      let measured = try measure(fixture, in: scratch)
      let first = validated.first.map { "\($0)" } ?? "nothing"
      let rest = validated.count > 1 ? " and \(validated.count - 1) more" : ""
      let page = !isDrawn ? "not asked" : drawn == nil ? "refused, the same" : "the same"
      rows.append("| \(fixture.name.dropLast(6)) | \(first)\(rest) | the same | \(page) | \(measured) |")
    }
    print("| project | validate | preview | diagram | the advice, done |\n|---|---|---|---|---|")
    print(rows.joined(separator: "\n"))
  }

  // MARK: Views

  private static func time(_ seconds: Double?) -> String { seconds.map { String(format: "%.3f", $0) } ?? "" }

  private func validated(_ fixture: DiagnosticFixture) throws -> [Shown] {
    try fixture.diagnostics().map { diagnostic in
      let place = [diagnostic["line"], diagnostic["column"]].compactMap { $0 as? Int }.map(String.init)
      let time = (diagnostic["movieTime"] as? String)?.split(separator: "/").compactMap { Double($0) } ?? []
      let seconds = time.count == 2 ? time[0] / time[1] : nil
      return Shown(
        code: diagnostic["code"] as? String ?? "?", place: place.joined(separator: ":"), time: Self.time(seconds))
    }
  }

  private func previewed(_ fixture: DiagnosticFixture, in scratch: Scratch) async throws -> [Shown] {
    let path = scratch.folder.appending(path: fixture.name).path
    var overrides = PluginOverrides()
    overrides.trusted = ["libavfilter"]
    let plugins = PluginOpening(overrides)
    // As the command does.
    let project = try await PreviewProject(path, damaged: .fail) { file throws(CompositorError) in
      try plugins.plugins(of: file).registry
    }
    return await project.diagnostics.map { diagnostic in
      let place = [diagnostic.line, diagnostic.column].compactMap { $0 }.map(String.init)
      return Shown(
        code: diagnostic.code.rawValue, place: place.joined(separator: ":"), time: Self.time(diagnostic.movieTime?.seconds))
    }
  }

  /// The diagnostics of the page that `diagram` writes; `nil` for a project without times, which it refuses with the same diagnostics.
  private func drawn(
    _ fixture: DiagnosticFixture, in scratch: Scratch, expecting validated: [Shown]
  ) throws -> [Shown]? {
    let result = try ToolRun.compositor(["diagram", fixture.name, "-o", "-", "--format", "html"], in: scratch.folder)
    guard result.status == 0 else {
      for shown in validated { #expect(result.errors.contains(":\(shown.place)"), "\(fixture.name): \(result.errors)") }
      return nil
    }
    #expect(validated.isEmpty == result.output.contains("the edit is valid"), "\(fixture.name)")
    return result.output.matches(
      of: /<li id="diagnostic-\d+" class="\w+" data-code="(\w+)"(?: data-time="(-?\d+)\/(\d+)")?>(.*)/
    )
    .map { match in
      let seconds = match.2.flatMap { value in match.3.flatMap { scale in (Double(value) ?? .nan) / (Double(scale) ?? .nan) } }
      let place = match.4.firstMatch(of: /Place: [^<]*?:(\d+:\d+)/).map { String($0.1) } ?? ""
      return Shown(code: String(match.1), place: place, time: Self.time(seconds))
    }
  }

  private func explain(_ fixture: DiagnosticFixture, in scratch: Scratch, expecting validated: [Shown]) throws {
    let result = try ToolRun.compositor(["explain", fixture.name], in: scratch.folder)
    for shown in validated {
      let line = result.errors.split(separator: "\n").contains {
        $0.contains(":\(shown.place): ") && $0.hasSuffix("[\(shown.code)]")
      }
      #expect(line, "\(fixture.name): explain misses \(shown): \(result.errors)")
    }
  }

  // MARK: Advice

  /// Does what the diagnostics advise, by a fix or by the lines `// advice: OLD => NEW`, and measures what `// then:` says.
  private func measure(_ fixture: DiagnosticFixture, in scratch: Scratch) throws -> String {
    let checks = try fixture.lines("then")
    guard !checks.isEmpty else { return "–" }
    var text = try fixture.text()
    let flag = try fixture.lines("mended by").first ?? "nothing"
    if flag != "nothing" {
      _ = try ToolRun.compositor(["validate", fixture.name, flag, "-o", "mended.json5"], in: scratch.folder)
      text = try String(contentsOf: scratch.folder.appending(path: "mended.json5"), encoding: .utf8)
    } else {
      for line in try fixture.lines("advice") {
        let parts = line.components(separatedBy: " => ")
        try #require(parts.count == 2 && text.contains(parts[0]), "\(fixture.name): \(line)")
        text = text.replacing(parts[0], with: parts[1], maxReplacements: 1)
      }
      _ = try scratch.file("mended.json5", text)
    }
    for check in checks {
      let words = check.split(separator: " ").map(String.init)
      if words[0] == "heard" {
        let level = try level(from: words[1], in: scratch)
        #expect(level > -40, "\(fixture.name): \(level) dB at \(words[1])")
      } else {
        let frame = try frame(of: "mended.json5", at: words[1], in: scratch)
        let wanted = try reference(words[2], at: words.count > 3 ? words[3] : words[1], of: text, in: scratch)
        #expect((frame == wanted) == (words[0] == "shows"), "\(fixture.name): the frame at \(words[1]), \(words[2])")
      }
    }
    return checks.joined(separator: "; ")
  }

  private func frame(of project: String, at time: String, in scratch: Scratch) throws -> Data {
    let result = try ToolRun.compositor(
      ["frame", project, "--at", time, "-o", "frame.png", "--overwrite"], in: scratch.folder)
    try #require(result.status == 0, "\(project): \(result.errors)")
    return try Data(contentsOf: scratch.folder.appending(path: "frame.png"))
  }

  /// The frame of a project of the same output and assets that shows one asset alone, or only black.
  private func reference(_ name: String, at time: String, of text: String, in scratch: Scratch) throws -> Data {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // The head of a fixture, up to its tracks.
    let head = lines.prefix { !$0.hasPrefix("  tracks:") && !$0.hasPrefix("  titles:") }.joined(separator: "\n")
    let black = "assets: { black: { generate: \"color\", color: \"black\" }, "
    let assets = name == "black" ? head.replacing("assets: {", with: black) : head
    _ = try scratch.file(
      "reference.json5", "\(assets)\n  tracks: [{ clips: [{ asset: \"\(name)\", duration: \"1s\", audio: false }] }],\n}\n")
    return try frame(of: "reference.json5", at: time, in: scratch)
  }

  /// The RMS level in dBFS of a tenth of a second of the mix.
  private func level(from time: String, in scratch: Scratch) throws -> Double {
    let result = try ToolRun.compositor(
      ["render", "mended.json5", "-o", "mix.wav", "--overwrite", "--progress", "none"], in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    let bytes = [UInt8](try Data(contentsOf: scratch.folder.appending(path: "mix.wav")))
    let start = 44 + Int((Double(time.dropLast()) ?? 0) * 48_000) * 4
    let samples = stride(from: start, to: min(start + 4800 * 4, bytes.count - 1), by: 2).map {
      Double(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32_768
    }
    try #require(!samples.isEmpty)
    let power = samples.map { $0 * $0 }.reduce(0, +) / Double(samples.count)
    return power > 0 ? 10 * log10(power) : -200
  }
}
