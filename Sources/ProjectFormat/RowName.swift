public import CompositorAPI
import CompositorTimeline

/// The name of the file that a row of a table becomes: a pattern with `{row}` and `{column}` in it.
public enum RowName {
  /// The most bytes that file systems let a name have.
  private static let maximumByteCount = 255
  /// What stands for the row's number; no column is called so.
  static let number = "row"

  /// The names in braces, in their order.
  public static func placeholders(of pattern: String) -> [String] { pieces(of: pattern).compactMap(\.name) }

  /// The pattern filled in: `{row}` by a number, `{column}` by a field. What is in a field is never a placeholder.
  ///
  /// - Throws: `.invalidValue` if a field would lead to another folder or breaks the name: if it is empty, contains `/` or control characters,
  ///   or if the name begins with a dot, or a part of the path has more than 255 bytes.
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
      // Only what a field brings may not hide a file or lead upwards.
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
  /// What each row is written to by a pattern with `{row}` (from 1 on) and `{column}` in it; a failure for a row whose fields give no name.
  ///
  /// - Throws: `.invalidValue` if the pattern names a column that the table doesn't have, or if two rows have the same name.
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
        outputs.append(.failure(error.locating(ErrorLocation(file: place(ofRow: row)))))
        continue
      }
      guard case .success(let output) = outputs[row], let other = first.updateValue(row, forKey: output) else { continue }
      throw CompositorError(
        .invalidValue, "Rows \(other + 1) and \(row + 1) of the table have the same output \(quoted(output)).",
        recoverySuggestion: "Write {row} into the name, or a column that differs, such as {\(columns[0])}.",
        at: ErrorLocation(file: place(ofRow: row)))
    }
    return outputs
  }
}
