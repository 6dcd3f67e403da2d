import CompositorAPI
import CompositorTimeline

/// What an element of a list is repeated for.
struct Repetition {
  /// The items, in order.
  var items: [JSON5Node]
  /// The list as messages name it.
  var list: String
  /// The places of the items in a table, if they come from one.
  var places: [String] = []
  /// The name of the variable that is the item.
  var item = "item"
  /// The name of the variable that is the item's number.
  var index = "index"
  /// The number of the first item.
  var first = 0

  /// The names that the element may use.
  var names: Set<String> { [item, index] }
}

/// An item for which an element is being repeated.
struct RepeatedItem {
  /// The name of the variable that is the item.
  let name: String
  /// The name of the variable that is its number.
  let index: String
  /// The item in terms of variables outside of repetitions: `teams[1].players[2]`.
  let path: String
  /// Its place in the file that it comes from, such as `players.csv:4`.
  let place: String?
}

extension [RepeatedItem] {
  /// The items for messages: `"team" is teams[1] and "player" is players[2] (players.csv:4)`; `nil` outside of repetitions.
  var description: String? {
    guard !isEmpty else { return nil }
    return map { "\(quoted($0.name)) is \($0.path)" + ($0.place.map { " (\($0))" } ?? "") }.joined(separator: " and ")
  }
}

/// How much the repetitions of a project make together. A short text could ask for more than a machine has memory for.
struct RepetitionCount {
  /// The maximum number of repeated items.
  static let maximumItemCount = 10_000
  /// The maximum number of values in what they make: as many as a project with 100,000 instructions has.
  static let maximumValueCount = 1_000_000

  var itemCount = 0
  var valueCount = 0

  /// What there is too much of, for messages; `nil` if there isn't.
  var excess: String? {
    if itemCount > Self.maximumItemCount { return "\(Self.maximumItemCount) elements" }
    return valueCount > Self.maximumValueCount ? "\(Self.maximumValueCount) values" : nil
  }
}

extension ProjectVariables {
  /// Reads `forEach`: a list, or an object that also names the variables.
  mutating func repetition(_ node: JSON5Node, at path: NodePath) throws(CompositorError) -> Repetition {
    let value = located(node, path)
    guard case .object = node.value else { return try self.repetition(over: value) }
    let object = try value.object(ProjectSchema.shape("repetition"))
    let item = try object.read("item", name)
    let index = try object.read("index", name)
    let first = try object.integer("first")
    var repetition = try self.repetition(over: object.required("list"))
    repetition.item = item ?? repetition.item
    repetition.index = index ?? repetition.index
    repetition.first = first ?? repetition.first
    guard repetition.names.count == 2 else {
      throw value.error(
        "The item and its number are both called \(quoted(repetition.item)).",
        recoverySuggestion: "Give them different names, such as item: \"player\", index: \"place\".")
    }
    return repetition
  }

  private func name(_ value: ProjectValue) throws(CompositorError) -> String {
    let name = try value.string()
    try ProjectVariables.checkName(name, at: value)
    return name
  }

  private mutating func repetition(over list: ProjectValue) throws(CompositorError) -> Repetition {
    let filled = try fill(list.node, path: list.path, shape: nil)
    let reference = list.node.singleReference
    switch filled.value {
    case .array(let items):
      let name = reference.map(spelledOut)
      return Repetition(
        items: items, list: name ?? "forEach", places: name == reference ? reference.flatMap { itemPlaces[$0] } ?? [] : [])
    // A blank field of a table, or null in JSON.
    case .string("") where filled.pattern != nil: return Repetition(items: [], list: "")
    case .string(let name) where filled.pattern == nil && values[name] != nil:
      throw located(filled, list.path).mismatch("a list", advice: Advice("Write \"${\(name)}\", the value of the variable."))
    default:
      throw located(filled, list.path).mismatch(
        "a list", advice: "Write a list, or a variable that is one: forEach: \"${players}\".")
    }
  }
}

extension JSON5Node {
  /// The name in a string that is one variable and nothing else, without a default; `nil` for others.
  fileprivate var singleReference: String? {
    guard case .string(let string) = value, string.hasPrefix("${"), string.hasSuffix("}") else { return nil }
    let reference = string.dropFirst(2).dropLast()
    return reference.contains { $0 == "{" || $0 == "}" || $0 == ":" } ? nil : String(reference)
  }
}
