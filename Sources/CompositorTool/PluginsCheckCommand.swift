import ArgumentParser
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorPlugins

/// `compositor plugins check`.
struct PluginsCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Test a plugin thoroughly. The status is 65 if a check fails.",
    discussion: """
      Checks every declared format, odd sizes, strides, writes out of bounds, determinism, values that are kept, seeking backward, \
      parallel instances and threads, cancellation, leaks and speed. Each check runs in a worker process: a crash or a hang is a line of the report.

      EXAMPLES
        compositor plugins check glow.so
        compositor plugins check glow.so --json | jq '.compositors[].lines[] | select(.outcome == "failed")'
      """)

  @OptionGroup var plugins: PluginArguments

  @Argument(help: ArgumentHelp("A plugin's file, or a compositor's ID.", valueName: "file|id"), completion: .file())
  var plugin: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let options = try plugins.options
    let specification = try PluginLibrary.specification(named: plugin, options)
    let check = PluginCheck(
      specification, asked: plugin, isolation: options.isolation, reservedKeys: ProjectSchema.keysBesideParameters)
    let report = try check.run { id, step in
      if Terminal.isInteractive { Terminal.put("\r\u{1B}[K\(id): \(step.title)") }
    }
    if Terminal.isInteractive { Terminal.put("\r\u{1B}[K") }
    try Terminal.result(json ? try JSON.text(report) : report.text, terminator: json ? "\n" : "")
    guard report.failureCount == 0 else { throw ExitCode(ProcessStatus.invalidProject.rawValue) }
  }
}
