import Foundation
import Testing

/// `validate --fix` changes a project's file whole, or not at all, and says what it did.
@Suite struct ValidateFixTests {
  private static let old = """
    // Kept.
    {
      version: 1, /* too */
      output: { size: "320x180", frameRate: 25, video: { codec: "h264" } },
      assets: { a: { generate: "bars" } },
      tracks: [{ name: "A", clips: [{ asset: "a", duration: "1s" }] }],
      instructions: [{ duration: "4s", layers: [{ track: "A" }] }],
    }

    """
  private static var new: String { old.replacing("4s", with: "1s") }

  private func validate(_ scratch: Scratch, _ arguments: String...) throws -> ToolRun.Result {
    try ToolRun.compositor(["validate"] + arguments, in: scratch.folder)
  }

  @Test func fix_ofAFile_keepsItsModeAndItsComments() throws {
    let scratch = try Scratch()
    let file = try scratch.file("p.json5", Self.old)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    let result = try validate(scratch, "p.json5", "--fix")
    #expect(result.status == 0 && result.errors == "compositor: fixed: End instructions[0] at 1 s\n", "\(result)")
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.new)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try validate(scratch, "p.json5", "--fix").errors == "compositor: nothing to fix safely\n")
  }

  @Test func fix_withWindowsLineBreaks_keepsThem() throws {
    let scratch = try Scratch()
    let file = try scratch.file("p.json5", Self.old.replacing("\n", with: "\r\n"))
    #expect(try validate(scratch, "p.json5", "--fix").status == 0)
    #expect(try Data(contentsOf: file) == Data(Self.new.replacing("\n", with: "\r\n").utf8))
  }

  @Test func fix_throughALink_changesTheFileAndSaysSo() throws {
    let scratch = try Scratch()
    let file = try scratch.file("p.json5", Self.old)
    let link = scratch.folder.appending(path: "link.json5")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let result = try validate(scratch, "link.json5", "--fix")
    #expect(result.status == 0 && result.errors.contains("link.json5 is a symbolic link"), "\(result.errors)")
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.new)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path).hasSuffix("p.json5"))
  }

  @Test func dryRun_writesNothing() throws {
    let scratch = try Scratch()
    let file = try scratch.file("p.json5", Self.old)
    let result = try validate(scratch, "p.json5", "--fix", "--dry-run")
    #expect(result.status == 0 && result.output.hasPrefix("--- p.json5\n+++ p.json5\n@@ "), "\(result.output)")
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.old)
  }

  private static let hasPatch = (try? ToolRun.run(URL(filePath: "/usr/bin/env"), ["patch", "--version"]))?.status == 0

  @Test(.enabled(if: hasPatch, "patch is not installed")) func dryRun_printsTheDiffThatPatchMakes() throws {
    let scratch = try Scratch()
    let file = try scratch.file("p.json5", Self.old)
    _ = try scratch.file("p.diff", validate(scratch, "p.json5", "--fix", "--dry-run").output)
    let patched = try ToolRun.run(
      URL(filePath: "/usr/bin/env"), ["patch", "-s", "p.json5", "p.diff"], in: scratch.folder)
    #expect(patched.status == 0, "\(patched.output)")
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.new)
  }

  @Test func output_isANewFile_andTheProjectStays() throws {
    let scratch = try Scratch()
    let file = try scratch.file("p.json5", Self.old)
    #expect(try validate(scratch, "p.json5", "--fix", "-o", "q.json5").status == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.old)
    #expect(try String(contentsOf: scratch.folder.appending(path: "q.json5"), encoding: .utf8) == Self.new)
    let again = try validate(scratch, "p.json5", "--fix", "-o", "q.json5")
    #expect(again.status != 0 && again.errors.contains("exists"), "\(again.errors)")
    #expect(try scratch.names() == ["p.json5", "q.json5"])
  }

  @Test func standardInput_goesToTheStandardOutput() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.old)
    let result = try ToolRun.run(
      URL(filePath: "/bin/sh"), ["-c", "exec \"$0\" validate - --fix < p.json5", ToolRun.tool.path], in: scratch.folder)
    #expect(result.status == 0 && result.output == Self.new, "\(result)")
    #expect(result.errors.contains("fixed: End instructions[0] at 1 s") && result.errors.contains("<standard input>: valid"))
  }

  @Test(arguments: [
    ["a.mp4", "--fix"], ["p.json5", "--dry-run"], ["p.json5", "-o", "q.json5"], ["p.json5", "--json", "--format", "sarif"],
    ["p.json5", "--fix", "--dry-run", "-o", "q.json5"], ["p.json5", "--format", "xml"],
  ])
  func options_thatDoNotGoTogether_end64(_ arguments: [String]) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", Self.old)
    let result = try ToolRun.compositor(["validate"] + arguments, in: scratch.folder)
    #expect(result.status == 64 && result.output.isEmpty, "\(result)")
  }

  /// The superuser writes into any folder; `setpriv` takes that from the tool.
  private static let isPrivileged = getuid() == 0
  private static let canDropPrivileges =
    (try? ToolRun.program("setpriv", "--bounding-set", "-dac_override,-dac_read_search", "true"))?.status == 0

  @Test(.enabled(if: !isPrivileged || canDropPrivileges, "the superuser needs setpriv, which cannot drop capabilities here"))
  func folder_thatCannotBeWritten_leavesTheProject() throws {
    let scratch = try Scratch()
    let file = try scratch.file("p.json5", Self.old)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scratch.folder.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.folder.path) }
    let dropping = Self.isPrivileged ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : []
    let result = try ToolRun.run(
      URL(filePath: "/usr/bin/env"), dropping + [ToolRun.tool.path, "validate", "p.json5", "--fix"], in: scratch.folder)
    #expect(result.status == 74 && result.errors.contains("cannot be written"), "\(result)")
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.old)
    #expect(try scratch.names() == ["p.json5"])
  }

  /// A fix that would bring more warnings than it takes: two small images would be enlarged.
  private static func enlarging(_ rest: String) -> String {
    """
    { version: 1, output: { size: "320x180", frameRate: 25 },
      assets: { c: { generate: "clock", size: "320x180", frameRate: 25 }, s: "s.png", t: "t.png" },
      tracks: [
        { name: "A", clips: [{ asset: "c", duration: "2s" }] },
        { name: "B", clips: [{ asset: "s", duration: "2.5s" }, { asset: "t", duration: "1.5s" }] },
      ],
      instructions: [
        { duration: "2s", layers: [{ track: "B", fit: "none" }, { track: "A" }] },
        { duration: "1s", layers: [{ track: "A", fit: "fill" }] },
        { layers: [{ track: "B", fit: "none" }\(rest)] },
      ] }
    """
  }

  @Test func fix_thatDoesNotHelp_isNotPromised_andBlocksNoOther() throws {
    let scratch = try Scratch()
    try scratch.make("s.png", ["-f", "lavfi", "-i", "testsrc2=s=64x36", "-frames:v", "1"])
    try scratch.make("t.png", ["-f", "lavfi", "-i", "testsrc=s=64x36", "-frames:v", "1"])
    let file = try scratch.file("p.json5", Self.enlarging(", { track: \"B\", fit: \"none\" }"))
    let offered = try validate(scratch, "p.json5").output
    #expect(offered.contains("in instructions[1] (not made by --fix-unsafe: other warnings would follow)"), "\(offered)")
    #expect(offered.contains("from instructions[2] (--fix-unsafe makes it)"), "\(offered)")
    let result = try validate(scratch, "p.json5", "--fix-unsafe")
    #expect(result.status == 0 && result.output.contains("in instructions[1] (not made: it did not help)"), "\(result)")
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.enlarging(""))
  }
}
