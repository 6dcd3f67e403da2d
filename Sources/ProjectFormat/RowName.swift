import CompositorTimeline

/// The name of the file that a row of a table becomes: a pattern with `{row}` and `{column}` in it.
public enum RowName {
  /// The names in braces, in their order.
  public static func placeholders(of pattern: String) -> [String] { pieces(of: pattern).compactMap(\.name) }

  /// The pattern filled in: `{row}` by a number, `{column}` by a field, made fit for a file name. A column called `row` comes
  /// before the number. What stands in a field is never a placeholder.
  public static func fill(_ pattern: String, row: Int, fields: [String: String]) -> String {
    pieces(of: pattern).map { piece in
      guard let name = piece.name else { return piece.text }
      if let field = fields[name] { return fit(field) }
      return name == "row" ? String(row) : piece.text
    }.joined()
  }

  /// A field without what would lead to another folder, hide the file, or break its name into lines.
  private static func fit(_ field: String) -> String {
    let safe = String(
      String.UnicodeScalarView(
        field.unicodeScalars.map { $0 == "/" || $0.properties.generalCategory == .control ? "-" : $0 }))
    return safe.isEmpty || safe.hasPrefix(".") ? "_" + safe.dropFirst() : safe
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
