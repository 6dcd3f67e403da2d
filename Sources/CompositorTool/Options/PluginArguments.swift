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
    do throws(CompositorError) {
      _ = try overrides.trust()
    } catch {
      // The rest of a sentence that begins with the option.
      let message = error.message.prefix(1).lowercased() + error.message.dropFirst()
      let advice = error.spelled(.options).recoverySuggestion.map { " \($0)" }
      throw ValidationError("--trust-plugin: \(message)\(advice ?? "")")
    }
    guard !requireIsolation || trusted.isEmpty else {
      throw ValidationError("--require-isolation and --trust-plugin cannot be given together.")
    }
  }

  /// The values of these options.
  var overrides: PluginOverrides {
    var overrides = PluginOverrides()
    (overrides.trusted, overrides.requiresIsolation) = (trusted, requireIsolation)
    (overrides.deadline, overrides.memory) = (pluginDeadline, pluginMemory)
    return overrides
  }

  var options: PluginOptions {
    get throws(CompositorError) { try overrides.options }
  }

  /// The compositors for rendering an edit without a project, with the files of plugins to open.
  func registry(for edit: Edit, files: [String]) throws(CompositorError) -> CompositorRegistry {
    var overrides = overrides
    overrides.files = files
    return Self.registry(of: try PluginOpening(overrides, spelling: .options).plugins(for: edit))
  }

  /// The compositors for rendering a project.
  func registry(for file: ProjectFile) throws(CompositorError) -> CompositorRegistry {
    Self.registry(of: try PluginOpening(overrides, spelling: .options).plugins(of: file))
  }

  /// The compositors of opened plugins, after the warnings about them.
  private static func registry(of opened: OpenedPlugins) -> CompositorRegistry {
    opened.notes.forEach(Terminal.complain)
    return opened.registry
  }

  /// Warns about limits of plugins that this system cannot enforce.
  static func warnOfMissingSandboxParts(_ missing: [String]) {
    if let warning = PluginLibrary.warning(ofMissing: missing) { Terminal.complain(warning.text(.options)) }
  }
}
