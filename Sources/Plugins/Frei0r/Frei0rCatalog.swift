package import CompositorAPI
import Dispatch
import Foundation
import Synchronization

/// What the frei0r plugins of this machine can do, found out in worker processes and remembered on disk.
///
/// A plugin is tried again where its file has another date or size, or where a newer version of this package tries more. The
/// cache is `frei0r.json` in the folder of the environment variable `COMPOSITOR_CACHE`, or else in
/// `$XDG_CACHE_HOME/compositor` (`~/.cache/compositor`). A cache that cannot be read counts as none; one that cannot be written
/// costs time and nothing else.
package struct Frei0rCatalog: Sendable {
  /// What is known of a plugin.
  package struct Entry: Hashable, Sendable, Codable {
    /// The plugin's file.
    package var path: String
    fileprivate var modified: Double
    fileprivate var byteCount: Int
    /// What it can do; nil where it is refused.
    package var descriptor: CompositorDescriptor?
    /// Why it is refused.
    package var refusal: String?
  }

  private struct Cache: Codable {
    var version: Int
    var entries: [Entry]
  }

  /// Changes with what ``Frei0rPlugin`` finds out.
  private static let version = 2
  /// How long a plugin may take to be opened and tried.
  package static let deadline = Duration.seconds(3)

  /// Every plugin of the search path, sorted by name.
  package let entries: [Entry]
  /// How many of them had to be tried.
  package let triedCount: Int

  /// Looks at all plugins; takes a few seconds for a hundred that are not known yet.
  package init(
    searchPath: Frei0rSearchPath = Frei0rSearchPath(), isolation: PluginIsolation = PluginIsolation(),
    cacheFolder: String? = Frei0rCatalog.cacheFolder()
  ) {
    let file = cacheFolder.map { URL(filePath: $0).appending(path: "frei0r.json") }
    let known = Dictionary(
      Frei0rCatalog.read(file).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let found = searchPath.plugins.compactMap { Entry(file: $0.path) }
    let fresh = found.filter { entry in
      known[entry.path].map { $0.modified == entry.modified && $0.byteCount == entry.byteCount } != true
    }
    let tried = Frei0rCatalog.tried(fresh, isolation)
    entries = found.compactMap { tried[$0.path] ?? known[$0.path] }
    triedCount = fresh.count
    if !fresh.isEmpty { Frei0rCatalog.write(Cache(version: Self.version, entries: entries), file) }
  }

  /// The folder that an environment asks for; nil where there is nowhere to write to.
  package static func cacheFolder(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    if let override = environment["COMPOSITOR_CACHE"] { return override.isEmpty ? nil : override }
    if let cache = environment["XDG_CACHE_HOME"], !cache.isEmpty { return "\(cache)/compositor" }
    return environment["HOME"].map { "\($0)/.cache/compositor" }
  }

  /// Tries plugins side by side, each in a process of its own.
  private static func tried(_ entries: [Entry], _ isolation: PluginIsolation) -> [String: Entry] {
    var isolation = isolation
    isolation.deadline = min(isolation.deadline, deadline)
    // What a plugin has to say about itself is of no use to somebody who asked for none or for another.
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
    // Whole or not at all, whoever else writes it.
    try? data.write(to: file, options: .atomic)
  }
}

extension Frei0rCatalog.Entry {
  /// A file that nothing is known of yet; nil where there is none.
  fileprivate init?(file path: String) {
    guard
      let attributes = try? FileManager.default.attributesOfItem(atPath: URL(filePath: path).resolvingSymlinksInPath().path),
      let date = attributes[.modificationDate] as? Date, let size = attributes[.size] as? Int
    else { return nil }
    (self.path, modified, byteCount) = (path, date.timeIntervalSince1970, size)
  }
}

/// A plugin that is known from the catalogue and opened when one of its compositors is made.
package struct CataloguedPlugin: CompositorPlugin {
  package let specification: PluginSpecification
  package let factories: [CompositorFactory]
  package let notes: [String]

  /// nil for a plugin that is refused.
  package init?(_ entry: Frei0rCatalog.Entry, isolation: PluginIsolation) {
    guard let descriptor = entry.descriptor else { return nil }
    let specification = PluginSpecification.frei0r(path: entry.path)
    self.specification = specification
    notes = ["frei0r", descriptor.name]
    factories = [
      CompositorFactory(descriptor, plugin: entry.path) { parameters, context in
        let plugin = try IsolatedPlugin(specification, isolation: isolation)
        guard let factory = plugin.factories.first else {
          throw CompositorError(.pluginFailed, "The plugin brings nothing any more.", at: ErrorLocation(file: entry.path))
        }
        return try factory.makeCompositor(parameters: parameters, context: context)
      }
    ]
  }
}
