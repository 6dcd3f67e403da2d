import CompositorFarm
import CompositorTestSupport
import Foundation
import Testing

/// What the commands do again, and what they leave alone, after something went wrong.
@Suite(.enabled(if: hasFFmpeg)) struct RecoveryTests {
  private static let quiet = CommandTests.quiet

  private func bytes(_ name: String, _ folder: TemporaryFolder) throws -> Data { try CommandTests.bytes(name, folder) }

  /// A part that another encoder's settings made, with an honest receipt: the command that concat names renders it again.
  @Test func part_encodedOtherwise_isRenderedAgain_byTheCommandThatConcatNames() throws {
    let folder = try CommandTests.folder(titles: false)
    let plan = ["plan", "project.json5", "--segments", "3", "--movie", "movie.mp4"] + Self.quiet
    try FarmTool.succeed(plan, in: folder)
    try FarmTool.succeed(plan + ["--encoder-speed", "slow", "-o", "other.json"], in: folder)
    let render = ["render", "--plan", "plan.json"] + Self.quiet
    try FarmTool.succeed(render, in: folder)
    let movie = try bytes("movie.mp4", folder)
    try FarmTool.succeed(["render", "--plan", "other.json", "--segment", "1"] + Self.quiet, in: folder)
    let own = try SegmentPlanFile(contentsOf: folder.file("plan.json")).name
    let other = try SegmentPlanFile(contentsOf: folder.file("other.json")).name
    try bytes("other.parts/00001.mp4", folder).write(to: URL(filePath: folder.file("plan.parts/00001.mp4")))
    let receipt = String(decoding: try bytes("other.parts/00001.json", folder), as: UTF8.self)
    try Data(receipt.replacing(other, with: own).utf8).write(to: URL(filePath: folder.file("plan.parts/00001.json")))
    let refused = try FarmTool.run(["concat", "plan.json", "-o", "again.mp4"] + Self.quiet, in: folder)
    #expect(refused.status == 75, "\(refused.errors)")
    #expect(refused.errors.contains("compositor render --plan plan.json --segment 1"), "\(refused.errors)")
    try FarmTool.succeed(render + ["--segment", "1"], in: folder)
    try FarmTool.succeed(["concat", "plan.json", "-o", "again.mp4"] + Self.quiet, in: folder)
    #expect(try bytes("again.mp4", folder) == movie)
  }

  /// A file with a row's name that no render of the row wrote is somebody's.
  @Test func rowsFile_madeByAnother_isReplaced_onlyIfAsked() throws {
    let folder = try CommandTests.folder(titles: false)
    try Data("name\nAda\nGrace\n".utf8).write(to: URL(filePath: folder.file("people.csv")))
    let plan = ["plan", "project.json5", "--batch", "people.csv", "--movie", "out/{row}-{name}.mp4"] + Self.quiet
    try FarmTool.succeed(plan, in: folder)
    try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: true)
    let ada = URL(filePath: folder.file("out/1-Ada.mp4"))
    try Data("mine".utf8).write(to: ada)
    let render = ["render", "--plan", "plan.json", "--segment", "0"] + Self.quiet
    let refused = try FarmTool.run(render, in: folder)
    #expect(refused.status == 74 && refused.errors.contains("--overwrite"), "\(refused.status): \(refused.errors)")
    #expect(try Data(contentsOf: ada) == Data("mine".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("plan.parts")).isEmpty)
    try FarmTool.succeed(render + ["--overwrite"], in: folder)
    let movie = try Data(contentsOf: ada)
    #expect(movie.count > 1000)
    // Its own result, damaged; of an earlier plan; left by a process that was killed before it wrote the receipt.
    try Data("damaged".utf8).write(to: ada)
    try FarmTool.succeed(render, in: folder)
    #expect(try Data(contentsOf: ada) == movie)
    try FarmTool.succeed(plan + ["--overwrite", "--set", "name=other"], in: folder)
    try FarmTool.succeed(render, in: folder)
    try FileManager.default.removeItem(atPath: folder.file("plan.parts/00000.json"))
    #expect(try FarmTool.run(render, in: folder).status == 74)
    try Data().write(to: URL(filePath: folder.file("plan.parts/00000.begun")))
    try FarmTool.succeed(render, in: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("plan.parts")) == ["00000.json"])
    // Parts of a movie have no use for it.
    try FarmTool.succeed(["plan", "project.json5", "--segments", "2", "-o", "movie.json"] + Self.quiet, in: folder)
    let movieParts = ["render", "--plan", "movie.json", "--segment", "0", "--overwrite"] + Self.quiet
    #expect(try FarmTool.run(movieParts, in: folder).status == 64)
  }

  /// One row that fails, and segments that one file holds up: the others of the task are rendered, and the status is the first one's.
  @Test func partThatFails_doesNotHoldUpTheRest() throws {
    let folder = try CommandTests.folder()
    try Data("name\nAda\nGrace\nMary\n".utf8).write(to: URL(filePath: folder.file("people.csv")))
    let batch = ["--batch", "people.csv", "--movie", "out/{name}.mp4", "-o", "rows.json"]
    try FarmTool.succeed(["plan", "project.json5"] + batch + Self.quiet, in: folder)
    try FileManager.default.createDirectory(atPath: folder.file("out/Ada.mp4"), withIntermediateDirectories: true)
    let rows = try FarmTool.run(["render", "--plan", "rows.json", "--segment", "0-2"] + Self.quiet, in: folder)
    #expect(rows.status == 74, "\(rows.status): \(rows.errors)")
    #expect(rows.errors.contains("segment 0: error: ") && rows.errors.contains("Ada.mp4: segment 0 failed: "), "\(rows.errors)")
    #expect(try PlanStatus(of: SegmentPlanFile(contentsOf: folder.file("rows.json"))).missing.description == "0")

    try FarmTool.succeed(["plan", "project.json5", "--segments", "3", "--movie", "movie.mp4"] + Self.quiet, in: folder)
    for part in ["00000.mp4", "00002.mp4"] {
      try FileManager.default.createDirectory(atPath: folder.file("plan.parts/\(part)"), withIntermediateDirectories: true)
    }
    let parts = try FarmTool.run(["render", "--plan", "plan.json", "--progress", "json"], in: folder)
    #expect(parts.status == 74, "\(parts.status): \(parts.errors)")
    #expect(parts.errors.contains("00000.mp4: segment 0 failed, as 1 more of 4 parts: "), "\(parts.errors)")
    let events = parts.output.split(separator: "\n")
    #expect(events.count { $0.contains("\"event\":\"part\"") && $0.contains("\"error\"") } == 2, "\(parts.output)")
    #expect(events.last?.contains("\"event\":\"failed\"") == true)
    let status = try PlanStatus(of: SegmentPlanFile(contentsOf: folder.file("plan.json")))
    #expect(status.missing.description == "0,2" && !status.isAudioMissing)
    #expect(!FileManager.default.fileExists(atPath: folder.file("movie.mp4")))
  }

  /// A join that an engine tries again after it succeeded finds its movie; any other file is left alone.
  @Test func join_triedAgain_isDone() throws {
    let folder = try CommandTests.folder(titles: false)
    let plan = ["plan", "project.json5", "--segments", "2", "--movie", "movie.mp4"] + Self.quiet
    try FarmTool.succeed(plan, in: folder)
    try FarmTool.succeed(["render", "--plan", "plan.json", "--segment", "0-1", "--audio"] + Self.quiet, in: folder)
    let movie = URL(filePath: folder.file("movie.mp4"))
    try Data("mine".utf8).write(to: movie)
    let (concat, render) = (["concat", "plan.json"], ["render", "--plan", "plan.json"])
    for command in [concat, render] { #expect(try FarmTool.run(command + Self.quiet, in: folder).status == 74, "\(command)") }
    try FileManager.default.removeItem(at: movie)
    try FarmTool.succeed(concat + Self.quiet, in: folder)
    let made = try Data(contentsOf: movie)
    let before = try FileManager.default.attributesOfItem(atPath: movie.path)[.systemFileNumber] as? Int
    for command in [concat, render] {
      let again = try FarmTool.succeed(command + ["--progress", "plain"], in: folder)
      #expect(again.errors.contains("movie.mp4 is there already, complete"), "\(command): \(again.errors)")
    }
    #expect(try FileManager.default.attributesOfItem(atPath: movie.path)[.systemFileNumber] as? Int == before)
    try FarmTool.succeed(concat + ["--overwrite"] + Self.quiet, in: folder)
    #expect(try Data(contentsOf: movie) == made)
    // Changed since, if only by a byte; the movie of another plan.
    var changed = made
    changed[changed.startIndex + changed.count / 2] ^= 1
    try changed.write(to: movie)
    #expect(try FarmTool.run(concat + Self.quiet, in: folder).status == 74)
    try FarmTool.succeed(concat + ["--overwrite"] + Self.quiet, in: folder)
    try FarmTool.succeed(plan + ["--overwrite", "--encoder-speed", "slow"], in: folder)
    for command in [concat, render] { #expect(try FarmTool.run(command + Self.quiet, in: folder).status == 74, "\(command)") }
    #expect(try Data(contentsOf: movie) == made)
  }

  /// The commands in messages work in the folder in which they are read.
  @Test func commands_inMessages_nameThePlanAsItWasGiven() throws {
    let folder = try CommandTests.folder(titles: false)
    let plan = ["plan", "project.json5", "--segments", "2", "--movie", "it's/movie.mp4", "-o", "it's/plan.json"]
    try FileManager.default.createDirectory(atPath: folder.file("it's"), withIntermediateDirectories: true)
    try FarmTool.succeed(plan + Self.quiet, in: folder)
    let refused = try FarmTool.run(["concat", "it's/plan.json"] + Self.quiet, in: folder)
    #expect(refused.status == 75)
    let command = "compositor render --plan 'it'\\''s/plan.json'"
    #expect(refused.errors.contains("\(command) --segment 0-1; \(command) --audio"), "\(refused.errors)")
  }
}
