import CompositorAPI
import CompositorMediaWriting

/// An object whose keys were checked against a shape.
struct ProjectObject {
  let value: ProjectValue
  let shape: ObjectShape
  let members: [JSON5Member]

  /// The value of a key, if present.
  subscript(_ key: String) -> ProjectValue? {
    assert(shape.hasKey(key), "\(shape.name) has no key \(key)")
    guard let place = members.firstIndex(where: { $0.key == key }) else { return nil }
    return value.inner(members[place].value, .key(value.path, key), shape: shape.values[key])
  }

  /// The keys that the shape doesn't define, with their values, in text order.
  var others: [(member: JSON5Member, value: ProjectValue)] {
    members.filter { !shape.hasKey($0.key) }.map {
      ($0, value.inner($0.value, .key(value.path, $0.key)))
    }
  }

  func required(_ key: String) throws(CompositorError) -> ProjectValue {
    guard let found = self[key] else {
      let known = shape.keys.first { $0.key == key }
      let example = known?.value == .time ? "Write it, such as \(key): \"2s\". " : ""
      throw value.error("The key \(quoted(key)) is missing.", recoverySuggestion: known.map { example + $0.summary })
    }
    return found
  }

  /// Reads the value of a key; `nil` if it is absent.
  func read<T>(_ key: String, _ body: (ProjectValue) throws(CompositorError) -> T) throws(CompositorError) -> T? {
    guard let found = self[key] else { return nil }
    return try body(found)
  }

  func string(_ key: String) throws(CompositorError) -> String? { try self[key]?.string() }
  func bool(_ key: String) throws(CompositorError) -> Bool? { try self[key]?.bool() }
  func color(_ key: String) throws(CompositorError) -> Color? { try self[key]?.color() }
  func size(_ key: String) throws(CompositorError) -> PixelSize? { try self[key]?.size() }

  /// A language that some container can state.
  func language(_ key: String) throws(CompositorError) -> String? {
    guard let value = self[key] else { return nil }
    let text = try value.string()
    _ = try value.placing { () throws(CompositorError) in try MovieContainer.validate(language: text) }
    return text
  }

  /// An integer in the range of the key.
  func integer(_ key: String) throws(CompositorError) -> Int? { try self[key]?.integer() }

  /// A number in the range of the key.
  func number(_ key: String) throws(CompositorError) -> Double? { try self[key]?.number() }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, _ type: Choice.Type
  ) throws(CompositorError) -> Choice? where Choice.RawValue == String {
    try self[key]?.choice(Array(type.allCases))
  }

  /// Reads the elements of a key's list.
  func list<T>(_ key: String, _ body: (ProjectValue) throws(CompositorError) -> T) throws(CompositorError) -> [T]? {
    guard let list = self[key] else { return nil }
    let (elements, shape) = (try list.elements(), list.elementShape)
    var results: [T] = []
    results.reserveCapacity(elements.count)
    // One after another, because a list may have 100,000 elements.
    for (index, element) in elements.enumerated() {
      results.append(try body(list.inner(element, .index(list.path, index), shape: shape)))
    }
    return results
  }

  /// Checks that at most one of these keys is present.
  func exclude(_ keys: String...) throws(CompositorError) {
    let present = members.filter { keys.contains($0.key) }
    guard present.count > 1 else { return }
    throw value.text.error(
      "\(quoted(present[0].key)) and \(quoted(present[1].key)) exclude each other.".ending(
        with: value.node.variableOrigin ?? ""), recoverySuggestion: "Keep one of them.",
      atByte: present[1].keyOffset, path: NodePath.key(value.path, present[1].key).description)
  }
}
