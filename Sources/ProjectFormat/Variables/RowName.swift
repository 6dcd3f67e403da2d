public import CompositorAPI
import CompositorTimeline

/// The file name for a row of a table: a pattern that contains `{row}` and `{column}`.
public enum RowName {
  /// The maximum length of a file name in bytes.
  private static let maximumByteCount = 255
  /// The placeholder for the row's number, which isn't allowed as the name of a column.
  static let number = "row"

  /// The names of a pattern's placeholders, in order.
  public static func placeholders(of pattern: String) -> [String] { pieces(of: pattern).compactMap(\.name) }

  /// Replaces `{row}` in a pattern with a number, and `{column}` with a field. Placeholders in fields aren't replaced.
  ///
  /// - Throws: `.invalidValue` if a field is empty, contains `/` or control characters, or puts a dot at the beginning of a
  ///   path component; or if a path component has more than 255 bytes.
  public static func fill(_ pattern: String, row: Int, fields: [String: String]) throws(CompositorError) -> String {
    var name = ""
    for piece in pieces(of: pattern) {
      guard let column = piece.name else {
        name += piece.text
        continue
      }
      guard column != number else {
        name += String(row)
        continue
      }
      guard let field = fields[column] else {
        name += piece.text
        continue
      }
      if let fault = fault(of: field) {
        throw error(
          "Column \(quoted(column)) is \(fault), which a file's name cannot have.", "Change it, or name files by {row}.")
      }
      // Only fields are prevented from hiding a file or referring to a parent directory.
      if field.hasPrefix("."), name.isEmpty || name.hasSuffix("/") {
        throw error(
          "Column \(quoted(column)) begins with a dot: \(quoted(field)).", "Write something before it, such as {row}-.")
      }
      name += field
    }
    if let long = name.split(separator: "/").first(where: { $0.utf8.count > maximumByteCount }) {
      throw error(
        "The name \(quoted(long.prefix(24) + "…")) has \(long.utf8.count) bytes; file systems allow \(maximumByteCount).",
        "Shorten it, or name files by {row}.")
    }
    return name
  }

  private static func error(_ message: String, _ recoverySuggestion: String) -> CompositorError {
    CompositorError(.invalidValue, message, recoverySuggestion: recoverySuggestion)
  }

  private static func fault(of field: String) -> String? {
    if field.isEmpty { return "empty" }
    if field.contains("/") { return "\(quoted(field)) with a slash" }
    let hasControls = field.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return hasControls ? "a text with control characters" : nil
  }

  private static func pieces(of pattern: String) -> [(text: String, name: String?)] {
    var pieces: [(text: String, name: String?)] = []
    var rest = Substring(pattern)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      pieces.append((String(rest[..<open]), nil))
      pieces.append((String(rest[open...close]), String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    return pieces + [(String(rest), nil)]
  }
}

extension CSVTable {
  /// The output path of each row, made from a pattern with `{row}` (from 1) and `{column}`; a failure for a row whose fields
  /// don't result in a valid name.
  ///
  /// - Throws: `.invalidValue` if the pattern uses a column that the table doesn't have, or if two rows have the same name.
  public func outputs(_ pattern: String) throws(CompositorError) -> [Result<String, CompositorError>] {
    let known = columns + [RowName.number]
    for column in RowName.placeholders(of: pattern) where !known.contains(column) {
      throw CompositorError(
        .invalidValue, "The output's name has {\(column)}, and the table has no such column.",
        recoverySuggestion: recoverySuggestion(for: column, among: known), at: ErrorLocation(file: name))
    }
    var first: [String: Int] = [:]
    var outputs: [Result<String, CompositorError>] = []
    for row in rows.indices {
      do throws(CompositorError) {
        outputs.append(.success(try RowName.fill(pattern, row: row + 1, fields: variables(ofRow: row))))
      } catch {
        outputs.append(.failure(error.locating(location(ofRow: row))))
        continue
      }
      guard case .success(let output) = outputs[row], let other = first.updateValue(row, forKey: output) else { continue }
      let used = Set(RowName.placeholders(of: pattern))
      let differing = columns.indices.first { rows[row][$0] != rows[other][$0] && !used.contains(columns[$0]) }
      throw CompositorError(
        .invalidValue, "Rows \(other + 1) and \(row + 1) of the table have the same output \(quoted(output)).",
        recoverySuggestion: "Write {row} into the name"
          + (differing.map { ", or a column that differs, such as {\(columns[$0])}." } ?? ": it is different in each row."),
        at: location(ofRow: row))
    }
    return outputs
  }
}
