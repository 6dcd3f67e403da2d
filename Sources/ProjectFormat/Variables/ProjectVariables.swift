import CompositorAPI
import CompositorTimeline

/// The values of `${name}` and `${name:default}` in the strings of a project or a title template.
///
/// The type of a variable is that of its declaration, or string. A string with variables is converted to the type that its
/// location requires: a number, a Boolean, or a list (``VariableTypes.swift``).
struct ProjectVariables {
  /// Values by name: strings, numbers, booleans and lists of these.
  private var values: [String: JSON5Node.Value]
  private let text: SourceText
  /// The names that are declared, with or without a default.
  private let declared: Set<String>
  /// The locations of the declarations.
  private let places: [String: ErrorLocation]
  private(set) var used: Set<String> = []

  /// Creates variables with the values of their declaration.
  ///
  /// - Parameter text: The text that contains `${name}`.
  /// - Throws: `.invalidProject` if a default is an object or null, or a name contains invalid characters.
  init(declaredIn declaration: ProjectValue?, text: SourceText) throws(CompositorError) {
    self.text = text
    var values: [String: JSON5Node.Value] = [:]
    var places: [String: ErrorLocation] = [:]
    for (name, value) in try declaration?.map() ?? [] {
      guard ProjectVariables.isName(name) else {
        throw value.error(
          "\(quoted(name)) cannot be the name of a variable.",
          recoverySuggestion: "Write letters, digits, _, - and dots, at least one of them.")
      }
      values[name] = try value.variable()
      places[name] = value.error("").location
    }
    self.values = values
    self.places = places
    declared = Set(values.keys)
  }

  /// Whether a name is valid in a declaration. Columns of tables may have other names, for example with spaces.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
  }

  /// The location of a variable's declaration; `nil` if there is none.
  func place(of name: String) -> ErrorLocation? { places[name] }

  /// Sets the value of a variable, which overrides its default.
  ///
  /// - Throws: `.invalidParameter` if the value isn't of the declared type.
  mutating func set(_ name: String, to value: JSON5Node.Value) throws(CompositorError) {
    guard let standard = values[name], let converted = value.converted(to: standard) else {
      guard values[name] == nil else {
        throw CompositorError(
          .invalidParameter,
          "The variable \(quoted(name)) is \(JSON5Node(values[name] ?? .null).kind), not \(quoted(value.written)).",
          recoverySuggestion: "Give it a value of that kind.")
      }
      values[name] = value
      return
    }
    values[name] = converted
  }

  /// Whether a name is neither declared nor used.
  func isUnknown(_ name: String) -> Bool { !declared.contains(name) && !used.contains(name) }

  /// The error for a name that neither a project nor a template has.
  func unknown(_ name: String, in owner: String) -> CompositorError {
    CompositorError(
      .invalidParameter, "\(owner) has no variable \(quoted(name)).",
      recoverySuggestion: declared.isEmpty && used.isEmpty
        ? "It has none. Declare it, as variables: { \(name): \"…\" }, or write ${\(name)} in a string."
        : recoverySuggestion(for: name, among: declared.union(used).sorted()))
  }

  /// Fills in the variables of a value's strings, with the types that their locations require.
  ///
  /// - Parameters:
  ///   - shape: The shape of the location; `nil` if the format has no such location, which the reader reports.
  ///   - property: The property whose values `.animationValue` represents.
  /// - Throws: `.invalidProject` at a string with a variable that has no value.
  mutating func fill(
    _ node: JSON5Node, path: NodePath, shape: ValueShape?, of property: LayerProperty? = nil
  ) throws(CompositorError) -> JSON5Node {
    // Values without variables aren't copied, and need no shape.
    guard node.mentionsVariables else { return node }
    var filled = node
    switch node.value {
    case .string(let string):
      let value = try fill(string, node, path)
      filled.value = shape.flatMap { value.settled(as: $0.resolved(of: property)) } ?? value
      if value != node.value { filled.pattern = string }
    case .array(var elements):
      let shapes = shape?.resolved(of: property).elementShapes(of: node)
      for index in elements.indices where elements[index].mentionsVariables {
        elements[index] = try fill(elements[index], path: .index(path, index), shape: shapes?(index), of: property)
      }
      filled.value = .array(elements)
    case .object(var members):
      let shapes = shape?.resolved(of: property).memberShapes(of: members)
      let property = LayerProperty(namedIn: members)
      for index in members.indices where members[index].value.mentionsVariables {
        let key = members[index].key
        members[index].value = try fill(members[index].value, path: .key(path, key), shape: shapes?(key), of: property)
      }
      filled.value = .object(members)
    case .null, .bool, .number: break
    }
    return filled
  }

  private mutating func fill(
    _ string: String, _ node: JSON5Node, _ path: NodePath
  ) throws(CompositorError) -> JSON5Node.Value {
    let place = ProjectValue(node: node, path: path, text: text)
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
      if result.isEmpty, rest.isEmpty, string.utf8.count == reference.utf8.count + 3 { return value }
      if case .array = value {
        throw place.error(
          "The variable \(quoted(reference)) is a list, which cannot be part of a string.",
          recoverySuggestion: "Write \"${\(reference)}\" alone, if a list may be here.")
      }
      result += value.written
    }
    return .string(result + rest)
  }

  /// The value of `name` or `name:default` between the braces.
  private mutating func value(of reference: String, _ place: ProjectValue) throws(CompositorError) -> JSON5Node.Value {
    if let value = values[reference] {
      used.insert(reference)
      return value
    }
    let parts = reference.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    used.insert(name)
    // As in a shell, the default also replaces an empty value, such as an empty field of a table.
    if let value = values[name], parts.count == 1 || value != .string("") { return value }
    guard parts.count == 1 else { return .string(String(parts[1])) }
    throw place.error(
      "The variable \(quoted(name)) has no value.",
      advice: name == TitleTemplateFile.durationName
        ? "Give the title a duration."
        : "Give it one: \(setting: .variable, value: name), in the project's variables, or as ${\(name):default}.")
  }
}

