public import CompositorAPI

/// A plugin's file, and what a project requires of it.
public struct PluginFile: Hashable, Sendable {
  /// The file's path.
  public var path: String
  /// The SHA-256 that the file's contents must have: 64 hexadecimal digits; `nil` for any contents. A file with other contents
  /// is not opened.
  public var sha256: String?
  /// The limit of the plugin's private memory in bytes, at least 64 MiB; `nil` for ``PluginIsolation/memoryLimit``.
  public var memoryLimit: UInt64?
  /// The time limit of a call to the plugin, more than 0; `nil` for ``PluginIsolation/deadline``.
  public var deadline: Duration?

  /// Creates a plugin's file. By default, nothing is required of it.
  public init(_ path: String, sha256: String? = nil, memoryLimit: UInt64? = nil, deadline: Duration? = nil) {
    self.path = path
    self.sha256 = sha256
    self.memoryLimit = memoryLimit
    self.deadline = deadline
  }

  /// The isolation with this plugin's own limits.
  func isolation(_ isolation: PluginIsolation) -> PluginIsolation {
    var isolation = isolation
    if let memoryLimit { isolation.memoryLimit = max(memoryLimit, PluginIsolation.leastMemory) }
    if let deadline { isolation.deadline = max(deadline, .milliseconds(1)) }
    return isolation
  }
}

extension PluginImage {
  /// - Throws: `.pluginFailed` if the bytes have another digest than required.
  func require(_ sha256: String?) throws(CompositorError) {
    guard let sha256, sha256.lowercased() != digest else { return }
    throw CompositorError(
      .pluginFailed, "This is another plugin than required: its SHA-256 is \(digest).",
      recoverySuggestion: "Write this digest if you trust the file; the one required is \(sha256.lowercased()).",
      at: ErrorLocation(file: file))
  }
}

extension PluginLibrary {
  /// Opens a plugin's file with its own limits, in a worker process unless it is trusted.
  ///
  /// - Throws: `.fileNotFound`; `.pluginFailed` or `.compositorTimedOut` with the reason if it cannot be opened, or if its
  ///   contents are not the required ones.
  public mutating func open(_ file: PluginFile) throws(CompositorError) {
    let specification = PluginSpecification.binary(path: file.path)
    if plugins.contains(where: { $0.specification == specification }) {
      // Two entries for one file.
      try PluginImage(of: specification)?.require(file.sha256)
      return
    }
    var options = options
    options.isolation = file.isolation(options.isolation)
    add(try PluginLibrary.plugin(specification, options, sha256: file.sha256))
  }
}
