package import Foundation

/// The shared set of real media: the folder named by `COMPOSITOR_TEST_MEDIA`, else `../shared/media` beside the package; nil
/// where it is absent.
package let mediaFolder: URL? = {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  let named = ProcessInfo.processInfo.environment["COMPOSITOR_TEST_MEDIA"].map { URL(filePath: $0) }
  let folder = named ?? root.deletingLastPathComponent().appending(path: "shared/media")
  return FileManager.default.fileExists(atPath: folder.appending(path: "MANIFEST.md").path) ? folder : nil
}()
