import Foundation

/// Settings for running plugins in separate processes.
public struct PluginIsolation: Hashable, Sendable {
  /// The program to run as the worker: the tool `compositor`, or any program that calls ``PluginSupervisor/runIfAsked()``
  /// first. If `compositor-supervisor` and `compositor-worker` are beside it, they run instead.
  public var program: String
  /// The time limit of a call to a plugin, after which its process is ended; > 0. Default: 10 s.
  public var deadline: Duration
  /// The limit of a plugin's private memory, in bytes; at least 64 MiB. Default: 2 GiB.
  public var memoryLimit: UInt64
  /// The maximum number of worker processes per plugin, 1 … 64. Default: the number of processors.
  public var workerCount: Int
  /// Whether plugins' standard error output is discarded; otherwise it appears on this process's.
  public var isQuiet: Bool
  /// Whether plugins are refused, before anything of them is opened, if this system cannot isolate them completely. Default:
  /// false.
  public var isRequired: Bool

  /// Creates settings.
  public init(
    program: String = "/proc/self/exe", deadline: Duration = .seconds(10), memoryLimit: UInt64 = 2 << 30,
    workerCount: Int? = nil, isQuiet: Bool = false, isRequired: Bool = false
  ) {
    self.program = program
    self.deadline = max(deadline, .milliseconds(1))
    self.memoryLimit = max(memoryLimit, Self.leastMemory)
    self.workerCount = min(max(workerCount ?? ProcessorCount.active, 1), 64)
    self.isQuiet = isQuiet
    self.isRequired = isRequired
  }

  /// The lowest limit of memory, in bytes.
  static let leastMemory: UInt64 = 64 << 20
  /// The maximum number of threads in a plugin's process.
  package static let threadLimit = 512
}

enum ProcessorCount {
  /// The number of processors available to this process.
  static var active: Int { ProcessInfo.processInfo.activeProcessorCount }
}
