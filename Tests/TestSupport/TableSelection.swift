import Foundation

/// Rows of tables that cross two dimensions. `make test` runs a part of the largest ones, in which every row meets some columns and every
/// column some rows; `make test-tables` sets `COMPOSITOR_WHOLE_TABLES=1` and runs all of them.
public enum TableSelection {
  /// Whether tables run whole.
  public static let isWhole = ProcessInfo.processInfo.environment["COMPOSITOR_WHOLE_TABLES"] == "1"

  /// Each row with `count` columns, evenly spaced and shifted by one from row to row, or with all of them.
  public static func pairs<Row, Column>(_ rows: [Row], _ columns: [Column], each count: Int) -> [(Row, Column)] {
    rows.enumerated().flatMap { index, row in Self.columns(columns, ofRow: index, each: count).map { (row, $0) } }
  }

  /// The columns of one row of ``pairs(_:_:each:)``, for a test that runs through them itself.
  public static func columns<Column>(_ columns: [Column], ofRow row: Int, each count: Int) -> [Column] {
    guard !isWhole, count < columns.count else { return columns }
    return (0..<count).map { columns[(row + $0 * columns.count / count) % columns.count] }
  }
}
