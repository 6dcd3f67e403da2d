import ArgumentParser
import Compositor

/// Options for the isolation and limits of plugins.
struct PluginArguments: ParsableArguments {
  @Option(
    name: .customLong("trust-plugin"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      A plugin to run without its own process: its file, sha256: and the digest of its file, or libavfilter. May be given several times.
      """, valueName: "file|digest"))
  var trusted: [String] = []

  @Flag(help: "Refuse plugins if this system cannot isolate them completely.")
  var requireIsolation = false

  @Option(help: "The time limit of a call to a plugin in seconds, 0.1 to 3600; by default 10, or what the project says.")
  var pluginDeadline: Double?

  @Option(help: "The memory limit of a plugin in MiB, 64 to 1048576; by default 2048, or what the project says.")
  var pluginMemory: UInt64?

  func validate() throws {
    guard (0.1...3600).contains(pluginDeadline ?? 10) else { throw ValidationError("--plugin-deadline takes 0.1 to 3600.") }
    guard (64...1_048_576).contains(pluginMemory ?? 2048) else { throw ValidationError("--plugin-memory takes 64 to 1048576.") }
    _ = try trust
    guard !requireIsolation || trusted.isEmpty else {
      throw ValidationError("--require-isolation and --trust-plugin cannot be given together.")
    }
  }

  var options: PluginOptions {
    get throws(CompositorError) {
      let isolation = PluginIsolation(
        deadline: .milliseconds(Int64((pluginDeadline ?? 10) * 1000)), memoryLimit: (pluginMemory ?? 2048) << 20,
        isRequired: requireIsolation)
      // Every command takes its options here, before it opens a plugin.
      try isolation.decide()
      do {
        return PluginOptions(trusted: try trust, isolation: isolation)
      } catch {
        throw CompositorError(.invalidValue, "\(error)")
      }
    }
  }

  /// The plugins of ``trusted``. A compositor's ID trusts nothing, since any file can claim it.
  private var trust: Set<PluginTrust> {
    get throws {
      Set(
        try trusted.map { text in
          if text == "libavfilter" { return .libavfilter }
          if text.hasPrefix("sha256:") {
            let digest = text.dropFirst(7).lowercased()
            guard digest.count == 64, digest.allSatisfy(\.isHexDigit) else {
              throw ValidationError("--trust-plugin: “\(text)” is not a SHA-256 of 64 hexadecimal digits.")
            }
            return .digest(digest)
          }
          do {
            return try PluginTrust(file: text)
          } catch {
            throw ValidationError(
              "--trust-plugin: there is no file “\(text)”. Give a plugin's file or its SHA-256 (compositor plugins inspect prints it), not its name."
            )
          }
        })
    }
  }

  /// The compositors for rendering an edit without a project, with the files of plugins to open.
  func registry(for edit: Edit, files: [String]) throws(CompositorError) -> CompositorRegistry {
    try plugins(for: edit, in: files.map { PluginFile($0) }) { error, _ in error }.registry
  }

  /// The compositors for rendering the edit of a project, and the files of plugins with the compositors used from each. Plugins are
  /// opened only if the edit names a compositor that isn't built in.
  ///
  /// - Parameter files: Plugins whose compositors take precedence.
  func plugins(
    for edit: Edit, of file: ProjectFile, after files: [String] = []
  ) throws(CompositorError) -> (registry: CompositorRegistry, files: [String: [String]]) {
    try plugins(for: edit, in: files.map { PluginFile($0) } + file.pluginFiles) { error, index in
      guard index >= files.count else { return error }
      return file.locating(error.locating(ErrorLocation(path: "plugins[\(index - files.count)]")))
    }
  }

  /// - Parameter locate: Adds the location of a plugin, given its index.
  private func plugins(
    for edit: Edit, in wantedFiles: [PluginFile], locate: (CompositorError, Int) -> CompositorError
  ) throws(CompositorError) -> (registry: CompositorRegistry, files: [String: [String]]) {
    let builtIn = CompositorRegistry.builtIn
    let processors = edit.audioMix.processorIDs.filter { builtIn.audioProcessor($0) == nil }
    let wanted = edit.compositorIDs.filter { builtIn[$0] == nil }.union(processors.map { CompositorID(rawValue: $0.rawValue) })
    guard !wanted.isEmpty else { return (builtIn, [:]) }
    var library = PluginLibrary(try options)
    for (index, file) in wantedFiles.enumerated() {
      var file = file
      if pluginMemory != nil { file.memoryLimit = nil }
      if pluginDeadline != nil { file.deadline = nil }
      do throws(CompositorError) {
        try library.open(file)
      } catch {
        throw locate(error, index)
      }
    }
    library.find(wanted)
    let registry = try library.registry
    Self.tellMissingSandboxParts(library.missingSandboxParts)
    // Plugins that failed to open matter only if a compositor is missing.
    if wanted.contains(where: { registry[$0] == nil && registry.audioProcessor(AudioProcessorID(rawValue: $0.rawValue)) == nil }
    ) {
      for failure in library.failures { Terminal.complain(failure.text) }
    }
    var files: [String: [String]] = [:]
    for plugin in library.plugins {
      let brought = plugin.factories.map(\.descriptor.id.rawValue) + plugin.processors.map(\.descriptor.id.rawValue)
      let used = Set(brought).intersection(wanted.map(\.rawValue))
      if let path = plugin.specification.file, !used.isEmpty { files[path] = used.sorted() }
    }
    return (registry, files)
  }

  /// Warns once about limits of plugins that this system cannot enforce.
  static func tellMissingSandboxParts(_ missing: [String]) {
    guard !missing.isEmpty else { return }
    let list = missing.joined(separator: ", ")
    Terminal.complain("warning: this system cannot deny plugins: \(list) (--require-isolation refuses to go on)")
  }
}
