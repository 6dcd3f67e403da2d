import Foundation
import Testing

/// What `validate` prints for people and for programs.
@Suite struct ValidateTextTests {
  private func project(_ output: String) -> String {
    "{ version: 1, assets: { a: { generate: \"bars\" } }, tracks: [{ clips: [{ asset: \"a\", duration: \"1s\" }] }],\n\(output)\n}\n"
  }

  private func report(_ text: String, _ arguments: String..., environment: [String: String] = [:]) throws -> ToolRun.Result {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", text)
    return try ToolRun.compositor(["validate", "p.json5"] + arguments, in: scratch.folder, environment: environment)
  }

  @Test(arguments: [
    ("output: { alpa: 1 }", "    2 | output: { alpa: 1 }", "      |           ^~~~"),
    ("\toutput: { alpa: 1 }", "    2 |     output: { alpa: 1 }", "      |               ^~~~"),
    (
      "/* \u{1F600}日本 */ output: { alpa: 1 }", "    2 | /* \u{1F600}日本 */ output: { alpa: 1 }",
      "      |                        ^~~~"
    ),
    ("/* e\u{301} */ output: { alpa: 1 }", "    2 | /* e\u{301} */ output: { alpa: 1 }", "      |                   ^~~~"),
    ("output: \u{201C}x\u{201D}", "    2 | output: \u{201C}x\u{201D}", "      |         ^"),
    ("output: { alpa: 1 }\r", "    2 | output: { alpa: 1 }", "      |           ^~~~"),
  ])
  func caret_isUnderTheKey(_ output: String, _ line: String, _ caret: String) throws {
    let result = try report(project(output))
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count >= 3, "\(result)")
    #expect(lines[1] == line && lines[2] == caret, "\(lines[1])\n\(lines[2])")
    #expect(!result.output.contains("\u{1B}"), "no colors in a pipe")
  }

  @Test func longLine_isCutAroundTheCaret() throws {
    let result = try report(
      project("/* \(String(repeating: "x", count: 500)) */ output: { alpa: 1 } /* \(String(repeating: "y", count: 500)) */"))
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count >= 3)
    #expect(lines[1].count < 120 && lines[1].contains("…xx") && lines[1].hasSuffix("y…"), "\(lines[1])")
    let column = try #require(lines[2].firstIndex(of: "^"))
    let index = lines[2].distance(from: lines[2].startIndex, to: column)
    #expect(lines[1].dropFirst(index).hasPrefix("alpa"), "\(lines[1])\n\(lines[2])")
  }

  @Test func controlCharacters_doNotReachTheTerminal() throws {
    let result = try report(project("/* \u{1B}[31m */ output: { alpa: 1 }"))
    #expect(result.status == 65 && !result.output.contains("\u{1B}"))
  }

  @Test func mistakes_inSeveralPlaces_areReportedAtOnceAndCounted() throws {
    let result = try report(project("output: { alpa: true, size: 3, color: \"bt70\" },\ntitels: [],"))
    #expect(result.status == 65)
    for word in ["\"alpa\"", "size", "\"bt70\"", "\"titels\""] { #expect(result.output.contains(word), "\(word)") }
    #expect(result.output.hasSuffix("p.json5: 4 errors\n\(ReportEndTests.remark) these are fixed.\n"), "\(result.output)")
    #expect(result.errors.split(separator: "\n").count == 1, "one line for logs")
  }

  @Test func mistakes_thatFollowFromOthers_areNotReported() throws {
    // Without its asset the clip would have none; that is the same mistake.
    let text = "{ version: 1, assets: { a: { generate: 3 } }, tracks: [{ clips: [{ asset: \"a\", duration: \"1s\" }] }] }"
    let result = try report(text)
    #expect(result.output.hasSuffix("p.json5: 1 error\n\(ReportEndTests.remark) this is fixed.\n"), "\(result.output)")
  }

  @Test func warnings_countOnlyWhenStrict() throws {
    let text = project("instructions: [{ duration: \"4s\", layers: [{ track: 0 }] }],")
    let plain = try report(text)
    #expect(plain.status == 0 && plain.output.hasSuffix("p.json5: valid, 1 warning\n"), "\(plain.output)")
    #expect(try report(text, "--strict").status == 65)
  }

  @Test func json_hasTheFieldsOfDiagnosticsAndThoseOfTheText() throws {
    let result = try report(project("output: { alpa: true },"), "--format", "json")
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    try #require(found.count == 1)
    #expect(found[0]["formatVersion"] as? Int == 1 && found[0]["code"] as? String == "invalidProject")
    #expect(found[0]["line"] as? Int == 2 && found[0]["column"] as? Int == 11)
    #expect(found[0]["endLine"] as? Int == 2 && found[0]["endColumn"] as? Int == 15)
    let fix = try #require(found[0]["textFix"] as? [String: Any])
    let edits = try #require(fix["edits"] as? [[String: Any]])
    #expect(edits.count == 1 && edits[0]["newText"] as? String == "alpha" && edits[0]["endColumn"] as? Int == 15)
    #expect(try report(project("output: { alpa: true },"), "--json").output == result.output)
  }
}

