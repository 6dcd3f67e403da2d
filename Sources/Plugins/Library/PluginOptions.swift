/// How plugins are found and run.
public struct PluginOptions: Hashable, Sendable {
  /// Where they are looked for.
  public var searchPath: PluginSearchPath
  /// Plugins that run in this process, without a wall: whatever they do, they do to it.
  public var trusted: Set<PluginTrust>
  /// How the others run.
  public var isolation: PluginIsolation

  /// Everything in worker processes, found where the environment says.
  public init(
    searchPath: PluginSearchPath = PluginSearchPath(), trusted: Set<PluginTrust> = [],
    isolation: PluginIsolation = PluginIsolation()
  ) {
    self.searchPath = searchPath
    self.trusted = trusted
    self.isolation = isolation
  }
}
