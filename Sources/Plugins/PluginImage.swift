import CCompositorPluginProcess
package import CompositorAPI

/// The bytes of a plugin's file at one moment, in memory that is sealed against writing.
///
/// Trust applies to bytes: a file can be changed or replaced between computing its digest and loading it, but these bytes
/// cannot.
package final class PluginImage: Sendable {
  /// The file that was read.
  package let file: String
  /// The SHA-256 of the bytes: 64 lowercase hexadecimal digits.
  package let digest: String
  private let descriptor: Descriptor

  /// Reads a regular file. The last component of its path must not be a symbolic link.
  ///
  /// - Throws: `.fileNotFound` if it cannot be read.
  package init(of file: String) throws(CompositorError) {
    var bytes = [UInt8](repeating: 0, count: 32)
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let number = module_image_make(file, String(decoding: name.utf8.prefix(200), as: UTF8.self), &bytes)
    guard number >= 0 else { throw PluginTrust.unreadable(file, error: -number) }
    self.file = file
    digest = PluginTrust.text(of: bytes)
    descriptor = Descriptor(number)
  }

  /// A path to these bytes that is valid until the process ends. The loader identifies libraries by path, so the descriptor's
  /// number must never be reused.
  func loadingPath() -> String {
    _ = Unmanaged.passRetained(self)
    return "/proc/self/fd/\(descriptor.number)"
  }
}

extension PluginSpecification {
  /// Opens an image of the plugin's file in this process; its code runs here from now on.
  ///
  /// - Throws: `.pluginFailed` with the reason if it cannot be opened.
  package func open(_ image: PluginImage) throws(CompositorError) -> any CompositorPlugin {
    switch self {
    case .binary(let path): try BinaryPlugin(path: path, bytes: image.loadingPath())
    case .frei0r(let path): try ForeignPlugin(frei0r: path, bytes: image.loadingPath())
    case .avfilter: ForeignPlugin()
    }
  }
}
