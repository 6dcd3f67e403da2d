import Foundation
import Testing

/// What the walls around a worker keep from a plugin, on systems that have such walls: `plugins inspect` says which.
@Suite(.serialized) struct ConfinedPluginTests {
  struct Walls: Decodable {
    var network = false
    var processes = false
    var files = false
    var systemCalls = false
    var processList = false
  }
  private struct Inspection: Decodable {
    var sandbox: Walls?
  }

  /// What `plugins inspect` says of this system; nothing where it fails.
  static let sandbox: Walls = {
    guard let workshop = try? PluginWorkshop(), let plugin = try? workshop.hostile("PRINT", fromFrame: 0),
      let said = try? ToolRun.compositor(["plugins", "inspect", plugin.path, "--json"])
    else { return Walls() }
    return (try? JSONDecoder().decode(Inspection.self, from: Data(said.output.utf8)))?.sandbox ?? Walls()
  }()

  /// The error that rendering with a plugin of one deed ends in.
  private func said(
    _ deed: String, at place: String = "", in workshop: PluginWorkshop, _ options: [String] = []
  ) throws -> String {
    let plugin = try workshop.hostile(deed, fromFrame: 1, flags: ["-DPLACE=\"\(place)\""])
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"] + options)
    #expect(result.status != 0)
    return result.errors
  }

  @Test(.enabled(if: sandbox.files, "needs Landlock")) func otherFiles_areDenied() throws {
    let workshop = try PluginWorkshop()
    let secret = try workshop.scratch.file("secret.txt", "of the host")
    #expect(try said("READ_FILE", at: secret.path, in: workshop).contains("the system said: Permission denied"))
    let left = workshop.scratch.folder.appending(path: "left.txt")
    #expect(try said("WRITE_FILE", at: left.path, in: workshop).contains("the system said: Permission denied"))
    #expect(!FileManager.default.fileExists(atPath: left.path))
  }

  @Test(.enabled(if: sandbox.processes, "needs a process namespace")) func otherProcesses_areNotThere() throws {
    let own = ProcessInfo.processInfo.processIdentifier
    let read = try said("READ_FILE", at: "/proc/\(own)/environ", in: PluginWorkshop())
    #expect(read.contains("the system said: "))
    #expect(!read.contains("welcome"))
  }

