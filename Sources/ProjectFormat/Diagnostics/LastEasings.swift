import CompositorAPI

/// Keyframes whose last one has an easing, and the one before has none: an easing is that of the way to the next keyframe, so it
/// changes nothing there. The edit has no such easing, so the text is checked.
struct LastEasings {
  private let document: JSON5Node

  init(_ document: JSON5Node) { self.document = document }

  func diagnostics() -> [ValidationDiagnostic] {
    ["tracks", "instructions", "effects", "output"].flatMap { key in
      document.member(key).map { found(in: $0, path: key) } ?? []
    }
  }

  private func found(in node: JSON5Node, path: String) -> [ValidationDiagnostic] {
    let elements = node.elements
    let own = warning(elements, path: path).map { [$0] } ?? []
    let inner = elements.enumerated().flatMap { found(in: $1, path: "\(path)[\($0)]") }
    return own + inner + node.members.flatMap { found(in: $0.value, path: "\(path).\($0.key)") }
  }

  private func warning(_ keyframes: [JSON5Node], path: String) -> ValidationDiagnostic? {
    guard keyframes.count > 1, keyframes.allSatisfy({ $0.member("at") != nil }), let last = keyframes.last?.member("easing"),
      keyframes[keyframes.count - 2].member("easing") == nil, last.value != .string("linear")
    else { return nil }
    return ValidationDiagnostic(
      .effectUnchanging, severity: .warning,
      "The easing of the last keyframe changes nothing: it is that of the way to the next one, and there is none.",
      recoverySuggestion: "Write it in the keyframe before, where the change begins.",
      path: "\(path)[\(keyframes.count - 1)].easing")
  }
}
