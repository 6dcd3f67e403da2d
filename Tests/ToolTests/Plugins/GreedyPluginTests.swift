import Foundation
import Testing

/// Plugins that take memory in every way there is: each is denied, or ended at the limit, and the tool lives.
@Suite(.serialized) struct GreedyPluginTests {
  struct Way: CustomTestStringConvertible {
    var number: Int
    var name: String
    /// What the error says. Where it is a number of MiB, that is within a tenth of the limit.
    var says: String
    /// Whether it maps frames that the host lent, so often that they are most of its memory. They do not count.
    var copiesFrames = false
    var testDescription: String { name }
  }

  private static let limit = 256
  private static let first = "ended the first thread of its process"
  static let ways = [
    Way(number: 1, name: "heap", says: "was denied"), Way(number: 2, name: "private mapping", says: "was denied"),
    Way(number: 3, name: "page tables", says: "was denied"),
    Way(number: 4, name: "address space made writable", says: "was denied"),
    Way(number: 5, name: "a mapping that grows", says: "was denied"), Way(number: 6, name: "program break", says: "was denied"),
    Way(number: 7, name: "stacks of threads", says: "was denied"), Way(number: 8, name: "files in memory", says: "was denied"),
    Way(number: 9, name: "shared mapping", says: "was denied"), Way(number: 10, name: "device of zeros", says: "was denied"),
    Way(number: 11, name: "System V", says: "was denied"), Way(number: 12, name: "sockets", says: "was denied"),
    Way(number: 13, name: "page tables without a first thread", says: first),
    Way(number: 14, name: "mapping without a first thread", says: first),
    Way(number: 19, name: "pages made read-only", says: "MiB of memory; its limit is 256 MiB", copiesFrames: true),
  ]

  /// The most memory of processes started by the tool, sampled while it runs: private, swapped, of page tables and, if that is
  /// asked for, shared, in MiB.
  private final class Peak: @unchecked Sendable {
    private let lock = NSLock()
    private var mebibytes = 0.0
    private var isOver = false

    init(of process: Int32, withShared: Bool) {
      let kinds = ["RssAnon:", "VmSwap:", "VmPTE:"] + (withShared ? ["RssShmem:"] : [])
      let thread = Thread { [self] in
        while lock.withLock({ !isOver }) {
          let sum = Peak.tree(process).dropFirst().map { Peak.mebibytes($0, kinds) }.max() ?? 0
          lock.withLock { mebibytes = max(mebibytes, sum) }
          usleep(2000)
        }
      }
      thread.start()
    }

    func end() -> Double {
      lock.withLock {
        isOver = true
        return mebibytes
      }
    }

    private static func tree(_ process: Int32) -> [Int32] {
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
      let children = threads.flatMap { thread in
        ((try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)) ?? "")
          .split(separator: " ").compactMap { Int32($0) }
      }
      return [process] + children.flatMap(tree)
    }

