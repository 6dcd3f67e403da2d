import Foundation

/// The places searched for plugins, in order. If several plugins provide a compositor of the same ID, the first one is used.
///
/// 1. Files listed by a project, 2. the folders of the environment variable `COMPOSITOR_PLUGIN_PATH`, separated by colons, or
/// *instead* 3. `$XDG_DATA_HOME/compositor/plugins` (`~/.local/share/compositor/plugins`), 4.
/// `/usr/local/lib/compositor/plugins`, 5. `/usr/lib/compositor/plugins`. In each folder, files whose names end in `.so`,
/// sorted by name.
public struct PluginSearchPath: Hashable, Sendable {
  /// The environment variable that replaces the default folders.
  public static let variable = "COMPOSITOR_PLUGIN_PATH"

  /// The folders, in search order.
  public var folders: [String]

  /// Creates a search path of folders.
  public init(folders: [String]) { self.folders = folders }

  /// The search path of an environment; this process's by default.
  public init(environment: [String: String]? = nil) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    if let override = environment[PluginSearchPath.variable] {
      folders = override.split(separator: ":").map(String.init)
      return
    }
    let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    let home = environment["HOME"].map { $0 + "/.local/share" }
    folders =
      [data ?? home].compactMap { $0 }.map { $0 + "/compositor/plugins" }
      + ["/usr/local/lib/compositor/plugins", "/usr/lib/compositor/plugins"]
  }

  /// The plugins found. Missing folders are skipped.
  package var specifications: [PluginSpecification] {
    folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".so") && !$0.hasPrefix(".") }.sorted().map { .binary(path: "\(folder)/\($0)") }
    }
  }
}

/// Settings for the search for plugins and for running them.
public struct PluginOptions: Hashable, Sendable {
  /// The places to search.
  public var searchPath: PluginSearchPath
  /// Plugins that run in this process, without isolation.
  public var trusted: Set<PluginTrust>
  /// The isolation of all other plugins.
  public var isolation: PluginIsolation

  /// Creates options. By default, plugins run in worker processes and are found according to the environment.
  public init(
    searchPath: PluginSearchPath = PluginSearchPath(), trusted: Set<PluginTrust> = [],
    isolation: PluginIsolation = PluginIsolation()
  ) {
    self.searchPath = searchPath
    self.trusted = trusted
    self.isolation = isolation
  }
}
