import Foundation
import Testing

/// How many workers there are, and that none outlives the tool, however that ends.
@Suite(.serialized) struct WorkerLifetimeTests {
  @Test func killedTool_leavesNoWorker() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("HANG", fromFrame: 2)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let tool = try workshop.start(["render", project.path, "-o", workshop.scratch.folder.appending(path: "out.mp4").path])
    #expect(workshop.waitForProcesses(1, with: plugin), "no worker was started")
    kill(tool.processIdentifier, SIGKILL)
    tool.waitUntilExit()
    #expect(workshop.isGone(plugin), "a process is left")
  }

  /// The tool and the supervisor of its worker end at the same moment, and the plugin has tried to untie itself from both.
  @Test func killedToolAndSupervisor_leaveNoWorker() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("OUTLIVE", fromFrame: 2)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let tool = try workshop.start(["render", project.path, "-o", workshop.scratch.folder.appending(path: "out.mp4").path])
    #expect(workshop.waitForProcesses(1, with: plugin), "no worker was started")
    usleep(500_000)
    let supervisors = try Self.supervisors(of: tool)
    #expect(!supervisors.isEmpty)
    for process in supervisors + [tool.processIdentifier] { kill(process, SIGKILL) }
    tool.waitUntilExit()
    #expect(workshop.isGone(plugin), "a process is left")
  }

  private static func supervisors(of tool: Process) throws -> [Int32] {
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(tool.processIdentifier)/task")
    return threads.flatMap { thread in
      ((try? String(contentsOfFile: "/proc/\(tool.processIdentifier)/task/\(thread)/children", encoding: .utf8)) ?? "")
        .split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// The tool ends it, and what it watches.
  @Test func supervisorThatDoesNotRespond_leavesNoWorker() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("OUTLIVE", fromFrame: 2)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let tool = try workshop.start([
      "render", project.path, "-o", workshop.scratch.folder.appending(path: "out.mp4").path, "--plugin-deadline", "3",
    ])
    #expect(workshop.waitForProcesses(1, with: plugin), "no worker was started")
    let supervisors = try Self.supervisors(of: tool)
    #expect(!supervisors.isEmpty)
    for process in supervisors { kill(process, SIGSTOP) }
    tool.waitUntilExit()
    #expect(tool.terminationReason == .exit && tool.terminationStatus != 0, "\(tool.terminationStatus)")
    #expect(workshop.isGone(plugin), "a process is left")
  }

  @Test(arguments: ["HANG", "WAIT"]) func interruptedTool_endsSoonAndLeavesNothing(_ deed: String) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile(deed, fromFrame: 2)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let tool = try workshop.start([
      "render", project.path, "-o", workshop.scratch.folder.appending(path: "out.mp4").path, "--plugin-deadline", "600",
    ])
    #expect(workshop.waitForProcesses(1, with: plugin), "no worker was started")
    tool.interrupt()
    tool.waitUntilExit()
    #expect(tool.terminationStatus == 130)
    #expect(workshop.isGone(plugin), "a process is left")
    #expect(try workshop.scratch.names().allSatisfy { !$0.contains("out.mp4") })
  }

  /// Its constructor hangs: the tool waits for it to be opened.
  @Test(arguments: [true, false]) func interruptedTool_whileAPluginIsOpened_endsSoon(_ isListed: Bool) throws {
    let workshop = try PluginWorkshop()
    let source = try workshop.scratch.file(
      "opening.c",
      """
      #include "\(PluginWorkshop.fixtures.path)/early.c"
      __attribute__((constructor)) static void hang(void) { for (;;) pause(); }
      """)
    let plugin = try workshop.compile(source, name: "opening")
    let project = try workshop.scratch.file(
      "p.json5",
      """
      { version: 1, \(isListed ? "plugins: [\"opening.so\"]," : "") assets: { a: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "a", duration: "1s", effects: [{ use: "org.example.early" }] }] }] }
      """)
    let tool = try workshop.start(
      ["render", project.path, "-o", workshop.scratch.folder.appending(path: "out.mp4").path, "--plugin-deadline", "60"],
      environment: ["COMPOSITOR_PLUGIN_PATH": workshop.scratch.folder.path])
    #expect(workshop.waitForProcesses(1, with: plugin), "no worker was started")
    let start = ContinuousClock.now
    tool.interrupt()
    tool.waitUntilExit()
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(tool.terminationStatus == 130)
    #expect(workshop.isGone(plugin), "a process is left")
  }

  /// Every request waits for ever: as many workers stand as may serve at a time.
  @Test(arguments: [("COMPOSITOR_CONCURRENT", 2), ("COMPOSITOR_SERIAL", 1)])
  func parallelRequests_haveAWorkerEachUnlessThePluginIsSerial(_ concurrency: String, _ count: Int) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("WAIT", fromFrame: 0, flags: ["-DCONCURRENCY=\(concurrency)"])
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let tool = try workshop.start([
      "render", project.path, "-o", workshop.scratch.folder.appending(path: "out.mp4").path, "--threads", "4",
      "--plugin-deadline", "600",
    ])
    let expected = min(count, ProcessInfo.processInfo.activeProcessorCount)
    #expect(workshop.waitForProcesses(expected, with: plugin))
    // One more would have come by now: starting a worker takes some tens of milliseconds.
    usleep(500_000)
    let found = workshop.processes(with: plugin).count
    #expect(count == 1 ? found == 1 : found >= expected, "\(found)")
    tool.interrupt()
    tool.waitUntilExit()
    #expect(workshop.isGone(plugin), "a process is left")
  }
}
