import CompositorAPI

/// An object of a project that is being written. Its keys are those of the table that the reader uses.
struct WrittenObject {
  private let shape: ObjectShape
  private var members: [JSON5Member] = []

  /// Creates an object without members.
  ///
  /// - Parameter name: The name of its shape in ``ProjectSchema``.
  init(_ name: String) { shape = ProjectSchema.shape(name) }

  /// Whether nothing is written yet.
  var isEmpty: Bool { members.isEmpty }

  /// The finished object.
  var node: JSON5Node { JSON5Node(.object(members)) }

  /// Adds a key, unless the value is `nil`.
  mutating func set(_ key: String, _ value: JSON5Node?) {
    precondition(shape.hasKey(key), "\(shape.name) has no key \(key)")
    guard let value else { return }
    members.append(JSON5Member(key, value))
  }

  /// Adds a key, unless the value is its default.
  mutating func set<Value: Equatable>(
    _ key: String, _ value: Value, default standard: Value, _ write: (Value) -> JSON5Node
  ) {
    set(key, value == standard ? nil : write(value))
  }

  /// Adds a key whose value is one of several words, unless it is the default.
  mutating func set<Word: RawRepresentable & Equatable>(
    _ key: String, _ word: Word, default standard: Word
  ) where Word.RawValue == String {
    set(key, word == standard ? nil : .text(word.rawValue))
  }

  /// Adds a key whose value is one of several words, unless it is `nil`.
  mutating func set<Word: RawRepresentable>(_ key: String, _ word: Word?) where Word.RawValue == String {
    set(key, word.map { .text($0.rawValue) })
  }

  /// Adds a key, unless the list is empty.
  mutating func set(_ key: String, _ list: [JSON5Node]) { set(key, list.isEmpty ? nil : .list(list)) }

  /// Adds a key whose value is `true`, if it is.
  mutating func set(_ key: String, ifTrue value: Bool) { set(key, value ? .bool(true) : nil) }

  /// Adds a parameter, whose key the shape doesn't know.
  mutating func setParameter(_ key: String, _ value: JSON5Node) { members.append(JSON5Member(key, value)) }

  /// Whether a key has a meaning of its own, so that a parameter cannot be written beside it.
  func reserves(_ key: String) -> Bool { shape.hasKey(key) }
}
