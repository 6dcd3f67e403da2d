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

  /// How a value differs from what is written at its offset.
  private final class Writing: Hashable, Sendable {
    let pattern: String?
    let item: String?
    let isElsewhere: Bool

    /// A value of another text.
    static let elsewhere = Writing(isElsewhere: true)

    init(pattern: String? = nil, item: String? = nil, isElsewhere: Bool = false) {
      (self.pattern, self.item, self.isElsewhere) = (pattern, item, isElsewhere)
    }

    static func == (left: Writing, right: Writing) -> Bool {
      left.pattern == right.pattern && left.item == right.item && left.isElsewhere == right.isElsewhere
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(pattern)
      hasher.combine(item)
      hasher.combine(isElsewhere)
    }
  }

  /// The offset of the first byte in the text.
  package var offset: Int {
    get { Int(place) }
    set { place = Int32(clamping: newValue) }
  }

  /// The string with `${name}` from which the value was computed; `nil` for values without variables.
  var pattern: String? {
    get { writing?.pattern }
    set { writing = Writing(pattern: newValue, item: item, isElsewhere: isElsewhere) }
  }

  /// The item for which a repetition makes the value, for messages: `"player" is players[2]`; `nil` outside of repetitions.
  var item: String? {
    get { writing?.item }
    set { writing = Writing(pattern: pattern, item: newValue, isElsewhere: isElsewhere) }
  }

  /// Whether the value is written in another text, so that its offset is that of the string that refers to it.
  var isElsewhere: Bool { writing?.isElsewhere ?? false }

  /// Whether the text at the offset is the value's own, if also that of other items of a repetition.
  var isLiteral: Bool { pattern == nil && !isElsewhere }

  /// Whether the text at the offset is this value's alone, so that an edit of it changes nothing else.
  var isWritten: Bool { writing == nil }

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

extension JSON5Node {
  /// The value with an item of a repetition on everything in it that has none yet.
  ///
  /// - Parameters:
  ///   - item: The item as ``item`` has it.
  ///   - count: Is increased by the number of values that are marked.
  func made(for item: String, count: inout Int) -> JSON5Node { made(for: Writing(item: item), count: &count) }

  private func made(for shared: Writing, count: inout Int) -> JSON5Node {
    guard item == nil else { return self }
    count += 1
    var node = self
    node.writing =
      writing.map { Writing(pattern: $0.pattern, item: shared.item, isElsewhere: $0.isElsewhere) } ?? shared
    switch value {
    case .array(let elements): node.value = .array(elements.map { $0.made(for: shared, count: &count) })
    case .object(var members):
      for index in members.indices { members[index].value = members[index].value.made(for: shared, count: &count) }
      node.value = .object(members)
    // Long strings count as much as values of their size.
    case .string(let string): count += string.utf8.count / MemoryLayout<JSON5Node>.stride
    case .null, .bool, .number: break
    }
    return node
  }
}

extension JSON5Node.Value {
  /// The value with everything in it marked as written in another text.
  var fromElsewhere: JSON5Node.Value { map { JSON5Node(elsewhere: $0.value.fromElsewhere, offset: $0.offset) } }

  /// The value with everything in it that is written in another text at the offset of a string that refers to it.
  func placed(at offset: Int) -> JSON5Node.Value {
    // Of a value of another text everything is marked.
    let first: JSON5Node? =
      switch self {
      case .array(let elements): elements.first
      case .object(let members): members.first?.value
      case .null, .bool, .number, .string: nil
      }
    guard let first, first.isElsewhere else { return self }
    return map(keysAt: offset) { node in
      var placed = node
      placed.value = node.value.placed(at: offset)
      placed.offset = offset
      return placed
    }
  }

  /// The value with its elements or members changed.
  ///
  /// - Parameter offset: The offset of keys; `nil` to keep it.
  private func map(keysAt offset: Int? = nil, _ change: (JSON5Node) -> JSON5Node) -> JSON5Node.Value {
    switch self {
    case .array(let elements): .array(elements.map(change))
    case .object(let members):
      .object(members.map { JSON5Member($0.key, change($0.value), keyOffset: offset ?? $0.keyOffset) })
    case .null, .bool, .number, .string: self
    }
  }
}

extension JSON5Node {
  /// A value of another text.
  fileprivate init(elsewhere value: Value, offset: Int) {
    self.init(value, offset: offset)
    writing = .elsewhere
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
