import CCompositorPluginProcess
public import CompositorAPI
import Foundation

/// Code that may run in this process, without isolation.
///
/// Trust is based on a file's contents, never on the IDs it declares: any file can provide a compositor of any ID.
public enum PluginTrust: Hashable, Sendable {
  /// This file, as long as its contents have this SHA-256.
  case file(path: String, digest: String)
  /// Any file whose contents have this SHA-256: 64 lowercase hexadecimal digits.
  case digest(String)
  /// The filters of the linked libavfilter.
  case libavfilter

  /// Trusts a file with its current contents.
  ///
  /// - Throws: `.fileNotFound` if it cannot be read.
  public init(file path: String) throws(CompositorError) {
    self = .file(path: PluginTrust.real(path), digest: try PluginTrust.digest(of: path))
  }

  /// The SHA-256 of a file's contents, as 64 lowercase hexadecimal digits.
  ///
  /// - Throws: `.fileNotFound` if it cannot be read.
  public static func digest(of path: String) throws(CompositorError) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let result = module_file_digest(path, &bytes)
    guard result == 0 else { throw unreadable(path, error: -result) }
    return bytes.hexadecimal
  }

  static func missing(_ path: String) -> CompositorError {
    // Bytes that aren't UTF-8 were replaced where the path came from, so that it names no file any more.
    guard !path.unicodeScalars.contains("\u{FFFD}") else {
      return CompositorError(
        .fileNotFound, "There is no such plugin, or its path isn't UTF-8.",
        recoverySuggestion: "Rename the file or folder in whose name “\u{FFFD}” stands for such bytes.",
        at: ErrorLocation(file: path))
    }
    return CompositorError(
      .fileNotFound, "There is no such plugin.", recoverySuggestion: "Check the path.", at: ErrorLocation(file: path))
  }

  static func unreadable(_ path: String, error: Int32) -> CompositorError {
    if error == EFBIG {
      return CompositorError(
        .pluginFailed, "The plugin's file has more than \(MODULE_LARGEST_FILE >> 20) MiB.",
        recoverySuggestion: "Remove the file: no plugin is as large.", at: ErrorLocation(file: path))
    }
    if error == ENOEXEC {
      return CompositorError(
        .pluginFailed, "The plugin's file is not a library.", recoverySuggestion: "Give the path of a plugin's file.",
        at: ErrorLocation(file: path))
    }
    if error == ENODATA {
      return CompositorError(
        .pluginFailed,
        "The plugin's file is sparse: it has holes of more than \(MODULE_MOST_HOLES >> 20) MiB, which take no room on the disk.",
        recoverySuggestion: "Copy it without holes (sparse=never of cp).", at: ErrorLocation(file: path))
    }
    return CompositorError(
      .fileNotFound, "The plugin cannot be read.", recoverySuggestion: "Give the path of its file.",
      cause: String(cString: strerror(error)), at: ErrorLocation(file: path))
  }

  /// Whether a file at this path, with all symbolic links resolved, could be covered, depending on its contents.
  fileprivate func mayCover(_ file: String) -> Bool {
    switch self {
    case .libavfilter: false
    case .digest: true
    case .file(let path, _): path == file
    }
  }

  fileprivate func covers(_ image: PluginImage) -> Bool {
    switch self {
    case .libavfilter: false
    case .digest(let digest): digest == image.digest
    case .file(let path, let digest): path == image.file && digest == image.digest
    }
  }

  /// The path with all links followed, as the system follows them: after a link, `..` is the folder that contains its
  /// destination. The path itself if it leads nowhere.
  static func real(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension Set<PluginTrust> {
  /// Whether a plugin may run in this process, depending on its contents.
  func mayCover(_ specification: PluginSpecification) -> Bool {
    guard let path = specification.file else { return contains(.libavfilter) }
    let file = PluginTrust.real(path)
    return contains { $0.mayCover(file) }
  }

  /// Opens a plugin in this process if it is trusted, from the same bytes from which the digest was computed.
  ///
  /// - Returns: The plugin; `nil` if it is not trusted, or if its file cannot be read, which is reported when it is opened
  ///   elsewhere.
  /// - Parameter sha256: The digest that the file's contents must have; `nil` for any.
  /// - Throws: `.pluginFailed` with the reason if it cannot be opened.
  package func open(
    _ specification: PluginSpecification, sha256: String? = nil
  ) throws(CompositorError) -> (any CompositorPlugin)? {
    guard let path = specification.file else { return contains(.libavfilter) ? try specification.open() : nil }
    let file = PluginTrust.real(path)
    guard contains(where: { $0.mayCover(file) }), let image = try? PluginImage(of: file),
      contains(where: { $0.covers(image) })
    else { return nil }
    try image.require(sha256)
    return try specification.open(image)
  }
}
