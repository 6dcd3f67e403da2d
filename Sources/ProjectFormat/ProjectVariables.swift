import CompositorAPI
import CompositorTimeline

/// Fills `${name}` in the texts of a project's titles and assets with values: those of its own `variables`, and those that were set.
struct ProjectVariables {
  let values: [String: String]
  let text: SourceText

  /// The document with the texts of `titles` and `assets` filled in.
  ///
  /// - Throws: `.invalidProject` at a text that names a variable without a value; `.invalidParameter` for a value that was set
  ///   without the project declaring or using its name, unless those are ignored.
  static func fill(
    _ document: JSON5Node, _ text: SourceText, set values: [String: String], ignoringUnused: Bool
  ) throws(CompositorError) -> JSON5Node {
    guard case .object(var members) = document.value else { return document }
    var all: [String: String] = [:]
    if let declared = members.first(where: { $0.key == "variables" }), case .object(let defaults) = declared.value.value {
      for member in defaults { if case .string(let value) = member.value.value { all[member.key] = value } }
    }
    let declared = Set(all.keys)
    all.merge(values) { _, new in new }
    let variables = ProjectVariables(values: all, text: text)
    var used: Set<String> = []
    for index in members.indices where ["titles", "assets"].contains(members[index].key) {
      members[index].value = try variables.fill(members[index].value, path: .key(.root, members[index].key), &used)
    }
    if !ignoringUnused, let stray = values.keys.sorted().first(where: { !declared.contains($0) && !used.contains($0) }) {
      throw CompositorError(
        .invalidParameter, "The project has no variable \(quoted(stray)).",
        recoverySuggestion: recoverySuggestion(for: stray, among: declared.union(used).sorted()),
        at: ErrorLocation(file: text.name))
    }
    return JSON5Node(.object(members), offset: document.offset)
  }

  private func fill(_ node: JSON5Node, path: NodePath, _ used: inout Set<String>) throws(CompositorError) -> JSON5Node {
    var filled = node
    switch node.value {
    case .string(let string): filled.value = .string(try fill(string, node, path, &used))
    case .array(var elements):
      for index in elements.indices { elements[index] = try fill(elements[index], path: .index(path, index), &used) }
      filled.value = .array(elements)
    case .object(var members):
      for index in members.indices {
        members[index].value = try fill(members[index].value, path: .key(path, members[index].key), &used)
      }
      filled.value = .object(members)
    case .null, .bool, .number: break
    }
    return filled
  }

  private func fill(
    _ string: String, _ node: JSON5Node, _ path: NodePath, _ used: inout Set<String>
  ) throws(CompositorError) -> String {
    guard string.contains("${") else { return string }
    var result = ""
    var rest = Substring(string)
    while let open = rest.firstRange(of: "${") {
      result += rest[..<open.lowerBound]
      rest = rest[open.upperBound...]
      guard let close = rest.firstIndex(of: "}") else {
        throw ProjectValue(node: node, path: path, text: text).error(
          "A \"${\" is not closed.", recoverySuggestion: "Write \"${name}\".")
      }
      let name = String(rest[..<close])
      rest = rest[rest.index(after: close)...]
      guard let value = values[name] else {
        throw ProjectValue(node: node, path: path, text: text).error(
          "The variable \(quoted(name)) has no value.",
          recoverySuggestion: "Give it one: --set \(name)=…, or in the project's variables.")
      }
      used.insert(name)
      result += value
    }
    return result + rest
  }
}
