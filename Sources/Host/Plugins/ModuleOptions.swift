public import CompositorModules

/// How modules are found and run.
public struct ModuleOptions: Hashable, Sendable {
  /// Where they are looked for.
  public var searchPath: ModuleSearchPath
  /// Modules that run in this process, without a wall: whatever they do, they do to it.
  public var trusted: Set<ModuleTrust>
  /// How the others run.
  public var isolation: ModuleIsolation

  /// Everything in helper processes, found where the environment says.
  public init(
    searchPath: ModuleSearchPath = ModuleSearchPath(), trusted: Set<ModuleTrust> = [],
    isolation: ModuleIsolation = ModuleIsolation()
  ) {
    self.searchPath = searchPath
    self.trusted = trusted
    self.isolation = isolation
  }
}
