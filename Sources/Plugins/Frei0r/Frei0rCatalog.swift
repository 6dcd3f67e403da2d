package import CompositorAPI
import Dispatch
import Foundation
import Synchronization

/// The capabilities of this machine's frei0r plugins, determined in worker processes and cached on disk.
///
/// A plugin is tried again if the size, the dates or the inode of its file have changed, or if a newer version of this package
/// tries more. The cache is `frei0r.json` in the cache folder. An unreadable cache counts as empty; an unwritable one costs only
/// time.
package struct Frei0rCatalog: Sendable {
  /// The known facts about a plugin.
  package struct Entry: Hashable, Sendable, Codable {
    /// The plugin's file.
    package var path: String
    fileprivate var stamp: FileStamp
    /// Its descriptor; `nil` if it is rejected.
    package var descriptor: CompositorDescriptor?
    /// Why it is rejected.
    package var refusal: String?
  }

  private struct Cache: Codable {
    var version: Int
    var entries: [Entry]
  }

  /// The cache version; changes when ``Frei0rPlugin`` determines more.
  private static let version = 4
  /// The maximum time for opening and trying a plugin.
  package static let deadline = Duration.seconds(3)

  /// Every plugin of the search path, sorted by name.
  package let entries: [Entry]
  /// The number of plugins that had to be tried.
  package let triedCount: Int

  /// Examines all plugins; takes a few seconds for a hundred unknown ones.
  package init(
    searchPath: Frei0rSearchPath = Frei0rSearchPath(), isolation: PluginIsolation = PluginIsolation(),
    cacheFolder: String? = CacheFolder.path
  ) {
    let file = cacheFolder.map { URL(filePath: $0).appending(path: "frei0r.json") }
    let known = Dictionary(
      Frei0rCatalog.read(file).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let found = searchPath.plugins.compactMap { Entry(file: $0.path) }
    let fresh = found.filter { known[$0.path]?.stamp != $0.stamp }
    let tried = Frei0rCatalog.tried(fresh, isolation)
    entries = found.compactMap { tried[$0.path] ?? known[$0.path] }
    triedCount = fresh.count
    if !fresh.isEmpty { Frei0rCatalog.write(Cache(version: Self.version, entries: entries), file) }
  }

  /// Tries plugins in parallel, each in its own process.
  private static func tried(_ entries: [Entry], _ isolation: PluginIsolation) -> [String: Entry] {
    var isolation = isolation
    isolation.deadline = min(isolation.deadline, deadline)
    // A plugin's output is of no use to someone who did not ask for it.
    isolation.isQuiet = true
    let results = Mutex<[String: Entry]>([:])
    DispatchQueue.concurrentPerform(iterations: entries.count) { [isolation] index in
      var entry = entries[index]
      do throws(CompositorError) {
        entry.descriptor = try IsolatedPlugin(.frei0r(path: entry.path), isolation: isolation).factories.first?.descriptor
      } catch {
        entry.refusal = [error.message, error.cause].compactMap { $0 }.joined(separator: " ")
      }
      results.withLock { $0[entry.path] = entry }
    }
    return results.withLock { $0 }
  }

  private static func read(_ file: URL?) -> [Entry] {
    guard let file, let data = try? Data(contentsOf: file),
      let cache = try? JSONDecoder().decode(Cache.self, from: data), cache.version == version
    else { return [] }
    return cache.entries.filter { ($0.descriptor == nil) != ($0.refusal == nil) }
  }

  private static func write(_ cache: Cache, _ file: URL?) {
    guard let file, let data = try? JSONEncoder().encode(cache) else { return }
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Atomically, in case of concurrent writers.
    try? data.write(to: file, options: .atomic)
  }
}

extension Frei0rCatalog.Entry {
  /// A file about which nothing is known yet; `nil` if it doesn't exist.
  fileprivate init?(file path: String) {
    guard let stamp = FileStamp(of: path) else { return nil }
    (self.path, self.stamp) = (path, stamp)
  }
}

/// A plugin known from the catalog, opened when one of its compositors is created.
package struct CataloguedPlugin: CompositorPlugin {
  package let specification: PluginSpecification
  package let factories: [CompositorFactory]
  package let notes: [String]

  /// Returns `nil` for a rejected plugin.
  package init?(_ entry: Frei0rCatalog.Entry, isolation: PluginIsolation) {
    guard let descriptor = entry.descriptor else { return nil }
    let specification = PluginSpecification.frei0r(path: entry.path)
    self.specification = specification
    notes = ["frei0r", descriptor.name]
    factories = [
      CompositorFactory(descriptor, plugin: entry.path) { parameters, context in
        let plugin = try IsolatedPlugin(specification, isolation: isolation)
        guard let factory = plugin.factories.first else {
          throw CompositorError(.pluginFailed, "The plugin no longer provides anything.", at: ErrorLocation(file: entry.path))
        }
        return try factory.makeCompositor(parameters: parameters, context: context)
      }
    ]
  }
}
