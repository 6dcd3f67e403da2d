import CompositorAPI

/// Conditions of elements (`if`, `unless`) that don't depend on any variable, or whose text is never empty, 0 or false, whatever the
/// variables in it are: in the notation of templates, `!${name}` and `${name} == yes` are expressions.
struct ConstantConditions {
  private let text: SourceText

  init(_ text: SourceText) { self.text = text }

  /// A warning for each such condition, in the order of the text.
  func diagnostics() -> [ProjectDiagnostic] {
    // What was read once has no mistakes.
    guard let source = try? JSON5Reader.read(text) else { return [] }
    return found(in: source, path: "")
  }

  private func found(in node: JSON5Node, path: String) -> [ProjectDiagnostic] {
    node.elements.enumerated().flatMap { index, element in
      let path = "\(path)[\(index)]"
      return conditions(of: element, path: path) + found(in: element, path: path)
    } + node.members.flatMap { found(in: $0.value, path: path.isEmpty ? $0.key : "\(path).\($0.key)") }
  }

  private func conditions(of element: JSON5Node, path: String) -> [ProjectDiagnostic] {
    [ElementRule.condition, ElementRule.exception].compactMap { rule in
      guard let condition = element.member(rule) else { return nil }
      if case .object = condition.value { return comparison(condition, at: "\(path).\(rule)") }
      guard case .string(let string) = condition.value, let advice = string.adviceIfNeverOff(for: rule) else { return nil }
      let isKept = rule == ElementRule.condition
      return diagnostic(
        "The condition \(quoted(string)) always holds, whatever the variables are: the element is \(isKept ? "always" : "never") there.",
        advice, condition, at: "\(path).\(rule)")
    }
  }

  /// The warning about a comparison of two values without variables.
  private func comparison(_ condition: JSON5Node, at path: String) -> ProjectDiagnostic? {
    guard let value = condition.member("value"), let other = condition.member("equals"), !value.hasReference,
      !other.hasReference
    else { return nil }
    let name: String? = if case .string(let string) = value.value { string } else { nil }
    return diagnostic(
      "The comparison contains no variable, so that its result is always the same.",
      "Write a variable, such as value: \"${\(name.flatMap(\.asName) ?? "name")}\".", condition, at: path)
  }

  private func diagnostic(
    _ message: String, _ advice: String, _ condition: JSON5Node, at path: String
  ) -> ProjectDiagnostic {
    var diagnostic = ValidationDiagnostic(
      .constantCondition, severity: .warning, message, recoverySuggestion: advice, path: path)
    let position = text.position(ofByte: condition.offset)
    (diagnostic.file, diagnostic.line, diagnostic.column) = (text.name, position.line, position.column)
    return ProjectDiagnostic(diagnostic, range: text.token(at: condition.offset))
  }
}

extension JSON5Node {
  /// Whether it is a string with a variable, or no scalar.
  fileprivate var hasReference: Bool {
    switch value {
    case .string(let string): !ProjectVariables.names(in: string).isEmpty
    case .number, .bool: false
    case .null, .array, .object: true
    }
  }
}

extension String {
  /// The string if it can be the name of a variable.
  fileprivate var asName: String? {
    !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "_-.[]".contains($0) } ? self : nil
  }

  /// What to write for a condition that always holds; `nil` if it may not hold. One that is true, false or a number is a switch.
  fileprivate func adviceIfNeverOff(for rule: String) -> String? {
    let names = ProjectVariables.names(in: self)
    guard !names.isEmpty else {
      let node = JSON5Node.Value.string(self)
      guard node.readings.count == 1, contains(where: { $0 != " " }) else { return nil }
      return "Write \(rule): \"${\(asName ?? "name")}\" with the variable that it depends on, or remove it."
    }
    // Together with variables, digits may be a number.
    guard fixedParts.contains(where: { !" +-.0123456789eE".contains($0) }) else { return nil }
    let name = names.min { $0.count < $1.count } ?? "name"
    let other = rule == ElementRule.condition ? ElementRule.exception : ElementRule.condition
    if hasPrefix("!") { return "Write \(other): \"${\(name)}\": a condition is a value, not an expression." }
    return "A condition is a value, not an expression. Write \(rule): \"${\(name)}\", or "
      + "\(rule): { value: \"${\(name)}\", equals: \"…\" } to compare."
  }

  /// What is around the references to variables.
  private var fixedParts: String {
    var (parts, rest) = ("", self[...])
    while let open = rest.firstRange(of: "${"), let close = rest[open.upperBound...].firstIndex(of: "}") {
      parts += rest[..<open.lowerBound]
      rest = rest[rest.index(after: close)...]
    }
    return parts + rest
  }
}
