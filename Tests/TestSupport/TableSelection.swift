import Foundation

/// Rows of tables that cross two dimensions. `make test` runs a part of the largest ones, in which every row meets some columns and every
/// column some rows; `make test-tables` sets `COMPOSITOR_WHOLE_TABLES=1` and runs all of them.
public enum TableSelection {
  /// Whether tables run whole.
  public static let isWhole = ProcessInfo.processInfo.environment["COMPOSITOR_WHOLE_TABLES"] == "1"

  /// Each row with `count` columns, evenly spaced and shifted by one from row to row, or with all of them.
  public static func pairs<Row, Column>(_ rows: [Row], _ columns: [Column], each count: Int) -> [(Row, Column)] {
    rows.enumerated().flatMap { index, row in
      let isAll = isWhole || count >= columns.count
      let chosen = isAll ? Array(columns.indices) : (0..<count).map { (index + $0 * columns.count / count) % columns.count }
      return chosen.map { (row, columns[$0]) }
    }
  }
}
