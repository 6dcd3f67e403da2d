import CompositorAPI
import Foundation

/// Files of the search path that did not answer in time when they were opened, remembered on disk: each costs its deadline once.
///
/// A file is tried again where it has another date or size, or where more time is given. The memory is `hanging.json` beside the
/// catalog of frei0r's plugins. One that cannot be read counts as empty; one that cannot be written costs time and nothing else.
struct HangingPlugins {
  private struct Entry: Codable {
    var modified: Double
    var byteCount: Int
    /// Seconds that it was given.
    var deadline: Double
  }

  private var entries: [String: Entry]
  private let file: URL?

  init(folder: String? = Frei0rCatalog.cacheFolder()) {
    file = folder.map { URL(filePath: $0).appending(path: "hanging.json") }
    entries =
      file.flatMap { try? Data(contentsOf: $0) }.flatMap { try? JSONDecoder().decode([String: Entry].self, from: $0) } ?? [:]
  }

  /// Why a file need not be tried; nil where it is to be.
  func error(of specification: PluginSpecification, deadline: Duration) -> CompositorError? {
    guard let path = specification.file, let known = entries[path],
      let now = HangingPlugins.entry(path, deadline: deadline), known.modified == now.modified,
      known.byteCount == now.byteCount, known.deadline >= now.deadline
    else { return nil }
    return CompositorError(
      .compositorTimedOut, "The plugin did not answer within \(known.deadline) seconds when it was last tried.",
      recoverySuggestion:
        "Remove it from the search path; it is tried again when its file changes or --plugin-deadline gives it more time.",
      at: ErrorLocation(file: path))
  }

  /// Remembers a failure, where it is that a plugin hangs.
  mutating func note(_ failure: PluginLibrary.Failure?, of specification: PluginSpecification, deadline: Duration) {
    guard let failure, failure.plugin == specification.name, failure.error.code == .compositorTimedOut,
      let path = specification.file, let entry = HangingPlugins.entry(path, deadline: deadline)
    else { return }
    entries[path] = entry
    guard let file, let data = try? JSONEncoder().encode(entries) else { return }
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Whole or not at all, whoever else writes it.
    try? data.write(to: file, options: .atomic)
  }

  private static func entry(_ path: String, deadline: Duration) -> Entry? {
    let real = URL(filePath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: real),
      let date = attributes[.modificationDate] as? Date, let size = attributes[.size] as? Int
    else { return nil }
    return Entry(modified: date.timeIntervalSince1970, byteCount: size, deadline: deadline / .seconds(1))
  }
}
