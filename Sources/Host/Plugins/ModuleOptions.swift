public import Modules

/// How modules are found and run.
public struct ModuleOptions: Hashable, Sendable {
  /// Where they are looked for.
  public var searchPath: ModuleSearchPath
  /// Compositor IDs and files whose modules run in this process, without a wall: whatever they do, they do to it.
  public var trusted: Set<String>
  /// How the others run.
  public var isolation: ModuleIsolation

  /// Everything in helper processes, found where the environment says.
  public init(
    searchPath: ModuleSearchPath = ModuleSearchPath(), trusted: Set<String> = [],
    isolation: ModuleIsolation = ModuleIsolation()
  ) {
    self.searchPath = searchPath
    self.trusted = trusted
    self.isolation = isolation
  }
}
