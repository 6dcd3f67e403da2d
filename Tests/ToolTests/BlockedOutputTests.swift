import Foundation
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// A tool whose standard streams nobody reads.
@Suite struct BlockedOutputTests {
  /// A pipe that takes nothing more, with its reading end held open.
  private func fullPipe() throws -> Pipe {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    try #require(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0)
    let bytes = [UInt8](repeating: 46, count: 4096)
    while write(descriptor, bytes, bytes.count) > 0 {}
    try #require(errno == EAGAIN && fcntl(descriptor, F_SETFL, flags) == 0)
    return pipe
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))], ["json", "plain", "bar"])
  func signal_whileNobodyReads_endsQuicklyAndLeavesNothing(_ signal: (Int32, Int32), _ style: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project.replacing("\"1s\"", with: "\"20000s\""))
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = ["render", "p.json5", "-o", "x.mp4", "--progress", style]
    process.currentDirectoryURL = scratch.folder
    let (output, errors) = (try fullPipe(), try fullPipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    // The partial output says that it is under way.
    let deadline = ContinuousClock.now + .seconds(20)
    while try scratch.names().count < 2, ContinuousClock.now < deadline { usleep(5000) }
    #expect(try scratch.names().count == 2)
    let start = ContinuousClock.now
    kill(process.processIdentifier, signal.0)
    while process.isRunning, ContinuousClock.now - start < .seconds(10) { usleep(5000) }
    let isLate = process.isRunning
    if isLate { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    #expect(!isLate)
    #expect(process.terminationStatus == signal.1)
    #expect(try scratch.names() == ["p.json5"])
    withExtendedLifetime((output, errors)) {}
  }

  @Test func progress_thatNobodyReads_doesNotHoldUpTheRender() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project.replacing("\"1s\"", with: "\"4s\""))
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = ["render", "p.json5", "-o", "x.mp4", "--progress", "json"]
    process.currentDirectoryURL = scratch.folder
    let output = try fullPipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    let deadline = ContinuousClock.now + .seconds(30)
    while try !scratch.names().contains("x.mp4"), ContinuousClock.now < deadline { usleep(5000) }
    // The last line must get through: the tool waits until it is read.
    #expect(process.isRunning)
    try output.fileHandleForWriting.close()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && text.contains("\"event\":\"completed\""))
    // The output has its name a moment before the last progress is told, which may find the pipe open.
    let told = text.matches(of: /"phase":"([a-z]+)"/).map { String($0.1) }
    #expect(told.allSatisfy { $0 == "completed" } && told.count <= 1, "\(told)")
    #expect(try scratch.names() == ["p.json5", "x.mp4"])
  }
}
