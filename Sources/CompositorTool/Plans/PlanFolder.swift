import Compositor
import Foundation

/// The folder of a plan. It is the current folder while a plan is made or rendered, so that the paths in the plan are resolved relative
/// to it no matter where the command runs.
struct PlanFolder {
  /// The path of the folder, without symbolic links.
  let path: String
  private let current: String

  /// - Parameter plan: The path of the plan as given on the command line.
  init(ofPlan plan: String) {
    current = Self.real(FileManager.default.currentDirectoryPath)
    path = Self.folder(of: plan, from: current)
  }

  /// The folder of a path of the command line, without links.
  private static func folder(of path: String, from current: String) -> String {
    let prefix = FileName.prefix(of: path)
    let folder = prefix.isEmpty ? "." : String(prefix)
    return real(folder.hasPrefix("/") ? folder : current + "/" + folder)
  }

  /// A path of the command line, relative to this folder.
  func relative(_ given: String) -> String {
    (Self.folder(of: given, from: current) + "/" + FileName.name(of: given)).relativePath(from: path, current: current)
  }

  /// A path of the command line, made absolute, without `..`.
  func absolute(_ given: String) -> String {
    let (folder, name) = (Self.folder(of: given, from: current), FileName.name(of: given))
    return folder == "/" ? "/" + name : folder + "/" + name
  }

  /// A path in this folder, for messages: as seen from the folder in which the tool was called.
  func shown(_ path: String) -> String {
    path.hasPrefix("/") ? path : (self.path + "/" + path).relativePath(from: current, current: current)
  }

  /// Makes this the current folder.
  func enter() throws(CompositorError) {
    guard path != current, !FileManager.default.changeCurrentDirectoryPath(path) else { return }
    throw CompositorError(
      .fileNotFound, "The folder of the plan cannot be entered.", recoverySuggestion: "Create it, or check its permissions.",
      at: ErrorLocation(file: path))
  }

  private static func real(_ folder: String) -> String {
    guard let resolved = realpath(folder, nil) else { return folder.normalizedPath }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension RenderOptions {
  /// The options with paths relative to the folder of a plan.
  ///
  /// - Parameter movie: The path of the movie, relative to that folder.
  func relative(to folder: PlanFolder, movie: String) -> RenderOptions {
    var options = self
    options.project.path = folder.relative(project.path)
    options.project.plugins.trusted = project.plugins.trusted.map { text in
      PluginOverrides.isFile(text) ? folder.relative(text) : text
    }
    options.captions.captions = captions.captions.map(folder.relative)
    options.options.metadata.cover = self.options.metadata.cover.map(folder.relative)
    options.options.metadata.source = self.options.metadata.source.map(folder.relative)
    options.options.output = movie
    return options
  }
}
