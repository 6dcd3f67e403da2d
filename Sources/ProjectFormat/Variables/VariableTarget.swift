import CompositorAPI

/// What a reference such as `players[2].name` leads to.
enum VariableTarget {
  case value(JSON5Node.Value)
  /// Nothing, and why.
  case nothing(message: String, recoverySuggestion: String)

  /// Follows a reference from the value of a variable.
  ///
  /// - Parameters:
  ///   - name: The variable, or the way to the value so far, for messages.
  ///   - rest: The rest of the reference: empty, or beginning with a dot or a bracket.
  init(of value: JSON5Node.Value, named name: String, at rest: Substring) {
    var (value, name, rest) = (value, name, rest)
    while !rest.isEmpty {
      let step: Step
      switch VariableTarget.step(into: value, named: name, at: rest) {
      case .success(let found): step = found
      case .failure(let fault):
        self = .nothing(message: fault.message, recoverySuggestion: fault.recoverySuggestion)
        return
      }
      name += rest[..<step.rest.startIndex]
      (value, rest) = (step.value, step.rest)
    }
    self = .value(value)
  }

  private typealias Step = (value: JSON5Node.Value, rest: Substring)

  private struct Fault: Error {
    var message: String
    var recoverySuggestion: String
  }

  private static func step(into value: JSON5Node.Value, named name: String, at rest: Substring) -> Result<Step, Fault> {
    if rest.hasPrefix("[") { return element(of: value, named: name, at: rest) }
    if rest.hasPrefix(".") { return member(of: value, named: name, at: rest.dropFirst()) }
    return .failure(
      Fault(
        message: "\(quoted(String(rest))) cannot follow \(quoted(name)).",
        recoverySuggestion: "Write a dot before a member's name, as in ${players[0].name}."))
  }

  /// The element at `[index]`.
  private static func element(of value: JSON5Node.Value, named name: String, at rest: Substring) -> Result<Step, Fault> {
    guard case .array(let elements) = value else {
      return .failure(
        Fault(
          message: "\(quoted(name)) is \(JSON5Node(value).kind), not a list.",
          recoverySuggestion: "Only items of a list have a number in brackets."))
    }
    guard let close = rest.firstIndex(of: "]"), let index = Int(rest[..<close].dropFirst()), index >= 0 else {
      return .failure(
        Fault(
          message: "\(quoted(String(rest))) is no item of \(quoted(name)).",
          recoverySuggestion: "Write its number, counted from 0: ${\(name)[0]}."))
    }
    guard elements.indices.contains(index) else {
      let count = "\(elements.count) \(elements.count == 1 ? "item" : "items")"
      return .failure(
        Fault(
          message: "\(quoted(name)) has \(count), and no [\(index)].",
          recoverySuggestion: elements.isEmpty
            ? "Write a default, as in ${\(name)[\(index)]:default}."
            : "They are counted from 0: the last is [\(elements.count - 1)]."))
    }
    return .success((elements[index].value, rest[close...].dropFirst()))
  }

  /// What to write for a member of a list, which programming languages know as the number of its items, or as one of them.
  private static func advice(onList name: String, at path: Substring) -> String {
    let key = path.prefix { $0 != "." && $0 != "[" }
    if ["length", "count", "size"].contains(key) {
      return "The number of items is no value. To show something for each of them, write forEach: \"${\(name)}\"."
    }
    if let index = Int(key) {
      return "The number of an item is in brackets: ${\(name)[\(index)]\(path.dropFirst(key.count))}."
    }
    return "Name one of its items: ${\(name)[0].\(path)}."
  }

  /// The member at a name, which of several that match is the longest: columns of tables may have dots.
  private static func member(of value: JSON5Node.Value, named name: String, at path: Substring) -> Result<Step, Fault> {
    guard case .object(let members) = value else {
      var isList = false
      if case .array = value { isList = true }
      return .failure(
        Fault(
          message: "\(quoted(name)) is \(JSON5Node(value).kind), which has no members.",
          recoverySuggestion: isList ? advice(onList: name, at: path) : "Write ${\(name)} alone."))
    }
    let found = members.filter { member in
      guard path.hasPrefix(member.key) else { return false }
      let rest = path.dropFirst(member.key.count)
      return rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[")
    }
    guard let member = found.max(by: { $0.key.count < $1.key.count }) else {
      let key = String(path.prefix { $0 != "." && $0 != "[" })
      return .failure(
        Fault(
          message: "\(quoted(name)) has no member \(quoted(key)).",
          recoverySuggestion: members.isEmpty
            ? "It has none." : CompositorAPI.recoverySuggestion(for: key, among: members.map(\.key))))
    }
    return .success((member.value.value, path.dropFirst(member.key.count)))
  }
}
