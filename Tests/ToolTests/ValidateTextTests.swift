import Foundation
import Testing

/// What `validate` prints for people and for programs.
@Suite struct ValidateTextTests {
  private func project(_ output: String) -> String {
    "{ version: 2, assets: { a: { generate: \"bars\" } }, tracks: [{ clips: [{ asset: \"a\", duration: \"1s\" }] }],\n\(output)\n}\n"
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
    #expect(result.output.hasSuffix("p.json5: 4 errors\n"), "\(result.output)")
    #expect(result.errors.split(separator: "\n").count == 1, "one line for logs")
  }

  @Test func mistakes_thatFollowFromOthers_areNotReported() throws {
    // Without its asset the clip would have none; that is the same mistake.
    let text = "{ version: 2, assets: { a: { generate: 3 } }, tracks: [{ clips: [{ asset: \"a\", duration: \"1s\" }] }] }"
    let result = try report(text)
    #expect(result.output.hasSuffix("p.json5: 1 error\n"), "\(result.output)")
  }

  @Test func warnings_countOnlyWhenStrict() throws {
    let text = project("output: { video: { preset: \"fast\" } },")
    let plain = try report(text)
    #expect(plain.status == 0 && plain.output.hasSuffix("p.json5: valid, 1 warning\n"), "\(plain.output)")
    #expect(try report(text, "--strict").status == 65)
  }

  @Test func json_hasTheFieldsOfOldAndThoseOfTheText() throws {
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
