import CCompositorBaseline
import CompositorAPI

/// The baseline: a blend of two whole frames with one weight, bound by memory, on one thread.
enum PlainBlend {
  /// Blends two frames of the same format and size; returns milliseconds of processor time.
  static func milliseconds(_ a: Frame, _ b: Frame, weight: Int, into output: inout MutableFrame) -> Double {
    let start = Measurement.threadMilliseconds()
    blend(a, b, weight: UInt32(weight % 257), into: &output)
    return Measurement.threadMilliseconds() - start
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

/// Measures the current speed of the machine repeatedly between the parts of a measurement: the ratio of a part's cost to the
/// readings around it does not depend on other load on the machine.
package final class MachineSpeed {
  /// Two readings, milliseconds of processor time.
  package struct Reading {
    /// The plain blend of two frames of 8-bit 4:2:0 of the canvas's size, in memory.
    package var memory: Double
    /// A blend inside the first-level cache.
    package var processor: Double

    package init(memory: Double, processor: Double) { (self.memory, self.processor) = (memory, processor) }
  }

  private let frames: [Frame]
  private var output: MutableFrame
  private var next = 0
  private var memoryReadings: [Double] = []
  private var cached = [UInt8](repeating: 0x55, count: 3 * 8192)

  /// - Parameters:
  ///   - format: The format of the plain blend.
  init(size: PixelSize, format: PixelFormat) {
    let source = WorkloadSource(name: "baseline", size: size, format: format, attributes: FrameAttributes())
    frames = NoiseFrames.make([source])[0]
    output = MutableFrame(format: format, size: size)
  }

  /// The median of all readings of the plain blend.
  var medianMemoryReading: Double { Estimate(memoryReadings).median }

  func reading() -> Reading {
    // As far from the caches as the measured work.
    let (a, b) = (frames[next % frames.count], frames[(next + frames.count / 2) % frames.count])
    next += 1
    let memory = PlainBlend.milliseconds(a, b, weight: next * 37, into: &output)
    let start = Measurement.threadMilliseconds()
    cached.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      baseline_blend_cached(512, base, base + 8192, base + 16384, 8192)
    }
    let processor = Measurement.threadMilliseconds() - start
    memoryReadings.append(memory)
    return Reading(memory: memory, processor: processor)
  }
}
