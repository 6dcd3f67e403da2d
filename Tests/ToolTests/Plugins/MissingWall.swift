import Foundation
import Testing

/// Runs the tool on a system that seems to lack one of the things that walls are made of, in a process namespace of its own: a plugin
/// that gets through ends nothing else.
struct MissingWall {
  enum Kind: String, CaseIterable, Sendable {
    case nothing, namespaces, landlock, seccomp

    /// What `render` says that the system cannot deny then.
    var missing: String? {
      switch self {
      case .nothing: nil
      case .namespaces: "list of processes"
      case .landlock: "other files"
      case .seccomp: "system calls, sockets of other programs, keys"
      }
    }
  }

  /// What a plugin's attempts came to, and what the tool did.
  struct Run {
    var status: Int32
    var output: String
    var errors: String
    /// By what was tried.
    var outcomes: [String: String]
  }

  static let ordinaryUser: UInt32 = 65534
  let user: UInt32
  let workshop: PluginWorkshop
  private let launcher: URL
  private let secret: URL
  /// One that is listed under its name, and one that was renamed.
  private let sockets: [ListeningSocket]

  /// Makes a launcher, a file that only the user may read, and sockets that listen.
  init(user: UInt32) throws {
    self.user = user
    workshop = try PluginWorkshop()
    launcher = workshop.scratch.folder.appending(path: "without")
    let made = try ToolRun.program(
      "cc", "-O1", "-o", launcher.path, PluginWorkshop.fixtures.appending(path: "without.c").path)
    try #require(made.status == 0, "\(made.errors)")
    secret = try workshop.scratch.file("secret.txt", "of the user")
    let folder = workshop.scratch.folder
    sockets = try ["listed", "first"].map { try ListeningSocket(at: folder.appending(path: $0).path) }
    try FileManager.default.moveItem(at: folder.appending(path: "first"), to: folder.appending(path: "renamed"))
    for (path, mode) in [(secret.path, 0o600), (workshop.scratch.folder.path, 0o755)] {
      let change = ["chown", "\(user)", path]
      if user != geteuid() { try #require(try ToolRun.run(URL(filePath: "/usr/bin/env"), change).status == 0) }
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
  }

  /// Whether the tool runs for this user in a process namespace of its own.
  static func isPossible(for user: UInt32) -> Bool {
    guard let wall = try? MissingWall(user: user) else { return false }
    return (try? wall.run(.nothing, ["--version"]).status) == 0
  }

  /// Runs the tool.
  ///
  /// - Parameter environment: Variables to set, as `NAME=value`.
  func run(_ kind: Kind, _ arguments: [String], environment: [String] = []) throws -> ToolRun.Result {
    var all = environment + ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if geteuid() != 0 { all += ["--user", "--map-current-user"] }
    all += [launcher.path, kind.rawValue, "\(user)", ToolRun.tool.path]
    return try ToolRun.run(URL(filePath: "/usr/bin/env"), all + arguments, in: workshop.scratch.folder)
  }

  /// Runs the tool in a user namespace that allows no more than some user namespaces below it.
  func run(userNamespaces count: Int, _ arguments: [String]) throws -> ToolRun.Result {
    let script = "echo \(count) > /proc/sys/user/max_user_namespaces && exec \"$@\""
    let all = [
      "unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", script, "sh",
    ]
    return try ToolRun.run(URL(filePath: "/usr/bin/env"), all + [ToolRun.tool.path] + arguments, in: workshop.scratch.folder)
  }

  /// Renders with a plugin.
  func render(_ kind: Kind, _ plugin: URL, compositor: String, _ options: [String] = []) throws -> Run {
    let project = try workshop.project(plugin, compositor: compositor)
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    defer {
      for name in ["out.mp4", "secret.txt.new"] {
        try? FileManager.default.removeItem(at: workshop.scratch.folder.appending(path: name))
      }
    }
    let result = try run(kind, ["render", project.path, "-o", output.path, "--progress", "none"] + options)
    var outcomes: [String: String] = [:]
    for line in result.errors.split(separator: "\n") {
      guard let start = line.range(of: "probe: ") else { continue }
      let words = line[start.upperBound...].split(separator: " ", maxSplits: 1).map(String.init)
      if words.count == 2 { outcomes[words[0]] = words[1] }
    }
    return Run(status: result.status, output: result.output, errors: result.errors, outcomes: outcomes)
  }

  /// Compiles the plugin that tries.
  func probe(_ number: Int) throws -> URL {
    try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "wall_probe.c"),
      flags: ["-DPROBE=\(number)", "-DSECRET=\"\(secret.path)\"", "-DFOLDER=\"\(workshop.scratch.folder.path)\""],
      name: "probe\(number)")
  }
}
