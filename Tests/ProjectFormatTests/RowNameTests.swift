import CompositorAPI
import CompositorProjectFormat
import Foundation
import Testing

/// Tables and the names of files that their rows become.
struct RowNameTests {
  @Test func fields_inANameOfAFile_areNoPlaceholders() throws {
    let fields = ["name": "Ada, Countess", "role": "{name}", "hidden": ".x"]
    #expect(try RowName.fill("out/{row}-{name}.mp4", row: 3, fields: fields) == "out/3-Ada, Countess.mp4")
    #expect(try RowName.fill("{role}{hidden}{}{x", row: 1, fields: fields) == "{name}.x{}{x")
    #expect(try RowName.fill("{row}", row: 1, fields: ["row": "seven"]) == "1")
    #expect(RowName.placeholders(of: "{row}/%04d-{nme}.png") == ["row", "nme"])
  }

  @Test(arguments: [
    ("", "is empty"), ("a/b", "with a slash"), ("../x", "with a slash"), ("..", "begins with a dot"),
    (".x", "begins with a dot"),
    ("a\nb", "control characters"), ("a\u{0}", "control characters"), (String(repeating: "ä", count: 130), "264 bytes"),
  ])
  func field_thatBreaksAFilesName_isAnError(field: String, words: String) {
    let error = #expect(throws: CompositorError.self) {
      try RowName.fill("out/{name}.mp4", row: 1, fields: ["name": field])
    }
    #expect(error?.code == .invalidValue && error?.message.contains(words) == true, "\(String(describing: error))")
  }

  @Test func outputs_ofATable_failByRowAndMayNotRepeat() throws {
    let table = try CSVTable("name,role\n\nAda,poet\na/b,x\n", name: "t.csv")
    let outputs = try table.outputs("out/{row}-{name}.mp4")
    #expect(try outputs[0].get() == "out/1-Ada.mp4")
    let bad = #expect(throws: CompositorError.self) { try outputs[1].get() }
    #expect(bad?.location.place == "t.csv:4")
    let column = #expect(throws: CompositorError.self) { try table.outputs("{nme}.mp4") }
    #expect(column?.recoverySuggestion?.contains("\"name\"") == true)
    let same = #expect(throws: CompositorError.self) { try CSVTable("n,m\nA,1\nB,2\nA,3\n", name: "t.csv").outputs("{n}.mp4") }
    #expect(same?.message.contains("Rows 1 and 3") == true && same?.location.place == "t.csv:4")
  }

  @Test func table_asManyProgramsWriteIt_isRead() throws {
    #expect(try CSVTable("\u{feff}name , role\rAda,poet\rBob,\r").rows == [["Ada", "poet"], ["Bob", ""]])
    #expect(try CSVTable("\u{feff}\"name\" ,role\r\nAda,\"a\r\nb\"").columns == ["name", "role"])
    #expect(try CSVTable("a;b\r\n1,5;\"x;y\"\r\n").rows == [["1,5", "x;y"]])
    #expect(try CSVTable("a\tb\n1\t2\n").rows == [["1", "2"]])
    #expect(try CSVTable("\"a;b\",c\n1,2;3\n").rows == [["1", "2;3"]])
    #expect(try CSVTable("a,b\n\n1,\u{feff}2\n\n").rows == [["1", "\u{feff}2"]])
  }

  @Test(arguments: [
    ("", "t.csv:1", "empty"), ("name,role\n", "t.csv:1", "no rows"), ("a,b\n1\n", "t.csv:2", "column \"b\" is missing"),
    ("a,b\n1,2\n\n1,2,3\n", "t.csv:4", "3 fields"), ("a,a\n1,2\n", "t.csv:1", "Columns 1 and 2"),
    ("a,\n1,2\n", "t.csv:1", "Column 2"), ("a,b\n1,\"x\n\n", "t.csv:2", "column 2"),
    ("a,b\n\"x\ny\"z,1\n", "t.csv:3", "column 1"),
  ])
  func table_withAMistake_saysLineAndColumn(text: String, place: String, words: String) {
    let error = #expect(throws: CompositorError.self) { try CSVTable(text, name: "t.csv") }
    #expect(error?.location.place == place && error?.message.contains(words) == true, "\(String(describing: error))")
  }

  @Test func table_thatIsNotUTF8_saysTheLine() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv").path
    try Data("name\nAda\nJ\u{f6}rg\n".unicodeScalars.map { UInt8($0.value) }).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: CompositorError.self) { try CSVTable(contentsOf: path) }
    #expect(error?.code == .invalidProject && error?.location.place == "\(path):3")
    #expect(#expect(throws: CompositorError.self) { try CSVTable(contentsOf: path + "x") }?.code == .fileNotFound)
  }
}
