import ArgumentParser
import CompositorAPI
import Host
import Modules

/// How the command line says that modules are run.
struct PluginOptions: ParsableArguments {
  @Option(
    name: .customLong("trust-plugin"), parsing: .singleValue,
    help: ArgumentHelp(
      "A module's file, or a compositor's ID, to run without a process of its own. May be given several times.",
      valueName: "file|id"))
  var trusted: [String] = []

  @Option(help: "Seconds that a call to a module may take, 0.1 to 3600.")
  var pluginDeadline: Double = 10

  @Option(help: "Memory that a module may use, in MiB, 64 to 1048576.")
  var pluginMemory: UInt64 = 2048

  func validate() throws {
    guard (0.1...3600).contains(pluginDeadline) else { throw ValidationError("--plugin-deadline takes 0.1 to 3600.") }
    guard (64...1_048_576).contains(pluginMemory) else { throw ValidationError("--plugin-memory takes 64 to 1048576.") }
  }

  var options: ModuleOptions {
    ModuleOptions(
      trusted: Set(trusted),
      isolation: ModuleIsolation(deadline: .milliseconds(Int64(pluginDeadline * 1000)), memoryLimit: pluginMemory << 20))
  }

  /// The compositors that an edit can be rendered with. Modules are opened only where it names one that is not built in.
  func registry(for edit: Edit, of file: ProjectFile) throws(CompositorError) -> CompositorRegistry {
    let builtIn = CompositorRegistry.builtIn
    let wanted = edit.compositorIDs.filter { builtIn[$0] == nil }
    guard !wanted.isEmpty else { return builtIn }
    var library = ModuleLibrary(options)
    for path in file.plugins { try library.open(path) }
    library.find(wanted)
    let registry = try library.registry
    // What could not be opened matters where something is missing.
    if wanted.contains(where: { registry[$0] == nil }) {
      for failure in library.failures { Terminal.complain("\(failure.module): \(failure.error)") }
    }
    return registry
  }
}
