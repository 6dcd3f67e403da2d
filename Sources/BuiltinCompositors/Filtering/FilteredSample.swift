import CCompositorKernels
import CompositorKernels

/// A sample type supported by separable filters and warps.
protocol FilteredSample {
  static func warp(_ kernels: PlaneKernels, _ plan: borrowing WarpPlan, _ band: WarpBand)
  static func filterRows(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Int16>, _ source: cpk_filter_rows, count: Int)
  static func filterColumns(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Self>, stride: Int, _ source: cpk_filter_columns, rows: Int,
    count: Int, top: Int)
  static func narrow(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Self>, _ source: UnsafePointer<Float>, count: Int, top: Int)
  static func sampleWide(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, count: Int, top: Int)
}

extension UInt8: FilteredSample {
  static func warp(_ kernels: PlaneKernels, _ plan: borrowing WarpPlan, _ band: WarpBand) { kernels.warp(plan, band) }
  static func filterRows(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Int16>, _ source: cpk_filter_rows, count: Int
  ) {
    kernels.filterByteRows(destination, source, count: count)
  }
  static func filterColumns(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt8>, stride: Int, _ source: cpk_filter_columns, rows: Int,
    count: Int, top: Int
  ) {
    kernels.filterColumns(destination, stride: stride, source, rows: rows, count: count)
  }
  static func narrow(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<Float>, count: Int, top: Int
  ) {
    preconditionFailure("bytes are filtered in fixed point")
  }
  static func sampleWide(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, count: Int, top: Int
  ) {
    kernels.sampleWideBytes(destination, row, phases: WidePhases.lanczos.values, count: count)
  }
}

extension UInt16: FilteredSample {
  static func warp(_ kernels: PlaneKernels, _ plan: borrowing WarpPlan, _ band: WarpBand) { kernels.warpWords(plan, band) }
  static func filterRows(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Int16>, _ source: cpk_filter_rows, count: Int
  ) {
    kernels.filterWordRows(destination, source, count: count)
  }
  static func filterColumns(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt16>, stride: Int, _ source: cpk_filter_columns, rows: Int,
    count: Int, top: Int
  ) {
    kernels.filterColumns(destination, stride: stride, source, rows: rows, count: count, top: top)
  }
  static func narrow(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<Float>, count: Int, top: Int
  ) {
    kernels.narrow(destination, source, count: count, top: top)
  }
  static func sampleWide(
    _ kernels: PlaneKernels, _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, count: Int, top: Int
  ) {
    kernels.sampleWideWords(destination, row, phases: WidePhases.lanczos.values, count: count, top: top)
  }
}
