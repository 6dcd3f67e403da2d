public import CompositorAPI
import CompositorMediaIO
import CompositorTimeline

/// A table of strings with a header line, in the format of RFC 4180: fields are separated by commas, and are quoted if they
/// contain commas, quotes or line breaks, with quotes doubled. If the header has no comma, fields are separated by semicolons
/// or tabs, as spreadsheets write them in locales with decimal commas. Empty lines are ignored; `""` alone is a row with an
/// empty field.
///
/// A field without any character, not even quotes, is blank: a variable that the project declares keeps its default. `""` is
/// an empty string.
public struct CSVTable: Hashable, Sendable {
  /// The names of the columns.
  public let columns: [String]
  /// The rows, each with one field per column.
  public let rows: [[String]]
  /// The name of the table in messages.
  let name: String
  /// The line on which each row begins, from 1.
  private let lines: [Int]
  /// The columns of each row's blank fields.
  private let blanks: [[Int]]

  /// Parses a table.
  ///
  /// - Throws: `.invalidProject` with `name:line` if a row has another number of fields than the header, a quote isn't closed
  ///   or is followed by anything but the end of its field, a column has no name or the same name as another one or the name
  ///   `row`, or there is no header or no row.
  public init(_ text: String, name: String = "table") throws(CompositorError) {
    try self.init(text, name: name, isList: false)
  }

  /// Parses a table.
  ///
  /// - Parameter isList: Whether the rows are items of a list: then there may be none, and a column may be called `row`.
  private init(_ text: String, name: String, isList: Bool) throws(CompositorError) {
    var records = try CSVReader.records(text, name: name)
    guard let header = records.first, !header.fields.allSatisfy(\.isEmpty) else {
      throw CSVReader.error("The table is empty.", name, 1)
    }
    let columns = header.fields.map { field in String(field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
    var seen: [String: Int] = [:]
    for (index, column) in columns.enumerated() {
      guard !column.isEmpty else { throw CSVReader.error("Column \(index + 1) has no name.", name, header.line) }
      guard isList || column != RowName.number else {
        throw CompositorError(
          .invalidProject, "Column \(index + 1) is called \(quoted(column)), which is the row's number in names of outputs.",
          recoverySuggestion: "Call it something else, such as \"number\".", at: CSVReader.place(name, header.line))
      }
      guard let first = seen.updateValue(index, forKey: column) else { continue }
      throw CSVReader.error("Columns \(first + 1) and \(index + 1) are both called \(quoted(column)).", name, header.line)
    }
    records.removeFirst()
    for record in records where record.fields.count != columns.count {
      let count = record.fields.count
      let fields = "This row has \(count) \(count == 1 ? "field" : "fields"), and the header has \(columns.count)"
      let detail =
        count < columns.count
        ? ": column \(quoted(columns[count])) is missing."
        : ": what follows column \(quoted(columns[columns.count - 1])) has no name."
      throw CSVReader.error(fields + detail, name, record.line)
    }
    rows = records.map(\.fields)
    lines = records.map(\.line)
    blanks = records.map { record in record.fields.indices.filter { record.fields[$0].isEmpty && !record.quoted.contains($0) } }
    self.columns = columns
    self.name = name
    guard isList || !rows.isEmpty else { throw CSVReader.error("The table has a header, but no rows.", name, 1) }
  }

  /// Reads a table from a file.
  ///
  /// - Throws: The errors of parsing; `.fileNotFound`, `.sourceRefused` if it isn't a regular file; `.invalidProject` with
  ///   `name:line` if it isn't UTF-8.
  public init(contentsOf path: String) throws(CompositorError) {
    try self.init(
      try RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount), name: path, isList: false)
  }

  /// Reads a table.
  ///
  /// - Parameter isList: Whether the rows are items of a list: then there may be none, and a column may be called `row`.
  /// - Throws: The errors of parsing; `.invalidProject` with `name:line` if it isn't UTF-8.
  init(_ bytes: [UInt8], name: String, isList: Bool) throws(CompositorError) {
    let text = try String(utf8Lines: bytes, name: name, recoverySuggestion: "Save the table as \"CSV UTF-8\".")
    try self.init(text, name: name, isList: isList)
  }

  /// The fields of a row, by column.
  ///
  /// - Parameter declared: The variables that have defaults: their blank fields are left out.
  public func variables(ofRow row: Int, declared: Set<String> = []) -> [String: String] {
    var values = Dictionary(uniqueKeysWithValues: zip(columns, rows[row]))
    for column in blanks[row] where declared.contains(columns[column]) { values[columns[column]] = nil }
    return values
  }

  /// The location of a row: `people.csv:3`.
  public func place(ofRow row: Int) -> String { "\(name):\(lines[row])" }

  /// The location of a row in errors.
  func location(ofRow row: Int) -> ErrorLocation { CSVReader.place(name, lines[row]) }
}

/// Splits a string into records and fields.
private struct CSVReader {
  struct Record {
    var fields: [String] = []
    /// The indexes of fields with quotes, which aren't blank.
    var quoted: Set<Int> = []
    var line: Int
    var isEmptyLine: Bool { fields == [""] && quoted.isEmpty }
  }

