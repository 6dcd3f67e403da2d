import CompositorAPI
import CompositorConversion
import CompositorKernels

/// Rows of a reduced plane: each sample is the exact mean of its interval of source samples, with fractional ends weighted.
struct PlanarAreaMean<T: PlanarSample> {
  private let plane: Plane
  private let size: PixelSize
  private let taps: Int
  private let starts: UnsafeMutablePointer<Int32>
  private let weights: UnsafeMutablePointer<Float>
  private let sums: UnsafeMutablePointer<Float>
  private let means: UnsafeMutablePointer<Float>

  init(_ plane: Plane, to size: PixelSize, scratch: inout ScratchArena) {
    self.plane = plane
    self.size = size
    taps = PlanarAreaMean.taps(from: plane.width, to: size.width)
    starts = scratch.take(size.width, of: Int32.self)
    weights = scratch.take(size.width * taps, of: Float.self)
    sums = scratch.take(plane.width, of: Float.self)
    means = scratch.take(size.width, of: Float.self)
    fillWeights()
  }

  static func scratchByteCount(from source: PixelSize, to size: PixelSize) -> Int {
    ScratchArena.byteCount(size.width, of: Int32.self)
      + ScratchArena.byteCount(size.width * taps(from: source.width, to: size.width), of: Float.self)
      + ScratchArena.byteCount(source.width, of: Float.self) + ScratchArena.byteCount(size.width, of: Float.self)
  }

  private static func taps(from source: Int, to count: Int) -> Int {
    min(source, (source + count - 1) / count + 1)
  }

  private func fillWeights() {
    let interval = Double(plane.width) / Double(size.width)
    for j in 0..<size.width {
      let low = Double(j) * interval
      let start = clampedInt(low.rounded(.down), in: 0...plane.width - taps)
      starts[j] = Int32(clamping: start)
      for tap in 0..<taps {
        let share = overlap(Double(start + tap), low, low + interval) / interval
        weights[tap * size.width + j] = Float(share)
      }
    }
  }

  /// Makes row `y` of the reduced plane.
  func make(_ y: Int, into row: UnsafeMutablePointer<T>, kernels: PlaneKernels) {
    let interval = Double(plane.height) / Double(size.height)
    let low = Double(y) * interval
    let first = clampedInt(low.rounded(.down), in: 0...plane.height - 1)
    let last = clampedInt((low + interval).rounded(.up), in: first + 1...plane.height)
    sums.update(repeating: 0, count: plane.width)
    for sourceY in first..<last {
      let share = overlap(Double(sourceY), low, low + interval) / interval
      let source = (plane.base + sourceY * plane.stride).assumingMemoryBound(to: T.self)
      T.accumulate(kernels, sums, source, count: plane.width, weight: Float(share))
    }
    if size.width == plane.width {
      T.narrow(kernels, row, sums, count: size.width)
    } else {
      kernels.reduce(means, sums, count: size.width, start: starts, weights: weights, taps: taps)
      T.narrow(kernels, row, means, count: size.width)
    }
  }
}

/// The part of the sample at `index` between `low` and `high`, 0 … 1.
private func overlap(_ index: Double, _ low: Double, _ high: Double) -> Double {
  max(0, min(index + 1, high) - max(index, low))
}
