import CompositorAPI
import CompositorTimeline

// Elements of lists that are repeated (`forEach`) or conditional (`if`, `unless`).

/// The keys of an element that decide whether and how often it is in its list.
enum ElementRule {
  static let repetition = "forEach"
  static let condition = "if"
  static let exception = "unless"

  /// Whether a key is one of them.
  static func isKey(_ key: String) -> Bool { key == condition || key == exception || key == repetition }
}

extension JSON5Node {
  /// Whether the value, as an element of a list, is repeated or conditional.
  var isConditional: Bool {
    guard case .object(let members) = value else { return false }
    return members.contains { ElementRule.isKey($0.key) }
  }

  /// The object without the keys of repetitions and conditions.
  fileprivate var withoutRules: JSON5Node {
    guard case .object(let members) = value else { return self }
    var bare = self
    bare.value = .object(members.filter { !ElementRule.isKey($0.key) })
    return bare
  }
}

extension ProjectVariables {
  /// The elements that a repeated or conditional one becomes: none, one or several.
  mutating func elements(of element: JSON5Node, at place: ElementPlace) throws(CompositorError) -> [JSON5Node] {
    guard let list = element.member(ElementRule.repetition) else {
      if try includes(element, at: place) { return [try fill(element.withoutRules, at: place)] }
      noteNames(in: element)
      return []
    }
    let repetition = try self.repetition(list, at: .key(place.path, ElementRule.repetition))
    let (item, index) = (values[repetition.item], values[repetition.index])
    var (made, place): ([JSON5Node], ElementPlace) = ([], place)
    for number in repetition.items.indices {
      enter(repetition, number)
      repeated.itemCount += 1
      try checkCount(list, place)
      if try includes(element, at: place) {
        let filled = try fill(element.withoutRules, at: place)
        made.append(filled.made(for: repetitions.description ?? "", count: &repeated.valueCount))
        try checkCount(list, place)
        place.index += 1
      }
      repetitions.removeLast()
    }
    values[repetition.item] = item
    values[repetition.index] = index
    // What is left out would use its variables.
    if made.isEmpty || made.count < repetition.items.count { noteNames(in: element, except: repetition.names) }
    return made
  }

  /// Sets the variables of a repetition for one of its items.
  private mutating func enter(_ repetition: Repetition, _ number: Int) {
    values[repetition.item] = repetition.items[number].value
    values[repetition.index] = .number("\(repetition.first + number)")
    repetitions.append(
      RepeatedItem(
        name: repetition.item, index: repetition.index, path: "\(repetition.list)[\(number)]",
        place: repetition.places.indices.contains(number) ? repetition.places[number] : nil))
  }

  /// Checks that the repetitions so far don't make too much.
  private func checkCount(_ list: JSON5Node, _ place: ElementPlace) throws(CompositorError) {
    guard let excess = repeated.excess else { return }
    throw located(list, .key(place.path, ElementRule.repetition)).error(
      "The repetitions make more than \(excess).",
      recoverySuggestion: "Shorten the list or what is repeated, or divide the project into several.")
  }

  /// Whether the conditions of an element hold.
  private mutating func includes(_ element: JSON5Node, at place: ElementPlace) throws(CompositorError) -> Bool {
    for rule in [ElementRule.condition, ElementRule.exception] {
      guard let condition = element.member(rule) else { continue }
      if try holds(condition, at: .key(place.path, rule)) == (rule == ElementRule.exception) { return false }
    }
    return true
  }

  /// Whether a condition holds: a comparison does if both values are equal, and any other value unless it is empty, 0 or false.
  private mutating func holds(_ condition: JSON5Node, at path: NodePath) throws(CompositorError) -> Bool {
    let place = located(condition, path)
    if case .object = condition.value {
      let comparison = try place.object(ProjectSchema.shape("comparison"))
      let value = try compared(comparison.required("value"))
      return try value.isEqual(to: compared(comparison.required("equals")))
    }
    let filled = try fill(condition, path: path, shape: nil)
    guard filled.value != .null else {
      throw place.mismatch("a condition", advice: "Write a variable, as in if: \"${subtitle}\", true or false.")
    }
    return filled.value.isSignificant
  }

  /// A scalar to compare.
  private mutating func compared(_ value: ProjectValue) throws(CompositorError) -> JSON5Node.Value {
    let filled = value.inner(try fill(value.node, path: value.path, shape: nil), value.path)
    switch filled.node.value {
    case .string, .number, .bool: return filled.node.value
    case .null, .array, .object: throw filled.mismatch("a string, a number, true or false")
    }
  }
}

extension JSON5Node.Value {
  /// Whether a condition with the value holds. Tables and command lines only have strings, so that `"0"` and `"false"` are the
  /// same as 0 and false.
  fileprivate var isSignificant: Bool {
    switch self {
    case .null: false
    case .bool(let bool): bool
    case .number(let digits): JSON5Node.double(digits) != 0
    case .string(let string):
      !string.allSatisfy { $0 == " " } && !readings.contains(.bool(false)) && number(among: readings)?.numerator != 0
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    }
  }

  /// Whether two scalars are equal as numbers, or as they are written.
  fileprivate func isEqual(to other: JSON5Node.Value) -> Bool {
    if let first = number(among: readings), let second = number(among: other.readings) { return first == second }
    if let first = boolean(among: readings), let second = boolean(among: other.readings) { return first == second }
    return readings.map(\.written).last == other.readings.map(\.written).last
  }

  private func boolean(among readings: [JSON5Node.Value]) -> Bool? {
    for case .bool(let bool) in readings { return bool }
    return nil
  }

  private func number(among readings: [JSON5Node.Value]) -> Rational? {
    for case .number(let digits) in readings {
      if let number = Rational(decimal: digits) { return number.reduced }
    }
    return nil
  }
}
