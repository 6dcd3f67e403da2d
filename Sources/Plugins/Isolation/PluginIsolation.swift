import Foundation

/// How plugins are run in processes of their own.
public struct PluginIsolation: Hashable, Sendable {
  /// The program that serves as worker: the tool `compositor`, or whatever else calls ``PluginSupervisor/runIfAsked()`` first.
  public var program: String
  /// How long a call to a plugin may take before its process is ended; 10 s unless set, > 0.
  public var deadline: Duration
  /// Private memory that a plugin may have, in bytes; 2 GiB unless set, at least 64 MiB.
  public var memoryLimit: UInt64
  /// Worker processes that one plugin may have at a time, 1 … 64; as many as processors unless set.
  public var workerCount: Int
  /// Whether what plugins write to the standard error stream is thrown away; else it appears on this process's.
  public var isQuiet: Bool

  /// Describes isolation.
  public init(
    program: String = "/proc/self/exe", deadline: Duration = .seconds(10), memoryLimit: UInt64 = 2 << 30,
    workerCount: Int? = nil, isQuiet: Bool = false
  ) {
    self.program = program
    self.deadline = max(deadline, .milliseconds(1))
    self.memoryLimit = max(memoryLimit, 64 << 20)
    self.workerCount = min(max(workerCount ?? ProcessorCount.active, 1), 64)
    self.isQuiet = isQuiet
  }

  /// Threads that a plugin's process may have.
  package static let threadLimit = 512
}

enum ProcessorCount {
  /// Processors that this process may use.
  static var active: Int { ProcessInfo.processInfo.activeProcessorCount }
}