  @Test func filesOfItsOwn_areReadable() throws {
    let workshop = try PluginWorkshop()
    let folder = workshop.scratch.folder.appending(path: "read_file.resources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let own = try workshop.scratch.file("read_file.resources/table.txt", "of the plugin")
    #expect(try said("READ_FILE", at: own.path, in: workshop).contains("the system said: welcome"))
  }

  @Test(.enabled(if: sandbox.systemCalls, "needs seccomp")) func memoryThatNoLimitCounts_isDenied() throws {
    #expect(try said("SHARED_MEMORY", in: PluginWorkshop()).contains("the system said: Operation not permitted"))
  }

  /// A key or a text beside the plugin is no library because its name has the letters of one's.
  @Test(
    .enabled(if: sandbox.files, "needs Landlock"),
    arguments: [
      ("read_file.so.1", true), ("libother.so.1.2.30", true), ("libother.so", true), ("id.so.pem", false),
      ("a.so.1.txt", false),
      ("a.so1", false), ("a.so.1/b", false),
    ])
  func librariesBesideThePlugin_areReadable_andNoOtherFiles(_ name: String, _ isReadable: Bool) throws {
    let workshop = try PluginWorkshop()
    let file = workshop.scratch.folder.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("beside the plugin".utf8).write(to: file)
    let text = try said("READ_FILE", at: file.path, in: workshop)
    #expect(text.contains("the system said: \(isReadable ? "welcome" : "Permission denied")"), "\(text)")
  }

  /// A link beside the plugin, of the name of its own folder or of a library's, lets it read nothing but what it is.
  @Test(.enabled(if: sandbox.files, "needs Landlock"), arguments: ["read_file.resources", "read_file.so.1"])
  func linksBesideThePlugin_areNotFollowed(_ name: String) throws {
    let workshop = try PluginWorkshop()
    let elsewhere = try Scratch()
    let secret = try elsewhere.file("secret.txt", "of the host")
    try FileManager.default.createSymbolicLink(
      at: workshop.scratch.folder.appending(path: name), withDestinationURL: elsewhere.folder)
    #expect(try said("READ_FILE", at: secret.path, in: workshop).contains("the system said: Permission denied"))
  }

  @Test(.enabled(if: sandbox.systemCalls, "needs seccomp"), arguments: ["CHANGE_MODE", "CHANGE_TIME", "WATCH"])
  func whatOtherFilesAre_cannotBeChangedOrWatched(_ deed: String) throws {
    let workshop = try PluginWorkshop()
    let file = try workshop.scratch.file("mine.txt", "of the user")
    let before = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(try said(deed, at: file.path, in: workshop).contains("the system said: Operation not permitted"))
    let after = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(before[.posixPermissions] as? Int == after[.posixPermissions] as? Int)
    #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
  }

  /// The list that `plugins inspect` shows is the filter's own: each call of it is made, and none gets through.
  @Test(.enabled(if: sandbox.systemCalls, "needs seccomp")) func deniedCalls_areDeniedOneByOne() throws {
    struct Denied: Decodable {
      var deniedCalls: [Call]
    }
    struct Call: Decodable {
      var name: String
      var number: Int
      var error: Int
      var example: [Int]
    }
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("PRINT", fromFrame: 1000)
    let inspected = try ToolRun.compositor(["plugins", "inspect", plugin.path, "--json"])
    let calls = try JSONDecoder().decode(Denied.self, from: Data(inspected.output.utf8)).deniedCalls
    #expect(calls.count > 200)
    let names = Set(calls.map(\.name))
    for name in [
      "fchmodat", "utimensat", "setxattr", "inotify_add_watch", "fanotify_init", "ioctl", "fcntl", "socket", "kill",
      "close_range", "io_setup", "timer_create", "prctl", "memfd_create", "signalfd4", "setsid",
    ] {
      #expect(names.contains(name), "\(name)")
    }
    // Calls that no kernel has yet.
    let newer = [600, 1000, 4000].map { [$0, Int(ENOSYS)] + [Int](repeating: -1, count: 6) }
    let folder = workshop.scratch.folder.appending(path: "calls.resources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let refused = calls.filter { $0.error != 0 }
    let list = try workshop.scratch.file(
      "calls.resources/list.txt",
      (refused.map { [$0.number, $0.error] + $0.example } + newer).map { $0.map(String.init).joined(separator: " ") }
        .joined(separator: "\n"))
    let text = try said("CALLS", at: list.path, in: workshop)
    #expect(text.contains("made \(refused.count + newer.count) calls, 0 were let through"), "\(text)")
    // Those that end the process, one process each.
    for call in calls where call.error == 0 && call.name != "clone" {
      let plugin = try workshop.hostile("CALL_ONE", fromFrame: 1, flags: ["-DNUMBER=\(call.number)"])
      let project = try workshop.project(plugin, compositor: "org.example.hostile")
      let output = workshop.scratch.folder.appending(path: "out.mp4")
      let result = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"])
      #expect(result.status == 69 && result.errors.contains("tried to start a process"), "\(call.name): \(result.errors)")
      #expect(result.errors.contains("(\(call.name))"), "\(call.name): \(result.errors)")
    }
  }

  /// A call that returns an error may be the reason why the plugin fails.
  @Test(
    .enabled(if: sandbox.systemCalls, "needs seccomp"),
    arguments: [
      ("CONNECT", "socket"), ("CHANGE_MODE", "chmod"), ("SHARED_MEMORY", "memfd_create, mmap"), ("URGENT", "sendto"),
      ("FAIL", ""),
    ])
  func deniedCalls_areNamedInTheError(_ deed: String, _ names: String) throws {
    #if arch(x86_64)
      let text = try said(deed, in: PluginWorkshop(), deed == "URGENT" ? ["--plugin-deadline", "1"] : [])
      #expect(text.contains("denied to the plugin so far") == !names.isEmpty, "\(text)")
      for name in names.split(separator: ", ") { #expect(text.contains(name), "\(text)") }
    #endif
  }

  /// The supervisor answers denied calls. It goes on watching, however many there are.
  @Test(.enabled(if: sandbox.systemCalls, "needs seccomp")) func deniedCalls_withoutEnd_endAtTheDeadline() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("DENIED_LOOP", fromFrame: 1)
    let project = try workshop.project(plugin, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let start = ContinuousClock.now
    let result = try ToolRun.compositor([
      "render", project.path, "-o", output.path, "--progress", "none", "--plugin-deadline", "1",
    ])
    #expect(result.status != 0 && result.errors.contains("did not answer"), "\(result.errors)")
    #expect(result.errors.contains("denied to the plugin so far: socket"), "\(result.errors)")
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(workshop.isGone(plugin))
  }

  @Test(.enabled(if: sandbox.systemCalls, "needs seccomp")) func sockets_areDenied() throws {
    #expect(try said("CONNECT", in: PluginWorkshop()).contains("the system said: Operation not permitted"))
  }
}
