import CompositorAPI

/// Animations of titles whose duration is written as 0, which is the default and not an instant. The edit doesn't tell this from a
/// duration that is left out, so the text is checked.
struct ZeroDurations {
  private let document: JSON5Node

  init(_ document: JSON5Node) { self.document = document }

  func diagnostics() -> [ValidationDiagnostic] {
    document.titleLayers.flatMap { found(in: $0.layer, path: $0.path) }.map { found in
      ValidationDiagnostic(
        .effectUnchanging, severity: .warning,
        "The animation lasts \(found.length): a duration of 0 is the default, and changes nothing.",
        recoverySuggestion: "Write how long it lasts, such as \"1f\" for a change between two frames, or remove it.",
        path: found.path)
    }
  }

  /// The key paths of durations of 0 in a part of a title, and how long their animations last.
  private func found(in node: JSON5Node, path: String) -> [(path: String, length: String)] {
    let inElements = node.elements.enumerated().flatMap { index, element in found(in: element, path: "\(path)[\(index)]") }
    return node.members.flatMap { member -> [(path: String, length: String)] in
      let own = "\(path).\(member.key)"
      guard member.key == "animations" else { return found(in: member.value, path: own) }
      return animations(member.value, path: own, length: "0.25 s")
    } + inElements
  }

  /// - Parameter length: How long an animation without a duration lasts.
  private func animations(_ list: JSON5Node, path: String, length: String) -> [(path: String, length: String)] {
    list.elements.enumerated().flatMap { index, animation -> [(path: String, length: String)] in
      let own = "\(path)[\(index)]"
      // A spring lasts until it is at rest, a wiggle and what follows audio as long as its layer.
      let isItself = ["spring", "wiggle", "audio"].contains { animation.member($0) != nil }
      let isZero = !isItself && animation.member("duration")?.isZeroTime == true
      let members = animation.member("group").map { animations($0, path: own + ".group", length: "as long as its group") }
      return (isZero ? [(own + ".duration", length)] : []) + (members ?? [])
    }
  }
}

extension JSON5Node {
  /// Whether it is 0, `"0s"`, `"0 ms"`, `"0f"` or `"00:00:00:00"`, and no text with a variable such as `"${pause0}"`.
  fileprivate var isZeroTime: Bool {
    switch value {
    case .number(let text), .string(let text): text.contains("0") && text.allSatisfy("0.:; fms".contains)
    default: false
    }
  }
}