  private let scalars: [UnicodeScalar]
  private let name: String
  private let separator: UnicodeScalar
  private var records: [Record] = []
  private var record = Record(line: 1)
  private var field = String.UnicodeScalarView()
  private var index = 0
  private var line = 1

  static func records(_ text: String, name: String) throws(CompositorError) -> [Record] {
    var reader = CSVReader(text, name: name)
    try reader.read()
    return reader.records
  }

  static func place(_ name: String, _ line: Int) -> ErrorLocation {
    ErrorLocation(file: name, documents: [DocumentPosition(file: name, line: line)])
  }

  static func error(_ message: String, _ name: String, _ line: Int) -> CompositorError {
    CompositorError(
      .invalidProject, message, recoverySuggestion: "Write a header line, then one line for each variant, fields by commas.",
      at: place(name, line))
  }

  private init(_ text: String, name: String) {
    // A byte order mark isn't part of the first column's name.
    scalars = Array(text.unicodeScalars.first == "\u{feff}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...])
    self.name = name
    separator = CSVReader.separator(of: scalars)
  }

  /// The separator of the header's fields.
  private static func separator(of scalars: [UnicodeScalar]) -> UnicodeScalar {
    var isQuoted = false
    var found: Set<UnicodeScalar> = []
    for scalar in scalars {
      if scalar == "\"" { isQuoted.toggle() }
      guard !isQuoted else { continue }
      if scalar == "\n" || scalar == "\r" { break }
      found.insert(scalar)
    }
    return [",", ";", "\t"].first(where: found.contains) ?? ","
  }

  private mutating func read() throws(CompositorError) {
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "\"" where field.isEmpty: try readQuoted()
      case separator: endField()
      case "\n": endRecord()
      case "\r":
        // A carriage return alone is a line break too; otherwise it is the first half of one.
        if index < scalars.count, scalars[index] == "\n" { index += 1 }
        endRecord()
      default: field.append(scalar)
      }
    }
    endRecord()
  }

  /// Reads the rest of a field after its opening quote.
  private mutating func readQuoted() throws(CompositorError) {
    let start = line
    record.quoted.insert(record.fields.count)
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      guard scalar == "\"" else {
        if scalar == "\n" { line += 1 }
        field.append(scalar)
        continue
      }
      if index < scalars.count, scalars[index] == "\"" {
        field.append(scalar)
        index += 1
        continue
      }
      return try endQuoted()
    }
    throw CSVReader.error("A quote is not closed, in column \(record.fields.count + 1).", name, start)
  }

  /// Skips spaces after a closing quote.
  private mutating func endQuoted() throws(CompositorError) {
    while index < scalars.count, scalars[index] == " " { index += 1 }
    guard index < scalars.count, ![separator, "\n", "\r"].contains(scalars[index]) else { return }
    throw CSVReader.error(
      "A closing quote is followed by \(quoted(String(scalars[index]))), in column \(record.fields.count + 1).", name, line)
  }

  private mutating func endField() {
    record.fields.append(String(field))
    field = String.UnicodeScalarView()
  }

  private mutating func endRecord() {
    endField()
    line += 1
    if !record.isEmptyLine { records.append(record) }
    record = Record(line: line)
  }
}
