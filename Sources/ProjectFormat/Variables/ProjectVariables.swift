import CompositorAPI
import CompositorTimeline

/// The values of `${name}` and `${name:default}` in the strings of a project or a title template.
///
/// The type of a variable is that of its declaration, or string. A string with variables is converted to the type that its
/// location requires: a number, a Boolean, or a list (`VariableTypes.swift`). Elements of lists may be repeated for the items
/// of a variable, and left out (`ProjectVariables+Elements.swift`).
struct ProjectVariables {
  /// Values by name: strings, numbers, booleans, objects and lists of these.
  var values: [String: JSON5Node.Value]
  let text: SourceText
  /// The directory that the paths of tables are relative to: empty, or ending in a slash.
  private let directory: String
  /// The names that are declared, with or without a default.
  private let declared: Set<String>
  /// The locations of the declarations.
  private let places: [String: ErrorLocation]
  /// The paths of the files that variables are read from, by name.
  private(set) var files: [String: ProjectValue]
  /// The places in those files that the items of lists have, such as `players.csv:4`.
  private(set) var itemPlaces: [String: [String]] = [:]
  var used: Set<String> = []
  /// The repetitions around the value that is being filled in, innermost last.
  var repetitions: [RepeatedItem] = []
  /// How much all repetitions have made so far.
  var repeated = RepetitionCount()

  /// Creates variables with the values of their declaration. Those of files are read by ``readFiles()``.
  ///
  /// - Parameters:
  ///   - text: The text that contains `${name}`.
  ///   - directory: The directory of the project: empty, or ending in a slash.
  /// - Throws: `.invalidProject` if a default is null, or a name contains invalid characters.
  init(declaredIn declaration: ProjectValue?, text: SourceText, directory: String) throws(CompositorError) {
    (self.text, self.directory) = (text, directory)
    var values: [String: JSON5Node.Value] = [:]
    var places: [String: ErrorLocation] = [:]
    var files: [String: ProjectValue] = [:]
    for (name, value) in try declaration?.map() ?? [] {
      try ProjectVariables.checkName(name, at: value)
      if let file = try VariableFile.declaration(value) { files[name] = file } else { values[name] = try value.variable() }
      places[name] = value.error("").location
    }
    (self.values, self.places, self.files) = (values, places, files)
    declared = Set(places.keys)
  }

  /// Checks that a name is valid in a declaration. Columns of tables may have other names, for example with spaces.
  ///
  /// - Parameter value: The value that the error is about.
  static func checkName(_ name: String, at value: ProjectValue) throws(CompositorError) {
    guard name.isEmpty || !name.allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) }) else { return }
    throw value.error(
      "\(quoted(name)) cannot be the name of a variable.",
      recoverySuggestion: "Write letters, digits, _, - and dots, at least one of them.")
  }

  /// The location of a variable's declaration; `nil` if there is none.
  func place(of name: String) -> ErrorLocation? { places[name] }

  /// Sets the value of a variable, which overrides its default. A string for a variable that is declared as a file is the path
  /// of another file.
  ///
  /// - Throws: `.invalidParameter` if the value isn't of the declared type.
  mutating func set(_ name: String, to value: JSON5Node.Value) throws(CompositorError) {
    if let file = files[name] {
      switch value {
      case .string: files[name] = file.holding(value)
      case .array, .object: (files[name], values[name]) = (nil, value)
      case .null, .bool, .number: throw mismatch(name, "a file", value)
      }
      return
    }
    guard let standard = values[name] else {
      values[name] = value
      return
    }
    guard let converted = value.converted(to: standard) else { throw mismatch(name, JSON5Node(standard).kind, value) }
    values[name] = converted
  }

  private func mismatch(_ name: String, _ kind: String, _ value: JSON5Node.Value) -> CompositorError {
    var found = quoted(value.written)
    if case .object = value { found = JSON5Node(value).kind }
    return CompositorError(
      .invalidParameter, "The variable \(quoted(name)) is \(kind), not \(found).",
      recoverySuggestion: "Give it a value of that kind.")
  }

  /// Reads the variables that are declared as files, after others have been set.
  ///
  /// - Throws: `.invalidProject` at the path of a file that cannot be read, or at a mistake in a file.
  mutating func readFiles() throws(CompositorError) {
    for (name, path) in files.sorted(by: { $0.key < $1.key }) {
      let file = try VariableFile(at: path, directory: directory)
      values[name] = file.value.fromElsewhere
      itemPlaces[name] = file.itemPlaces
    }
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

  /// Fills in the variables of a value's strings, with the types that their locations require, and repeats or leaves out the
  /// elements of its lists that say so.
  ///
  /// - Parameters:
  ///   - shape: The shape of the location; `nil` if the format has no such location, which the reader reports.
  ///   - property: The property whose values `.animationValue` represents.
  /// - Throws: `.invalidProject` at a string with a variable that has no value, and at a repetition or a condition that cannot
  ///   be read.
  mutating func fill(
    _ node: JSON5Node, path: NodePath, shape: ValueShape?, of property: LayerProperty? = nil
  ) throws(CompositorError) -> JSON5Node {
    // Values without variables aren't copied, and need no shape.
    guard node.needsFilling else { return node }
    var filled = node
    switch node.value {
    case .string(let string):
      let shape = shape?.resolved(of: property)
      let value = try fill(string, node, path, isExpression: shape?.takesExpressions ?? false)
      filled.value = shape.flatMap { value.settled(as: $0) } ?? value
      if value != node.value { filled.pattern = string }
    case .array(let elements):
      let shapes = shape?.resolved(of: property).elementShapes(of: node)
      var made: [JSON5Node] = []
      made.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        let place = ElementPlace(list: path, index: made.count, shape: shapes?(index), property: property)
        if element.isConditional {
          made += try self.elements(of: element, at: place)
        } else {
          made.append(try fill(element, at: place))
        }
      }
      filled.value = .array(made)
    case .object(var members):
      let shapes = shape?.resolved(of: property).memberShapes(of: members)
      let property = LayerProperty(namedIn: members)
      for index in members.indices where members[index].value.needsFilling {
        let key = members[index].key
        members[index].value = try fill(members[index].value, path: .key(path, key), shape: shapes?(key), of: property)
      }
      filled.value = .object(members)
    case .null, .bool, .number: break
    }
    return filled
  }

  /// Fills in the variables of an element of a list.
  mutating func fill(_ element: JSON5Node, at place: ElementPlace) throws(CompositorError) -> JSON5Node {
    try fill(element, path: place.path, shape: place.shape, of: place.property)
  }
}

/// Where an element of a list becomes one or several.
struct ElementPlace {
  let list: NodePath
  /// The index of the first of them.
  var index: Int
  let shape: ValueShape?
  let property: LayerProperty?

  var path: NodePath { .index(list, index) }
}

extension JSON5Node {
  /// Whether one of its strings contains `${`, escaped or not, or one of its elements is repeated or conditional. Doesn't
  /// allocate.
  var needsFilling: Bool {
    switch value {
    case .string(let string): string.mentionsVariable
    case .array(let elements): elements.contains { $0.isConditional || $0.needsFilling }
    case .object(let members): members.contains { $0.value.needsFilling }
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
