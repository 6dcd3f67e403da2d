// Titles as they are written, for checks of what their layers no longer tell.

extension JSON5Node {
  /// The members of an object; empty for other values.
  var members: [JSON5Member] { if case .object(let members) = value { members } else { [] } }

  /// The elements of a list; empty for other values.
  var elements: [JSON5Node] { if case .array(let elements) = value { elements } else { [] } }

  /// The value of a key; `nil` if there is none, or if this is no object.
  func member(_ key: String) -> JSON5Node? { members.first { $0.key == key }?.value }

  /// Calls a closure with each string of the value, as it was written, and its key path.
  func visitStrings(at path: String = "", _ body: (_ string: String, _ path: String) -> Void) {
    if let pattern {
      body(pattern, path)
      return
    }
    switch value {
    case .string(let string): body(string, path)
    case .array(let elements):
      for (index, element) in elements.enumerated() { element.visitStrings(at: "\(path)[\(index)]", body) }
    case .object(let members):
      for member in members {
        member.value.visitStrings(at: path.isEmpty ? member.key : "\(path).\(member.key)", body)
      }
    case .null, .bool, .number: break
    }
  }

  /// The layer trees of a project's titles and of those of its assets, with their key paths.
  var titleLayers: [(layer: JSON5Node, path: String)] {
    titleLayers(at: "") + (member("assets")?.members ?? []).flatMap { $0.value.titleLayers(at: "assets.\($0.key).") }
  }

  private func titleLayers(at path: String) -> [(layer: JSON5Node, path: String)] {
    (member("titles")?.elements ?? []).enumerated().compactMap { index, title in
      title.member("layer").map { ($0, "\(path)titles[\(index)].layer") }
    }
  }
}
