import ArgumentParser
import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorPlugins

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The tool: parses, calls the host, prints, and ends with the status of what happened.
@main
struct CompositorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compositor",
    abstract: "Compose movies from real clips: cuts, dissolves, pictures in pictures, and compositors of your own.",
    discussion: """
      A PROJECT is a .json5 file (docs/project-file.md, or `compositor schema`), - for such a text on the standard input, or simply a media \
      file; a still image lasts 5 seconds.

      EXAMPLES
        compositor render holiday.json5 -o holiday.mp4
        compositor join a.mp4 b.mp4 c.mp4 --transition dissolve:1s -o all.mp4
        compositor frame holiday.json5 --at 2.5s -o still.png
        compositor explain holiday.json5

      EXIT STATUS
        0 done · 64 usage · 65 invalid project · 66 missing media · 69 missing codec, compositor or plugin
        70 internal fault · 74 input/output · 75 worth another try · 79 slower than the baseline
        129 the terminal was closed · 130 interrupted · 143 ended by SIGTERM

      SHELL COMPLETION
        compositor --generate-completion-script bash > ~/.local/share/bash-completion/completions/compositor
        (or zsh, or fish)
      """,
    version: "compositor \(versionNumber)",
    subcommands: [
      RenderCommand.self, PlayCommand.self, FrameCommand.self, ThumbnailsCommand.self, JoinCommand.self,
      ProbeCommand.self, ValidateCommand.self, ExplainCommand.self, DiagramCommand.self, PreviewCommand.self,
      CaptionsCommand.self, PresetsCommand.self, CompositorsCommand.self, PluginsCommand.self,
      SchemaCommand.self, BenchCommand.self,
    ])

  /// The version of the tool.
  static let versionNumber = "0.1.0"

  static func main() async {
    // The same program serves as the process in which a plugin runs.
    PluginSupervisor.runIfAsked()
    // A reader that goes away, such as head, must not end a render: its writes fail instead.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parsed(Array(CommandLine.arguments.dropFirst()))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as CompositorError {
      fail(error)
    } catch {
      fail(error)
    }
  }

  /// The command that the arguments ask for. A mistake in them is the last event of a render whose progress is read by a program, as
  /// any later mistake is.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    do {
      try checkName(arguments)
      return try parseAsRoot()
    } catch {
      if exitCode(for: error) != .success { ProgressReporter.fail(error, before: arguments) }
      throw error
    }
  }

  /// A command that does not exist is named before the parser complains of the options that it would have.
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

  /// One line on the standard error stream, and the status that belongs to the error.
  private static func fail(_ error: CompositorError) -> Never {
    Terminal.complain("error: \(error.toldByTool.description.replacing("\n", with: " "))")
    let status = error.code == .cancelled ? Interruption.status : ProcessStatus(error.code).rawValue
    exit(withError: ExitCode(status))
  }

  /// Help and version are no failures. The parser's own messages become one line as well.
  private static func fail(_ error: any Error) -> Never {
    // A status of its own: what there is to say has been said.
    if error is ExitCode { exit(withError: error) }
    let code = exitCode(for: error)
    guard code != .success else { exit(withError: error) }
    let isUsage = code == .validationFailure
    let hint = isUsage ? " See compositor --help." : ""
    Terminal.complain("error: \(message(for: error).replacing("\n", with: " "))\(hint)")
    exit(withError: ExitCode((isUsage ? ProcessStatus.usage : .internal).rawValue))
  }
}

extension CompositorError {
  /// The same error in the words of the tool: what to do names its options.
  var toldByTool: CompositorError {
    guard code == .outputExists else { return self }
    return CompositorError(
      code, message, recoverySuggestion: "Choose another name, or give --overwrite.", cause: cause, at: location)
  }
}
