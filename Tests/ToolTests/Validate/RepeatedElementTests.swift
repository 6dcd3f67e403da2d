import Foundation
import Testing

/// Repeated elements and tables, as the tool reports them.
@Suite struct RepeatedElementTests {
  private static let project = """
    {
      version: 1,
      output: { size: "320x180", frameRate: 25, audio: false, video: { encoderSpeed: "ultrafast" } },
      variables: { rows: { file: "rows.csv" } },
      assets: { a: { generate: "bars", size: "320x180" } },
      tracks: [{ clips: [{ asset: "a", duration: "0.2s" }] }],
      titles: [
        { forEach: { list: "${rows}", item: "row" }, text: "${row.name}", size: "${row.size}%", outlineColor: "black" },
      ],
    }

    """

  private func scratch(_ table: String, _ project: String = Self.project) throws -> Scratch {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", project)
    _ = try scratch.file("rows.csv", table)
    return scratch
  }

  @Test func mistakeOfARow_isAtTheElement_andMistakesOfATableAreInIt() throws {
    let scratch = try scratch("name,size\nAda,10\nBo,big\n")
    let row = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(row.status == 65 && (row.output + row.errors).contains("p.json5:8:"), "\(row)")
    let origin = "Here \"${row.size}%\" is \"big%\", and \"row\" is rows[1] (rows.csv:3)."
    #expect((row.output + row.errors).contains(origin), "\(row)")
    _ = try scratch.file("rows.csv", "name,size\nAda\n")
    let table = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(table.status == 65 && (table.output + table.errors).contains("rows.csv:2"), "\(table)")
    _ = try scratch.file("rows.csv", "name,size\nAda,12\nBo,10\n")
    #expect(try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder).status == 0)
  }

  @Test func misspelledKey_ofARepeatedElement_isFixedOnce() throws {
    let scratch = try scratch("name,size\nAda,10\nBo,10\n", Self.project.replacing("outlineColor", with: "outlneColor"))
    let result = try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe"], in: scratch.folder)
    #expect(result.status == 0, "\(result)")
    #expect(try String(contentsOf: scratch.folder.appending(path: "p.json5"), encoding: .utf8) == Self.project)
  }

  @Test func rowOfABatch_namesATable() throws {
    let scratch = try scratch("name,size\nAda,10\n")
    _ = try scratch.file("other.csv", "name,size\nBo,10\n")
    _ = try scratch.file("t.csv", "name,rows\nfirst,\nsecond,other.csv\nthird,none.csv\n")
    let command = ["render", "p.json5", "--batch", "t.csv", "-o", "{name}.mp4"]
    let result = try ToolRun.compositor(command, in: scratch.folder)
    #expect(result.status == 65 && result.errors.contains("There is no table \"none.csv\"."), "\(result)")
    let made = try scratch.names().filter { $0.hasSuffix(".mp4") }
    #expect(made.sorted() == ["first.mp4", "second.mp4"])
  }
}
