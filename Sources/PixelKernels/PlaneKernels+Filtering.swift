package import CCompositorKernels

extension PlaneKernels {
  /// Computes weighted sums down the rows of a plane of bytes, in fixed point. The sums are 16-bit integers with fractional
  /// bits.
  package func filterByteRows(_ destination: UnsafeMutablePointer<Int16>, _ source: cpk_filter_rows, count: Int) {
    withUnsafePointer(to: source) { table.pointee.filter_rows8(destination, $0, count) }
  }

  /// Computes weighted sums down the rows of a plane of 16-bit samples that use at most 12 bits.
  package func filterWordRows(_ destination: UnsafeMutablePointer<Int16>, _ source: cpk_filter_rows, count: Int) {
    withUnsafePointer(to: source) { table.pointee.filter_rows16(destination, $0, count) }
  }

  /// Computes weighted sums along 1 … 16 rows of 16-bit values, rounded to bytes; `stride` is in bytes.
  package func filterColumns(
    _ destination: UnsafeMutablePointer<UInt8>, stride: Int, _ source: cpk_filter_columns, rows: Int, count: Int
  ) {
    withUnsafePointer(to: source) { table.pointee.filter_columns8(destination, stride, $0, rows, count) }
  }

  /// Computes weighted sums along rows, rounded to 16-bit samples of 0 … `top`.
  package func filterColumns(
    _ destination: UnsafeMutablePointer<UInt16>, stride: Int, _ source: cpk_filter_columns, rows: Int, count: Int, top: Int
  ) {
    withUnsafePointer(to: source) {
      table.pointee.filter_columns16(destination, stride, $0, rows, count, Int32(clamping: top))
    }
  }

  /// Rounds values to the nearest codes of 0 … `top`.
  package func narrow(_ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<Float>, count: Int, top: Int) {
    table.pointee.narrow_limited16(destination, source, count, Float(top))
  }

  /// Computes weighted sums of 6 × 6 neighbors at each of a row of positions in a plane of bytes.
  package func sampleWideBytes(
    _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, phases: UnsafePointer<Float>, count: Int
  ) {
    withUnsafePointer(to: row.row) { table.pointee.sample_wide8(destination, $0, phases, 255, count) }
  }

  /// Computes weighted sums of 6 × 6 neighbors at each of a row of positions in a plane of 16-bit samples of 0 … `top`.
  package func sampleWideWords(
    _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, phases: UnsafePointer<Float>, count: Int, top: Int
  ) {
    withUnsafePointer(to: row.row) { table.pointee.sample_wide16(destination, $0, phases, Float(top), count) }
  }
}
