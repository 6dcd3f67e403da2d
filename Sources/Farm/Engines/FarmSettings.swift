/// Settings for an engine's files: the tool that nodes run, and the resources of a task.
public struct FarmSettings: Hashable, Sendable {
  /// The tool on the nodes: a name on their `PATH`, or a path that is the same on all of them. Default `compositor`.
  public var tool = "compositor"

  /// Number of processors per task, ≥ 1. Default 1. The bytes of parts don't depend on it.
  ///
  /// Tasks with one processor use a node best, if it has enough memory for as many tasks.
  public var processorCount = 1

  /// Time limit of a task in seconds. By default, the engine's own limit applies.
  public var timeLimitSeconds: Int?

  /// The instruction set that a node must have, in the notation of Open Job Description: `x86_64` or `arm64`. By default that
  /// of this machine, because parts of different instruction sets cannot be joined.
  public var architecture: String = {
    #if arch(arm64)
      "arm64"
    #else
      "x86_64"
    #endif
  }()

  /// Creates settings with default values.
  public init() {}
}
