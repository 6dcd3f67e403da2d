import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import Foundation
import Testing

/// Variables that are read from tables and JSON.
@Suite struct VariableFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, _ text: String) throws { try write(name, Data(text.utf8)) }

  private func write(_ name: String, _ data: Data) throws { try data.write(to: URL(filePath: folder.file(name))) }

  /// A project whose titles are repeated for the variable `rows`.
  private func project(
    _ file: String, text: String = "${item.name} ${item.goals}", set: [String: String] = [:]
  ) throws -> ProjectFile {
    try write(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25 }, variables: { rows: { file: "\(file)" } },
        assets: { a: { generate: "bars" } }, tracks: [{ clips: [{ asset: "a", duration: "1s" }] }],
        titles: [{ forEach: "${rows}", text: "\(text)" }] }
      """)
    return try ProjectFile(contentsOf: folder.file("p.json5"), variables: set)
  }

  private func texts(_ file: ProjectFile) throws -> [String] {
    try file.timeline(catalog: MediaCatalog()).titles.map { title in
      guard case .template(.title(let text), _) = title.content else { return "?" }
      return text
    }
  }

  @Test(arguments: [
    "name,goals\nJörg,3\n\"A, B\",1\n", "\u{feff}name;goals\r\nJörg;3\r\n\"A, B\";1\r\n", "name\tgoals\rJörg\t3\rA, B\t1",
    "goals,row,name\n3,x,Jörg\n\n1,y,\"A, B\"\n",
  ])
  func table_hasAnItemForEachRow(table: String) throws {
    try write("t.csv", table)
    #expect(try texts(project("t.csv")) == ["Jörg 3", "A, B 1"])
  }

  @Test func table_withoutRows_isAnEmptyList() throws {
    try write("t.csv", "name,goals\n")
    #expect(try texts(project("t.csv")) == [])
  }

  @Test func blankField_hasTheDefault() throws {
    try write("t.csv", "name,goals\nAda,\n,2\n")
    #expect(try texts(project("t.csv", text: "${item.name:unnamed} ${item.goals:0}")) == ["Ada 0", "unnamed 2"])
  }

  @Test func json_isAnyValue() throws {
    try write("t.json", "[{ \"name\": \"Ada\", \"goals\": 3 }, { \"name\": \"Bo\", \"goals\": null }]")
    #expect(try texts(project("t.json", text: "${item.name}${item.goals:-}")) == ["Ada3", "Bo-"])
    try write("t.json5", "// A list\n['x', 'y']")
    #expect(try texts(project("t.json5", text: "${item}")) == ["x", "y"])
  }

  @Test func path_thatIsSet_isThatOfAnotherFile() throws {
    try write("t.csv", "name,goals\nAda,1\n")
    try write("other.csv", "name,goals\nBo,2\n")
    let file = try project("t.csv", set: ["rows": "other.csv"])
    #expect(try texts(file) == ["Bo 2"])
    #expect(file.mentionedFiles().contains(folder.file("other.csv")))
    // The file that is declared isn't needed then.
    #expect(try texts(project("none.csv", set: ["rows": "other.csv"])) == ["Bo 2"])
    let error = try #require(throws: CompositorError.self) { try project("t.csv", set: ["rows": "nothing.csv"]) }
    #expect(error.message.contains("There is no table \"nothing.csv\".") && error.location.path == "variables.rows.file")
  }

  /// A table is an input of the project, and what was read of it stays the same.
  @Test func table_isAnInput_andReadOnce() throws {
    try write("t.csv", "name,goals\nAda,1\n")
    let file = try project("t.csv")
    try FileManager.default.removeItem(atPath: folder.file("t.csv"))
    #expect(file.mentionedFiles().contains(folder.file("t.csv")))
    #expect(try texts(file) == ["Ada 1"])
    #expect(ProjectFile.variableFiles(of: folder.file("p.json5")) == [folder.file("t.csv")])
  }

  @Test func mistakeOfARow_namesTheLineOfTheTable() throws {
    try write("t.csv", "name,goals\nAda,1\nBo,2\n")
    let error = try #require(throws: CompositorError.self) { try project("t.csv", text: "${item.golas}") }
    let table = folder.file("t.csv")
    #expect(error.message == "\"item\" has no member \"golas\". Here \"item\" is rows[0] (\(table):2).", "\(error)")
    #expect(error.recoverySuggestion == "Did you mean \"goals\"?" && error.location.place?.contains("p.json5:3:") == true)
  }

  @Test(arguments: [
    ("t.csv", "a,b\n1,2\n1\n", "t.csv:3", "column \"b\" is missing"), ("t.csv", "", "t.csv:1", "empty"),
    ("t.csv", "a,b\n1,\"x\n", "t.csv:2", "in column 2"), ("t.json", "[1,\n 2,,]", "t.json:2:4", "Expected a value"),
    ("t.json", "[[1]]", "t.json:1:2", "holds no other lists"), ("t.json", "null]", "t.json:1:5", "the end of the file"),
    ("none.csv", nil, "p.json5:1:", "There is no table"), ("t.txt", "a,b\n1,2\n", "p.json5:1:", "neither a table nor JSON"),
    ("http://a.b/t.csv", nil, "p.json5:1:", "table \"http://a.b/t.csv\""), (".", nil, "p.json5:1:", "neither a table nor JSON"),
  ])
  func file_thatCannotBeRead_isAMistakeAtItsPlace(name: String, text: String?, place: String, words: String) throws {
    if let text { try write(name, text) }
    let error = try #require(throws: CompositorError.self) { try project(name) }
    #expect(error.code == .invalidProject && error.message.contains(words), "\(error)")
    #expect(error.location.place?.contains(place) == true, "\(error)")
  }

  @Test func table_thatIsNotUTF8_saysTheLine() throws {
    try write("t.csv", Data("name,goals\nAda,1\nJ\u{f6}rg,2\n".unicodeScalars.map { UInt8($0.value) }))
    let error = try #require(throws: CompositorError.self) { try project("t.csv") }
    #expect(error.message == "This line is not UTF-8 text." && error.location.place == "\(folder.file("t.csv")):3")
  }

  @Test func file_thatIsTooLarge_isRefused() throws {
    try write("t.csv", Data(repeating: UInt8(ascii: "a"), count: (4 << 20) + 1))
    let error = try #require(throws: CompositorError.self) { try project("t.csv") }
    #expect(error.message.contains("cannot be read") && error.location.path == "variables.rows.file", "\(error)")
  }

  /// A template repeats its layers for a list of its own file, of another path, or of a list that the title gives it.
  @Test(arguments: [
    ("", ["Ada", "Bo"]), ("variables: { rows: \"other.csv\" }", ["Cy"]), ("variables: { rows: [{ name: \"Di\" }] }", ["Di"]),
    ("variables: { rows: \"${mine}\" }", ["Eva"]),
  ])
  func template_repeatsItsLayers(variables: String, names: [String]) throws {
    try write("t.csv", "name\nAda\nBo\n")
    try write("other.csv", "name\nCy\n")
    try write(
      "title.json5",
      """
      { version: 1, variables: { rows: { file: "t.csv" } },
        layer: { sublayers: [{ forEach: "${rows}", name: "${item.name}" }] } }
      """)
    try write(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25 }, variables: { mine: [{ name: "Eva" }] },
        assets: { a: { generate: "bars" } }, tracks: [{ clips: [{ asset: "a", duration: "1s" }] }],
        titles: [{ template: "title.json5", \(variables) }, { text: "${mine[0].name}" }] }
      """)
    let file = try ProjectFile(contentsOf: folder.file("p.json5"))
    let titles = try file.timeline(catalog: MediaCatalog()).titles
    guard case .layer(let tree)? = titles.first?.content else {
      Issue.record("no tree")
      return
    }
    #expect(tree.sublayers.map(\.name) == names)
    #expect(file.mentionedFiles().contains(folder.file("t.csv")))
  }
}
