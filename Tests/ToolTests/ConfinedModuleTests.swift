import Foundation
import Testing

/// What the walls around a helper keep from a module, on systems that have such walls: `plugins inspect` says which.
@Suite(.serialized) struct ConfinedModuleTests {
  struct Walls: Decodable {
    var network = false
    var processes = false
    var files = false
    var systemCalls = false
  }
  private struct Inspection: Decodable {
    var walls: Walls?
  }

  /// What `plugins inspect` says of this system; nothing where it fails.
  static let walls: Walls = {
    guard let workshop = try? PluginWorkshop(), let module = try? workshop.hostile("PRINT", fromFrame: 0),
      let said = try? ToolRun.compositor(["plugins", "inspect", module.path, "--json"])
    else { return Walls() }
    return (try? JSONDecoder().decode(Inspection.self, from: Data(said.output.utf8)))?.walls ?? Walls()
  }()

  /// The error that rendering with a module of one deed ends in.
  private func said(_ deed: String, at place: String = "", in workshop: PluginWorkshop) throws -> String {
    let module = try workshop.hostile(deed, fromFrame: 1, flags: ["-DPLACE=\"\(place)\""])
    let project = try workshop.project(module, compositor: "org.example.hostile")
    let output = workshop.scratch.folder.appending(path: "out.mp4")
    let result = try ToolRun.compositor(["render", project.path, "-o", output.path, "--progress", "none"])
    #expect(result.status != 0)
    return result.errors
  }

  @Test(.enabled(if: walls.files, "needs Landlock")) func otherFiles_areDenied() throws {
    let workshop = try PluginWorkshop()
    let secret = try workshop.scratch.file("secret.txt", "of the host")
    #expect(try said("READ_FILE", at: secret.path, in: workshop).contains("the system said: Permission denied"))
    let left = workshop.scratch.folder.appending(path: "left.txt")
    #expect(try said("WRITE_FILE", at: left.path, in: workshop).contains("the system said: Permission denied"))
    #expect(!FileManager.default.fileExists(atPath: left.path))
  }

  @Test(.enabled(if: walls.processes, "needs a process namespace")) func otherProcesses_areNotThere() throws {
    let own = ProcessInfo.processInfo.processIdentifier
    let read = try said("READ_FILE", at: "/proc/\(own)/environ", in: PluginWorkshop())
    #expect(read.contains("the system said: "))
    #expect(!read.contains("welcome"))
  }

  @Test func filesOfItsOwn_areReadable() throws {
    let workshop = try PluginWorkshop()
    let folder = workshop.scratch.folder.appending(path: "read_file")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let own = try workshop.scratch.file("read_file/table.txt", "of the module")
    #expect(try said("READ_FILE", at: own.path, in: workshop).contains("the system said: welcome"))
  }

  @Test(.enabled(if: walls.systemCalls, "needs seccomp")) func memoryThatNoLimitCounts_isDenied() throws {
    #expect(try said("SHARED_MEMORY", in: PluginWorkshop()).contains("the system said: Operation not permitted"))
  }

  @Test(.enabled(if: walls.systemCalls, "needs seccomp")) func sockets_areDenied() throws {
    #expect(try said("CONNECT", in: PluginWorkshop()).contains("the system said: Operation not permitted"))
  }
}
