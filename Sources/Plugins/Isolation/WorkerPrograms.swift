import CCompositorPluginProcess
import Synchronization
import CompositorPlatform

/// The programs that a plugin's process consists of.
///
/// `compositor-supervisor` is a small program in C; `compositor-worker` is a worker without libavfilter, which loads ten times
/// faster than the tool. Both are found beside the program itself, because installing, bundling and building put
/// them there. They are separate files, and not one that is contained in the library, because a build has them anyway, every
/// system can execute them (one that forbids executing memory would forbid the other way), and the program as an argument
/// stays possible. Where one is missing, the program itself has both roles; see ``PluginSupervisor/runIfAsked()``.
///
/// They are opened once. A program that is updated during a render goes on with what it began with.
struct WorkerPrograms: Sendable {
  let supervisor: Descriptor
  private let worker: Descriptor
  private let program: Descriptor

  private static let opened = Mutex<[String: WorkerPrograms]>([:])

  /// The programs of a program; see ``PluginIsolation/program``.
  ///
  /// - Throws: The system's error if there is no such program.
  static func of(_ program: String) throws(SystemError) -> WorkerPrograms {
    if let known = opened.withLock({ $0[program] }) { return known }
    let own = try open(program)
    let folder = realpath(program, nil).map { path in
      defer { free(path) }
      return String(cString: path).split(separator: "/").dropLast().map { "/\($0)" }.joined()
    }
    func beside(_ name: String) -> Descriptor? {
      guard let path = folder.map({ "\($0)/\(name)" }), access(path, X_OK) == 0 else { return nil }
      return try? open(path)
    }
    var programs = WorkerPrograms(supervisor: own, worker: own, program: own)
    if let supervisor = beside("compositor-supervisor"), let worker = beside("compositor-worker") {
      programs = WorkerPrograms(supervisor: supervisor, worker: worker, program: own)
    }
    opened.withLock { $0[program] = programs }
    return programs
  }

  /// The program that opens a plugin.
  func worker(for specification: PluginSpecification?) -> Descriptor {
    switch specification {
    case .avfilter: program
    case .binary, .frei0r, nil: worker
    }
  }

  private static func open(_ path: String) throws(SystemError) -> Descriptor {
    let number = module_program_open(path)
    guard number >= 0 else { throw SystemError(number: -number) }
    return Descriptor(number)
  }

  /// An error of the system.
  struct SystemError: Error {
    let number: Int32
  }
}
