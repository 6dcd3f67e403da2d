import CompositorKernels

/// A sample type of planar formats and its kernels.
protocol PlanarSample: FilteredSample & FixedWidthInteger & UnsignedInteger & BitwiseCopyable {
  static func mix(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Self>, _ a: UnsafePointer<Self>,
    _ b: UnsafePointer<Self>, count: Int, weight: Double)
  static func mixRows(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Self>, stride: Int, _ a: UnsafePointer<Self>, _ aStride: Int,
    _ b: UnsafePointer<Self>, _ bStride: Int, count: Int, rows: Int, weight: Double)
  static func shift(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Self>, top: UnsafePointer<Self>,
    bottom: UnsafePointer<Self>, count: Int, next: Int, fx: Double, fy: Double, weight: Double)
  static func halve(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Self>, _ source: UnsafePointer<Self>, stride: Int,
    count: Int)
  static func quarter(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Self>, _ source: UnsafePointer<Self>, stride: Int,
    count: Int)
  static func accumulate(
    _ kernels: PlaneKernels, _ sum: UnsafeMutablePointer<Float>, _ source: UnsafePointer<Self>, count: Int,
    weight: Float)
  static func narrow(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Self>, _ source: UnsafePointer<Float>, count: Int)
  static func blend(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Self>, _ source: UnsafePointer<Float>,
    weights: UnsafePointer<Float>, count: Int)
  static func sample(_ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, count: Int)
}

extension UInt8: PlanarSample {
  static func mix(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt8>, _ a: UnsafePointer<UInt8>,
    _ b: UnsafePointer<UInt8>, count: Int, weight: Double
  ) {
    kernels.mix(destination, a, b, count: count, weight: weight)
  }
  static func mixRows(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt8>, stride: Int, _ a: UnsafePointer<UInt8>, _ aStride: Int,
    _ b: UnsafePointer<UInt8>, _ bStride: Int, count: Int, rows: Int, weight: Double
  ) {
    kernels.mixRows(destination, stride: stride, a, aStride, b, bStride, count: count, rows: rows, weight: weight)
  }
  static func shift(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt8>, top: UnsafePointer<UInt8>,
    bottom: UnsafePointer<UInt8>, count: Int, next: Int, fx: Double, fy: Double, weight: Double
  ) {
    kernels.shift(destination, top: top, bottom: bottom, count: count, next: next, fx: fx, fy: fy, weight: weight)
  }
  static func halve(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<UInt8>, stride: Int,
    count: Int
  ) {
    kernels.halve(destination, source, stride: stride, count: count)
  }
  static func quarter(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<UInt8>, stride: Int,
    count: Int
  ) {
    kernels.quarter(destination, source, stride: stride, count: count)
  }
  static func accumulate(
    _ kernels: PlaneKernels, _ sum: UnsafeMutablePointer<Float>, _ source: UnsafePointer<UInt8>, count: Int,
    weight: Float
  ) {
    kernels.accumulate(sum, source, count: count, weight: weight)
  }
  static func narrow(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<Float>, count: Int
  ) {
    kernels.narrow(destination, source, count: count)
  }
  static func blend(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<Float>,
    weights: UnsafePointer<Float>, count: Int
  ) {
    kernels.blend(destination, source, weights: weights, count: count)
  }
  static func sample(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, count: Int
  ) {
    kernels.sampleBytes(destination, row, count: count)
  }
}

extension UInt16: PlanarSample {
  static func mix(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt16>,
    _ b: UnsafePointer<UInt16>, count: Int, weight: Double
  ) {
    kernels.mix(destination, a, b, count: count, weight: weight)
  }
  static func mixRows(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt16>, stride: Int, _ a: UnsafePointer<UInt16>,
    _ aStride: Int,
    _ b: UnsafePointer<UInt16>, _ bStride: Int, count: Int, rows: Int, weight: Double
  ) {
    kernels.mixRows(destination, stride: stride, a, aStride, b, bStride, count: count, rows: rows, weight: weight)
  }
  static func shift(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt16>, top: UnsafePointer<UInt16>,
    bottom: UnsafePointer<UInt16>, count: Int, next: Int, fx: Double, fy: Double, weight: Double
  ) {
    kernels.shift(destination, top: top, bottom: bottom, count: count, next: next, fx: fx, fy: fy, weight: weight)
  }
  static func halve(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<UInt16>, stride: Int,
    count: Int
  ) {
    kernels.halve(destination, source, stride: stride, count: count)
  }
  static func quarter(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<UInt16>, stride: Int,
    count: Int
  ) {
    kernels.quarter(destination, source, stride: stride, count: count)
  }
  static func accumulate(
    _ kernels: PlaneKernels, _ sum: UnsafeMutablePointer<Float>, _ source: UnsafePointer<UInt16>, count: Int,
    weight: Float
  ) {
    kernels.accumulate(sum, source, count: count, weight: weight)
  }
  static func narrow(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<Float>, count: Int
  ) {
    kernels.narrow(destination, source, count: count)
  }
  static func blend(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<Float>,
    weights: UnsafePointer<Float>, count: Int
  ) {
    kernels.blend(destination, source, weights: weights, count: count)
  }
  static func sample(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, count: Int
  ) {
    kernels.sampleWords(destination, row, count: count)
  }
}
