import CCompositorPluginProcess
package import CompositorAPI

/// The bytes of a plugin's file at one moment, in memory that nobody can write to any more.
///
/// What is trusted is bytes. A file can be changed or replaced between reading it for its digest and loading it; these bytes cannot.
package final class PluginImage: Sendable {
  /// The file that was read.
  package let file: String
  /// The SHA-256 of the bytes: 64 hexadecimal digits in lower case.
  package let digest: String
  private let descriptor: Descriptor

  /// Reads a regular file. The last part of its path must not be a symbolic link.
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

  /// A path that leads to these bytes from now on, until the process ends: the loader knows libraries by their paths, so that the
  /// descriptor's number must never stand for another one.
  func loadingPath() -> String {
    _ = Unmanaged.passRetained(self)
    return "/proc/self/fd/\(descriptor.number)"
  }
}

extension PluginSpecification {
  /// Opens an image of the plugin's file in this process: its code runs here from now on.
  ///
  /// - Throws: `.pluginFailed`: why it cannot be opened.
  package func open(_ image: PluginImage) throws(CompositorError) -> any CompositorPlugin {
    switch self {
    case .binary(let path): try BinaryPlugin(path: path, bytes: image.loadingPath())
    case .frei0r(let path): try ForeignPlugin(frei0r: path, bytes: image.loadingPath())
    case .avfilter: ForeignPlugin()
    }
  }
}
