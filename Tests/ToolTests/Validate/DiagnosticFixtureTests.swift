import CompositorTestSupport
import Foundation
import Synchronization
import Testing

/// A project with a mistake, which says itself at its end what is to be found in it, and what mends it.
struct DiagnosticFixture: CustomTestStringConvertible, Sendable {
  static let folder = ToolRun.root.appending(path: "Tests/ToolTests/Fixtures/diagnostics")

  static let all: [DiagnosticFixture] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json5") }.sorted().map(DiagnosticFixture.init)
  }()

  let name: String
  var testDescription: String { name }

  func text() throws -> String { try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8) }

  /// The text after `// KEY: ` in the file.
  func lines(_ key: String) throws -> [String] {
    try text().split(separator: "\n").filter { $0.hasPrefix("// \(key): ") }.map { String($0.dropFirst(key.count + 5)) }
  }

  /// Makes the media that the project names, by its lines `// media: NAME ARGUMENTS OF FFMPEG`: what generated pictures cannot show, such as
  /// a rotation. The work of a moment each.
  func makeMedia(in scratch: Scratch) throws {
    for line in try lines("media") {
      let words = line.split(separator: " ").map(String.init)
      let file = try scratch.file(words[0])
      // A line may name the file of another one.
      try MadeOnce.file(file, key: ["diagnostics", line] + lines("media")) {
        let arguments = ["ffmpeg", "-v", "error", "-y"] + words.dropFirst() + [file.path]
        let made = try ToolRun.run(URL(filePath: "/usr/bin/env"), arguments, in: scratch.folder)
        try #require(made.status == 0, "\(name): \(made.errors)")
      }
    }
    for line in try lines("rotated") {
      let words = line.split(separator: " ").map(String.init)
      try Self.rotate(try scratch.file(words[1]), to: try scratch.file(words[0]))
    }
  }

  /// Copies an MP4 with a display matrix that rotates it by 90° clockwise, as phones write it. Versions of ffmpeg differ in how they are told.
  private static func rotate(_ file: URL, to copy: URL) throws {
    var bytes = [UInt8](try Data(contentsOf: file))
    let type = Array("tkhd".utf8)
    let start = try #require(bytes.indices.first { Array(bytes[$0...].prefix(4)) == type })
    let matrix: [Int32] = [0, 0x10000, 0, -0x10000, 0, 0, 180 << 16, 0, 0x4000_0000]
    for (index, value) in matrix.enumerated() {
      let place = start + 44 + index * 4
      bytes.replaceSubrange(place..<(place + 4), with: withUnsafeBytes(of: value.bigEndian, Array.init))
    }
    try Data(bytes).write(to: copy)
  }

  /// A folder with the project and its media.
  func scratch() throws -> Scratch {
    let scratch = try Scratch()
    _ = try scratch.file(name, try text())
    try makeMedia(in: scratch)
    return scratch
  }

  private static let outputs = Mutex<[String: String]>([:])

  /// What `validate --json` prints of the project as it is: it is asked once.
  func diagnostics() throws -> [[String: Any]] {
    let output = try Self.outputs.withLock { $0[name] } ?? validate()
    Self.outputs.withLock { $0[name] = output }
    return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
  }

  private func validate() throws -> String {
    let scratch = try scratch()
    return try ToolRun.compositor(["validate", name, "--json"], in: scratch.folder).output
  }
}

/// Each cause has a project; `validate` says all that is wrong in it and nothing else, at its place, and mends what can be mended.
@Suite struct DiagnosticFixtureTests {
  private func diagnostics(_ name: String, in folder: URL) throws -> [[String: Any]] {
    let result = try ToolRun.compositor(["validate", name, "--json"], in: folder)
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
  }

  @Test func fixtures_areThere() { #expect(DiagnosticFixture.all.count >= 15) }

  @Test(arguments: DiagnosticFixture.all)
  func project_withOneCause_saysItAtItsPlaceAndNothingElse(_ fixture: DiagnosticFixture) throws {
    let found = try fixture.diagnostics().map { diagnostic in
      func field(_ key: String) -> String { diagnostic[key].map { "\($0)" } ?? "?" }
      return "\(field("severity")) \(field("code")) \(field("line")):\(field("column")) \(field("path"))"
    }
    #expect(try found == fixture.lines("expect"))
  }

  @Test(arguments: DiagnosticFixture.all)
  func fix_mendsWhatItSays_andKeepsTheRest(_ fixture: DiagnosticFixture) throws {
    let scratch = try Scratch()
    try fixture.makeMedia(in: scratch)
    let media = try scratch.names()
    let text = try fixture.text()
    let flag = try #require(fixture.lines("mended by").first)
    guard flag != "nothing" else {
      // Nothing is offered that would not help.
      let file = try scratch.file("p.json5", text)
      _ = try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe"], in: scratch.folder)
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
      return
    }
    let file = try scratch.file("p.json5", text)
    if flag == "--fix-unsafe" {
      _ = try ToolRun.compositor(["validate", "p.json5", "--fix"], in: scratch.folder)
      #expect(try String(contentsOf: file, encoding: .utf8) == text, "a safe fix changes nothing here")
    }
    let result = try ToolRun.compositor(["validate", "p.json5", "--strict", flag], in: scratch.folder)
    #expect(result.status == 0 && result.output == "p.json5: valid\n", "\(result.output)\(result.errors)")
    let mended = try String(contentsOf: file, encoding: .utf8)
    #expect(mended != text)
    // Comments, indentation and all other lines stay.
    let (old, new) = (text.split(separator: "\n"), mended.split(separator: "\n"))
    // One line for each diagnostic. Only a cut that moves is written in both instructions beside it.
    let changed = try fixture.lines("changed lines").first.flatMap { Int($0) } ?? fixture.lines("expect").count
    #expect(new.difference(from: old).removals.count <= changed)
    for comment in old where comment.hasPrefix("//") { #expect(new.contains(comment)) }
    #expect(try ToolRun.compositor(["validate", "p.json5", "--strict"], in: scratch.folder).status == 0)
    #expect(try scratch.names() == (media + ["p.json5"]).sorted(), "no partial file is left")
  }

  @Test func overlap_ofTheThreeClipEditor_namesTheFourthInstructionAndBothTimes() throws {
    let found = try diagnostics("overlap.json5", in: DiagnosticFixture.folder)
    try #require(found.count == 1)
    let message = try #require(found[0]["message"] as? String)
    #expect(message.contains("instructions[3]") && message.contains("at 6 s") && message.contains("at 8 s"), "\(message)")
    let fix = try #require(found[0]["textFix"] as? [String: Any])
    let edits = try #require(fix["edits"] as? [[String: Any]])
    #expect(fix["isSafe"] as? Bool == true && edits.count == 1)
    #expect(edits[0]["newText"] as? String == "\"1s\"" && edits[0]["line"] as? Int == 17)
  }
}

/// Projects that are right are called so.
@Suite struct ValidExampleTests {
  /// Projects that need nothing but this package: others name media, plugins or tables that are made first.
  private static let examples = [
    "card", "dissolve-pip", "effects", "explicit", "magic-title", "ramps", "slow-motion", "soundtrack", "title-track", "titles",
    "transitions",
  ]

  @Test(arguments: examples)
  func validate_strictOfAnExample_saysNothing(_ name: String) throws {
    let folder = ToolRun.root.appending(path: "Examples")
    let result = try ToolRun.compositor(["validate", "\(name).json5", "--strict"], in: folder)
    #expect(result.status == 0 && result.output == "\(name).json5: valid\n", "\(result.output)\(result.errors)")
  }
}
