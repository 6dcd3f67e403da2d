extension KeyedDecodingContainer {
  /// The value of a key, or a default if the key is missing.
  package func read<T: Decodable>(_ key: Key, or standard: T) throws -> T {
    try decodeIfPresent(T.self, forKey: key) ?? standard
  }

  /// Decodes the numbers of a value. Numbers whose keys are missing keep their values.
  package func readNumbers<T>(
    into value: inout T, _ paths: KeyValuePairs<Key, WritableKeyPath<T, Double>>
  ) throws {
    for (key, path) in paths { value[keyPath: path] = try read(key, or: value[keyPath: path]) }
  }

  /// The color of a key: `"#rrggbb"`, `"#rrggbbaa"`, `"#rgb"`, a name, `[r, g, b]`, `[r, g, b, a]`, or the full object.
  package func readColor(_ key: Key, or standard: Color) throws -> Color {
    try decodeIfPresent(ColorNotation.self, forKey: key)?.color ?? standard
  }

  /// The color of a key; `nil` if the key is missing.
  package func readColor(_ key: Key) throws -> Color? {
    try decodeIfPresent(ColorNotation.self, forKey: key)?.color
  }
}

/// The notations of a color in a project file.
package struct ColorNotation: Decodable {
  package let color: Color

  package init(from decoder: any Decoder) throws {
    if let keyed = try? Color(from: decoder) {
      color = keyed
      return
    }
    let single = try decoder.singleValueContainer()
    if let numbers = try? single.decode([Double].self) {
      guard numbers.count == 3 || numbers.count == 4 else {
        throw DecodingError.dataCorruptedError(in: single, debugDescription: "a color has 3 or 4 numbers")
      }
      // Codes of 0 to 255 are reported with the color that is meant.
      let areCodes = numbers.allSatisfy { (0...255).contains($0) && $0 == $0.rounded() }
      guard numbers.count == 3 || (0...1).contains(numbers[3]) || areCodes else {
        throw DecodingError.dataCorruptedError(
          in: single, debugDescription: "the fourth number of a color is its alpha, from 0 to 1; write codes as \"#rrggbbaa\"")
      }
      color = Color(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: numbers.count == 4 ? numbers[3] : 1)
      return
    }
    let text = try single.decode(String.self)
    guard let parsed = Color(notation: text) else {
      throw DecodingError.dataCorruptedError(
        in: single, debugDescription: "\"\(text)\" isn't a color: write #rgb, #rrggbb, #rrggbbaa, or a name such as white")
    }
    color = parsed
  }
}

extension Color {
  private static let names: [String: UInt32] = [
    "black": 0x000000, "white": 0xffffff, "red": 0xff0000, "lime": 0x00ff00, "green": 0x008000, "blue": 0x0000ff,
    "yellow": 0xffff00, "cyan": 0x00ffff, "magenta": 0xff00ff, "orange": 0xffa500, "gray": 0x808080,
    "silver": 0xc0c0c0, "navy": 0x000080, "teal": 0x008080, "purple": 0x800080, "gold": 0xffd700, "pink": 0xffc0cb,
  ]

  /// The color names that ``init(notation:)`` accepts.
  package static var notationNames: [String] { names.keys.sorted() + ["clear"] }

  /// Creates a color from `#rgb`, `#rrggbb`, `#rrggbbaa`, `color(srgb r g b / a)` with numbers as in CSS, `clear` or one of a few CSS
  /// names; `nil` for anything else.
  public init?(notation: String) {
    if notation.hasPrefix("color(") {
      self.init(function: notation)
      return
    }
    if notation == "clear" {
      self = .clear
      return
    }
    if let code = Color.names[notation] {
      self.init(code: code << 8 | 0xff)
      return
    }
    guard notation.hasPrefix("#"), !notation.hasPrefix("#+"), let code = UInt32(notation.dropFirst(), radix: 16) else {
      return nil
    }
    switch notation.utf8.count {
    case 4:
      let (r, g, b) = (code >> 8 & 15, code >> 4 & 15, code & 15)
      self.init(code: r * 17 << 24 | g * 17 << 16 | b * 17 << 8 | 0xff)
    case 7: self.init(code: code << 8 | 0xff)
    case 9: self.init(code: code)
    default: return nil
    }
  }

  /// The regular expression of colors with components as numbers.
  package static let functionPattern = #"color\(srgb( [-+.0-9eE]+){3}( / [.0-9eE-]+)?\)"#

  private init?(function: String) {
    guard function.hasPrefix("color(srgb "), function.hasSuffix(")") else { return nil }
    func numbers(_ text: Substring) -> [Double]? {
      let words = text.split(separator: " ")
      let numbers = words.compactMap { $0.allSatisfy("+-.0123456789eE".contains) ? Double($0) : nil }
      return numbers.count == words.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }
    let parts = function.dropFirst("color(srgb ".count).dropLast().split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let components = numbers(parts[0]), components.count == 3 else { return nil }
    let alpha = parts.count == 2 ? numbers(parts[1]) : [1]
    guard let alpha, alpha.count == 1, (0...1).contains(alpha[0]) else { return nil }
    self.init(red: components[0], green: components[1], blue: components[2], alpha: alpha[0])
  }

  private init(code: UInt32) {
    func part(_ shift: UInt32) -> Double { Double(code >> shift & 0xff) / 255 }
    self.init(red: part(24), green: part(16), blue: part(8), alpha: part(0))
  }

  /// The color with another alpha.
  public func withAlpha(_ alpha: Double) -> Color {
    var copy = self
    copy.alpha = alpha
    return copy
  }
}

extension Decoder {
  /// The two numbers of a list.
  fileprivate func pair(_ what: String) throws -> (Double, Double) {
    let single = try singleValueContainer()
    let numbers = try single.decode([Double].self)
    guard numbers.count == 2 else {
      throw DecodingError.dataCorruptedError(in: single, debugDescription: "\(what) has 2 numbers")
    }
    return (numbers[0], numbers[1])
  }
}

/// A point as `[x, y]` or as `{ x, y }`.
package struct PointNotation: Decodable {
  package let point: Point
  package init(from decoder: any Decoder) throws {
    if let keyed = try? Point(from: decoder) {
      point = keyed
    } else {
      let (x, y) = try decoder.pair("a point")
      point = Point(x: x, y: y)
    }
  }
}

/// A size as `[width, height]` or as `{ width, height }`.
package struct SizeNotation: Decodable {
  package let size: Size
  package init(from decoder: any Decoder) throws {
    if let keyed = try? Size(from: decoder) {
      size = keyed
    } else {
      let (width, height) = try decoder.pair("a size")
      size = Size(width: width, height: height)
    }
  }
}

/// A rectangle as `[x, y, width, height]`, `[width, height]`, `{ x, y, width, height }` or `{ origin, size }`.
package struct RectNotation: Decodable {
  private enum Sides: CodingKey { case x, y, width, height }

  package let rect: Rect
  package init(from decoder: any Decoder) throws {
    if let keyed = try? Rect(from: decoder) {
      rect = keyed
      return
    }
    if let values = try? decoder.container(keyedBy: Sides.self) {
      rect = Rect(
        x: try values.read(.x, or: 0), y: try values.read(.y, or: 0), width: try values.decode(Double.self, forKey: .width),
        height: try values.decode(Double.self, forKey: .height))
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
