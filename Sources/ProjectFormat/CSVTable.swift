public import CompositorAPI
import CompositorTimeline

/// A table of texts with a header line, as RFC 4180 writes them: fields by commas, quotes around fields that hold commas,
/// quotes or line ends, quotes doubled inside.
public struct CSVTable: Hashable, Sendable {
  /// Names of the columns.
  public let columns: [String]
  /// Rows, each with as many fields as there are columns.
  public let rows: [[String]]

  /// Reads a table.
  ///
  /// - Throws: `.invalidProject` with `name:line` for a row with another number of fields than the header has, a quote that is
  ///   not closed, two columns of one name, no header, or no rows.
  public init(_ text: String, name: String = "table") throws(CompositorError) {
    var lines = try CSVTable.records(Array(text.unicodeScalars), name: name)
    guard let header = lines.first, !header.fields.allSatisfy(\.isEmpty) else {
      throw CSVTable.error("The table is empty.", name, 1)
    }
    columns = header.fields.map { field in String(field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
    guard Set(columns).count == columns.count else {
      throw CSVTable.error("Two columns have the same name.", name, 1)
    }
    lines.removeFirst()
    for line in lines where line.fields.count != columns.count {
      throw CSVTable.error("This row has \(line.fields.count) fields; the header has \(columns.count).", name, line.number)
    }
    rows = lines.map(\.fields)
    guard !rows.isEmpty else { throw CSVTable.error("The table has a header, but no rows.", name, 1) }
  }

  /// The fields of a row by column.
  public func variables(ofRow row: Int) -> [String: String] {
    Dictionary(uniqueKeysWithValues: zip(columns, rows[row]))
  }

  private static func error(_ message: String, _ name: String, _ line: Int) -> CompositorError {
    CompositorError(
      .invalidProject, message, recoverySuggestion: "Write a header line, then one line for each variant, fields by commas.",
      at: ErrorLocation(file: "\(name):\(line)"))
  }

  private struct Record {
    var fields: [String] = []
    var number: Int
  }

  private static func records(_ scalars: [UnicodeScalar], name: String) throws(CompositorError) -> [Record] {
    var records: [Record] = []
    var record = Record(number: 1)
    var field = String.UnicodeScalarView()
    var (isQuoted, line, index) = (false, 1, 0)
    func endField() {
      record.fields.append(String(field))
      field = String.UnicodeScalarView()
    }
    func endRecord() {
      endField()
      if record.fields != [""] { records.append(record) }
      record = Record(number: line)
    }
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if scalar == "\n" { line += 1 }
      if isQuoted {
        if scalar != "\"" {
          field.append(scalar)
        } else if index < scalars.count, scalars[index] == "\"" {
          field.append(scalar)
          index += 1
        } else {
          isQuoted = false
        }
      } else if scalar == "\"", field.isEmpty {
        isQuoted = true
      } else if scalar == "," {
        endField()
      } else if scalar == "\n" {
        endRecord()
      } else if scalar == "\r", index >= scalars.count || scalars[index] != "\n" {
        // A line end of its own, as old programs write it.
        line += 1
        endRecord()
      } else if scalar != "\r", scalar != "\u{feff}" {
        field.append(scalar)
      }
    }
    guard !isQuoted else { throw error("A quote is not closed.", name, record.number) }
    endRecord()
    return records
  }
}
