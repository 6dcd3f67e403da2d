import CompositorHost
import Foundation
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// A tool whose standard streams are not read.
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

  /// Returns when a process has used no processor time for a fifth of a second.
  private func waitUntilIdle(_ identifier: Int32) throws {
    func ticks() throws -> [Substring] {
      let text = try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
      // After the name, which may hold spaces: the state is field 3, user and system time are 14 and 15.
      let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
      return Array(fields[11...12])
    }
    let deadline = ContinuousClock.now + .seconds(20)
    var (last, idle) = (try ticks(), 0)
    while idle < 20, ContinuousClock.now < deadline {
      usleep(10_000)
      let now = try ticks()
      (last, idle) = (now, now == last ? idle + 1 : 0)
    }
    #expect(idle == 20, "the tool is still computing")
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
    // The last line must get through: the tool waits until it is read. It has nothing else to do then.
    try waitUntilIdle(process.processIdentifier)
    #expect(process.isRunning)
    try output.fileHandleForWriting.close()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && text.contains("\"event\":\"completed\""))
    #expect(!text.contains("\"event\":\"progress\""), "\(text)")
    #expect(try scratch.names() == ["p.json5", "x.mp4"])
  }
}
