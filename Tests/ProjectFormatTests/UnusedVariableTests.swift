import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTestSupport
import Foundation
import Testing

/// A variable whose value is used nowhere is told, with what was meant.
@Suite struct UnusedVariableTests {
  private func found(
    _ titles: String, set: [String: String] = [:], directory: String? = nil, named: Set<String> = []
  ) throws -> [ValidationDiagnostic] {
    let file = try ProjectFile(
      """
      { version: 1, variables: { name: "Ada", "full-name": "Ada Lovelace" }, output: { size: "64x36", frameRate: 25 },
        assets: { a: { generate: "color" } },
        tracks: [{ clips: [{ asset: "a", duration: "1s" }] }], titles: [{ text: "${full-name}" }, \(titles)] }
      """, name: "p", directory: directory, variables: set)
    return file.writtenDiagnostics(catalog: MediaCatalog(), named: named).filter { $0.code == .unusedVariable }
  }

  @Test(arguments: [
    ("{name}", "{name}"), ("Hello {{name}}!", "{{name}}"), ("$name", "$name"), ("%name%", "%name%"), ("$$${name}", nil),
    ("$${name}", "$${name}"), ("$names", ""), ("name", ""), ("${name}", nil), ("${name:Bob}", nil),
  ])
  func variable_writtenAs_isUsedOrTold(_ text: String, _ lookAlike: String?) throws {
    let found = try found("{ text: \"\(text)\" }")
    guard let lookAlike else {
      #expect(found.isEmpty, "\(found)")
      return
    }
    #expect(found.map(\.path) == ["variables.name"])
    let advice = try #require(found.first?.recoverySuggestion)
    #expect(advice.contains("${name}"))
    #expect(lookAlike.isEmpty ? !advice.contains("titles") : advice.contains("\"\(lookAlike)\" in titles[1].text"), "\(advice)")
  }

  @Test func variable_thatIsSetOrNamesTheOutput_isToldOrNot() throws {
    #expect(try found("", set: ["name": "Bob"]).count == 1)
    #expect(try found("", named: ["name"]).isEmpty)
  }

  @Test func variable_ofATitle_thatItsTemplateLeavesOut_isTold() throws {
    let folder = try TemporaryFolder()
    try Data(
      """
      { version: 1, variables: { role: "x", color: "red" }, duration: "2s",
        layer: { content: { text: { string: "{role}" } }, backgroundColor: "${color}" } }
      """.utf8
    ).write(to: URL(filePath: folder.file("t.json5")))
    let found = try found(
      "{ text: \"${name}\" }, { template: \"t.json5\", variables: { role: \"y\", color: \"blue\" } }",
      directory: folder.path + "/")
    #expect(found.map(\.path) == ["titles[2].variables.role"])
  }
}
