import ArgumentParser
import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorPlugins
import CompositorOverlay

/// How the command line says that plugins are run.
struct PluginArguments: ParsableArguments {
  @Option(
    name: .customLong("trust-plugin"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      A plugin to run without a process of its own: its file, sha256: and the digest of its file, or libavfilter. May be given \
      several times.
      """, valueName: "file|digest"))
  var trusted: [String] = []

  @Flag(help: "Refuse plugins where this system cannot deny them everything that it should.")
  var requireIsolation = false

  @Option(help: "Seconds that a call to a plugin may take, 0.1 to 3600.")
  var pluginDeadline: Double = 10

  @Option(help: "Memory that a plugin may use, in MiB, 64 to 1048576.")
  var pluginMemory: UInt64 = 2048

  func validate() throws {
    guard (0.1...3600).contains(pluginDeadline) else { throw ValidationError("--plugin-deadline takes 0.1 to 3600.") }
    guard (64...1_048_576).contains(pluginMemory) else { throw ValidationError("--plugin-memory takes 64 to 1048576.") }
    _ = try trust
    guard !requireIsolation || trusted.isEmpty else {
      throw ValidationError("--require-isolation and --trust-plugin cannot be given together.")
    }
  }

  var options: PluginOptions {
    get throws(CompositorError) {
      let isolation = PluginIsolation(
        deadline: .milliseconds(Int64(pluginDeadline * 1000)), memoryLimit: pluginMemory << 20)
      do {
        return PluginOptions(trusted: try trust, isolation: isolation)
      } catch {
        throw CompositorError(.invalidValue, "\(error)")
      }
    }
  }

  /// What ``trusted`` says. A compositor's ID is a name that any file can take, and trusts nothing.
  private var trust: Set<PluginTrust> {
    get throws {
      Set(
        try trusted.map { text in
          if text == "libavfilter" { return .libavfilter }
          if text.hasPrefix("sha256:") {
            let digest = text.dropFirst(7).lowercased()
            guard digest.count == 64, digest.allSatisfy(\.isHexDigit) else {
              throw ValidationError("--trust-plugin: “\(text)” is no SHA-256 of 64 hexadecimal digits.")
            }
            return .digest(digest)
          }
          do {
            return try PluginTrust(file: text)
          } catch {
            throw ValidationError(
              "--trust-plugin: there is no file “\(text)”. Plugins are trusted by their file or its SHA-256 (compositor plugins inspect says it), not by name."
            )
          }
        })
    }
  }

  /// The compositors that an edit can be rendered with. Plugins are opened only where it names one that is not built in.
  func registry(for edit: Edit, of file: ProjectFile) throws(CompositorError) -> CompositorRegistry {
    let builtIn = CompositorRegistry.builtIn
    let processors = edit.audioMix.processorIDs.filter { builtIn.audioProcessor($0) == nil }
    let wanted = edit.compositorIDs.filter { builtIn[$0] == nil }.union(processors.map { CompositorID(rawValue: $0.rawValue) })
    guard !wanted.isEmpty else { return builtIn }
    var library = PluginLibrary(try options)
    for path in file.plugins { try library.open(path) }
    library.find(wanted)
    let registry = try library.registry
    try tellMissingSandboxParts(of: library)
    // What could not be opened matters where something is missing.
    if wanted.contains(where: { registry[$0] == nil && registry.audioProcessor(AudioProcessorID(rawValue: $0.rawValue)) == nil }
    ) {
      for failure in library.failures { Terminal.complain("\(failure.plugin): \(failure.error)") }
    }
    return registry
  }

  /// The edit of a project and the compositors that it names, now that their parameters are known.
  ///
  /// - Parameter draft: The edit as it is without them.
  func edit(
    of file: ProjectFile, draft: Edit, catalog: MediaCatalog, fonts: FontLibrary? = nil
  ) throws(CompositorError) -> (edit: Edit, registry: CompositorRegistry) {
    let registry = try registry(for: draft, of: file)
    guard draft.usesPlugins || draft.namesFiles(registry) else { return (draft, registry) }
    return (try file.edit(catalog: catalog, fonts: fonts, registry: registry), registry)
  }

  /// Says once what plugins could do on this system that they should not, or refuses to go on.
  private func tellMissingSandboxParts(of library: PluginLibrary) throws(CompositorError) {
    let missing = library.missingSandboxParts
    guard !missing.isEmpty else { return }
    let list = missing.joined(separator: ", ")
    guard !requireIsolation else {
      throw CompositorError(
        .pluginFailed, "This system cannot deny plugins: \(list).",
        recoverySuggestion: "Use a kernel with user namespaces, seccomp and Landlock, or leave out --require-isolation.")
    }
    Terminal.complain("warning: this system cannot deny plugins: \(list) (--require-isolation refuses to go on)")
  }
}
