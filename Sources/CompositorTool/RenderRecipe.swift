import ArgumentParser
import Compositor
import Foundation

/// The options of `compositor render` that define a movie. A plan records them.
struct RecipeOptions: ParsableArguments {
  @OptionGroup var project: ProjectArgument
  @OptionGroup var captions: CaptionOptions
  @OptionGroup var options: OutputOptions

  @Option(
    parsing: .unconditional,
    help: "The range of the timeline to render, A..B. Either may be omitted. Times as in projects: 48f, 2.5s, 00:00:02:12.")
  var range: String?

  func validate() throws {
    guard project.path != "-" else {
      throw ValidationError("A plan names its project, so the project cannot be the standard input.")
    }
  }
}

/// A project and its render options as a plan records them. Paths are relative to the folder of the plan, which is the current folder.
struct RenderRecipe {
  let project: String
  let arguments: [String]

  /// Options whose values are paths of files.
  private static let fileOptions = ["--captions", "--cover", "--metadata-from", "--trust-plugin"]

  init(project: String, arguments: [String]) { (self.project, self.arguments) = (project, arguments) }

  /// Creates the recipe of a command line.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the command, without its own options.
  ///   - movie: The path of the movie, for options that depend on it.
  ///   - folder: The folder of the plan; paths become relative to it.
  init(_ arguments: [String], movie: String, folder: PlanFolder) throws {
    let options = try RecipeOptions.parse(arguments + ["-o", movie])
    // Find the argument that is the project: change each in turn, and see whether the parsed project changes.
    let marker = "\(UUID().uuidString).json5"
    let place = arguments.indices.first { index in
      guard arguments[index] == options.project.path else { return false }
      var changed = arguments
      changed[index] = marker
      return (try? RecipeOptions.parse(changed + ["-o", movie]))?.project.path == marker
    }
    guard let place else { throw ValidationError("The project cannot be distinguished from the options. Write it first.") }
    var rest = arguments
    rest.remove(at: place)
    project = folder.relative(options.project.path)
    self.arguments = Self.rebased(rest, folder)
  }

  private static func rebased(_ arguments: [String], _ folder: PlanFolder) -> [String] {
    func rebased(_ value: String, _ option: String) -> String {
      let isName = option == "--trust-plugin" && (value == "libavfilter" || value.hasPrefix("sha256:"))
      return isName ? value : folder.relative(value)
    }
    var result: [String] = []
    for argument in arguments {
      if let option = result.last, fileOptions.contains(option) {
        result.append(rebased(argument, option))
      } else if let option = fileOptions.first(where: { argument.hasPrefix($0 + "=") }) {
        result.append("\(option)=" + rebased(String(argument.dropFirst(option.count + 1)), option))
      } else {
        result.append(argument)
      }
    }
    return result
  }

  /// Parses the options for an output.
  ///
  /// - Throws: A usage error. For the arguments of a plan, the plan is invalid.
  func options(output: String) throws -> RecipeOptions { try RecipeOptions.parse([project] + arguments + ["-o", output]) }
}

/// The loaded project of a recipe.
struct LoadedRecipe {
  let project: PlannedProject
  let settings: ExportSettings

  /// - Parameters:
  ///   - file: The recipe's project, with the values of its variables.
  ///   - fonts: Fonts that are loaded already; `nil` loads those of the project.
  init(
    _ recipe: RenderRecipe, _ given: RecipeOptions, file: ProjectFile, catalog: MediaCatalog, fonts: FontLibrary? = nil
  ) throws {
    let options = given.options
    var file = file
    if let canvas = options.encoding.size { file.layOut(on: canvas) }
    let loaded = try given.project.load(file, catalog: catalog, captions: given.captions, options: options, fonts: fonts)
    let files = given.captions.captions + options.metadata.files
    project = PlannedProject(
      file, path: recipe.project, composition: loaded.composition, optionFiles: files, plugins: loaded.plugins)
    settings = try loaded.settings(options, range: given.range)
  }
}

/// The folder of a plan. It is the current folder while a plan is made or rendered, so that the paths in the plan are resolved relative
/// to it no matter where the command runs.
struct PlanFolder {
  /// The path of the folder, without symbolic links.
  let path: String
  private let current: String

  /// - Parameter plan: The path of the plan as given on the command line.
  init(ofPlan plan: String) {
    current = Self.real(FileManager.default.currentDirectoryPath)
    let folder = plan.lastIndex(of: "/").map { String(plan[...$0]) } ?? "."
    path = Self.real(folder.hasPrefix("/") ? folder : current + "/" + folder)
  }

  /// A path of the command line, relative to this folder.
  func relative(_ given: String) -> String {
    let parent = given.lastIndex(of: "/").map { String(given[...$0]) } ?? "."
    let name = given.lastIndex(of: "/").map { String(given[given.index(after: $0)...]) } ?? given
    let folder = Self.real(parent.hasPrefix("/") ? parent : current + "/" + parent)
    return (folder + "/" + name).relativePath(from: path, current: current)
  }

  /// A path of the command line, made absolute, without `..`.
  func absolute(_ given: String) -> String {
    let parent = given.lastIndex(of: "/").map { String(given[...$0]) } ?? "."
    let name = given.lastIndex(of: "/").map { String(given[given.index(after: $0)...]) } ?? given
    let folder = Self.real(parent.hasPrefix("/") ? parent : current + "/" + parent)
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
