import CompositorPlugins
import Foundation
import Testing

/// The programs of a plugin's processes, beside the tool, and what they cost.
@Suite(.serialized) struct WorkerProgramTests {
  private struct Member {
    var pid: Int
    var program: String
    var privateKibibytes: Int
  }

  /// A plugin whose constructor takes long, so that it can be looked at.
  private static func sleeper(_ workshop: PluginWorkshop) throws -> URL {
    let source = try workshop.scratch.file(
      "sleeper.c", "#include <unistd.h>\n__attribute__((constructor)) static void wait(void) { sleep(600); }\n")
    return try workshop.compile(source, name: "sleeper")
  }

  private static func children(of pid: Int) -> [Int] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    return threads.flatMap { thread in
      ((try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/children", encoding: .utf8)) ?? "")
        .split(separator: " ").compactMap { Int($0) }
    }
  }

  private static func member(_ pid: Int) throws -> Member {
    let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
    let sizes = try String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8)
    let line = sizes.split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
    return Member(
      pid: pid, program: URL(filePath: path).lastPathComponent,
      privateKibibytes: line.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
  }

  /// Supervisor and worker of a tool that opens a plugin; the tool is ended.
  private static func members(_ tool: URL, opening plugin: URL, _ workshop: PluginWorkshop) throws -> [Member] {
    let process = Process()
    process.executableURL = tool
    process.arguments = ["plugins", "inspect", plugin.path]
    for stream in [\Process.standardInput, \Process.standardOutput, \Process.standardError] {
      process[keyPath: stream] = FileHandle.nullDevice
    }
    try process.run()
    defer {
      process.interrupt()
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try #require(workshop.waitForProcesses(1, with: plugin), "no worker was started")
    let supervisor = try #require(children(of: Int(process.processIdentifier)).first)
    let worker = try #require(children(of: supervisor).first)
    return try [member(supervisor), member(worker)]
  }

  /// The tool in a folder of its own.
  private static func tool(aloneIn workshop: PluginWorkshop) throws -> URL {
    let folder = workshop.scratch.folder.appending(path: "alone")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let tool = folder.appending(path: "compositor")
    do {
      try FileManager.default.linkItem(at: ToolRun.tool, to: tool)
    } catch {
      try FileManager.default.copyItem(at: ToolRun.tool, to: tool)
    }
    return tool
  }

  @Test func processesOfAPlugin_areTheProgramsBesideTheTool_andTakeLittleMemory() throws {
    let workshop = try PluginWorkshop()
    let members = try Self.members(ToolRun.tool, opening: Self.sleeper(workshop), workshop)
    #expect(members.map(\.program) == ["compositor-supervisor", "compositor-worker"])
    let sum = members.reduce(0) { $0 + $1.privateKibibytes }
    print("a worker takes \(sum) KiB of private memory, \(members[0].privateKibibytes) of them its supervisor")
    #expect(sum > 0 && sum <= 3 << 10, "\(sum) KiB")
  }

  /// Processor time of the children of this process that have ended, with theirs.
  private static var childrenTime: Duration {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(.zero) { $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec) }
  }

  /// From the start of the supervisor to the description of a plugin, whose own part is small, and the end. Processor time, since
  /// other processes of the machine take the other, and the least of some counts.
  @Test func workers_startIn20Milliseconds() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("PRINT", fromFrame: 1000)
    let isolation = PluginIsolation(program: ToolRun.tool.path, workerCount: 1, isQuiet: true)
    var passed: [Duration] = []
    var used: [Duration] = []
    for _ in 0..<12 {
      let start = (ContinuousClock.now, Self.childrenTime)
      let count = try IsolatedPlugin(.binary(path: plugin.path), isolation: isolation).factories.count
      #expect(count == 1)
      passed.append(ContinuousClock.now - start.0)
      used.append(Self.childrenTime - start.1)
    }
    print("a worker starts in \(passed.min() ?? .zero), of which the processor works for \(used.min() ?? .zero)")
    #expect(used.allSatisfy { $0 > .zero } && used.contains { $0 < .milliseconds(20) }, "\(used)")
  }

  @Test func toolAlone_isItsOwnSupervisorAndWorker() throws {
    let workshop = try PluginWorkshop()
    let tool = try Self.tool(aloneIn: workshop)
    let members = try Self.members(tool, opening: Self.sleeper(workshop), workshop)
    #expect(members.map(\.program) == ["compositor", "compositor"])
    let plugin = try workshop.hostile("CRASH", fromFrame: 1000)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let sums = try [ToolRun.tool, tool].map { tool in
      let output = workshop.scratch.folder.appending(path: "out.mkv")
      let result = try ToolRun.run(
        tool, ["render", project.path, "-o", output.path, "--progress", "none", "--overwrite"])
      #expect(result.status == 0, "\(result.errors)")
      return try ToolRun.program("ffmpeg", "-v", "error", "-i", output.path, "-f", "framemd5", "-").output
    }
    #expect(sums[0] == sums[1] && !sums[0].isEmpty)
  }

  /// Programs that were not installed together are refused before anything of a plugin is opened.
  @Test(arguments: ["compositor-supervisor", "compositor-worker"])
  func programsOfAnotherVersion_areRefused(_ name: String) throws {
    let workshop = try PluginWorkshop()
    let tool = try Self.tool(aloneIn: workshop)
    let folder = tool.deletingLastPathComponent()
    for name in ["compositor-supervisor", "compositor-worker"] {
      try FileManager.default.copyItem(
        at: ToolRun.tool.deletingLastPathComponent().appending(path: name), to: folder.appending(path: name))
    }
    let other = folder.appending(path: name)
    let own = folder.appending(path: "\(name)-own")
    try FileManager.default.moveItem(at: other, to: own)
    // As if the tool were newer: the interface's number is the argument after the role.
    let source = try workshop.scratch.file(
      "other.c",
      """
      #include <unistd.h>
      int main(int argc, char *argv[]) {
        if (argc > 3) argv[3] = "1";
        return execv("\(own.path)", argv);
      }

      """)
    let made = try ToolRun.program("cc", "-o", other.path, source.path)
    try #require(made.status == 0, "\(made.errors)")
    let plugin = try workshop.hostile("PRINT", fromFrame: 1000)
    let result = try ToolRun.run(tool, ["plugins", "inspect", plugin.path])
    #expect(result.status == 69, "\(result.output)")
    #expect(result.errors.contains("is of another version"), "\(result.errors)")
  }

  @Test func programs_startedByHand_sayWhatTheyAre() throws {
    for name in ["compositor-supervisor", "compositor-worker"] {
      let program = ToolRun.tool.deletingLastPathComponent().appending(path: name)
      let result = try ToolRun.run(program, [])
      #expect(result.status == 64)
      #expect(result.errors.contains("\(name): the tool “compositor” starts this program"), "\(result.errors)")
    }
  }
}
