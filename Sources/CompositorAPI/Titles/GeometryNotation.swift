/// A point as `[x, y]` or as `{ x, y }`.
package struct PointNotation: Decodable {
  package let point: Point
  package init(from decoder: any Decoder) throws {
    if let keyed = try? Point(from: decoder) {
      point = keyed
      return
    }
    let single = try decoder.singleValueContainer()
    let numbers = try single.decode([Double].self)
    guard numbers.count == 2 else {
      throw DecodingError.dataCorruptedError(in: single, debugDescription: "a point has 2 numbers")
    }
    point = Point(x: numbers[0], y: numbers[1])
  }
}

/// A rectangle as `[x, y, width, height]`, `[width, height]` or in full.
package struct RectNotation: Decodable {
  package let rect: Rect
  package init(from decoder: any Decoder) throws {
    if let keyed = try? Rect(from: decoder) {
      rect = keyed
      return
    }
    let single = try decoder.singleValueContainer()
    let numbers = try single.decode([Double].self)
    switch numbers.count {
    case 2: rect = Rect(x: 0, y: 0, width: numbers[0], height: numbers[1])
    case 4: rect = Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    default: throw DecodingError.dataCorruptedError(in: single, debugDescription: "a rectangle has 2 or 4 numbers")
    }
  }
}
