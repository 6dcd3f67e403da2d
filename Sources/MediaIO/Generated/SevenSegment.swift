import CompositorAPI

/// Seven-segment digits made of filled rectangles: readable at any size, the same on every machine.
///
/// A digit is 10 units high and 6 wide; the next begins ``advance`` units further.
enum SevenSegment {
  /// Units from one character to the next.
  static let advance = 8

  private struct Bar {
    var x, y, width, height: Int
  }

  private static let bars: [Bar] = [
    Bar(x: 0, y: 0, width: 6, height: 1),  // top
    Bar(x: 5, y: 0, width: 1, height: 5),  // top right
    Bar(x: 5, y: 5, width: 1, height: 5),  // bottom right
    Bar(x: 0, y: 9, width: 6, height: 1),  // bottom
    Bar(x: 0, y: 5, width: 1, height: 5),  // bottom left
    Bar(x: 0, y: 0, width: 1, height: 5),  // top left
    Bar(x: 0, y: 4, width: 6, height: 1),  // middle
  ]

  /// Bars of each digit, the first bar in the lowest bit.
  private static let digits: [UInt8] = [0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f]

  private static func shapes(_ character: Character) -> [Bar] {
    switch character {
    case ":": [Bar(x: 2, y: 2, width: 2, height: 2), Bar(x: 2, y: 6, width: 2, height: 2)]
    case ".": [Bar(x: 2, y: 8, width: 2, height: 2)]
    default:
      character.wholeNumberValue.map { digit in bars.enumerated().filter { digits[digit] >> $0.offset & 1 == 1 }.map(\.element)
      } ?? []
    }
  }

  private static func width(_ character: Character) -> Int { character == ":" || character == "." ? 6 : advance }

  /// Draws digits, colons and points; anything else is a gap.
  static func draw(
    _ text: String, centeredAt center: Int, top: Int, height: Int, ink: UInt8, on plane: MutablePlane
  ) {
    let units = text.reduce(0) { $0 + width($1) } - 2
    var left = 0
    for character in text {
      for bar in shapes(character) {
        // Edges are scaled rather than sizes, so that adjacent bars stay adjacent.
        let x0 = center + ((left + bar.x) * 2 - units) * height / 20
        let x1 = center + ((left + bar.x + bar.width) * 2 - units) * height / 20
        let y0 = top + bar.y * height / 10
        let y1 = top + (bar.y + bar.height) * height / 10
        fill(x0..<max(x0 + 1, x1), y0..<max(y0 + 1, y1), ink: ink, on: plane)
      }
      left += width(character)
    }
  }

  private static func fill(_ columns: Range<Int>, _ rows: Range<Int>, ink: UInt8, on plane: MutablePlane) {
    let columns = columns.clamped(to: 0..<plane.width)
    guard !columns.isEmpty else { return }
    for y in rows.clamped(to: 0..<plane.height) {
      (plane.base + y * plane.stride + columns.lowerBound).initializeMemory(
        as: UInt8.self, repeating: ink, count: columns.count)
    }
  }
}
