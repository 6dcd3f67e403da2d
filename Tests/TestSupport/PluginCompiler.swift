package import Foundation

/// Compiles plugins for tests.
package struct PluginCompiler {
  /// The repository.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// The header that plugins include.
  package static let header = root.appending(path: "Sources/CCompositorPlugin/include/compositor_plugin.h")
  /// The folder of plugins that break a rule or show a feature.
  package static let fixtures = root.appending(path: "Tests/ToolTests/Fixtures")

  private let folder: URL

  /// - Parameter folder: The folder for plugins.
  package init(in folder: URL) { self.folder = folder }

  /// Compiles a C file.
  ///
  /// - Parameters:
  ///   - header: The text to include as the header; `nil` for that of the package.
  ///   - name: The plugin's name, without an extension.
  /// - Returns: The plugin's file.
  package func compile(_ source: URL, header: String? = nil, flags: [String] = [], name: String = "plugin") throws -> URL {
    let included = folder.appending(path: "include-\(name)")
    try FileManager.default.createDirectory(at: included, withIntermediateDirectories: true)
    let text = try header ?? String(contentsOf: Self.header, encoding: .utf8)
    try Data(text.utf8).write(to: included.appending(path: "compositor_plugin.h"))
    // A header beside the source comes before those of -I.
    var source = source
    if header != nil {
      let copy = included.appending(path: source.lastPathComponent)
      try FileManager.default.copyItem(at: source, to: copy)
      source = copy
    }
    let plugin = folder.appending(path: "\(name).so")
    try made(plugin, of: source, flags) {
      try runProgram(
        "cc",
        ["-std=c11", "-O1", "-fPIC", "-shared", "-I", included.path] + flags + ["-o", plugin.path, source.path, "-lm"])
    }
    return plugin
  }

  /// Compiles a Swift file into a plugin, with this package's own plugin kit as it was built for the tests.
  package func compileSwift(_ source: URL, flags: [String] = [], name: String) throws -> URL {
    let build = BuiltTool.url.deletingLastPathComponent()
    var arguments = [
      "-O", "-swift-version", "6", "-parse-as-library", "-module-name", "TestPlugin", "-emit-library", "-I",
      build.appending(path: "Modules").path,
    ]
    var objects: [String] = []
    for target in [
      "CompositorPluginKit", "CompositorAPI", "CompositorKernels", "CompositorPluginBridge", "CCompositorKernels",
      "CCompositorPlugin",
    ] {
      let folder = build.appending(path: "\(target).build")
      // A target of C has a map of its own beside its headers, or one that the build made.
      let own = Self.root.appending(path: "Sources/CPixelKernels/include/module.modulemap").path
      let map = target == "CCompositorKernels" ? own : folder.appending(path: "module.modulemap").path
      if FileManager.default.fileExists(atPath: map) { arguments += ["-Xcc", "-fmodule-map-file=\(map)"] }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      objects += names.filter { $0.hasSuffix(".o") }.map { folder.appending(path: $0).path }
    }
    let plugin = folder.appending(path: "\(name).so")
    try made(plugin, of: source, flags) {
      try runProgram("swiftc", arguments + flags + ["-o", plugin.path, source.path] + objects + ["-lm"])
    }
    return plugin
  }

  /// Compiles a plugin that breaks a rule from a frame on.
  ///
  /// - Parameter deed: One of those in `hostile.c`.
  package func hostile(_ deed: String, fromFrame frame: Int, flags: [String] = []) throws -> URL {
    try compile(
      Self.fixtures.appending(path: "hostile.c"),
      flags: ["-I", Self.fixtures.path, "-pthread", "-DDEED=\(deed)", "-DFRAME=\(frame)"] + flags, name: deed.lowercased())
  }

  /// What is made of a file of the repository is made once; files of a test's own folder may change.
  private func made(_ plugin: URL, of source: URL, _ flags: [String], make: () throws -> Void) throws {
    let isOurs = ["Tests", "Plugins"].contains { source.path.hasPrefix(Self.root.appending(path: $0).path + "/") }
    guard isOurs else { return try make() }
    try MadeOnce.file(plugin, key: ["plugin", source.path] + flags, make: make)
  }
}
