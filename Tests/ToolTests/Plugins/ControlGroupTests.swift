import Foundation
import Testing

/// A control group for each worker, where the system lends the tool one.
@Suite(.serialized) struct ControlGroupTests {
  private static let root = URL(filePath: "/sys/fs/cgroup")

  /// A new group below this process's own, as a service manager makes one for a program; `nil` if the system allows none with
  /// limits.
  private static func lentGroup() -> URL? {
    guard FileManager.default.fileExists(atPath: root.appending(path: "cgroup.controllers").path),
      let own = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8).split(separator: "\n").first(where: {
        $0.hasPrefix("0::")
      })
    else { return nil }
    let group = root.appending(path: "\(own.dropFirst(3))/test-\(UUID().uuidString)")
    guard mkdir(group.path, 0o755) == 0 else { return nil }
    // As systemd marks a group that it lends. Swift's module of the C library lacks the function.
    typealias SetAttribute = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
    let isMarked =
      dlsym(nil, "setxattr").map { unsafeBitCast($0, to: SetAttribute.self)(group.path, "user.delegate", "1", 1, 0) == 0 }
      ?? false
    let hasLimits = ["memory.max", "pids.max"].allSatisfy {
      FileManager.default.fileExists(atPath: group.appending(path: $0).path)
    }
    if isMarked && hasLimits { return group }
    rmdir(group.path)
    return nil
  }

  private static let isPossible: Bool = {
    guard let group = lentGroup() else { return false }
    rmdir(group.path)
    return true
  }()

  private static func text(_ url: URL) -> String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

  private static func groups(in group: URL, _ prefix: String) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: group.path)) ?? []
    return names.filter { $0.hasPrefix(prefix) }.map { group.appending(path: $0) }
  }

  @Test(.enabled(if: isPossible, "the system lends no control group with limits of memory and processes"))
  func workers_haveGroupsWithLimits_thatEndWithThem() throws {
    let group = try #require(Self.lentGroup())
    defer { for group in Self.groups(in: group, "compositor-") + [group] { rmdir(group.path) } }
    let workshop = try PluginWorkshop()
    let source = try workshop.scratch.file(
      "sleeper.c", "#include <unistd.h>\n__attribute__((constructor)) static void wait(void) { sleep(600); }\n")
    let plugin = try workshop.compile(source, name: "sleeper")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "echo $$ >\"$0\" && exec \"$@\"", group.appending(path: "cgroup.procs").path, ToolRun.tool.path, "plugins",
      "inspect", plugin.path, "--plugin-memory", "256",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    #expect(workshop.waitForProcesses(1, with: plugin), "no worker was started")
    let worker = try #require(Self.groups(in: group, "compositor-worker-").first)
    #expect(Self.text(worker.appending(path: "memory.max")) == "\((256 + 32 + 64) << 20)\n")
    #expect(Self.text(worker.appending(path: "pids.max")) == "520\n")
    let members = Self.text(worker.appending(path: "cgroup.procs")).split(separator: "\n").map(String.init)
    #expect(members == workshop.processes(with: plugin))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(workshop.isGone(plugin))
    for _ in 0..<50 where !Self.groups(in: group, "compositor-worker-").isEmpty { usleep(20_000) }
    #expect(Self.groups(in: group, "compositor-worker-").isEmpty)
  }
}
