import CompositorAPI
import CompositorMediaIO

/// A file that a variable's value is read from: a table, whose rows are objects with the columns as members, or JSON.
struct VariableFile {
  /// The maximum size of a file in bytes.
  static let maximumByteCount = 4 << 20
  private static let tableExtensions = ["csv", "tsv"]
  private static let dataExtensions = ["json", "json5"]

  /// The value: a list of objects for a table.
  let value: JSON5Node.Value
  /// The places of a list's items, such as `players.csv:4`.
  let itemPlaces: [String]

  /// The path in the declaration of a variable that is read from a file: an object with no key but `file`; `nil` for other
  /// values.
  ///
  /// - Throws: `.invalidProject` if `file` isn't a string.
  static func declaration(_ value: ProjectValue) throws(CompositorError) -> ProjectValue? {
    guard let node = value.node.declaredFile else { return nil }
    let path = value.inner(node, .key(value.path, "file"))
    _ = try path.string()
    return path
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path as written.
  ///   - directory: The directory that it is relative to: empty, or ending in a slash.
  /// - Throws: `.invalidProject` at `path` if the file isn't a table or JSON by its name, or cannot be read; with the line of a
  ///   table or line and column of JSON, at a mistake in it.
  init(at path: ProjectValue, directory: String) throws(CompositorError) {
    let reader = ProjectReader(directory: directory)
    let resolved = try reader.path(path)
    let name = resolved.lowercased()
    let isTable = Self.tableExtensions.contains { name.hasSuffix(".\($0)") }
    guard isTable || Self.dataExtensions.contains(where: { name.hasSuffix(".\($0)") }) else {
      throw path.error(
        "\(quoted(try path.string())) is neither a table nor JSON.",
        recoverySuggestion: "Name it *.csv for a table, or *.json.")
    }
    let bytes: [UInt8]
    do throws(CompositorError) {
      bytes = try RegularFile.bytes(of: resolved, maximumByteCount: Self.maximumByteCount)
    } catch {
      throw try reader.error(
        error, reading: isTable ? "table" : "file", at: path,
        otherwise: "Write the path of a table or of JSON, from the folder of the project.")
    }
    (value, itemPlaces) =
      isTable ? Self.rows(of: try CSVTable(bytes, name: resolved, isList: true)) : try Self.data(bytes, name: resolved)
  }

  /// The rows of a table.
  private static func rows(of table: CSVTable) -> (JSON5Node.Value, [String]) {
    let rows = table.rows.map { row in
      JSON5Node(.object(zip(table.columns, row).map { JSON5Member($0, JSON5Node(.string($1))) }))
    }
    return (.array(rows), rows.indices.map(table.place))
  }

  /// The value of JSON, in which null is an empty string.
  private static func data(_ bytes: [UInt8], name: String) throws(CompositorError) -> (JSON5Node.Value, [String]) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw CompositorError(
        .invalidProject, "This is not UTF-8 text.", recoverySuggestion: "Save it as UTF-8.", at: ErrorLocation(file: name))
    }
    let text = try SourceText(name: name, bytes: bytes)
    let document = try JSON5Reader.read(text).replacingNull
    let value = try ProjectValue.root(of: document, text).variable()
    return (value, document.elements.map { "\(name):\(text.position(ofByte: $0.offset).line)" })
  }
}

extension JSON5Node {
  /// The path in the declaration of a variable that is read from a file; `nil` for other values.
  fileprivate var declaredFile: JSON5Node? {
    guard case .object(let members) = value, members.count == 1, members[0].key == "file" else { return nil }
    return members[0].value
  }

  /// The paths of the files that a project's variables are read from.
  var variableFiles: [String] {
    (member("variables")?.members ?? []).compactMap { variable in
      guard case .string(let path)? = variable.value.declaredFile?.value else { return nil }
      return path
    }
  }
}

extension JSON5Node {
  /// The value with an empty string for each null.
  fileprivate var replacingNull: JSON5Node {
    var node = self
    switch value {
    case .null: node.value = .string("")
    case .array(let elements): node.value = .array(elements.map(\.replacingNull))
    case .object(var members):
      for index in members.indices { members[index].value = members[index].value.replacingNull }
      node.value = .object(members)
    case .bool, .number, .string: break
    }
    return node
  }
}
