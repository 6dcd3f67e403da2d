/// The memory of one run of a kernel: rows between canaries, at unaligned addresses, filled with the same numbers for the
/// same seed.
final class Workspace {
  /// How hard the numbers are.
  enum Input: CaseIterable {
    /// Evenly spread.
    case noise
    /// The ends of the range, next to each other; of any floats, zeros of both signs, subnormal numbers and neighbors of 1.
    case extremes
    /// The ends of the range again, in random order; of any floats, powers of two from 2^-40 to 2^40.
    case huge
  }

  /// What the kernel is asked for.
  let count: Int
  let input: Input
  private var random: SplitMix
  private var rows: [(start: UnsafeMutableRawPointer, offset: Int, size: Int, total: Int)] = []
  private var results: [UInt64] = []

  private static let margin = 256
  private static let canary: UInt8 = 0xa5

  init(count: Int, input: Input) {
    (self.count, self.input) = (count, input)
    random = SplitMix(state: UInt64(count))
  }

  deinit {
    for row in rows { row.start.deallocate() }
  }

  /// Everything that a kernel could have written, and what it returned.
  var contents: [UInt8] {
    rows.flatMap { UnsafeRawBufferPointer(start: $0.start, count: $0.total) }
      + results.flatMap { result in (0..<8).map { UInt8(truncatingIfNeeded: result >> ($0 * 8)) } }
  }

  /// Whether nothing outside the rows was written.
  var isIntact: Bool {
    rows.allSatisfy { row in
      let bytes = UnsafeRawBufferPointer(start: row.start, count: row.total)
      return bytes[..<row.offset].allSatisfy { $0 == Workspace.canary }
        && bytes[(row.offset + row.size)...].allSatisfy { $0 == Workspace.canary }
    }
  }

  /// Remembers what a kernel returned.
  func returned(_ value: Double) { results.append(value.bitPattern) }

  /// A row to read, to write, or both.
  func row<T: BitwiseCopyable>(_ count: Int, _ value: (Int) -> T) -> UnsafeMutablePointer<T> {
    let size = count * MemoryLayout<T>.stride
    let offset = Workspace.margin + MemoryLayout<T>.stride * (1 + rows.count % 5)
    let total = offset + size + Workspace.margin
    let start = UnsafeMutableRawPointer.allocate(byteCount: total, alignment: 64)
    start.initializeMemory(as: UInt8.self, repeating: Workspace.canary, count: total)
    rows.append((start, offset, size, total))
    let first = (start + offset).bindMemory(to: T.self, capacity: count)
    for index in 0..<count { first[index] = value(index) }
    return first
  }

  func bytes(_ count: Int) -> UnsafeMutablePointer<UInt8> { row(count) { self.code($0, .max) } }
  /// A row of bytes that begins where a line of the cache does.
  func lines(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    let room = bytes(count + 63)
    return room + (64 - Int(bitPattern: room) % 64) % 64
  }
  func words(_ count: Int, upTo limit: UInt16 = .max) -> UnsafeMutablePointer<UInt16> { row(count) { self.code($0, limit) } }

  private func code<T: FixedWidthInteger>(_ index: Int, _ limit: T) -> T {
    switch input {
    case .noise: T.random(in: 0...limit, using: &random)
    case .extremes: index % 2 == 0 ? limit : 0
    case .huge: Bool.random(using: &random) ? limit : 0
    }
  }

  /// Any floats that are numbers.
  func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
    let extremes: [Float] = [
      0, 1, -0.0, -1, .leastNonzeroMagnitude, Float(1).nextDown, -.leastNormalMagnitude, Float(1).nextUp, 0.5, 65504, -255,
    ]
    return row(count) { index in
      switch input {
      case .noise: Float.random(in: -0.5...1.5, using: &random)
      case .extremes: extremes[index % extremes.count]
      case .huge:
        Float(sign: .plus, exponent: Int.random(in: -40...40, using: &random), significand: .random(in: 1..<2, using: &random))
          * (Bool.random(using: &random) ? 1 : -1)
      }
    }
  }

  /// Floats that a kernel needs within a range.
  func floats(_ count: Int, _ range: ClosedRange<Float>) -> UnsafeMutablePointer<Float> {
    row(count) { index in
      switch input {
      case .noise: Float.random(in: range, using: &random)
      case .extremes: index % 2 == 0 ? range.upperBound : range.lowerBound
      case .huge: Bool.random(using: &random) ? range.upperBound : range.lowerBound
      }
    }
  }

  /// Whatever 32 bits can be, infinities and what is not a number among them.
  func anyBits(_ count: Int) -> UnsafeMutablePointer<Float> {
    row(count) { _ in Float(bitPattern: UInt32.random(in: 0...(.max), using: &random)) }
  }
}
