import Foundation
import Testing

/// What a plugin can do where one of the things that walls are made of is missing. The table in docs/plugins.md is what these print.
@Suite(.serialized) struct MissingWallTests {
  private struct Row {
    var deed: String
    var outcomes: [String]

    init(_ deed: String, _ outcomes: String...) { (self.deed, self.outcomes) = (deed, outcomes) }
    var text: String { "| " + ([deed] + outcomes).joined(separator: " | ") + " |" }
  }

  /// With everything, without namespaces, without Landlock, without seccomp.
  private static let expected = [
    Row("read another file of the user", "denied", "denied", "**possible**", "denied"),
    Row("write a file", "denied", "denied", "denied", "denied"),
    Row("change a file's mode", "denied", "denied", "denied", "**possible**"),
    Row("watch a file", "denied", "denied", "denied", "**possible**"),
    Row("send over the network", "denied", "denied", "denied", "possible, without interfaces"),
    Row("connect to a Unix socket", "denied", "denied", "denied", "not there"),
    Row("connect to a Unix socket that was renamed", "denied", "denied", "denied", "**possible**"),
    Row("read a key of the user's session", "denied", "denied", "denied", "not there"),
    Row("have a pipe send signals to others", "denied", "denied", "denied", "possible, of its own processes"),
    Row("use capabilities", "none", "none", "none", "none"),
    Row("map memory that grows downwards", "denied", "denied", "denied", "possible"),
    Row("see which processes there are", "not there", "**possible**", "not there", "not there"),
    Row("read another process's environment", "not there", "denied", "not there", "not there"),
    Row("keep memory in a file that isn't mapped", "denied", "denied", "denied", "denied"),
    Row("start a process", "ended", "ended", "ended", "possible, ended with the worker"),
    Row("signal everybody, its group, its parent", "denied", "denied", "denied", "nothing happens"),
    Row("open a source again to write to it", "denied", "denied", "denied", "denied"),
  ]
  /// What the plugin calls the first rows.
  private static let probes = [
    "read", "write", "mode", "watch", "socket", "listed", "renamed", "key", "owner", "capabilities", "grow", "list",
    "environment", "memory",
  ]

  private static let isWhole: Bool = {
    let sandbox = ConfinedPluginTests.sandbox
    return sandbox.files && sandbox.systemCalls && sandbox.processes && sandbox.processList
  }()

  @Test(
    .enabled(if: isWhole, "needs namespaces, Landlock and seccomp"),
    .enabled(if: geteuid() == 0 && MissingWall.isPossible(for: 0), "needs root and a process namespace"))
  func root_withoutEachWall_reachesWhatTheTableSays() throws { try check(user: 0) }

  @Test(
    .enabled(if: isWhole, "needs namespaces, Landlock and seccomp"),
    .enabled(if: MissingWall.isPossible(for: ordinary), "needs a process namespace, and a tool that other users can run"))
  func ordinaryUser_withoutEachWall_reachesWhatTheTableSays() throws { try check(user: Self.ordinary) }

  private static let ordinary = geteuid() == 0 ? MissingWall.ordinaryUser : geteuid()

  private func check(user: UInt32) throws {
    let wall = try MissingWall(user: user)
    let columns = try MissingWall.Kind.allCases.map { try column(of: wall, without: $0) }
    print("As user \(user), without nothing, namespaces, Landlock, seccomp:")
    for (index, row) in Self.expected.enumerated() {
      let outcomes = columns.map { $0[index] }
      print("| \(row.deed) | \(outcomes.joined(separator: " | ")) |")
      #expect(outcomes == row.outcomes.map { $0.replacing("**", with: "") }, "\(row.deed)")
    }
  }

  /// What each deed comes to where something is missing.
  private func column(of wall: MissingWall, without kind: MissingWall.Kind) throws -> [String] {
    let probes = try [1, 2, 3].map { try wall.probe($0) }
    let first = try wall.render(kind, probes[0], compositor: "org.example.probe")
    #expect(first.status == 0, "\(first.errors)")
    try checkWarning(of: wall, without: kind, first, probes[0])
    let process = try wall.render(kind, probes[1], compositor: "org.example.probe")
    let isOver = wall.workshop.isGone(probes[1])
    let start =
      !isOver
      ? "left running"
      : process.status == 69 && process.errors.contains("tried to start a process")
        ? "ended" : "\(process.outcomes["process"] ?? process.errors), ended with the worker"
    let signal = try wall.render(kind, probes[2], compositor: "org.example.probe")
    // The tool is one of the processes that were signaled.
    let lives = signal.status == 0 && signal.outcomes["signal"] == "possible"
    let thief = try wall.workshop.hostile("STEAL_SOURCE", fromFrame: 1)
    let source = try wall.render(kind, thief, compositor: "org.example.hostile")
    return Self.probes.map { first.outcomes[$0] ?? "nothing said" }
      + [start, lives ? "nothing happens" : signal.outcomes["signal"] ?? signal.errors]
      + [source.errors.contains("saw sources 1, opened 0") ? "denied" : source.errors]
  }

