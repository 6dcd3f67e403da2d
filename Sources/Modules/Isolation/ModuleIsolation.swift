/// How modules are run in processes of their own.
public struct ModuleIsolation: Hashable, Sendable {
  /// The program that serves as helper: the tool `compositor`, or whatever else calls ``ModuleHelper/runIfAsked()`` first.
  public var program: String
  /// How long a call to a module may take before its process is ended; 10 s unless set, > 0.
  public var deadline: Duration
  /// Private memory that a module may have, in bytes; 2 GiB unless set, at least 64 MiB.
  public var memoryLimit: UInt64
  /// Helper processes that one module may have at a time, 1 … 64; as many as processors unless set.
  public var helperCount: Int
  /// What the walls are put up with: everything that the system offers, unless a test takes something away.
  package var walls: ModuleWallKinds
  /// Whether what modules write to the standard error stream is thrown away; else it appears on this process's.
  public var isQuiet: Bool

  /// Describes isolation.
  public init(
    program: String = "/proc/self/exe", deadline: Duration = .seconds(10), memoryLimit: UInt64 = 2 << 30,
    helperCount: Int? = nil, isQuiet: Bool = false
  ) {
    self.program = program
    self.deadline = max(deadline, .milliseconds(1))
    self.memoryLimit = max(memoryLimit, 64 << 20)
    self.helperCount = min(max(helperCount ?? ProcessorCount.active, 1), 64)
    self.walls = .all
    self.isQuiet = isQuiet
  }

  /// Threads that a module's process may have.
  package static let threadLimit = 512
}

/// What a system can deny with.
package struct ModuleWallKinds: OptionSet, Hashable, Sendable, Codable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// User, process, mount and network namespaces.
  package static let namespaces = ModuleWallKinds(rawValue: 1)
  /// Landlock.
  package static let landlock = ModuleWallKinds(rawValue: 2)
  /// seccomp.
  package static let seccomp = ModuleWallKinds(rawValue: 4)
  package static let all: ModuleWallKinds = [.namespaces, .landlock, .seccomp]
}
