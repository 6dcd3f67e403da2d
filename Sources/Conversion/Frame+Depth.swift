import CCompositorKernels
package import CompositorAPI

extension Frame {
  /// Whether samples are above the greatest that the frame's depth allows, as foreign code may leave them in the 16 bits of each.
  ///
  /// O(pixels) for planar formats of 10 and 12 bits, immediate for others; allocates nothing.
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

  /// The error of a compositor whose frame has samples above its depth; `nil` if it has none.
  package var depthError: CompositorError? {
    guard exceedsDepth else { return nil }
    return CompositorError(
      .invalidCompositorOutput,
      "The compositor\u{2019}s frame has samples above \((1 << format.bitDepth) - 1), the greatest of \(format).",
      recoverySuggestion: "Clamp each sample to the depth of the format.")
  }
}
