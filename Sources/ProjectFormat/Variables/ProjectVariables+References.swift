import CompositorAPI
import CompositorTimeline

// Strings with `${name}`, `${name.member}`, `${name[0]}` and `${name:default}`.

extension ProjectVariables {
  /// The value of a string with variables.
  ///
  /// - Parameter isExpression: Whether the location takes expressions, in which those of variables are in parentheses.
  mutating func fill(
    _ string: String, _ node: JSON5Node, _ path: NodePath, isExpression: Bool
  ) throws(CompositorError) -> JSON5Node.Value {
    let place = located(node, path)
    var result = ""
    var rest = Substring(string)
    while let open = rest.firstRange(of: "${") {
      // "$${" represents "${" itself: of several dollar signs, two become one.
      let dollars = rest[..<open.lowerBound].reversed().prefix { $0 == "$" }.count + 1
      result += rest[..<open.lowerBound].dropLast(dollars - 1) + String(repeating: "$", count: dollars / 2)
      rest = rest[open.upperBound...]
      guard dollars % 2 == 1 else {
        result += "{"
        continue
      }
      guard let close = rest.firstIndex(of: "}") else {
        throw place.error("A \"${\" is not closed.", recoverySuggestion: "Write \"${name}\", or \"$${\" for the characters.")
      }
      let reference = String(rest[..<close])
      guard !reference.contains("${") else {
        throw place.error(
          "A variable is inside another one's braces: defaults cannot contain variables.",
          recoverySuggestion: "Write a plain default, as in \"${name:default}\".")
      }
      rest = rest[rest.index(after: close)...]
      let value = try self.value(of: reference, place)
      if result.isEmpty, rest.isEmpty, string.utf8.count == reference.utf8.count + 3 { return value.placed(at: node.offset) }
      try ProjectVariables.checkPart(value, reference, place)
      result += isExpression && ProjectExpression.isWritten(in: value.written) ? "(\(value.written))" : value.written
    }
    return .string(result + rest)
  }

  /// Checks that a value can be part of a string.
  private static func checkPart(
    _ value: JSON5Node.Value, _ reference: String, _ place: ProjectValue
  ) throws(CompositorError) {
    switch value {
    case .array:
      throw place.error(
        "The variable \(quoted(reference)) is a list, which cannot be part of a string.",
        recoverySuggestion: "Write \"${\(reference)}\" alone, if a list may be here.")
    case .object(let members):
      throw place.error(
        "The variable \(quoted(reference)) is an object, which cannot be part of a string.",
        recoverySuggestion: "Write one of its members, such as ${\(reference).\(members.first?.key ?? "name")}.")
    case .null, .bool, .number, .string: break
    }
  }

  /// The value of `name` or `name:default` between the braces, where `name` may lead into a list or an object.
  private mutating func value(of reference: String, _ place: ProjectValue) throws(CompositorError) -> JSON5Node.Value {
    // A column's name may contain a colon.
    if let found = base(of: reference), case .value(let value) = found.target {
      note(found.name)
      return value
    }
    let parts = reference.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let found = base(of: name)
    note(found?.name ?? name)
    // As in a shell, the default also replaces an empty value, such as an empty field of a table.
    if case .value(let value)? = found?.target, parts.count == 1 || value != .string("") { return value }
    guard parts.count == 1 else { return .string(String(parts[1])) }
    if case .nothing(let message, let advice)? = found?.target { throw place.error(message, recoverySuggestion: advice) }
    throw place.error(
      "The variable \(quoted(name)) has no value.",
      advice: name == TitleTemplateFile.durationName
        ? "Give the title a duration."
        : "Give it one: \(setting: .variable, value: name), in the project's variables, or as ${\(name):default}.")
  }

  /// The variable with the longest name at the beginning of a reference, and what the rest of it leads to; `nil` if there is
  /// none.
  private func base(of reference: String) -> (name: String, target: VariableTarget)? {
    if let value = values[reference] { return (reference, .value(value)) }
    // Names are short: the rest of a long reference is a default.
    for index in reference.prefix(1024).indices.reversed() where reference[index] == "." || reference[index] == "[" {
      let name = String(reference[..<index])
      if let value = values[name] { return (name, VariableTarget(of: value, named: name, at: reference[index...])) }
    }
    return nil
  }

  /// A reference such as `team.players` in terms of variables outside of repetitions: `teams[1].players`.
  func spelledOut(_ reference: String) -> String {
    guard let name = base(of: reference)?.name, let item = repetitions.last(where: { $0.name == name }) else {
      return reference
    }
    return item.path + reference.dropFirst(name.count)
  }

  /// Notes that a name is used, unless it is that of a repetition.
  private mutating func note(_ name: String) {
    if !repetitions.contains(where: { $0.name == name || $0.index == name }) { used.insert(name) }
  }

  /// Notes the names in the strings of an element that is left out: it would use them.
  ///
  /// - Parameter own: Names that the element defines itself.
  mutating func noteNames(in node: JSON5Node, except own: Set<String> = []) {
    switch node.value {
    case .string(let string):
      for match in string.matches(of: /\$\{([^}]+)\}/) {
        let name = match.1.prefix { $0 != ":" }
        let short = String(base(of: String(name))?.name ?? String(name.prefix { $0 != "." && $0 != "[" }))
        if !own.contains(short) { note(short) }
      }
    case .array(let elements): for element in elements { noteNames(in: element, except: own) }
    case .object(let members): for member in members { noteNames(in: member.value, except: own) }
    case .null, .bool, .number: break
    }
  }

  /// A value with its location and the item that it is made for, for messages.
  func located(_ node: JSON5Node, _ path: NodePath) -> ProjectValue {
    var count = 0
    let marked = repetitions.description.map { node.made(for: $0, count: &count) }
    return ProjectValue(node: marked ?? node, path: path, text: text)
  }
}
