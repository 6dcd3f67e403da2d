import CCompositorBaseline
import CompositorAPI

/// The baseline: a blend of two whole frames with one weight, bound by memory, on one thread.
enum PlainBlend {
  /// Blends two frames of the same format and size; returns milliseconds of processor time, and of wall time.
  static func milliseconds(
    _ a: Frame, _ b: Frame, weight: Int, into output: inout MutableFrame
  ) -> (processor: Double, wall: Double) {
    let (start, began) = (Measurement.threadMilliseconds(), ContinuousClock.now)
    blend(a, b, weight: UInt32(weight % 257), into: &output)
    return (Measurement.threadMilliseconds() - start, Measurement.milliseconds(began.duration(to: .now)))
  }

  private static func blend(_ a: Frame, _ b: Frame, weight: UInt32, into output: inout MutableFrame) {
    output.withUnsafeMutablePlanes { destination in
      a.withUnsafePlanes { first in
        b.withUnsafePlanes { second in
          for plane in 0..<destination.count {
            let (d, s, t) = (destination[plane], first[plane], second[plane])
            // Frames of the same format and size have the same layout, including padding: a plane is one run of memory.
            let bytes = d.stride * d.height
            if a.format.bytesPerSample == 1 {
              baseline_blend_u8(
                d.base.assumingMemoryBound(to: UInt8.self), s.base.assumingMemoryBound(to: UInt8.self),
                t.base.assumingMemoryBound(to: UInt8.self), bytes, weight)
            } else {
              baseline_blend_u16(
                d.base.assumingMemoryBound(to: UInt16.self), s.base.assumingMemoryBound(to: UInt16.self),
                t.base.assumingMemoryBound(to: UInt16.self), bytes / 2, weight)
            }
          }
        }
      }
    }
  }
}
