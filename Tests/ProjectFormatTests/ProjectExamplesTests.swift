import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorProjectFormat
import CompositorTimeline
import CompositorPlugins
import Testing

/// Examples and documentation are read by the real reader, and by an independent JSON Schema validator.
@Suite struct ProjectExamplesTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let examples: [URL] =
    ((try? FileManager.default.contentsOfDirectory(at: root.appending(path: "Examples"), includingPropertiesForKeys: nil)) ?? [])
    .filter { $0.pathExtension == "json5" }.sorted { $0.path < $1.path }

  /// The projects in the documentation: every block that is marked as JSON5.
  static func documented(_ path: String = "docs/project-file.md") throws -> [String] {
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    return text.components(separatedBy: "```json5\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  /// Whether the project can be laid out with what the package holds: every asset is generated, made of titles, or lies beside
  /// the examples.
  private func needsNoMedia(_ project: ProjectFile) -> Bool {
    project.assets.values.allSatisfy {
      switch $0 {
      case .generated, .custom: true
      case .file(let path): path.hasPrefix(Self.root.appending(path: "Examples/media/").path)
      case .imageSequence: false
      }
    }
  }

  /// Every project in the repository that is a file.
  static func everyProject() throws -> [URL] {
    try ["Examples", "Plugins"].flatMap { folder in
      let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
      return try #require(files).compactMap { $0 as? URL }.filter {
        // Templates of titles are no projects: the tests of the gallery render them.
        $0.pathExtension == "json5" && !$0.path.contains("/.build/") && !$0.path.contains("/Titles/")
      }
    }
  }

  @Test func projects_ofTheRepository_areRead() throws {
    let files = try Self.everyProject()
    #expect(files.count >= 15)
    for url in files {
      #expect(throws: Never.self, "\(url.path)") { try ProjectFile(contentsOf: url.path) }
    }
    var blocks = 0
    for path in [
      "README.md", "docs/project-file.md", "docs/effects.md", "docs/filters.md", "docs/plugins.md", "docs/audio.md",
      "docs/recipes.md", "docs/titles-cookbook.md",
    ] {
      for text in try Self.documented(path) {
        #expect(throws: Never.self, "\(path): \(text)") { try ProjectFile(text, name: path) }
        blocks += 1
      }
    }
    #expect(blocks >= 29)
  }

  @Test func examples_everyOne_becomesAValidEdit() throws {
    #expect(Self.examples.count >= 4)
    for url in Self.examples {
      let project = try ProjectFile(contentsOf: url.path)
      #expect(needsNoMedia(project), "\(url.lastPathComponent) needs media")
      let catalog = MediaCatalog()
      let edit = try project.edit(catalog: catalog)
      var library = PluginLibrary(PluginOptions(searchPath: PluginSearchPath(folders: []), trusted: [.libavfilter]))
      library.find(edit.compositorIDs)
      let report = CompositionValidator.validate(edit, catalog: catalog, registry: try library.registry)
      #expect(report.diagnostics.isEmpty, "\(url.lastPathComponent): \(report.diagnostics)")
    }
  }

  @Test func documentation_everyProject_isRead() throws {
    let projects = try Self.documented()
    #expect(projects.count >= 8)
    for text in projects {
      let project = try ProjectFile(text, name: "docs/project-file.md")
      guard needsNoMedia(project) else { continue }
      let catalog = MediaCatalog()
      let report = CompositionValidator.validate(try project.edit(catalog: catalog), catalog: catalog)
      #expect(report.errors.isEmpty, "\(text): \(report.errors)")
    }
  }

  @Test func documentation_everyKeyOfTheSchema_isMentioned() throws {
    let text = try String(contentsOf: Self.root.appending(path: "docs/project-file.md"), encoding: .utf8)
    let unmentioned = ProjectSchema.shapes.flatMap(\.keys).map(\.key).filter { !text.contains($0) }
    #expect(Set(unmentioned).isSubset(of: ["keyFrameInterval", "profile", "bitRate", "transfer", "range"]), "\(unmentioned)")
  }

  static let python: String? = {
    let candidates = [ProcessInfo.processInfo.environment["COMPOSITOR_TEST_PYTHON"], "python3"].compactMap { $0 }
    return candidates.first { (try? run([$0, "-c", "import jsonschema"]).status) == 0 }
  }()

  static func run(_ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardOutput
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let data = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// - Returns: Which of the projects the schema accepts.
  private func accepted(_ projects: [JSON5Node]) throws -> [Bool] {
    let script = """
      import json, sys, jsonschema
      data = json.load(sys.stdin)
      jsonschema.Draft202012Validator.check_schema(data["schema"])
      validator = jsonschema.Draft202012Validator(data["schema"])
      print(json.dumps([validator.is_valid(project) for project in data["projects"]]))
      """
    let input = "{\"schema\": \(ProjectFile.jsonSchema), \"projects\": [\(projects.map { $0.json() }.joined(separator: ","))]}"
    let result = try Self.run([try #require(Self.python), "-c", script], input: input)
    return try JSONDecoder().decode([Bool].self, from: Data(result.output.utf8))
  }

  @Test(.enabled(if: python != nil, "python3 with jsonschema is not installed"))
  func schema_validatorOfSomebodyElse_agreesWithTheReader() throws {
    let right =
      try Self.examples.map { try String(contentsOf: $0, encoding: .utf8) } + Self.documented()
      + Self.documented("docs/recipes.md") + Self.documented("docs/titles-cookbook.md")
    let wrong = ProjectFileTests.mistakes.map { ProjectFileTests.project($0.from, $0.to) }
    func parse(_ text: String) throws -> JSON5Node {
      try JSON5Reader.read(try SourceText(name: "p", bytes: Array(text.utf8)))
    }
    #expect(try accepted(right.map(parse)).allSatisfy { $0 })
    // A schema cannot know of names, sums of times and the like; what it refuses the reader must have refused as well.
    let parts = try accepted(ProjectNotationTests.parts.map { try parse($0.project) })
    #expect(!parts.contains(false), "\(zip(ProjectNotationTests.parts, parts).filter { !$0.1 }.map(\.0.text))")
    // It cannot know of the property beside a value.
    let mistakes = ProjectNotationTests.mistakes.filter { !$0.text.contains("emitter.lifetime") }
    let taken = try accepted(mistakes.map { try parse($0.project) })
    #expect(!taken.contains(true), "\(zip(mistakes, taken).filter { $0.1 }.map(\.0.text))")
    let refused = try accepted(wrong.map(parse)).filter { !$0 }.count
    #expect(refused >= 12, "the schema finds \(refused) of \(wrong.count) mistakes")
  }
}
