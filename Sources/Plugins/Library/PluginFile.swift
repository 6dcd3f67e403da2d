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

extension PluginFile {
  /// Whether two entries name one file, with links followed.
  package func isSameFile(as other: PluginFile) -> Bool {
    path == other.path || PluginTrust.real(path) == PluginTrust.real(other.path)
  }

  /// This file with what another entry for it requires, too.
  ///
  /// - Throws: `.invalidValue` if the two require different contents or have different limits.
  package func merged(with other: PluginFile) throws(CompositorError) -> PluginFile {
    var file = self
    file.sha256 = try one(sha256?.lowercased(), other.sha256?.lowercased(), "digests")
    file.memoryLimit = try one(memoryLimit, other.memoryLimit, "limits of memory")
    file.deadline = try one(deadline, other.deadline, "deadlines")
    return file
  }

  private func one<Value: Equatable>(_ first: Value?, _ second: Value?, _ name: String) throws(CompositorError) -> Value? {
    if let first, let second, first != second {
      throw CompositorError(
        .invalidValue, "The plugin is listed twice, with different \(name).",
        recoverySuggestion: "Remove one of the two entries.",
        at: ErrorLocation(file: path))
    }
    return first ?? second
  }
}

extension PluginImage {
  /// - Throws: `.pluginFailed` if the bytes have another digest than required.
  func require(_ sha256: String?) throws(CompositorError) { try Self.require(sha256, of: digest, file) }

  fileprivate static func require(_ sha256: String?, of digest: String?, _ file: String) throws(CompositorError) {
    guard let sha256, sha256.lowercased() != digest else { return }
    throw CompositorError(
      .pluginFailed, "This is another plugin than required: its SHA-256 is \(digest ?? "unknown").",
      recoverySuggestion: "Write this digest if you trust the file; the one required is \(sha256.lowercased()).",
      at: ErrorLocation(file: file))
  }
}

extension PluginLibrary {
  /// Opens a plugin's file with its own limits, in a worker process unless it is trusted.
  ///
  /// A file that is open already stays as it is. To open it once with the requirements of several entries, merge them before.
  ///
  /// - Throws: `.fileNotFound`; `.pluginFailed` or `.compositorTimedOut` with the reason if it cannot be opened, or if its
  ///   contents are not the required ones; `.invalidValue` if it is open already with other limits.
  public mutating func open(_ file: PluginFile) throws(CompositorError) {
    let place = plugins.firstIndex { plugin in
      guard case .binary(let path) = plugin.specification else { return false }
      return file.isSameFile(as: PluginFile(path))
    }
    // Of one that is only described, nothing was loaded.
    if let place, !(plugins[place] is RememberedPlugin) { return try require(file, of: plugins[place]) }
    var options = options
    options.isolation = file.isolation(options.isolation)
    put(try PluginLibrary.plugin(.binary(path: file.path), options, sha256: file.sha256), at: place)
  }

  /// - Throws: `.pluginFailed` if other bytes than the required ones were loaded; `.invalidValue` if it has other limits.
  private func require(_ file: PluginFile, of plugin: any CompositorPlugin) throws(CompositorError) {
    try PluginImage.require(file.sha256, of: plugin.digest, file.path)
    guard let isolation = (plugin as? IsolatedPlugin)?.isolation else { return }
    let (wanted, loaded) = (file.isolation(isolation), isolation)
    guard wanted.memoryLimit == loaded.memoryLimit, wanted.deadline == loaded.deadline else {
      throw CompositorError(
        .invalidValue, "The plugin is open already, with other limits.",
        recoverySuggestion: "Open it once, with the limits that it should have.", at: ErrorLocation(file: file.path))
    }
  }
}
