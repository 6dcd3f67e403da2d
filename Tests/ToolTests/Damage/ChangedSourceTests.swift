import CompositorValidation
import Foundation
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// Sources that are cut off, overwritten or replaced while they are rendered.
@Suite(.serialized) struct ChangedSourceTests {
  /// A source of 900 frames, made once.
  private static let source = Result { () throws -> Data in
    let scratch = try Scratch()
    let clip = try scratch.clip("a.mp4", seconds: 36, size: "480x270")
    return try Data(contentsOf: clip)
  }

  /// Starts a render, waits until its output is in the making, changes the source while the render stands still, and goes on.
  private func render(
    in scratch: Scratch, _ options: [String] = [], changing change: (URL) throws -> Void
  ) throws -> ToolRun.Result {
    let source = try scratch.file("a.mp4")
    try Self.source.get().write(to: source)
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = ["render", "a.mp4", "-o", "x.mkv", "--progress", "json"] + options
    process.currentDirectoryURL = scratch.folder
    let files = try ["out", "err"].map { try Scratch.stream(named: $0) }
    (process.standardOutput, process.standardError) = (files[0].handle, files[1].handle)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let deadline = ContinuousClock.now + .seconds(60)
    while try scratch.names().count < 2, process.isRunning, ContinuousClock.now < deadline { usleep(2000) }
    try #require(kill(process.processIdentifier, SIGSTOP) == 0)
    try #require(try scratch.names().count == 2, "the render was over too soon")
    try change(source)
    kill(process.processIdentifier, SIGCONT)
    process.waitUntilExit()
    let texts = try files.map { file in
      defer { try? FileManager.default.removeItem(at: file.url) }
      return try String(contentsOf: file.url, encoding: .utf8)
    }
    return ToolRun.Result(status: process.terminationStatus, output: texts[0], errors: texts[1])
  }

  private func expectFailure(_ result: ToolRun.Result, _ scratch: Scratch) throws {
    #expect([ProcessStatus.missingMedia.rawValue, ProcessStatus.inputOutput.rawValue].contains(result.status))
    let errors = result.errors.split(separator: "\n").filter { $0.hasPrefix("compositor: error: ") }
    #expect(errors.count == 1 && errors[0].contains("a.mp4"), "\(result.errors)")
    #expect(!result.output.contains("\"done\""))
    #expect(try scratch.names() == ["a.mp4"])
  }

  @Test(arguments: 0..<10) func render_sourceCutMeanwhile_failsAndLeavesNothing(_ point: Int) throws {
    let scratch = try Scratch()
    let result = try render(in: scratch) { source in
      let handle = try FileHandle(forWritingTo: source)
      try handle.truncate(atOffset: UInt64(try Self.source.get().count) * UInt64(point) / 10)
      try handle.close()
    }
    try expectFailure(result, scratch)
  }

  @Test(arguments: 0..<10) func render_sourceOverwrittenMeanwhile_failsAndLeavesNothing(_ point: Int) throws {
    let scratch = try Scratch()
    let result = try render(in: scratch) { source in
      let count = try Self.source.get().count
      let handle = try FileHandle(forWritingTo: source)
      try handle.seek(toOffset: UInt64(count * point / 10))
      try handle.write(contentsOf: Data(repeating: 0x5a, count: count / 10))
      try handle.close()
    }
    try expectFailure(result, scratch)
  }

  @Test func render_sourceReplacedMeanwhile_fails() throws {
    let scratch = try Scratch()
    let elsewhere = try Scratch()
    let other = try elsewhere.clip("b.mp4", seconds: 1)
    let result = try render(in: scratch) { source in
      try FileManager.default.removeItem(at: source)
      try Data(contentsOf: other).write(to: source)
    }
    try expectFailure(result, scratch)
    #expect(result.errors.contains("changed"), "\(result.errors)")
  }

  @Test func render_sourceCutMeanwhileAndKept_goesOnAndSaysWhatIsMissing() throws {
    let scratch = try Scratch()
    let result = try render(in: scratch, ["--damaged", "keep"]) { source in
      let handle = try FileHandle(forWritingTo: source)
      try handle.truncate(atOffset: UInt64(try Self.source.get().count / 2))
      try handle.close()
    }
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("warning: a.mp4") && result.errors.contains("changed"), "\(result.errors)")
    let event = try #require(result.output.split(separator: "\n").last)
    #expect(event.contains("\"losses\"") && event.contains("\"changed\""), "\(event)")
    #expect(try ToolRun.streams(scratch.file("x.mkv")).first?["nb_read_frames"] == "900")
  }
}

extension Scratch {
  /// A file for a standard stream, outside of any scratch folder.
  static func stream(named name: String) throws -> (url: URL, handle: FileHandle) {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).\(name)")
    try Data().write(to: url)
    return (url, try FileHandle(forWritingTo: url))
  }
}
