import CCompositorBaseline
import CompositorAPI

/// The baseline: a blend of two whole frames with one weight, bound by memory, on one thread.
enum PlainBlend {
  /// Median milliseconds per frame over the frames of two tracks.
  static func milliseconds(first: [Frame], second: [Frame], repetitions: Int) -> Double {
    guard let model = first.first else { return .nan }
    var output = MutableFrame(format: model.format, size: model.size)
    let clock = ContinuousClock()
    var times: [Double] = []
    for repetition in 0..<repetitions {
      for (index, (a, b)) in zip(first, second).enumerated() {
        let weight = UInt32((repetition + index) * 37 % 257)
        let elapsed = clock.measure { blend(a, b, weight: weight, into: &output) }
        times.append(Measurement.milliseconds(elapsed))
      }
    }
    return Measurement.percentile(0.5, of: times)
  }

  private static func blend(_ a: Frame, _ b: Frame, weight: UInt32, into output: inout MutableFrame) {
    output.withUnsafeMutablePlanes { destination in
      a.withUnsafePlanes { first in
        b.withUnsafePlanes { second in
          for plane in 0..<destination.count {
            let (d, s, t) = (destination[plane], first[plane], second[plane])
            // Frames of one format and size have one layout, padding included: a plane is one run of memory.
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
