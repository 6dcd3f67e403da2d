package import Foundation

/// A folder of its own for a test, gone with its last reference.
package final class TemporaryFolder: Sendable {
  /// The folder.
  package let url: URL

  /// Makes an empty folder.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "compositor-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch { print("left behind: \(url.path): \(error)") }
  }

  /// The folder's path, without a slash at the end.
  package var path: String { url.path }

  /// The path of a name in the folder, whether it is there or not.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Every name in the folder, hidden ones included.
  package var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}
