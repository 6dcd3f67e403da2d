import CompositorTimeline

/// A value of a JSON5 text that knows where it stands.
package struct JSON5Node: Hashable, Sendable {
  /// The kinds of value.
  package enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The digits as they were written, so that no decimal is rounded to binary on the way.
    case number(String)
    case string(String)
    case array([JSON5Node])
    /// Members in the order of the text; every key once.
    case object([JSON5Member])
  }

  // A project of 100,000 instructions has a million nodes: 28 bytes each, and 44 with a key.
  package var value: Value
  private var writing: Writing?
  private var place: Int32

  /// A string with variables, as it was written.
  private final class Writing: Hashable, Sendable {
    let pattern: String
    init(_ pattern: String) { self.pattern = pattern }
    static func == (left: Writing, right: Writing) -> Bool { left.pattern == right.pattern }
    func hash(into hasher: inout Hasher) { hasher.combine(pattern) }
  }

  /// The first byte in the text.
  package var offset: Int {
    get { Int(place) }
    set { place = Int32(clamping: newValue) }
  }

  /// The string with `${name}` in it that the value was written as; `nil` for values without variables.
  var pattern: String? {
    get { writing?.pattern }
    set { writing = newValue.map(Writing.init) }
  }

  package init(_ value: Value, offset: Int = 0) {
    self.value = value
    place = Int32(clamping: offset)
  }

  /// What the value is, in words.
  package var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
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

  /// The key's first byte in the text.
  package var keyOffset: Int { Int(keyPlace) }

  package init(_ key: String, _ value: JSON5Node, keyOffset: Int = 0) {
    self.key = key
    self.value = value
    keyPlace = Int32(clamping: keyOffset)
  }
}

/// Where a value is inside a document: `tracks[0].clips[2].in`.
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
}
