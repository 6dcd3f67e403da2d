import ArgumentParser
import Compositor
import CompositorPlatform

/// The tool: parses arguments, calls the host, prints results, and exits with a status for each kind of failure.
@main
struct CompositorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compositor",
    abstract: "Compose movies from real clips: cuts, dissolves, picture in picture, and your own compositors.",
    discussion: """
      A PROJECT is a .json5 file (docs/project-file.md, or `compositor schema`), - for a project on the standard input, or simply a media \
      file. A still image lasts 5 seconds.

      EXAMPLES
        compositor render holiday.json5 -o holiday.mp4
        compositor join a.mp4 b.mp4 c.mp4 --transition dissolve:1s -o all.mp4
        compositor frame holiday.json5 --at 2.5s -o still.png
        compositor explain holiday.json5

      EXIT STATUS
        0 done · 64 usage · 65 invalid project · 66 missing media · 69 missing codec, compositor or plugin
        70 internal error · 74 input/output · 75 try again, or parts are missing · 79 slower than the baseline
        129 terminal closed · 130 interrupted · 143 ended by SIGTERM

      SHELL COMPLETION
        compositor --generate-completion-script bash > ~/.local/share/bash-completion/completions/compositor
        (or zsh, or fish)
      """,
    version: "compositor \(CompositorVersion.number)",
    subcommands: [
      RenderCommand.self, PlanCommand.self, ConcatCommand.self, FarmCommand.self, PlayCommand.self, FrameCommand.self,
      ThumbnailsCommand.self, JoinCommand.self, ProbeCommand.self, ValidateCommand.self, ExplainCommand.self,
      DiagramCommand.self, PreviewCommand.self, CaptionsCommand.self, FontsCommand.self, PresetsCommand.self,
      CompositorsCommand.self,
      PluginsCommand.self, SchemaCommand.self, BenchCommand.self,
    ])

  static func main() async {
    // The same executable is also the process in which a plugin runs.
    PluginSupervisor.runIfAsked()
    UnaskedExit.watch()
    StandardStreams.fill()
    // If a reader such as head exits early, writes fail instead of the signal ending the render.
    signal(SIGPIPE, SIG_IGN)
    do {
      try checkArguments()
      var command = try parsed(Array(CommandLine.arguments.dropFirst()))
      try ThreadSupply.check()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      UnaskedExit.expect()
    } catch let error as CompositorError {
      fail(error)
    } catch {
      fail(error)
    }
  }

  /// Swift reads the arguments from `/proc`, and finds none without it, not even the program's name.
  private static func checkArguments() throws(CompositorError) {
    guard CommandLine.arguments.isEmpty else { return }
    throw CompositorError(
      .readFailed, "The arguments of the command cannot be read.",
      recoverySuggestion: "Mount /proc: mount -t proc proc /proc.")
  }

  /// Parses the arguments into a command. If they are invalid, a render with progress for programs reports that as its last event, as it
  /// does with later errors.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    do {
      try checkName(arguments)
      try UsageMessage.checkDashes(arguments)
      guard !PlannedRenderCommand.isMeant(arguments) else {
        return try PlannedRenderCommand.parseAsRoot(Array(arguments.dropFirst()))
      }
      return try parseAsRoot()
    } catch {
      if exitCode(for: error) != .success { ProgressReporter.fail(error, before: arguments) }
      throw error
    }
  }

  /// Reports an unknown command before the parser complains about its options.
  private static func checkName(_ arguments: [String]) throws {
    var command: any ParsableCommand.Type = self
    for argument in arguments {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return }
      if let found = subcommands.first(where: { $0._commandName == argument }) {
        command = found
        continue
      }
      guard command.configuration.defaultSubcommand == nil else { return }
      let names = subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
      throw ValidationError(
        "There is no command \"\(argument)\". \(recoverySuggestion(for: argument, among: names))")
    }
  }

  /// Prints the error as one line on the standard error stream, and returns its exit status.
  private static func fail(_ error: CompositorError) -> Never {
    UnaskedExit.expect()
    Terminal.complain("error: \(error.spelled(.options).description.replacing("\n", with: " "))")
    let status = error.code == .cancelled ? Interruption.status : ProcessStatus(error.code).rawValue
    exit(withError: ExitCode(status))
  }

  /// Help and version aren't failures. The parser's own messages become one line, too.
  private static func fail(_ error: any Error) -> Never {
    UnaskedExit.expect()
    // An explicit exit status: the message has been printed already.
    if error is ExitCode { exit(withError: error) }
    let code = exitCode(for: error)
    guard code != .success else { exit(withError: error) }
    let isUsage = code == .validationFailure
    let message = message(for: error)
    let arguments = Array(CommandLine.arguments.dropFirst())
    Terminal.complain(
      "error: \(isUsage ? UsageMessage(message, arguments: arguments).text : message.replacing("\n", with: " "))")
    exit(withError: ExitCode((isUsage ? ProcessStatus.usage : .internal).rawValue))
  }
}
