import CompositorAPI
import CompositorMediaIO

extension ProjectFile {
  /// The names of the variables that a project file declares, each with its default; empty if it cannot be read, which reading
  /// it reports.
  package static func declaredVariables(of path: String) -> Set<String> {
    guard let (_, document) = readable(path), case .object(let members) = document.value,
      case .object(let variables)? = members.first(where: { $0.key == "variables" })?.value.value
    else { return [] }
    return Set(variables.map(\.key))
  }

  /// The files that a project file's variables are read from by their declarations; empty if it cannot be read. They are known
  /// even if one of them has a mistake.
  package static func variableFiles(of path: String) -> Set<String> {
    guard isProject(path), let (_, document) = readable(path) else { return [] }
    return Set(document.variableFiles.map { $0.hasPrefix("/") ? $0 : directory(of: path) + $0 })
  }

  /// The values for names that a project file neither declares nor uses, each with the error that it causes, by name; empty if
  /// the file cannot be read, which reading it reports.
  fileprivate static func strayVariables(of path: String, _ values: [String: String]) -> [(String, CompositorError)] {
    guard isProject(path), let (text, document) = readable(path) else { return [] }
    return (try? ProjectVariables.filled(document, text, directory: directory(of: path), set: values).strays) ?? []
  }

  private static func readable(_ path: String) -> (text: SourceText, document: JSON5Node)? {
    guard let bytes = try? RegularFile.bytes(of: path, maximumByteCount: maximumByteCount),
      let text = try? SourceText(name: path, bytes: bytes), let document = try? JSON5Reader.read(text)
    else { return nil }
    return (text, document)
  }
}

extension CSVTable {
  /// One sentence for each column that neither a project nor the output's name uses.
  ///
  /// A project that cannot be read has none: rendering reports what is wrong with it.
  ///
  /// - Parameters:
  ///   - project: The path of the project.
  ///   - others: Values of other variables.
  ///   - pattern: The output's name, with placeholders.
  package func unusedColumns(of project: String, others: [String: String], pattern: String) -> [String] {
    let named = Set(RowName.placeholders(of: pattern))
    let values = others.merging(variables(ofRow: 0, declared: ProjectFile.declaredVariables(of: project))) { _, new in new }
    return ProjectFile.strayVariables(of: project, values).compactMap { name, error in
      guard columns.contains(name), !named.contains(name) else { return nil }
      let advice = error.recoverySuggestion.map { " " + $0 } ?? ""
      return "the column \(quoted(name)) is not used: the project has no variable of this name.\(advice)"
    }
  }
}