/// Keys of other places, and of other programs.
@Suite struct FalseFriendTests {
  /// What stands in the project, the key that is wrong, what is said, and whether it can be rewritten.
  static let cases: [(project: String, says: String, isMended: Bool)] = [
    (
      "tracks: [{ clips: [{ asset: 'a', start: '1s', duration: '1s' }] }]", "\"at\" (when it starts in the movie) or \"in\"",
      false
    ),
    (
      "tracks: [{ clips: [{ asset: 'a', duration: '1s', mask: { asset: 'a' } }] }]",
      "Give an effect a mask: effects: [{ use: …, mask: { … } }].", false
    ),
    ("tracks: [{ clips: [{ asset: 'a', duration: '1s', blendMode: 'screen' }] }]", "compositor: \"builtin.blend\"", false),
    ("tracks: [{ opacity: 0.5, clips: [{ asset: 'a', duration: '1s' }] }]", "write it in each clip of the track", false),
    ("tracks: [{ clips: [{ asset: 'a', end: '1s' }] }]", "Did you mean \"duration\"? It is how long it takes", false),
    ("tracks: [{ clips: [{ asset: 'a', length: '1s' }] }]", "Did you mean \"duration\"?", true),
    ("tracks: [{ clips: [{ source: 'a', duration: '1s' }] }]", "Did you mean \"asset\"?", true),
    (
      "tracks: [{ name: 'A', clips: [{ asset: 'a', duration: '1s' }] }], instructions: [{ start: 0, layers: [{ track: 'A' }] }]",
      "Did you mean \"at\"?", true
    ),
    (
      "tracks: [{ name: 'A', clips: [{ asset: 'a', duration: '1s' }] }], instructions: [{ from: 0, layers: [{ track: 'A' }] }]",
      "Did you mean \"at\"?", true
    ),
    (
      "tracks: [{ name: 'A', clips: [{ asset: 'a', duration: '1s' }] }], instructions: [{ at: 0, to: '1s', layers: [{ track: 'A' }] }]",
      "Did you mean \"duration\"?", false
    ),
    (
      "tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }], titles: [{ text: 'x', at: '0s', duration: '1s' }]",
      "Did you mean \"start\"?", true
    ),
    (
      "tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }], titles: [{ text: 'x', end: '1s' }]", "Did you mean \"duration\"?",
      false
    ),
    ("tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }], canvas: '320x180'", "Did you mean \"size\" in \"output\"?", false),
    ("tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }], fps: 25", "Did you mean \"frameRate\" in \"output\"?", false),
    ("tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }], output: { canvas: '320x180' }", "Did you mean \"size\"?", true),
    ("tracks: [{ clips: [{ asset: 'a', duration: '1s' }] }], output: { fps: 25 }", "Did you mean \"frameRate\"?", true),
    // What is merely misspelled stays that.
    ("tracks: [{ clips: [{ asset: 'a', duratoin: '1s' }] }]", "Did you mean \"duration\"?", true),
  ]

  @Test(arguments: cases.indices) func keyOfAnotherPlace_isRecognized(_ index: Int) throws {
    let mistake = Self.cases[index]
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", "{ version: 1, assets: { a: { generate: 'bars' } }, \(mistake.project) }\n")
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status == 65 && result.output.contains(mistake.says), "\(result.output)")
    #expect(result.output.contains("  fix: ") == mistake.isMended, "\(result.output)")
    guard mistake.isMended else { return }
    let fixed = try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe", "--strict"], in: scratch.folder)
    #expect(fixed.status == 0, "\(fixed.output)\(fixed.errors)")
  }

  @Test func keyThatIsThereAlready_isNotRenamedInto() throws {
    let scratch = try Scratch()
    let text = "{ version: 1, output: { size: '320x180', canvas: '64x36' }, assets: { a: { generate: 'bars' } }, tracks: [] }\n"
    let file = try scratch.file("p.json5", text)
    #expect(try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe"], in: scratch.folder).status == 65)
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }
}

/// How a text report ends, and where else an error is said.
@Suite struct ReportEndTests {
  private static let misspelled = "{ version: 1, output: { alpa: true }, assets: { a: { generate: 'bars' } }, tracks: [] }\n"
  private static let gap = """
    { version: 1, output: { size: '64x36', frameRate: 25 }, assets: { a: { generate: 'bars' } },
      tracks: [{ name: 'A', clips: [{ asset: 'a', duration: '2s' }] }], instructions: [{ duration: '1s', layers: [{ track: 'A' }] }] }
    """
  static let remark = "Times and media are checked once"

  private func shell(_ command: String, _ text: String) throws -> ToolRun.Result {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", text)
    return try ToolRun.run(URL(filePath: "/bin/sh"), ["-c", command, ToolRun.tool.path], in: scratch.folder)
  }

  @Test func mistakesOfTyping_areSaidToHideOthers() throws {
    let result = try shell("\"$0\" validate p.json5", Self.misspelled)
    #expect(
      result.output.hasSuffix("\n\(Self.remark) these are fixed.\n")
        || result.output.hasSuffix("\n\(Self.remark) this is fixed.\n"))
    #expect(try shell("\"$0\" validate p.json5", "{ version: 1, ").output.hasSuffix("\n\(Self.remark) this is fixed.\n"))
    #expect(try !shell("\"$0\" validate p.json5", Self.gap).output.contains(Self.remark))
    #expect(try !shell("\"$0\" validate p.json5 --json", Self.misspelled).output.contains(Self.remark))
  }

  @Test(arguments: [misspelled, gap]) func error_inOneLogOfBothStreams_isSaidOnce(_ text: String) throws {
    let together = try shell("\"$0\" validate p.json5 2>&1; echo \"status $?\"", text).output
    #expect(!together.contains("compositor: error") && together.hasSuffix("status 65\n"), "\(together)")
    let apart = try shell("\"$0\" validate p.json5 >/dev/null", text)
    #expect(apart.status == 65 && apart.errors.split(separator: "\n").count == 1 && apart.errors.hasPrefix("compositor: error"))
    // Programs read the standard output; what went wrong is in the log all the same.
    let json = try shell("\"$0\" validate p.json5 --json 2>&1 >/dev/null", text)
    #expect(json.output.hasPrefix("compositor: error"))
  }
}
