import CompositorAPI

extension ProjectVariables {
  /// Fills in the variables of a project's document, except in `variables` itself.
  ///
  /// - Parameter directory: The directory of the project: empty, or ending in a slash.
  /// - Throws: `.invalidProject` at a string with a variable that has no value, and for a file of a variable that cannot be
  ///   read; `.invalidParameter` if a value was set for a name that the project neither declares nor uses, unless those are
  ///   ignored, or has another type than declared.
  static func fill(
    _ document: JSON5Node, _ text: SourceText, directory: String, set values: [String: String], ignoringUnused: Bool
  ) throws(CompositorError) -> JSON5Node {
    let (filled, strays) = try filled(document, text, directory: directory, set: values)
    if !ignoringUnused, let (_, error) = strays.first { throw error }
    return filled
  }

  /// The same, with the error for each name that the project neither declares nor uses, by name.
  static func filled(
    _ document: JSON5Node, _ text: SourceText, directory: String, set values: [String: String]
  ) throws(CompositorError) -> (document: JSON5Node, strays: [(name: String, error: CompositorError)]) {
    guard case .object(var members) = document.value else { return (document, []) }
    let declaration = members.first { $0.key == "variables" }.map {
      ProjectValue(node: $0.value, path: .key(.root, "variables"), text: text)
    }
    var variables = try ProjectVariables(declaredIn: declaration, text: text, directory: directory)
    let names = values.keys.sorted()
    for name in names {
      do throws(CompositorError) {
        try variables.set(name, to: .string(values[name] ?? ""))
      } catch {
        throw error.locating(variables.place(of: name) ?? ErrorLocation(file: text.name))
      }
    }
    try variables.readFiles()
    let shapes = ValueShape.object("project").memberShapes(of: members)
    for index in members.indices {
      let key = members[index].key
      members[index].value =
        key == "variables"
        ? variables.namingFiles(in: members[index].value)
        : try variables.fill(members[index].value, path: .key(.root, key), shape: shapes(key))
    }
    let strays = names.filter(variables.isUnknown).map { name in
      (name, variables.unknown(name, in: "The project").locating(ErrorLocation(file: text.name)))
    }
    return (JSON5Node(.object(members), offset: document.offset), strays)
  }

  /// The declaration with the files that are read in the place of those that it names: a document names all that it needs.
  private func namingFiles(in declaration: JSON5Node) -> JSON5Node {
    guard !files.isEmpty, case .object(var members) = declaration.value else { return declaration }
    for index in members.indices {
      guard let file = files[members[index].key], case .object(var declared) = members[index].value.value, !declared.isEmpty
      else { continue }
      declared[0].value = file.node
      members[index].value.value = .object(declared)
    }
    var named = declaration
    named.value = .object(members)
    return named
  }
}
