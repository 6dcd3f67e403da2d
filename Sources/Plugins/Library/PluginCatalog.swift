import CompositorAPI
import Foundation
import Synchronization

/// The descriptions of plugins of the search path, cached on disk, so that only those are opened that are used.
///
/// A file is examined again if its size, its dates or its inode have changed. The cache is `plugins.json` beside the catalog of
/// frei0r's plugins. An unreadable cache counts as empty; an unwritable one costs only time. Plugins that cannot be opened are
/// not cached, because what they lack may be installed later.
///
/// Finding a compositor takes its ID alone. Descriptions are decoded and checked only when they are asked for, since each may
/// be long.
struct PluginCatalog {
  private struct Entry: Codable {
    var stamp: FileStamp
    /// The IDs of its compositors and audio processors.
    var ids: Set<CompositorID>
    /// The JSON of its description; `nil` if it is too long to be cached.
    var description: Data?
  }

  private struct Cache: Codable {
    var version: Int
    var entries: [String: Entry]
  }

  /// The cache version; changes when descriptions contain more.
  private static let version = 4
  /// The longest description that is cached, in bytes.
  private static let longestDescription = 1 << 20
  private var entries: [String: Entry]
  private let file: URL?
  private var hasChanged = false

  init(folder: String? = CacheFolder.path) {
    file = folder.map { URL(filePath: $0).appending(path: "plugins.json") }
    let cache = file.flatMap { try? Data(contentsOf: $0) }.flatMap { try? JSONDecoder().decode(Cache.self, from: $0) }
    entries = cache?.version == Self.version ? cache?.entries ?? [:] : [:]
  }

  /// The IDs that a file provides that has not changed since; `nil` if it must be opened.
  func ids(of specification: PluginSpecification) -> Set<CompositorID>? { entry(of: specification)?.ids }

  /// The description of a file that has not changed since; `nil` if it must be opened.
  func plugin(_ specification: PluginSpecification) -> WirePlugin? {
    guard let data = entry(of: specification)?.description,
      var plugin = try? WireJSON.decode(WirePlugin.self, from: Array(data)[...])
    else { return nil }
    return plugin.clean(for: specification) == nil ? plugin : nil
  }

  private func entry(of specification: PluginSpecification) -> Entry? {
    guard let path = specification.file, let entry = entries[path], entry.stamp == FileStamp(of: path) else { return nil }
    return entry
  }

  /// Records the description of a plugin that was opened in a worker.
  ///
  /// - Parameter stamp: The stamp of its file before it was opened.
  mutating func note(_ plugin: any CompositorPlugin, _ stamp: FileStamp?) {
    let description = (plugin as? IsolatedPlugin)?.description ?? (plugin as? RememberedPlugin)?.description
    guard let description, let path = plugin.specification.file, let stamp, let data = try? WireJSON.encode(description)
    else { return }
    let isCached = data.count <= Self.longestDescription
    entries[path] = Entry(stamp: stamp, ids: description.ids, description: isCached ? data : nil)
    hasChanged = true
  }

  /// Writes the cache if something was recorded.
  func save() {
    guard hasChanged, let file else { return }
    let present = entries.filter { FileStamp(of: $0.key) != nil }
    guard let data = try? JSONEncoder().encode(Cache(version: Self.version, entries: present)) else { return }
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Atomically, in case of concurrent writers.
    try? data.write(to: file, options: .atomic)
  }
}

/// A plugin of the search path that is only known: from the catalog, or because it was opened to be described. It is opened when
/// an instance of a compositor is created.
struct RememberedPlugin: CompositorPlugin {
  let specification: PluginSpecification
  let factories: [CompositorFactory]
  let processors: [AudioProcessorFactory]
  let notes: [String]
  /// What it said of itself when it was opened.
  let description: WirePlugin
  /// The restrictions that were in effect in its worker; `nil` for one of the catalog.
  let sandbox: SandboxPolicy?

  init(
    _ specification: PluginSpecification, _ plugin: WirePlugin, isolation: PluginIsolation, sandbox: SandboxPolicy? = nil
  ) {
    self.specification = specification
    self.sandbox = sandbox
    description = plugin
    notes = plugin.notes
    processors = plugin.processors.map { IsolatedPlugin.refused($0, of: specification) }
    let late = LatePlugin(specification, isolation)
    factories = plugin.compositors.map { compositor in
      let id = compositor.descriptor.id
      return CompositorFactory(
        compositor.descriptor, plugin: specification.name, isSelective: compositor.isSelective, isIsolated: true,
        allocator: SharedFrames()
      ) { parameters, context in
        let opened = try late.opened()
        guard let factory = opened.factories.first(where: { $0.descriptor.id == id }) else {
          throw CompositorError(
            .pluginFailed, "The plugin no longer provides “\(id)”.", at: ErrorLocation(file: specification.name))
        }
        return try factory.makeCompositor(parameters: parameters, context: context)
      }
    }
  }
}

/// Opens a plugin once, when it is first used.
private final class LatePlugin: Sendable {
  private let specification: PluginSpecification
  private let isolation: PluginIsolation
  private let plugin = Mutex<IsolatedPlugin?>(nil)

  init(_ specification: PluginSpecification, _ isolation: PluginIsolation) {
    (self.specification, self.isolation) = (specification, isolation)
  }

  /// - Throws: Errors of opening it, each time again.
  func opened() throws(CompositorError) -> IsolatedPlugin {
    try plugin.withLock { plugin throws(CompositorError) in
      if let plugin { return plugin }
      let opened = try IsolatedPlugin(specification, isolation: isolation)
      plugin = opened
      return opened
    }
  }
}

extension IsolatedPlugin {
  /// What is known of it, without its workers and the memory that they load.
  var remembered: RememberedPlugin {
    RememberedPlugin(specification, description, isolation: isolation, sandbox: sandbox)
  }
}
