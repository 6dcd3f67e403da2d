import CCompositorPluginProcess
package import CompositorAPI
import CompositorPlatform

/// The bytes of a plugin's file at one moment, in memory that is sealed against writing.
///
/// Trust applies to bytes: a file can be changed or replaced between computing its digest and loading it, but these bytes
/// cannot.
package final class PluginImage: Sendable {
  /// The file that was read.
  package let file: String
  /// The SHA-256 of the bytes: 64 lowercase hexadecimal digits.
  package let digest: String
  let descriptor: Descriptor

  /// Reads a plugin's file, with links to it followed.
  ///
  /// - Returns: The image; `nil` for a collection, which has no file.
  /// - Throws: `.fileNotFound` if there is no such file, or if it cannot be read.
  convenience init?(of specification: PluginSpecification) throws(CompositorError) {
    guard let path = specification.file else { return nil }
    guard access(path, F_OK) == 0 else { throw PluginTrust.missing(path) }
    do throws(CompositorError) {
      try self.init(of: PluginTrust.real(path))
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
  }

  /// Reads a regular file. The last component of its path must not be a symbolic link.
  ///
  /// - Throws: `.fileNotFound` if it cannot be read.
  package init(of file: String) throws(CompositorError) {
    var bytes = [UInt8](repeating: 0, count: 32)
    // The name is what the system shows for the mapping.
    let number = module_image_make(file, String(decoding: file.utf8.suffix(200), as: UTF8.self), &bytes)
    guard number >= 0 else { throw PluginTrust.unreadable(file, error: -number) }
    self.file = file
    digest = bytes.hexadecimal
    descriptor = Descriptor(number)
  }

  /// A path to these bytes that is valid until the process ends. The loader identifies libraries by path, so the descriptor's
  /// number must never be reused.
  func loadingPath() -> String { PluginImage.loadingPath(descriptor) }

  /// A text of the loader with the path of a file in place of the path from which its bytes are loaded.
  static func naming(_ file: String, for bytes: String, in text: String) -> String {
    bytes == file ? text : text.replacing("\(bytes):", with: "\(file):")
  }

  /// The same as ``loadingPath()`` for bytes that another process has read.
  static func loadingPath(_ descriptor: Descriptor) -> String {
    _ = Unmanaged.passRetained(descriptor)
    return "/proc/self/fd/\(descriptor.number)"
  }
}

extension PluginSpecification {
  /// Opens an image of the plugin's file in this process; its code runs here from now on.
  ///
  /// - Throws: `.pluginFailed` with the reason if it cannot be opened.
  package func open(_ image: PluginImage) throws(CompositorError) -> any CompositorPlugin {
    try open(bytes: image.loadingPath(), digest: image.digest)
  }

  /// Opens the plugin in this process; its code runs here from now on.
  ///
  /// - Parameters:
  ///   - bytes: A path to load instead of the plugin's file; `nil` for the file.
  ///   - digest: The SHA-256 of these bytes; `nil` if it is unknown.
  /// - Throws: `.fileNotFound` or `.pluginFailed` with the reason if it cannot be opened.
  func open(bytes: String?, digest: String? = nil) throws(CompositorError) -> any CompositorPlugin {
    switch self {
    case .binary(let path): try BinaryPlugin(path: path, bytes: bytes, digest: digest)
    case .frei0r(let path): try InProcessPlugin(frei0r: path, bytes: bytes, digest: digest)
    case .avfilter: try InProcessPlugin()
    }
  }
}
