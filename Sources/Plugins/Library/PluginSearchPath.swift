import Foundation

/// Where plugins are looked for, in this order; the first that brings a compositor of an ID is the one.
///
/// 1. Files that a project lists, 2. the folders of the environment variable `COMPOSITOR_PLUGIN_PATH`, separated by colons,
/// *instead of* 3. `$XDG_DATA_HOME/compositor/plugins` (`~/.local/share/compositor/plugins`),
/// 4. `/usr/local/lib/compositor/plugins`, 5. `/usr/lib/compositor/plugins`. In a folder, files whose names end in `.so`, by
/// name.
public struct PluginSearchPath: Hashable, Sendable {
  /// The environment variable that replaces the folders.
  public static let variable = "COMPOSITOR_PLUGIN_PATH"

  /// Folders, first to last.
  public var folders: [String]

  /// A path of these folders.
  public init(folders: [String]) { self.folders = folders }

  /// The path that an environment asks for; this process's unless given.
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

  /// The plugins that are there. Folders that are not are passed over.
  package var specifications: [PluginSpecification] {
    folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".so") && !$0.hasPrefix(".") }.sorted().map { .binary(path: "\(folder)/\($0)") }
    }
  }
}

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
