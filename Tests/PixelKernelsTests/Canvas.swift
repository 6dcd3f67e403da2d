/// A rectangle of samples inside a larger buffer of canaries, at an unaligned address.
struct Canvas<T: FixedWidthInteger> {
  let width, height: Int
  private(set) var buffer: [T]
  private static var margin: Int { 67 }
  private var pitch: Int { width + 2 * Canvas.margin }
  private static var canary: T { T.max / 3 }

  /// - Parameter value: Of a sample, by column and row.
  init(_ width: Int, _ height: Int, _ value: (Int, Int) -> T) {
    (self.width, self.height) = (width, height)
    buffer = [T](repeating: Canvas.canary, count: (width + 2 * Canvas.margin) * (height + 2))
    for y in 0..<height {
      for x in 0..<width { buffer[(y + 1) * pitch + Canvas.margin + x] = value(x, y) }
    }
  }

  /// Bytes from row to row.
  var stride: Int { pitch * MemoryLayout<T>.stride }

  subscript(x: Int, y: Int) -> T { buffer[(y + 1) * pitch + Canvas.margin + x] }

  /// Whether nothing outside the rectangle was written.
  var isIntact: Bool {
    buffer.indices.allSatisfy { index in
      let (x, y) = (index % pitch - Canvas.margin, index / pitch - 1)
      let isInside = (0..<width).contains(x) && (0..<height).contains(y)
      return isInside || buffer[index] == Canvas.canary
    }
  }

  func read<R>(_ body: (UnsafePointer<T>) -> R) -> R? {
    buffer.withUnsafeBufferPointer { $0.baseAddress.map { body($0 + pitch + Canvas.margin) } }
  }

  mutating func write(_ body: (UnsafeMutablePointer<T>) -> Void) {
    let start = pitch + Canvas.margin
    buffer.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { body(base + start) } }
  }
}

/// The same numbers for the same seed, everywhere.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// Pictures that are hard on arithmetic.
enum Pattern: CaseIterable {
  case noise, checkerboard, largest, smallest

  func canvas<T: FixedWidthInteger>(_ width: Int, _ height: Int, seed: UInt64, as type: T.Type) -> Canvas<T> {
    var random = SplitMix(state: seed)
    return Canvas(width, height) { x, y in
      switch self {
      case .noise: T.random(in: T.min...T.max, using: &random)
      case .checkerboard: (x + y + Int(seed)) % 2 == 0 ? T.max : T.min
      case .largest: T.max
      case .smallest: T.min
      }
    }
  }
}
