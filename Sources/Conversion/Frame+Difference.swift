import CCompositorKernels
package import CompositorAPI

extension Frame {
  /// The mean absolute difference between the first planes of two frames, as a fraction of the code range, 0 … 1.
  ///
  /// - Returns: `nil` unless both frames have 8-bit samples and the same format and size. O(pixels); allocates nothing.
  package func meanDifference(from other: Frame) -> Double? {
    guard format.bitDepth == 8, format == other.format, size == other.size else { return nil }
    return withUnsafePlanes { first in
      other.withUnsafePlanes { second in
        let (count, height) = (first[0].width * format.samplesPerPosition(plane: 0), first[0].height)
        var sum: UInt64 = 0
        for y in 0..<height {
          let a = (first[0].base + y * first[0].stride).assumingMemoryBound(to: UInt8.self)
          let b = (second[0].base + y * second[0].stride).assumingMemoryBound(to: UInt8.self)
          sum += cpk_measure_difference_8(a, b, count)
        }
        return Double(sum) / Double(max(1, count * height)) / 255
      }
    }
  }
}
