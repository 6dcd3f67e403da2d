import CompositorAPI
import CompositorMediaIO

extension ProjectFile {
  /// The names of the variables that a project file declares, each with its default; empty if it cannot be read, which reading
  /// it reports.
  package static func declaredVariables(of path: String) -> Set<String> {
    guard let bytes = try? RegularFile.bytes(of: path, maximumByteCount: maximumByteCount),
      let text = try? SourceText(name: path, bytes: bytes), let document = try? JSON5Reader.read(text),
      case .object(let members) = document.value,
      case .object(let variables)? = members.first(where: { $0.key == "variables" })?.value.value
    else { return [] }
    return Set(variables.map(\.key))
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
    var values = others.merging(variables(ofRow: 0, declared: ProjectFile.declaredVariables(of: project))) { _, new in new }
    var found: [String] = []
    while true {
      do throws(CompositorError) {
        _ = try ProjectFile(opening: project, variables: values, ignoringUnused: false)
        return found
      } catch {
        guard error.code == .invalidParameter,
          let name = values.keys.first(where: { error.message.hasSuffix("no variable \(quoted($0)).") })
        else { return found }
        values[name] = nil
        guard columns.contains(name), !named.contains(name) else { continue }
        let advice = error.recoverySuggestion.map { " " + $0 } ?? ""
        found.append("the column \(quoted(name)) is not used: the project has no variable of this name.\(advice)")
      }
    }
  }
}
