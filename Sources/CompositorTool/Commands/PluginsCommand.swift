import ArgumentParser
import Compositor

/// `compositor plugins`.
struct PluginsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins",
    abstract: "List, inspect and check plugins, or create your own.",
    discussion: """
      Plugins are shared libraries in the folders of COMPOSITOR_PLUGIN_PATH, separated by colons; by default in \
      ~/.local/share/compositor/plugins, /usr/local/lib/compositor/plugins and /usr/lib/compositor/plugins. A project can \
      list its own files. Each plugin runs in its own process unless --trust-plugin names it.

      EXAMPLES
        compositor plugins new glow --language swift
        compositor plugins list
        compositor plugins inspect glow/glow.so
        compositor plugins check glow/glow.so
      """,
    subcommands: [
      PluginsListCommand.self, PluginsInspectCommand.self, PluginsCheckCommand.self, PluginsNewCommand.self,
      PluginsHeaderCommand.self, PluginsBenchCommand.self,
    ])
}

/// `compositor plugins list`.
struct PluginsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the compositors and audio processors of the plugins on the search path.")

  @OptionGroup var plugins: PluginArguments

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    var library = PluginLibrary(try plugins.options)
    library.openAll()
    PluginArguments.warnOfMissingSandboxParts(library.missingSandboxParts)
    let report = PluginListing(library, spelling: .options)
    try Terminal.result(json ? try JSON.text(report) : report.text, terminator: json ? "\n" : "")
  }
}

/// `compositor plugins inspect`.
struct PluginsInspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Describe a plugin, or one compositor or audio processor: parameters, formats and isolation.",
    discussion: """
      EXAMPLES
        compositor plugins inspect glow.so
        compositor plugins inspect org.example.glow --json | jq .compositors[0].parameters
      """)

  @OptionGroup var plugins: PluginArguments

  @Argument(
    help: ArgumentHelp("A plugin's file, or the ID of a compositor or audio processor.", valueName: "file|id"),
    completion: .file())
  var plugin: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let description = try PluginInspection(PluginLibrary.plugin(named: plugin, try plugins.options), asked: plugin)
    try Terminal.result(json ? try JSON.text(description) : description.text, terminator: json ? "\n" : "")
  }
}

/// `compositor plugins header`.
struct PluginsHeaderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "header", abstract: "Print compositor_plugin.h, the interface that plugins are written against.",
    discussion: """
      EXAMPLES
        compositor plugins header > compositor_plugin.h
      """)

  func run() throws {
    try Terminal.result(PluginHeader.text, terminator: "")
  }
}
