import CompositorAPI

/// A color look-up table, parsed from the contents of a `.cube` file (Adobe Cube LUT Specification 1.0).
struct ColorCube: Sendable {
  /// The number of nodes along each edge.
  let side: Int
  /// Whether the table holds three curves, one per component, instead of a cube.
  let isOneDimensional: Bool
  /// The values of R′, G′ and B′ at the first and at the last node.
  let domain: (low: [Double], high: [Double])
  /// R′, G′, B′ and one unused value per node; red varies fastest.
  let table: [Float]

  /// The longest accepted file in bytes: room for a cube of 129 nodes with long numbers.
  static let maximumByteCount = 128 << 20
  /// The largest number of nodes along an edge of a cube, and of a one-dimensional table.
  static let maximumSide = 129
  static let maximumLength = 65536

  /// - Throws: `.invalidParameter` with the line number if `text` is not a valid table: sizes out of bounds, too few or too
  ///   many lines, or malformed numbers.
  init(_ text: String) throws(CompositorError) {
    var reader = CubeReader()
    var number = 0
    // Files from Windows may begin with a byte order mark and end lines with CR LF.
    let bytes = text.utf8.starts(with: "\u{FEFF}".utf8) ? text.utf8.dropFirst(3) : text.utf8[...]
    let newline: UInt8 = bytes.contains(10) ? 10 : 13
    for line in bytes.split(separator: newline, omittingEmptySubsequences: false) {
      number += 1
      let words = line.split(whereSeparator: { $0 == 32 || $0 == 9 || $0 == 13 })
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      try reader.read(words.map { Substring($0) }, line: number)
    }
    try reader.finish()
    side = reader.side
    isOneDimensional = reader.isOneDimensional
    domain = (reader.low, reader.high)
    table = reader.table
  }
}

/// The state of a line-by-line parse.
private struct CubeReader {
  var side = 0
  var isOneDimensional = false
  var low = [0.0, 0.0, 0.0]
  var high = [1.0, 1.0, 1.0]
  var table: [Float] = []
  private var wanted: Int { isOneDimensional ? side : side * side * side }

  mutating func read(_ words: [Substring], line: Int) throws(CompositorError) {
    switch words[0] {
    case "TITLE": return
    case "LUT_1D_SIZE": try setSize(words, isOneDimensional: true, limit: ColorCube.maximumLength, line)
    case "LUT_3D_SIZE": try setSize(words, isOneDimensional: false, limit: ColorCube.maximumSide, line)
    case "DOMAIN_MIN": low = try numbers(words.dropFirst(), line)
    case "DOMAIN_MAX": high = try numbers(words.dropFirst(), line)
    case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
      let range = try numbers(words.dropFirst(), line, count: 2)
      (low, high) = ([Double](repeating: range[0], count: 3), [Double](repeating: range[1], count: 3))
    default:
      guard side > 0 else {
        throw CubeReader.error("a color comes before the size, or “\(words[0].prefix(20))” is not a keyword", line)
      }
      guard table.count < 4 * wanted else { throw CubeReader.error("there are more than \(wanted) colors", line) }
      table += try numbers(words[...], line).map { Float($0) } + [0]
    }
  }

  mutating func finish() throws(CompositorError) {
    guard side > 0 else { throw CubeReader.error("it has no LUT_3D_SIZE or LUT_1D_SIZE", nil) }
    guard table.count == 4 * wanted else {
      throw CubeReader.error("it has \(table.count / 4) colors where \(wanted) are needed", nil)
    }
    for component in 0..<3 where !(low[component] < high[component]) {
      throw CubeReader.error("its domain is empty", nil)
    }
  }

  private mutating func setSize(
    _ words: [Substring], isOneDimensional: Bool, limit: Int, _ line: Int
  ) throws(CompositorError) {
    guard side == 0 else { throw CubeReader.error("the size is given twice", line) }
    guard words.count == 2, let size = Int(words[1]), (2...limit).contains(size) else {
      throw CubeReader.error("the size is not 2 to \(limit)", line)
    }
    (side, self.isOneDimensional) = (size, isOneDimensional)
    table.reserveCapacity(4 * min(wanted, 1 << 20))
  }

  private func numbers(
    _ words: ArraySlice<Substring>, _ line: Int, count: Int = 3
  ) throws(CompositorError) -> [Double] {
    let numbers = words.compactMap { Double($0) }
    guard words.count == count, numbers.count == count, numbers.allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else {
      throw CubeReader.error("\(count) finite numbers are needed", line)
    }
    return numbers
  }

  static func error(_ what: String, _ line: Int?) -> CompositorError {
    CompositorError(
      .invalidParameter, "The look-up table cannot be used: \(what)\(line.map { " (line \($0))" } ?? "").",
      recoverySuggestion: "Give a .cube file as exported by a color grading application.",
      at: ErrorLocation(compositor: LUTEffect.descriptor.id))
  }
}
