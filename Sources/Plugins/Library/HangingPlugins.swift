import CompositorAPI
import Foundation

/// Files of the search path that did not respond in time, cached on disk: each costs its deadline only once.
///
/// A file is tried again if its size, its dates or its inode have changed, or if the deadline is longer. The cache is
/// `hanging.json` beside the catalog of frei0r's plugins. An unreadable cache counts as empty; an unwritable one costs only time.
struct HangingPlugins {
  private struct Entry: Codable {
    var stamp: FileStamp
    /// The deadline in seconds at which it failed.
    var deadline: Double
  }

  private var entries: [String: Entry]
  private let file: URL?

  init(folder: String? = CacheFolder.path) {
    file = folder.map { URL(filePath: $0).appending(path: "hanging.json") }
    entries =
      file.flatMap { try? Data(contentsOf: $0) }.flatMap { try? JSONDecoder().decode([String: Entry].self, from: $0) } ?? [:]
  }

  /// The error of a file that need not be tried; `nil` if it should be.
  func error(of specification: PluginSpecification, deadline: Duration) -> CompositorError? {
    guard let path = specification.file, let known = entries[path], known.stamp == FileStamp(of: path),
      known.deadline >= deadline / .seconds(1)
    else { return nil }
    return CompositorError(
      .compositorTimedOut, "The plugin did not answer within \(known.deadline) seconds when it was last tried.",
      advice:
        "Remove it from the search path; it is tried again when its file changes or \(setting: .pluginDeadline) gives it more time.",
      at: ErrorLocation(file: path))
  }

  /// Records a failure if the plugin hangs.
  ///
  /// - Parameter stamp: The stamp of its file before it was opened.
  mutating func note(
    _ failure: PluginLibrary.Failure?, of specification: PluginSpecification, _ stamp: FileStamp?, deadline: Duration
  ) {
    guard let failure, failure.plugin == specification.name, failure.error.code == .compositorTimedOut,
      let path = specification.file, let stamp
    else { return }
    entries[path] = Entry(stamp: stamp, deadline: deadline / .seconds(1))
    guard let file, let data = try? JSONEncoder().encode(entries) else { return }
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Atomically, in case of concurrent writers.
    try? data.write(to: file, options: .atomic)
  }
}
