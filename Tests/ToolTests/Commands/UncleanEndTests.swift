import Foundation
import Testing

/// Renders that are ended from outside, or whose folder is moved: nothing is left behind.
@Suite struct UncleanEndTests {
  /// Starts a render that takes long, and returns once its output is in the making.
  private func start(in folder: URL) throws -> Process {
    let project = CommandLineTests.project.replacing("\"1s\"", with: "\"20000s\"")
    try Data(project.utf8).write(to: folder.appending(path: "p.json5"))
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = ["render", "p.json5", "-o", "x.mp4", "--progress", "none"]
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    let deadline = ContinuousClock.now + .seconds(30)
    while try names(in: folder).count < 2, ContinuousClock.now < deadline { usleep(5000) }
    try #require(try names(in: folder).count == 2)
    return process
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func render_terminalClosed_leavesNothing() throws {
    let scratch = try Scratch()
    let process = try start(in: scratch.folder)
    kill(process.processIdentifier, SIGHUP)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 128 + SIGHUP)
    #expect(try scratch.names() == ["p.json5"])
  }

  @Test func render_folderRenamedMeanwhile_leavesNothingInIt() throws {
    let scratch = try Scratch()
    let (before, after) = (scratch.folder.appending(path: "before"), scratch.folder.appending(path: "after"))
    try FileManager.default.createDirectory(at: before, withIntermediateDirectories: false)
    let process = try start(in: before)
    try FileManager.default.moveItem(at: before, to: after)
    process.terminate()
    process.waitUntilExit()
    #expect(try names(in: after) == ["p.json5"])
  }
}
