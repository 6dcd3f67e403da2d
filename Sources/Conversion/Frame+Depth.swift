import CCompositorKernels
package import CompositorAPI

extension Frame {
  /// The error of a compositor whose frame has samples that its format does not allow, as foreign code may leave them; `nil` if it has
  /// none.
  ///
  /// O(pixels) for planar formats of 10 and 12 bits and for floating point, immediate for others; allocates nothing.
  package var sampleError: CompositorError? {
    if exceedsDepth {
      return CompositorError(
        .invalidCompositorOutput,
        "The compositor\u{2019}s frame has samples above \((1 << format.bitDepth) - 1), the greatest of \(format).",
        recoverySuggestion: "Clamp each sample to the depth of the format.")
    }
    if hasUndefinedNumbers {
      return CompositorError(
        .invalidCompositorOutput, "The compositor\u{2019}s frame has samples that are no numbers (NaN).",
        recoverySuggestion: "Look for divisions by zero, and for roots and logarithms of negative numbers.")
    }
    return nil
  }

  /// Whether samples are above the greatest that the frame's depth allows, in the 16 bits of each.
  package var exceedsDepth: Bool {
    guard format.layout == .planar, (9..<16).contains(format.bitDepth) else { return false }
    return withUnsafePlanes { planes in
      (0..<planes.count).contains { index in
        let plane = planes[index]
        let bits = (0..<plane.height).reduce(UInt16(0)) { bits, y in
          bits | cpk_measure_bits_16((plane.base + y * plane.stride).assumingMemoryBound(to: UInt16.self), plane.width)
        }
        return bits >> format.bitDepth != 0
      }
    }
  }

  /// Whether a sample is NaN. Infinity is not: a sum of lights may exceed the greatest half float, and is clamped later.
  private var hasUndefinedNumbers: Bool {
    guard format.sample != .unsigned else { return false }
    return withUnsafePlanes { planes in
      (0..<planes.count).contains { index in
        let plane = planes[index]
        let byteCount = format.rowBytes(plane: index, of: size)
        return (0..<plane.height).contains { y in
          let row = plane.base + y * plane.stride
          if format.sample == .float {
            return cpk_measure_magnitude_32(row.assumingMemoryBound(to: UInt32.self), byteCount / 4) > 0x7f80_0000
          }
          return cpk_measure_magnitude_16(row.assumingMemoryBound(to: UInt16.self), byteCount / 2) > 0x7c00
        }
      }
    }
  }
}
