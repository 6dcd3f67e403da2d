import ArgumentParser
import Compositor

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
        compositor plugins check grade.so --set lut=film.cube
        compositor plugins check glow.so --json | jq '.compositors[].lines[] | select(.outcome == "failed")'
      """)

  @OptionGroup var plugins: PluginArguments

  @Argument(help: ArgumentHelp("A plugin's file, or a compositor's ID.", valueName: "file|id"), completion: .file())
  var plugin: String

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "A parameter's value in place of the default; the path of a file for parameters that are files. May be given several times.",
      valueName: "key=value"))
  var assignments: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    for assignment in assignments where !assignment.contains("=") || assignment.hasPrefix("=") {
      throw ValidationError("--set takes KEY=VALUE, not \(assignment).")
    }
  }

  func run() throws {
    let options = try plugins.options
    let specification = try PluginLibrary.specification(named: plugin, options)
    let assigned = AssignedParameters(assignments)
    let check = PluginCheck(
      specification, asked: plugin, isolation: options.isolation, reservedKeys: ProjectSchema.keysBesideParameters,
      spelling: .options
    ) { descriptors throws(CompositorError) in
      try assigned.check(against: descriptors)
      var values: [CompositorID: ParameterValues] = [:]
      for descriptor in descriptors { values[descriptor.id] = try assigned.values(for: descriptor) }
      return values
    }
    let report = try check.run { id, step in
      if Terminal.isInteractive { Terminal.put("\r\u{1B}[K\(id): \(step.title)") }
    }
    if Terminal.isInteractive { Terminal.put("\r\u{1B}[K") }
    try Terminal.result(json ? try JSON.text(report) : report.text, terminator: json ? "\n" : "")
    guard report.failureCount == 0 else { throw ExitCode(ProcessStatus.invalidProject.rawValue) }
  }
}