    /// Of any thread that still has memory.
    private static func mebibytes(_ process: Int32, _ kinds: [String]) -> Double {
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
      for thread in threads {
        let text = (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8)) ?? ""
        guard text.contains("VmPTE:") else { continue }
        return text.split(separator: "\n").filter { line in kinds.contains { line.hasPrefix($0) } }.reduce(0) {
          $0 + (Double($1.filter(\.isNumber)) ?? 0)
        } / 1024
      }
      return 0
    }
  }

  private static let isWhole = ConfinedPluginTests.sandbox.systemCalls && ConfinedPluginTests.sandbox.files

  @Test(.enabled(if: isWhole, "needs seccomp and Landlock"), arguments: ways)
  func memory_takenInAnyWay_endsAtTheLimit(_ way: Way) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "greedy.c"), flags: ["-DWAY=\(way.number)", "-pthread"], name: "greedy")
    let project = try workshop.project(plugin, compositor: "org.example.greedy")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = [
      "render", project.path, "-o", output.path, "--progress", "none", "--plugin-memory", "\(Self.limit)", "--threads", "1",
    ]
    let errors = workshop.scratch.folder.appending(path: "errors.txt")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let peak = Peak(of: process.processIdentifier, withShared: !way.copiesFrames)
    process.waitUntilExit()
    let most = peak.end()
    let said = try String(contentsOf: errors, encoding: .utf8)
    print("\(way.name): at most \(Int(most)) MiB, status \(process.terminationStatus)")
    #expect(process.terminationReason == .exit && process.terminationStatus == 69, "\(said)")
    #expect(said.contains(way.says), "\(said)")
    #expect(!said.contains("took all"), "\(said)")
    #expect(most <= Double(Self.limit) * 1.1, "\(most) MiB")
    if let match = said.firstMatch(of: /used (\d+) MiB/) {
      #expect((Self.limit...Self.limit * 11 / 10).contains(Int(match.1) ?? 0), "\(match.1) MiB")
    }
    #expect(!FileManager.default.fileExists(atPath: output.path))
    #expect(workshop.isGone(plugin), "a process is left")
  }

  /// The supervisor of the plugin shows its messages, and must not wait for a reader meanwhile.
  @Test(.enabled(if: isWhole, "needs seccomp and Landlock"))
  func memory_takenWhileATerminalTakesNoMessages_endsAtTheLimit() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "greedy.c"), flags: ["-DWAY=21", "-pthread"], name: "greedy")
    let project = try workshop.project(plugin, compositor: "org.example.greedy")
    var (terminal, other): (Int32, Int32) = (-1, -1)
    try #require(openpty(&terminal, &other, nil, nil, nil) == 0)
    defer { close(terminal) }
    let process = Process()
    process.executableURL = ToolRun.tool
    process.arguments = [
      "render", project.path, "-o", workshop.scratch.folder.appending(path: "out.mp4").path, "--progress", "none",
      "--plugin-memory", "\(Self.limit)", "--threads", "1",
    ]
    process.standardError = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let peak = Peak(of: process.processIdentifier, withShared: true)
    sleep(5)
    let most = peak.end()
    // The tool itself waits for its reader to show its error.
    let reader = Thread { [terminal] in
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while read(terminal, &bytes, bytes.count) > 0 {}
    }
    reader.start()
    process.waitUntilExit()
    #expect(process.terminationStatus == 69)
    #expect(most <= Double(Self.limit) * 1.1, "\(most) MiB")
    #expect(workshop.isGone(plugin), "a process is left")
  }

  /// What the kernel limits one by one is added up: a mapping and page tables, neither of which exceeds the limit.
  @Test(.enabled(if: isWhole, "needs seccomp and Landlock")) func memoryOfTwoKinds_endsAtTheLimit() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "greedy.c"), flags: ["-DWAY=15", "-pthread"], name: "greedy")
    let project = try workshop.project(plugin, compositor: "org.example.greedy")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", output.path, "--progress", "none", "--plugin-memory", "1024", "--threads", "1"])
    #expect(result.status == 69, "\(result.errors)")
    #expect(
      result.errors.contains("MiB of memory; its limit is 1024 MiB") && !result.errors.contains("took all"), "\(result.errors)")
    #expect(workshop.isGone(plugin), "a process is left")
  }

  /// What the kernel counts for the user, so that other programs lack what a plugin takes.
  @Test(
    .enabled(if: isWhole, "needs seccomp and Landlock"),
    arguments: [(16, "signals", 256), (17, "descriptors", 0), (20, "watches", 256)])
  func shareOfTheUser_isLimited(_ way: Int, _ name: String, _ most: Int) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "greedy.c"), flags: ["-DWAY=\(way)", "-pthread"], name: "greedy")
    let project = try workshop.project(plugin, compositor: "org.example.greedy")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", output.path, "--progress", "none", "--threads", "1"])
    #expect(result.status == 69 && result.errors.contains("was denied"), "\(result.errors)")
    let counted = try #require(result.errors.firstMatch(of: try Regex("greedy: ([0-9]+) \(name) wait")), "\(result.errors)")
    #expect(Int(counted[1].substring ?? "").map { $0 <= most } == true, "\(result.errors)")
  }

  @Test(.enabled(if: ConfinedPluginTests.sandbox.systemCalls, "needs seccomp"))
  func threadOfEachFrame_isFoundByTheCheck() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "greedy.c"), flags: ["-DWAY=18", "-pthread"], name: "greedy")
    let result = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(result.status == 65 && !result.output.contains("left nothing behind"), "\(result.output)")
    #expect(result.output.contains("threads behind"), "\(result.output)")
    #expect(!result.output.contains("is too small for"), "\(result.output)")
  }

  /// The supervisor lets each thread through, so that it finds too many at once.
  @Test(.enabled(if: ConfinedPluginTests.sandbox.systemCalls, "needs seccomp")) func threads_endAtTheLimit() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("THREADS", fromFrame: 0)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", output.path, "--progress", "none", "--threads", "1"])
    #expect(result.status == 69, "\(result.errors)")
    let counted = try #require(result.errors.firstMatch(of: /had (\d+) threads; its limit is 512/), "\(result.errors)")
    #expect(Int(counted.1).map { (513...528).contains($0) } == true, "\(result.errors)")
  }

  /// The kernel shows a process's groups before what it uses: 900 of them take several thousand bytes.
  @Test(.enabled(if: canChangeGroups, "needs root and setpriv"))
  func threads_ofAUserWithManyGroups_areLimited() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("THREADS", fromFrame: 0)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let groups = (0..<900).map { "\(70000 + $0 * 7)" }.joined(separator: ",")
    let result = try ToolRun.run(
      URL(filePath: "/usr/bin/setpriv"),
      [
        "--groups=\(groups)", ToolRun.tool.path, "render", project.path, "-o", output.path, "--progress", "none", "--threads",
        "1",
      ])
    #expect(result.status == 69 && result.errors.contains("threads; its limit is 512"), "\(result.errors)")
  }

  private static let canChangeGroups = getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

  /// Checks, too, run behind the same walls.
  @Test(.enabled(if: ConfinedPluginTests.sandbox.systemCalls, "needs seccomp"), arguments: [2, 3, 8])
  func memory_takenInACheck_endsAtTheLimit(_ way: Int) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "greedy.c"), flags: ["-DWAY=\(way)", "-pthread"], name: "greedy")
    let result = try ToolRun.compositor(["plugins", "check", plugin.path, "--plugin-memory", "\(Self.limit)"])
    #expect(result.status == 65, "\(result.errors)")
    #expect(
      result.output.contains(way == 2 ? "three quarters of its limit of 256 MiB may stay" : "was denied"), "\(result.output)")
    #expect(!result.output.contains("took all"), "\(result.output)")
  }
}