  /// `render` warns once about missing protections, and refuses to run without them on request.
  private func checkWarning(
    of wall: MissingWall, without kind: MissingWall.Kind, _ run: MissingWall.Run, _ plugin: URL
  ) throws {
    let whole = try wall.render(kind, plugin, compositor: "org.example.probe", ["--require-isolation"])
    guard let missing = kind.missing else {
      #expect(!run.errors.contains("cannot deny plugins"), "\(run.errors)")
      #expect(whole.status == 0, "\(whole.errors)")
      return
    }
    let parts = run.errors.components(separatedBy: "warning: this system cannot deny plugins: ")
    try #require(parts.count == 2, "\(kind): \(run.errors)")
    #expect(parts[1].hasPrefix("\(missing) ("), "\(kind): \(run.errors)")
    #expect(whole.status == 69, "\(kind): \(whole.errors)")
    #expect(whole.errors.contains("cannot deny plugins: \(missing)."), "\(kind): \(whole.errors)")
    #expect(whole.outcomes.isEmpty, "\(kind): the plugin was asked for a frame")
  }

  /// The host ends a worker that sends them: waiting for them would begin again with each.
  @Test(.enabled(if: MissingWall.isPossible(for: geteuid()), "needs a process namespace"))
  func urgentBytes_withoutSeccomp_endTheWorker() throws {
    let wall = try MissingWall(user: geteuid())
    let plugin = try wall.workshop.hostile("URGENT", fromFrame: 1)
    let start = ContinuousClock.now
    let run = try wall.render(.seccomp, plugin, compositor: "org.example.hostile", ["--plugin-deadline", "60"])
    #expect(run.status == 69 && run.errors.contains("sent an invalid message"), "\(run.status) \(run.errors)")
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  /// A limit of the system may be reached after the first worker has started, of which people are told.
  @Test(
    .enabled(if: isWhole, "needs namespaces, Landlock and seccomp"),
    .enabled(if: isLimitable, "needs user namespaces within each other"))
  func laterWorkers_haveTheWallsOfTheFirst() throws {
    let wall = try MissingWall(user: geteuid())
    let project = try wall.workshop.project(wall.probe(4), compositor: "org.example.probe")
    let output = wall.workshop.scratch.folder.appending(path: "out.mp4")
    let render = ["render", project.path, "-o", output.path, "--range", "0s..0.8s", "--overwrite", "--progress", "none"]
    let run = try wall.run(userNamespaces: 2, render)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("probe: list not there"), "\(run.errors)")
    #expect(!run.errors.contains("probe: list possible"), "\(run.errors)")
    #expect(!run.errors.contains("cannot deny plugins"), "\(run.errors)")
    // Without any for the first one, nothing is kept from the others, and the one warning says so.
    let without = try wall.run(userNamespaces: 0, render)
    #expect(without.status == 0, "\(without.errors)")
    #expect(without.errors.components(separatedBy: "cannot deny plugins: list of processes (").count == 2, "\(without.errors)")
  }

  private static var isLimitable: Bool { (try? MissingWall(user: geteuid()).run(userNamespaces: 9, ["--version"]).status) == 0 }

  /// The options for plugins are the plan's, so that rendering it takes none.
  @Test(.enabled(if: MissingWall.isPossible(for: geteuid()), "needs a process namespace"))
  func warningOfAPlan_namesTheCommandThatMakesIt() throws {
    let wall = try MissingWall(user: geteuid())
    let project = try wall.workshop.project(wall.probe(0), compositor: "org.example.probe")
    let plan = wall.workshop.scratch.folder.appending(path: "plan.json").path
    let planned = try wall.run(.seccomp, ["plan", project.path, "--segments", "1", "-o", plan])
    #expect(planned.status == 0 && planned.errors.contains("(--require-isolation refuses to go on)"), "\(planned.errors)")
    let rendered = try wall.run(.seccomp, ["render", "--plan", plan])
    #expect(rendered.status == 0, "\(rendered.errors)")
    #expect(rendered.errors.contains("(`compositor plan --require-isolation` refuses to go on)"), "\(rendered.errors)")
  }

  @Test func table_inTheDocuments_isThisOne() throws {
    let text = try String(contentsOf: ToolRun.root.appending(path: "docs/plugins.md"), encoding: .utf8)
    let table = Self.expected.map(\.text).joined(separator: "\n")
    #expect(text.contains(table), "docs/plugins.md should have:\n\(table)")
  }
}