extension ProjectVariables {
  /// Fills in the variables of a project's document, except in `variables` itself.
  ///
  /// - Throws: `.invalidProject` at a string with a variable that has no value; `.invalidParameter` if a value was set for a
  ///   name that the project neither declares nor uses, unless those are ignored, or has another type than declared.
  static func fill(
    _ document: JSON5Node, _ text: SourceText, set values: [String: String], ignoringUnused: Bool
  ) throws(CompositorError) -> JSON5Node {
    let (filled, strays) = try filled(document, text, set: values)
    if !ignoringUnused, let (_, error) = strays.first { throw error }
    return filled
  }

  /// The same, with the error for each name that the project neither declares nor uses, by name.
  static func filled(
    _ document: JSON5Node, _ text: SourceText, set values: [String: String]
  ) throws(CompositorError) -> (document: JSON5Node, strays: [(name: String, error: CompositorError)]) {
    guard case .object(var members) = document.value else { return (document, []) }
    let declaration = members.first { $0.key == "variables" }.map {
      ProjectValue(node: $0.value, path: .key(.root, "variables"), text: text)
    }
    var variables = try ProjectVariables(declaredIn: declaration, text: text)
    let names = values.keys.sorted()
    for name in names {
      do throws(CompositorError) {
        try variables.set(name, to: .string(values[name] ?? ""))
      } catch {
        throw error.locating(variables.place(of: name) ?? ErrorLocation(file: text.name))
      }
    }
    let shapes = ValueShape.object("project").memberShapes(of: members)
    for index in members.indices where members[index].key != "variables" {
      let key = members[index].key
      members[index].value = try variables.fill(members[index].value, path: .key(.root, key), shape: shapes(key))
    }
    let strays = names.filter(variables.isUnknown).map { name in
      (name, variables.unknown(name, in: "The project").locating(ErrorLocation(file: text.name)))
    }
    return (JSON5Node(.object(members), offset: document.offset), strays)
  }
}

extension JSON5Node {
  /// Whether one of its strings contains `${`, escaped or not. Doesn't allocate.
  fileprivate var mentionsVariables: Bool {
    switch value {
    case .string(let string): string.mentionsVariable
    case .array(let elements): elements.contains { $0.mentionsVariables }
    case .object(let members): members.contains { $0.value.mentionsVariables }
    case .null, .bool, .number: false
    }
  }
}

extension String {
  fileprivate var mentionsVariable: Bool {
    var last: UInt8 = 0
    for byte in utf8 {
      if last == UInt8(ascii: "$"), byte == UInt8(ascii: "{") { return true }
      last = byte
    }
    return false
  }
}

extension JSON5Node.Value {
  /// A scalar as it is inserted into a string.
  var written: String {
    switch self {
    case .string(let string): string
    case .number(let digits): digits
    case .bool(let bool): bool ? "true" : "false"
    case .null, .array, .object: ""
    }
  }

  /// The value converted to the type of another; `nil` if that isn't possible.
  fileprivate func converted(to other: JSON5Node.Value) -> JSON5Node.Value? {
    switch (self, other) {
    case (.string, .string), (.number, .number), (.bool, .bool), (.array, .array): self
    case (.number, .string), (.bool, .string): .string(written)
    case (.string(let string), .number): Rational(decimal: string) == nil ? nil : .number(string)
    case (.string("true"), .bool): .bool(true)
    case (.string("false"), .bool): .bool(false)
    default: nil
    }
  }
}

extension ProjectValue {
  /// The value of a variable: a string, a number, a boolean, or a list of these.
  func variable() throws(CompositorError) -> JSON5Node.Value {
    switch node.value {
    case .string, .number, .bool: return node.value
    case .array:
      for element in try list() {
        guard !element.isList else { throw element.error("A variable's list holds no other lists.") }
        _ = try element.variable()
      }
      return node.value
    case .null, .object:
      throw error(
        "A variable is a string, a number, true, false or a list of these, not \(node.kind).",
        recoverySuggestion: "Write \"text\" or a number.")
    }
  }
}
