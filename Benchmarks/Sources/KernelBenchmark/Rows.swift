/// Noise to read and memory to write, small enough for the second-level cache.
final class Rows {
  static let width = 1920
  static let height = 64
  /// Samples from row to row.
  static let stride = 2048

  let first = RowBuffer(seed: 1)
  let second = RowBuffer(seed: 2)
  let output = RowBuffer(seed: 3)
  /// One row of values 0 … 255, one of weights 0 … 1, one to write.
  let samples, weights, floats: UnsafeMutablePointer<Float>

  init() {
    samples = .allocate(capacity: Rows.stride)
    weights = .allocate(capacity: Rows.stride)
    floats = .allocate(capacity: Rows.stride)
    for i in 0..<Rows.stride {
      samples[i] = Float(first.words(0)[i] & 255)
      weights[i] = Float(second.words(0)[i]) / 65535
    }
  }

  deinit {
    samples.deallocate()
    weights.deallocate()
    floats.deallocate()
  }

  /// Resets the output, so that every run starts with the same.
  func reset() { output.fill(seed: 3) }
}

/// Rows of bytes 2048 bytes apart, or of 16-bit samples 4096 bytes apart.
final class RowBuffer {
  private let base: UnsafeMutablePointer<UInt16>
  private static let count = Rows.stride * (Rows.height + 32)

  init(seed: UInt64) {
    base = .allocate(capacity: RowBuffer.count)
    fill(seed: seed)
  }

  deinit { base.deallocate() }

  func fill(seed: UInt64) {
    var state = seed
    for i in 0..<RowBuffer.count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      base[i] = UInt16(truncatingIfNeeded: state >> 40)
    }
  }

  func bytes(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt8.self) + y * Rows.stride
  }

  func words(_ y: Int) -> UnsafeMutablePointer<UInt16> { base + y * Rows.stride }

  var contents: [UInt8] { Array(UnsafeRawBufferPointer(start: base, count: 2 * RowBuffer.count)) }
}
