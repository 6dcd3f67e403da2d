import ArgumentParser
import Compositor
import CompositorPreview
import Foundation

/// `compositor preview`.
struct PreviewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Preview a project in a browser while editing it: video, audio, timeline, diagnostics, costs.",
    discussion: """
      Prints a local address with the token that is needed to open it, and serves until it is interrupted. The page updates when the \
      project or its media change. See docs/preview.md.

      EXAMPLES
        compositor preview holiday.json5
        compositor preview holiday.json5 --open
        compositor preview phone.mov --port 8080
      """)

  @OptionGroup var project: ProjectArgument
  @OptionGroup var damage: PreviewDamageOptions

  @Option(help: "The port of 127.0.0.1 to listen on. By default a free one.")
  var port: UInt16 = 0

  @Flag(help: "Open the address in the browser of this desktop.")
  var open = false

  func validate() throws {
    guard project.path != "-" else {
      throw ValidationError("preview needs a file: the standard input cannot be read again.")
    }
  }

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      let plugins = command.project.plugins
      let project = try await PreviewProject(
        command.project.path, variables: command.project.variables, damaged: command.damage.damaged,
        ends: command.project.ends
      ) { file throws(CompositorError) in try plugins.registry(for: file) }
      let server = try await PreviewServer(project, settings: PreviewSettings(port: command.port))
      try Terminal.result(server.url)
      for diagnostic in await project.diagnostics where diagnostic.severity == .error {
        let place = DiagnosticText.place(of: diagnostic).map { $0 + ": " } ?? ""
        Terminal.complain("\(place)error: \(diagnostic.message)")
      }
      if command.open { command.openBrowser(at: server.url) }
      try await server.run()
    }
  }

  /// Opens the address with the desktop's browser. Without a desktop, the printed address has to do.
  private func openBrowser(at url: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["xdg-open", url]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { Terminal.complain("warning: no browser could be opened: \(error.localizedDescription)") }
  }
}

/// Options for damaged sources in a preview.
struct PreviewDamageOptions: ParsableArguments {
  @Option(
    help: """
      What to do if frames or audio are missing from a source: keep holds the last good frame and inserts silence; fail shows the error. \
      By default keep.
      """)
  var damaged: DamagePolicy = .keep
}
