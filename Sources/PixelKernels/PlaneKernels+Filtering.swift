package import CCompositorKernels

extension PlaneKernels {
  /// Weighted sums down the rows of a plane of bytes, in fixed point: into words with a fraction.
  package func filterByteRows(_ destination: UnsafeMutablePointer<Int16>, _ source: cpk_filter_rows, count: Int) {
    withUnsafePointer(to: source) { table.pointee.filter_rows8(destination, $0, count) }
  }

  /// The same of words of at most 12 bits.
  package func filterWordRows(_ destination: UnsafeMutablePointer<Int16>, _ source: cpk_filter_rows, count: Int) {
    withUnsafePointer(to: source) { table.pointee.filter_rows16(destination, $0, count) }
  }

  /// Weighted sums along 1 … 16 rows of words, rounded to bytes; `stride` is in bytes.
  package func filterColumns(
    _ destination: UnsafeMutablePointer<UInt8>, stride: Int, _ source: cpk_filter_columns, rows: Int, count: Int
  ) {
    withUnsafePointer(to: source) { table.pointee.filter_columns8(destination, stride, $0, rows, count) }
  }

  /// The same to words of 0 … `top`.
  package func filterColumns(
    _ destination: UnsafeMutablePointer<UInt16>, stride: Int, _ source: cpk_filter_columns, rows: Int, count: Int, top: Int
  ) {
    withUnsafePointer(to: source) {
      table.pointee.filter_columns16(destination, stride, $0, rows, count, Int32(clamping: top))
    }
  }

  /// Rounds to the nearest code of 0 … `top`.
  package func narrow(_ destination: UnsafeMutablePointer<UInt16>, _ source: UnsafePointer<Float>, count: Int, top: Int) {
    table.pointee.narrow_limited16(destination, source, count, Float(top))
  }

  /// Sums of six by six neighbors along a row of positions in a plane of bytes.
  package func sampleWideBytes(
    _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, phases: UnsafePointer<Float>, count: Int
  ) {
    withUnsafePointer(to: row.row) { table.pointee.sample_wide8(destination, $0, phases, 255, count) }
  }

  /// The same in a plane of words of 0 … `top`.
  package func sampleWideWords(
    _ destination: UnsafeMutablePointer<Float>, _ row: SampleRow, phases: UnsafePointer<Float>, count: Int, top: Int
  ) {
    withUnsafePointer(to: row.row) { table.pointee.sample_wide16(destination, $0, phases, Float(top), count) }
  }
}
