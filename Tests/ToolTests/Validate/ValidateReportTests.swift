import Foundation
import Testing

/// `validate --json` says everything that is wrong as JSON.
@Suite struct ValidateReportTests {
  private static let clip = "assets: { a: { generate: \"bars\" } }, tracks: [{ clips: [{ asset: \"a\", duration: \"1s\" }] }]"

  @Test(arguments: [
    ("{ version: 1,\n  tracks: [} }", "invalidProject", 2, 12, "tracks[0]", Int32(65)),
    (
      "{ version: 1, assets: { a: { generate: \"bars\" } },\n tracks: [{ clips: [{ aset: \"a\" }] }] }", "invalidProject", 2,
      23, "tracks[0].clips[0].aset", 65
    ),
    ("{ version: 1, \(clip),\n output: { frameRate: \"x\" } }", "invalidProject", 2, 23, "output.frameRate", 65),
    (
      "{ version: 1, assets: { a: \"nix.mp4\" },\n tracks: [{ clips: [{ asset: \"a\" }] }] }", "mediaUnavailable", 1, 28,
      "assets.a", 66
    ),
    (
      "{ version: 1, \(clip),\n output: { color: \"pq\", video: { codec: \"h264\" } } }", "unwritableOutput", 2, 41,
      "output.video.codec", 65
    ),
    (
      "{ version: 1, \(clip),\n titles: [{ text: \"a\", font: \"Nixfont\" }] }", "titleResourceMissing", 2, 30,
      "titles[0].font", 66
    ),
  ])
  func mistake_ofAnyKind_isADiagnosticWithItsPlace(
    text: String, code: String, line: Int, column: Int, path: String, status: Int32
  ) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", text)
    let result = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    #expect(result.status == status, "\(result.errors)")
    let diagnostics = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let found = try #require(diagnostics.first { $0["severity"] as? String == "error" }, "\(diagnostics)")
    #expect(found["code"] as? String == code && found["path"] as? String == path, "\(found)")
    #expect(found["file"] as? String == "p.json5", "\(found)")
    #expect(found["line"] as? Int == line && found["column"] as? Int == column, "\(found)")
  }

  @Test func project_thatIsNotThere_isADiagnostic() throws {
    let result = try ToolRun.compositor(["validate", "nix.json5", "--json"])
    #expect(result.status == 66 && result.output.contains("mediaUnavailable") && result.output.contains("nix.json5"))
  }
}
