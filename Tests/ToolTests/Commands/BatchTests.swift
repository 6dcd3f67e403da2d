import Foundation
import Testing

/// `render --batch` as people and programs run it.
@Suite struct BatchTests {
  private static let project = """
    { version: 1, output: { size: "64x36", frameRate: 25, audio: false },
      assets: { a: { generate: "color", color: "${color:blue}", size: "64x36" } },
      tracks: [{ clips: [{ asset: "a", duration: "${length:0.2s}" }] }] }
    """

  private static func lines(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
    }
  }

  @Test func rows_oneOfThemBad_areReportedAsJSONLinesAndASummary() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    _ = try scratch.file("t.csv", "name,length,color\nAda,0.2s,red\nBob,long,red\nEve,0.2s,\na/b,0.2s,red\nFay,0.4s,#00ff00\n")
    let command = ["render", "p.json5", "--batch", "t.csv", "-o", "out/{row}-{name}.mp4"]
    let first = try ToolRun.compositor(command + ["--progress", "json"], in: scratch.folder)
    #expect(first.status == 65, "\(first.errors)")
    let lines = try Self.lines(first.output)
    #expect(lines.map { $0["event"] as? String } == ["row", "row", "row", "row", "row", "summary"])
    #expect(lines.dropLast().map { $0["row"] as? Int } == [1, 2, 3, 4, 5])
    // The default counts for an empty field.
    #expect(lines.dropLast().map { $0["status"] as? String } == ["completed", "failed", "completed", "failed", "completed"])
    #expect(lines[0]["output"] as? String == "out/1-Ada.mp4")
    let error = try #require(lines[1]["error"] as? [String: Any])
    #expect(error["code"] as? Int == 1009 && error["name"] as? String == "invalidProject")
    #expect(error["path"] as? String == "tracks[0].clips[0].duration")
    #expect((error["message"] as? String)?.contains("\"${length:0.2s}\" is \"long\"") == true, "\(error)")
    #expect(error["file"] as? String == "p.json5" && error["line"] as? Int == 3 && error["column"] as? Int == 46)
    let failure = try #require(lines[3]["error"] as? [String: Any])
    #expect(failure["file"] as? String == "t.csv" && failure["line"] as? Int == 5 && failure["column"] == nil)
    let summary = try #require(lines.last)
    #expect(summary["completed"] as? Int == 3 && summary["failed"] as? Int == 2 && summary["seconds"] is Double)
    let made = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path + "/out").sorted()
    #expect(made == ["1-Ada.mp4", "3-Eve.mp4", "5-Fay.mp4"])
    #expect(try ToolRun.streams(scratch.file("out/5-Fay.mp4"))[0]["nb_read_frames"] == "10")

    _ = try scratch.file(
      "t.csv", "name,length,color\nAda,0.2s,red\nBob,0.2s,red\nEve,0.2s,lime\nab,0.2s,red\nFay,0.4s,#00ff00\n")
    let second = try ToolRun.compositor(command, in: scratch.folder)
    #expect(second.status == 0 && second.output.hasPrefix("2 renders in ") && second.output.contains(", 3 skipped"))
    #expect(
      second.errors.contains("row 1: skipped, out/1-Ada.mp4 exists") && second.errors.contains("row 2: wrote out/2-Bob.mp4"))
    let third = try ToolRun.compositor(command + ["--overwrite", "--progress", "none"], in: scratch.folder)
    #expect(third.status == 0 && third.output.hasPrefix("5 renders in ") && third.errors.isEmpty, "\(third.errors)")
  }

  /// A warning about the project with a row's values names the row.
  @Test func warning_namesItsRow() throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25, audio: false }, assets: { a: { generate: "color", size: "64x36" } },
        tracks: [{ clips: [{ asset: "a", duration: "0.2s", opacity: "${opacity:1}" }] }] }
      """)
    _ = try scratch.file("t.csv", "opacity\n1\n0\n1\n")
    let result = try ToolRun.compositor(["render", "p.json5", "--batch", "t.csv", "-o", "{row}.mp4"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let warnings = result.errors.split(separator: "\n").filter { $0.contains("warning: ") }
    #expect(!warnings.isEmpty && warnings.allSatisfy { $0.hasPrefix("compositor: row 2: warning: ") }, "\(result.errors)")
  }

  /// A variable without its dollar sign would leave every row as it is. One may be for the names of the movies alone.
  @Test func variable_thatNothingUses_isWarnedOf() throws {
    let scratch = try Scratch()
    let declaring = Self.project.replacing("{ version: 1,", with: "{ version: 1, variables: { name: \"x\" },")
    _ = try scratch.file("p.json5", declaring)
    _ = try scratch.file("t.csv", "name\nAda\n")
    let command = ["render", "p.json5", "--batch", "t.csv", "--overwrite", "--progress", "none", "-o"]
    let unused = try ToolRun.compositor(command + ["{row}.mp4"], in: scratch.folder)
    #expect(unused.status == 0 && unused.errors.contains("The variable \"name\" is used nowhere"), "\(unused.errors)")
    let naming = try ToolRun.compositor(command + ["{name}.mp4"], in: scratch.folder)
    #expect(naming.status == 0 && !naming.errors.contains("used nowhere"), "\(naming.errors)")
    let set = try ToolRun.compositor(["validate", "p.json5", "--set", "name=Bob"], in: scratch.folder)
    #expect(set.status == 0 && set.output.contains("[unusedVariable]"), "\(set.output)")
  }

  /// A column of another name than the variable's would leave every row as it is.
  @Test func column_thatNothingUses_isNoted() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    _ = try scratch.file("t.csv", "length,colour,file\n0.2s,red,a\n")
    let options = ["render", "p.json5", "--batch", "t.csv", "-o", "{file}.mp4", "--set", "name=Ada"]
    let result = try ToolRun.compositor(options, in: scratch.folder)
    #expect(result.status == 0, "\(result)")
    let note = "note: t.csv: the column \"colour\" is not used: the project has no variable of this name."
    #expect(result.errors.contains("\(note) Did you mean \"color\"?") && !result.errors.contains("\"file\""), "\(result)")
  }

  @Test func status_isThatOfTheFirstFailure() throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5", Self.project.replacing("{ generate: \"color\", color: \"${color:blue}\", size: \"64x36\" }", with: "\"${f}\""))
    _ = try scratch.file("t.csv", "f,length\nnix.mp4,0.2s\np.json5,x\n")
    let result = try ToolRun.compositor(["render", "p.json5", "--batch", "t.csv", "-o", "{row}.mp4"], in: scratch.folder)
    #expect(
      result.status == 66 && result.output.contains("0 renders") && result.output.contains("2 failed"), "\(result.errors)")
    #expect(result.errors.contains("row 1: error: ") && result.errors.contains("nix.mp4"))
  }

  /// Canceled in the middle: the unfinished row leaves no file, the rest is reported, and the next run renders the missing rows.
  @Test func interrupt_inTheMiddle_leavesCompleteRowsOnly() async throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    _ = try scratch.file("t.csv", "length\n0.2s\n2000s\n0.2s\n0.2s\n")
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = ["render", "p.json5", "--batch", "t.csv", "-o", "out/{row}.mp4", "--progress", "json"]
    process.currentDirectoryURL = scratch.folder
    let log = try scratch.file("log", "")
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = FileHandle.nullDevice
    try process.run()
    let first = try scratch.file("out/1.mp4").path
    let deadline = ContinuousClock.now + .seconds(60)
    while !FileManager.default.fileExists(atPath: first), .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
    try await Task.sleep(for: .milliseconds(300))
    let start = ContinuousClock.now
    process.interrupt()
    process.waitUntilExit()
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(process.terminationStatus == 130)
    let lines = try Self.lines(try String(contentsOf: log, encoding: .utf8))
    #expect(lines.dropLast().map { $0["status"] as? String } == ["completed", "canceled", "canceled", "canceled"])
    #expect(lines.last?["canceled"] as? Int == 3 && lines.last?["completed"] as? Int == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path + "/out") == ["1.mp4"])

    _ = try scratch.file("t.csv", "length\n0.2s\n0.2s\n0.2s\n0.2s\n")
    let again = try ToolRun.compositor(
      ["render", "p.json5", "--batch", "t.csv", "-o", "out/{row}.mp4", "--progress", "json"], in: scratch.folder)
    #expect(again.status == 0)
    #expect(
      try Self.lines(again.output).dropLast().map { $0["status"] as? String }
        == ["skipped", "completed", "completed", "completed"])
  }

  @Test func table_withAMistake_rendersNothing() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    for (table, status, words) in [
      ("length,a\n0.2s,1\n0.2s\n", 65, "t.csv:3"), ("length,length\n1s,1s\n", 65, "Columns 1 and 2"),
      ("length\n0.2s\n0.2s\n", 64, "Rows 1 and 2"),
    ] {
      _ = try scratch.file("t.csv", table)
      let result = try ToolRun.compositor(
        ["render", "p.json5", "--batch", "t.csv", "-o", "{length}.mp4"], in: scratch.folder)
      #expect(result.status == status && result.errors.contains(words), "\(result.errors)")
    }
    #expect(try scratch.names() == ["p.json5", "t.csv"])
    let missing = try ToolRun.compositor(["render", "p.json5", "--batch", "n.csv", "-o", "{row}.mp4"], in: scratch.folder)
    #expect(missing.status == 66 && missing.errors.contains("n.csv"))
  }

  @Test(arguments: [
    (["rendr", "p.json5", "-o", "x.mp4"], "\"rendr\". Did you mean \"render\"?"), (["plugins", "inspct", "x"], "\"inspect\""),
    (["tralala"], "There is no command \"tralala\""),
  ])
  func command_thatDoesNotExist_isNamedWithANearOne(arguments: [String], words: String) throws {
    let result = try ToolRun.compositor(arguments)
    #expect(result.status == 64 && result.errors.contains(words), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test func output_thatExists_namesOverwrite() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.project)
    _ = try scratch.file("x.mp4", "mine")
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "x.mp4"], in: scratch.folder)
    #expect(result.status == 74 && result.errors.contains("--overwrite"), "\(result.errors)")
  }
}
