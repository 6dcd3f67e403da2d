import CompositorAPI
import CompositorHost
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A project on the standard input.
@Suite struct StandardInputTests {
  private func tool(_ arguments: String, from input: String, in scratch: Scratch) throws -> ToolRun.Result {
    try ToolRun.run(
      URL(filePath: "/bin/bash"), ["-c", "\(input) | \"$0\" \(arguments)", ToolRun.tool.path], in: scratch.folder)
  }

  @Test func project_onTheStandardInput_isReadByEveryCommand() throws {
    let scratch = try Scratch()
    // Paths are relative to the current folder.
    try FileManager.default.createDirectory(at: scratch.folder.appending(path: "media"), withIntermediateDirectories: true)
    _ = try scratch.clip("media/a.mp4", seconds: 0.4)
    _ = try scratch.file(
      "p.json5", "{ version: 1, assets: { a: \"media/${name}.mp4\" }, tracks: [{ clips: [{ asset: \"a\" }] }] }")
    let validated = try tool("validate - --set name=a", from: "cat p.json5", in: scratch)
    #expect(validated.status == 0 && validated.output == "<standard input>: valid\n", "\(validated.errors)")
    let explained = try tool("explain - --set name=a", from: "cat p.json5", in: scratch)
    #expect(explained.status == 0 && explained.output.contains("media/a.mp4"), "\(explained.errors)")
    let framed = try tool("frame - --set name=a --at 0.2s -o still.png", from: "cat p.json5", in: scratch)
    #expect(framed.status == 0, "\(framed.errors)")
    let rendered = try tool("render - --set name=a -o out.mkv --codec ffv1", from: "sed s/x/x/ p.json5", in: scratch)
    #expect(rendered.status == 0, "\(rendered.errors)")
    #expect(try Set(scratch.names()) == ["media", "out.mkv", "p.json5", "still.png"])
  }

  @Test(arguments: [
    (":", "the input is empty", ProcessStatus.invalidProject), ("printf '  \\n '", "the input is empty", .invalidProject),
    ("head -c 5000 /dev/zero", "binary", .invalidProject), ("printf '\\377\\376x'", "UTF-8", .invalidProject),
    ("echo '{ version: 1,\n oops: 1 }'", "<standard input>:2:2", .invalidProject),
    ("head -c 70000000 /dev/zero | tr '\\0' ' '", "67108864 bytes", .invalidProject),
  ]) func input_thatIsNoProject_isNamed(_ input: String, _ words: String, _ status: ProcessStatus) throws {
    let scratch = try Scratch()
    let result = try tool("validate -", from: "(\(input))", in: scratch)
    #expect(result.status == status.rawValue, "\(result.errors)")
    #expect(result.errors.contains(words) && result.errors.contains("<standard input>"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  @Test func input_thatDoesNotCome_canBeInterrupted() throws {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = ["render", "-", "-o", "x.mp4"]
    process.currentDirectoryURL = scratch.folder
    let pipe = Pipe()
    (process.standardInput, process.standardError) = (pipe, FileHandle.nullDevice)
    try process.run()
    // It waits for signals before it waits for the project.
    let deadline = ContinuousClock.now + .seconds(20)
    while try !catchesInterrupts(process), ContinuousClock.now < deadline { usleep(5000) }
    usleep(200_000)
    let start = ContinuousClock.now
    kill(process.processIdentifier, SIGINT)
    while process.isRunning, ContinuousClock.now - start < .seconds(10) { usleep(5000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    #expect(process.terminationStatus == 130 && ContinuousClock.now - start < .seconds(2))
    withExtendedLifetime(pipe) {}
  }

  /// Whether a process has a handler for SIGINT.
  private func catchesInterrupts(_ process: Process) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let mask = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.dropFirst(7)
      .trimmingCharacters(in: .whitespaces)
    return (mask.flatMap { UInt64($0, radix: 16) } ?? 0) & (1 << UInt64(SIGINT - 1)) != 0
  }

  @Test func batch_withAProjectOnTheStandardInput_isRefused() throws {
    let scratch = try Scratch()
    _ = try scratch.file("rows.csv", "name\na\n")
    let result = try tool("render - --batch rows.csv -o '{row}.mp4'", from: "echo '{}'", in: scratch)
    #expect(result.status == 64 && result.errors.contains("standard input"), "\(result.errors)")
  }
}
