extension ShapePath {
  /// Creates a path from SVG path data (the attribute `d`): M, L, H, V, C, S, Q, T, A and Z in both cases. SVG 2, section 9.3.
  ///
  /// - Throws: `.invalidValue` for any other command, a missing number, or more than a million numbers.
  public init(svg text: String) throws(CompositorError) {
    self.init()
    var scanner = SVGPathScanner(text)
    while let command = scanner.command() {
      try scanner.apply(command, to: &self)
    }
    if !scanner.isAtEnd { throw scanner.failure("a command is unknown") }
  }

  /// The path as SVG path data.
  public var svg: String {
    var words: [String] = []
    var index = 0
    for step in steps {
      switch step {
      case .move: words.append("M")
      case .line: words.append("L")
      case .curve: words.append("C")
      case .close: words.append("Z")
      }
      for _ in 0..<2 * step.pointCount {
        words.append("\(coordinates[index])")
        index += 1
      }
    }
    return words.joined(separator: " ")
  }
}

private struct SVGPathScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var current = Point.zero
  private var start = Point.zero
  private var control: Point?
  private var previous: UInt8 = 0
  private var numberCount = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position >= bytes.count }

  func failure(_ what: String) -> CompositorError {
    CompositorError(
      .invalidValue, "A path cannot be read: \(what), at character \(position + 1).",
      recoverySuggestion: "Write it as in SVG: \"M 0 0 L 10 0 C 10 5 5 10 0 10 Z\".")
  }

  private mutating func skipBlanks() {
    while position < bytes.count, [32, 9, 10, 13, 44].contains(bytes[position]) { position += 1 }
  }

  /// The next command letter. A number instead of a letter repeats the previous command.
  mutating func command() -> UInt8? {
    skipBlanks()
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    if "MLHVCSQTAZmlhvcsqtaz".utf8.contains(byte) {
      position += 1
      previous = byte == UInt8(ascii: "M") ? UInt8(ascii: "L") : byte == UInt8(ascii: "m") ? UInt8(ascii: "l") : byte
      return byte
    }
    let isNumber = (48...57).contains(byte) || byte == 45 || byte == 46 || byte == 43
    return isNumber && previous != 0 && previous | 32 != UInt8(ascii: "z") ? previous : nil
  }

  private mutating func number() throws(CompositorError) -> Double {
    skipBlanks()
    let begin = position
    var hasPoint = false
    var hasExponent = false
    while position < bytes.count {
      let byte = bytes[position]
      let isSign = byte == 45 || byte == 43
      let followsExponent = position > begin && bytes[position - 1] | 32 == UInt8(ascii: "e")
      if (48...57).contains(byte) || isSign && (position == begin || followsExponent) {
      } else if byte == 46, !hasPoint, !hasExponent {
        hasPoint = true
      } else if byte | 32 == UInt8(ascii: "e"), !hasExponent, position > begin {
        hasExponent = true
      } else {
        break
      }
      position += 1
    }
    numberCount += 1
    guard numberCount <= 8_000_000 else { throw failure("it has more than 8 million numbers") }
    guard let value = Double(String(decoding: bytes[begin..<position], as: UTF8.self)), value.isFinite else {
      throw failure("a number is missing")
    }
    return value
  }

  /// A flag of an arc: one digit, 0 or 1, which needs no separator after it.
  private mutating func flag() throws(CompositorError) -> Bool {
    skipBlanks()
    guard position < bytes.count, bytes[position] == 48 || bytes[position] == 49 else {
      throw failure("a flag of an arc is neither 0 nor 1")
    }
    position += 1
    return bytes[position - 1] == 49
  }

  private mutating func point(_ isRelative: Bool) throws(CompositorError) -> Point {
    let (x, y) = (try number(), try number())
    return isRelative ? Point(x: current.x + x, y: current.y + y) : Point(x: x, y: y)
  }

  private func reflectedControl() -> Point {
    guard let control else { return current }
    return Point(x: 2 * current.x - control.x, y: 2 * current.y - control.y)
  }

  mutating func apply(_ command: UInt8, to path: inout ShapePath) throws(CompositorError) {
    let isRelative = command >= 97
    var nextControl: Point?
    switch Character(UnicodeScalar(command & 0xdf)) {
    case "M":
      current = try point(isRelative)
      start = current
      path.move(to: current)
    case "L": try line(to: try point(isRelative), &path)
    case "H":
      let x = try number()
      try line(to: Point(x: isRelative ? current.x + x : x, y: current.y), &path)
    case "V":
      let y = try number()
      try line(to: Point(x: current.x, y: isRelative ? current.y + y : y), &path)
    case "C", "S":
      let first = command | 32 == UInt8(ascii: "c") ? try point(isRelative) : reflectedControl()
      let second = try point(isRelative)
      let end = try point(isRelative)
      path.curve(to: end, control1: first, control2: second)
      (nextControl, current) = (second, end)
    case "Q", "T":
      let middle = command | 32 == UInt8(ascii: "q") ? try point(isRelative) : reflectedControl()
      let end = try point(isRelative)
      path.quadraticCurve(from: current, to: end, control: middle)
      (nextControl, current) = (middle, end)
    case "A":
      let (radiusX, radiusY, degrees) = (try number(), try number(), try number())
      let (isLarge, isClockwise) = (try flag(), try flag())
      let end = try point(isRelative)
      path.arc(
        from: current, to: end, radiusX: radiusX, radiusY: radiusY, rotation: degrees * .pi / 180, isLarge: isLarge,
        isClockwise: isClockwise)
      current = end
    default:
      path.close()
      current = start
    }
    control = nextControl
  }

  private mutating func line(to end: Point, _ path: inout ShapePath) throws(CompositorError) {
    path.line(to: end)
    current = end
  }
}

extension ShapePath {
  /// Adds a curve with one control point as one with two, which is the same curve.
  fileprivate mutating func quadraticCurve(from start: Point, to end: Point, control: Point) {
    func toward(_ p: Point) -> Point { Point(x: p.x + (control.x - p.x) * 2 / 3, y: p.y + (control.y - p.y) * 2 / 3) }
    curve(to: end, control1: toward(start), control2: toward(end))
  }
}
