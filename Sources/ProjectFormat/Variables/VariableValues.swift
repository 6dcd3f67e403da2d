import CompositorAPI
import CompositorTimeline

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
  func converted(to other: JSON5Node.Value) -> JSON5Node.Value? {
    switch (self, other) {
    case (.string, .string), (.number, .number), (.bool, .bool), (.array, .array), (.object, .object): self
    case (.number, .string), (.bool, .string): .string(written)
    case (.string(let string), .number): Rational(decimal: string) == nil ? nil : .number(string)
    case (.string(let string), .bool): string.booleanOfTable.map { .bool($0) }
    default: nil
    }
  }
}

extension ProjectValue {
  /// The value of a variable: a string, a number, a boolean, or lists and objects of these.
  func variable() throws(CompositorError) -> JSON5Node.Value {
    switch node.value {
    case .string, .number, .bool: break
    case .array:
      for element in try list() {
        guard !element.isList else { throw element.error("A variable's list holds no other lists.") }
        _ = try element.variable()
      }
    case .object: for (_, value) in try map() { _ = try value.variable() }
    case .null:
      throw error(
        "A variable is a string, a number, true, false, a list or an object, not \(node.kind).",
        recoverySuggestion: "Write \"text\" or a number.")
    }
    return node.value
  }

  /// The same place with another value.
  func holding(_ value: JSON5Node.Value) -> ProjectValue {
    var other = node
    other.value = value
    return inner(other, path)
  }
}
