import CCompositorBaseline
package import CompositorAPI

/// The second baseline: reading every byte of the sources of a frame once, on one thread. Work that uses all samples of its
/// sources cannot take less, however little it computes.
package enum SourceReading {
  /// The result of a reading.
  package struct Result {
    /// Wall time.
    package let milliseconds: Double
    /// The number of bytes read.
    package let byteCount: Int
    /// The sum of what was read, so that reading has a result.
    package let sum: UInt64
  }

  /// Reads frames; those that are given several times only once.
  package static func read(_ frames: some Sequence<Frame>) -> Result {
    var seen: Set<UnsafeRawPointer> = []
    let distinct = frames.filter { seen.insert($0.start).inserted }
    var (byteCount, sum) = (0, UInt64(0))
    let start = ContinuousClock.now
    for frame in distinct {
      frame.withUnsafePlanes { planes in
        for index in 0..<planes.count {
          let plane = planes[index]
          // Rows follow each other, with padding in between; a frame that is stored bottom up begins with its last row.
          let count = abs(plane.stride) * (plane.height - 1) + frame.format.rowBytes(plane: index, of: frame.size)
          let first = plane.stride < 0 ? plane.base + plane.stride * (plane.height - 1) : plane.base
          sum &+= baseline_read(first.assumingMemoryBound(to: UInt8.self), count)
          byteCount += count
        }
      }
    }
    return Result(
      milliseconds: Measurement.milliseconds(start.duration(to: .now)), byteCount: byteCount, sum: sum)
  }
}
