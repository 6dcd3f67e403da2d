import Foundation
import Testing

/// Independent implementations that `scripts/oracles` installs.
private enum Oracle {
  static let folder = ToolRun.root.appending(path: ".venv")
  static let python = folder.appending(path: "bin/python3")
  static let sarifSchema = folder.appending(path: "share/sarif-schema-2.1.0.json")

  /// Monaco's JSON worker: the language service of VS Code.
  static let worker: URL? = {
    let libraries = folder.appending(path: "lib")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: libraries.path)) ?? []
    return versions.map {
      libraries.appending(path: "\($0)/site-packages/qtmonaco/js_build/monacoeditorwork/json.worker..bundle.js")
    }.first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static let hasPython = works([python.path, "-c", "import jsonschema, json5"])
  static let hasSARIF = hasPython && FileManager.default.fileExists(atPath: sarifSchema.path)
  static let hasEditor = worker != nil && works(["node", "--version"])

  private static func works(_ command: [String]) -> Bool {
    (try? ToolRun.run(URL(filePath: "/usr/bin/env"), command))?.status == 0
  }

  static func script(_ name: String) -> String { ToolRun.root.appending(path: "Tests/Oracles/\(name)").path }

  static func check(_ arguments: String...) throws -> String {
    let result = try ToolRun.run(python, [script("json_schema.py")] + arguments)
    return result.output + result.errors
  }
}

/// The JSON Schema, and what editors make of it.
@Suite struct EditorSchemaTests {
  private func schema(_ scratch: Scratch) throws -> URL {
    try scratch.file("compositor.schema.json", try ToolRun.compositor(["schema"]).output)
  }

  @Test func properties_allHaveDescriptions_andEnumerationsTexts() throws {
    let text = try ToolRun.compositor(["schema"]).output
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    var (properties, words) = (0, 0)
    for (name, shape) in definitions.merging(["project": schema], uniquingKeysWith: { first, _ in first }) {
      for (key, value) in shape["properties"] as? [String: [String: Any]] ?? [:] {
        properties += 1
        #expect((value["description"] as? String)?.isEmpty == false, "\(name).\(key)")
        for choice in choices(in: value) {
          words += 1
          #expect((choice["enumDescriptions"] as? [String])?.count == (choice["enum"] as? [Any])?.count, "\(name).\(key)")
        }
      }
    }
    #expect(properties > 300 && words > 50)
  }

  private func choices(in value: Any) -> [[String: Any]] {
    if let list = value as? [Any] { return list.flatMap(choices) }
    guard let object = value as? [String: Any] else { return [] }
    return (object["enum"] == nil ? [] : [object]) + object.values.flatMap(choices)
  }

  @Test(.enabled(if: Oracle.hasPython, "scripts/oracles installs jsonschema"))
  func defaultsAndExamples_fitTheirOwnSchemas() throws {
    let scratch = try Scratch()
    #expect(try Oracle.check("values", schema(scratch).path) == "0 failures\n")
  }

  @Test(.enabled(if: Oracle.hasPython, "scripts/oracles installs jsonschema"))
  func examplesOfTheRepository_fitTheSchema() throws {
    let scratch = try Scratch()
    let folder = ToolRun.root.appending(path: "Examples")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json5") }.sorted()
    #expect(names.count >= 10)
    let paths = names.map { folder.appending(path: $0).path } + [folder.appending(path: "Wedding/wedding.json5").path]
    let result = try ToolRun.run(
      Oracle.python, [Oracle.script("json_schema.py"), "instances", try schema(scratch).path] + paths)
    #expect(result.output == "0 failures\n", "\(result.output)\(result.errors)")
  }

  @Test(.enabled(if: Oracle.hasSARIF, "scripts/oracles fetches the schema of OASIS"))
  func sarif_ofEveryFixture_fitsTheSchemaOfOASIS() throws {
    let scratch = try Scratch()
    var files: [String] = []
    for fixture in DiagnosticFixture.all {
      let place = try fixture.scratch()
      let result = try withExtendedLifetime(place) {
        try ToolRun.compositor(["validate", fixture.name, "--format", "sarif"], in: place.folder)
      }
      files.append(try scratch.file("\(fixture.name).sarif", result.output).path)
      try check(result.output, of: fixture)
    }
    let checked = try ToolRun.run(
      Oracle.python, [Oracle.script("json_schema.py"), "instances", Oracle.sarifSchema.path] + files)
    #expect(files.count >= 15 && checked.output == "0 failures\n", "\(checked.output)\(checked.errors)")
  }

  private func check(_ text: String, of fixture: DiagnosticFixture) throws {
    let log = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(try results.count == fixture.lines("expect").count)
    #expect(run["columnKind"] as? String == "unicodeCodePoints")
    let rules = try #require(((run["tool"] as? [String: Any])?["driver"] as? [String: Any])?["rules"] as? [[String: Any]])
    for outcome in results {
      let index = try #require(outcome["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == outcome["ruleId"] as? String)
    }
  }

  @Test(.enabled(if: Oracle.hasEditor, "scripts/oracles installs Monaco's JSON worker; node runs it"))
  func editor_completesAndExplainsKeysAndWords() throws {
    let scratch = try Scratch()
    let text = """
      {
        "$schema": "./compositor.schema.json", // a comment
        "version": 1,
        "output": { "size": "640x360", "color": "hlg", "" },
        "trakcs": 3
      }
      """
    let query: [String: Any] = [
      "text": text,
      "positions": [["line": 3, "character": 50], ["line": 3, "character": 43], ["line": 3, "character": 35]],
    ]
    let input = try scratch.file(
      "query.json", String(decoding: try JSONSerialization.data(withJSONObject: query), as: UTF8.self))
    let result = try ToolRun.run(
      URL(filePath: "/bin/sh"),
      [
        "-c", "exec node \"$0\" \"$1\" \"$2\" < \"$3\"", Oracle.script("json_schema_editor.js"),
        try #require(Oracle.worker).path,
        try schema(scratch).path, input.path,
      ])
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.errors)")
    let found = try #require(answer["diagnostics"] as? [[String: Any]])
    #expect(found.contains { ($0["message"] as? String)?.contains("trakcs") == true })
    let places = try #require(answer["at"] as? [[String: Any]])
    let keys = try #require(places[0]["completions"] as? [[String: String]])
    #expect(keys.first { $0["label"] == "background" }?["documentation"] == "The color behind all layers; by default black.")
    let words = try #require(places[1]["completions"] as? [[String: String]])
    #expect(words.first { $0["label"] == "\"pq\"" }?["documentation"] == "ITU-R BT.2100 PQ: HDR.")
    #expect((places[1]["hover"] as? String)?.contains("BT\\.2100 HLG") == true, "\(places[1]["hover"] ?? "")")
    #expect((places[2]["hover"] as? String)?.hasPrefix("The color of the frames") == true)
  }
}
