import CompositorTimeline

/// A value of a JSON5 text with its position.
package struct JSON5Node: Hashable, Sendable {
  /// The kinds of value.
  package enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The digits as written, so that decimals aren't rounded to binary.
    case number(String)
    case string(String)
    case array([JSON5Node])
    /// Members in text order, with unique keys.
    case object([JSON5Member])
  }

  // Kept small, because a project with 100,000 instructions has a million nodes: 28 bytes each, and 44 with a key.
  package var value: Value
  private var writing: Writing?
  private var place: Int32

  /// The original form of a string with variables.
  private final class Writing: Hashable, Sendable {
    let pattern: String
    init(_ pattern: String) { self.pattern = pattern }
    static func == (left: Writing, right: Writing) -> Bool { left.pattern == right.pattern }
    func hash(into hasher: inout Hasher) { hasher.combine(pattern) }
  }

  /// The offset of the first byte in the text.
  package var offset: Int {
    get { Int(place) }
    set { place = Int32(clamping: newValue) }
  }

  /// The string with `${name}` from which the value was computed; `nil` for values without variables.
  var pattern: String? {
    get { writing?.pattern }
    set { writing = newValue.map(Writing.init) }
  }

  package init(_ value: Value, offset: Int = 0) {
    self.value = value
    place = Int32(clamping: offset)
  }

  /// The name of the kind of value, for messages.
  package var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// A key and its value.
package struct JSON5Member: Hashable, Sendable {
  package var key: String
  package var value: JSON5Node
  private var keyPlace: Int32

  /// The offset of the key's first byte in the text.
  package var keyOffset: Int { Int(keyPlace) }

  package init(_ key: String, _ value: JSON5Node, keyOffset: Int = 0) {
    self.key = key
    self.value = value
    keyPlace = Int32(clamping: keyOffset)
  }
}

/// The key path of a value in a document: `tracks[0].clips[2].in`.
package indirect enum NodePath: Hashable, Sendable, CustomStringConvertible {
  case root
  case key(NodePath, String)
  case index(NodePath, Int)

  package var description: String {
    switch self {
    case .root: ""
    case .key(.root, let key): key
    case .key(let parent, let key): "\(parent).\(key)"
    case .index(let parent, let index): "\(parent)[\(index)]"
    }
  }

  /// Whether the path ends with a key, inside another value.
  func isKey(_ name: String) -> Bool {
    guard case .key(let parent, name) = self else { return false }
    return parent != .root
  }
}
