import Compositor
import ArgumentParser
import Foundation

/// `compositor plugins new`.
struct PluginsNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create a folder with a working plugin: `make` builds it, `make test` checks it, `make demo` renders with it.",
    discussion: """
      EXAMPLES
        compositor plugins new glow --language c
        compositor plugins new glow --language c++
        compositor plugins new glow --language rust
        compositor plugins new glow --language swift
        compositor plugins new glow --language swift --package https://github.com/example/swift-compositor
      """)

  @Argument(help: "The plugin's name: lowercase letters, digits and hyphens.")
  var name: String

  @Option(help: "The language: c, c++, rust or swift.")
  var language: PluginTemplate.Language

  @Option(
    help: """
      For Swift: the folder or URL of the package swift-compositor. By default the origin of the clone that this tool was built \
      from, or else the folder of that clone if it still exists.
      """)
  var package: String?

  @Option(help: "The folder to create. By default one with the plugin's name, in the current folder.")
  var folder: String?

  func run() throws {
    let template = try PluginTemplate(
      name: name, language: language, package: package,
      tool: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "compositor")
    let folder = folder ?? name
    try template.write(to: folder)
    try Terminal.result("\(folder): \(template.files.map(\.name).joined(separator: ", "))")
    if let dependency = template.dependency {
      try Terminal.result(
        "depends on \(dependency)\(package == nil ? " (--package chooses another copy of swift-compositor)" : "")")
    }
    try Terminal.result("next: cd \(folder) && make && make test && make demo")
  }
}

extension PluginTemplate.Language: ExpressibleByArgument {}
