import CCompositorKernels
package import CompositorAPI

/// Reads rows of single components of frames as nominal values.
package struct SampleReader: Sendable {
  /// The order of operations from code to value. The results agree within single-precision rounding.
  package enum Arithmetic: Sendable {
    /// `code · scale + offset`.
    case scaleFirst
    /// `(code − zero) · scale`: neutral chroma is exactly 0.
    case offsetFirst
  }

  package let layout: SampleLayout
  private let terms: [Terms]

  /// The terms of the map from codes to values: `(code − zero) · scale + offset`.
  private struct Terms: Sendable {
    let zero, scale, offset: Float

    init(_ quantization: Quantization, _ arithmetic: Arithmetic) {
      scale = Float(1 / quantization.scale)
      switch arithmetic {
      case .scaleFirst: (zero, offset) = (0, Float(-quantization.offset / quantization.scale))
      case .offsetFirst: (zero, offset) = (Float(quantization.offset), 0)
      }
    }
  }

  package init(_ layout: SampleLayout, arithmetic: Arithmetic) {
    self.layout = layout
    terms = layout.components.map { Terms($0.quantization, arithmetic) }
  }

  /// Values needed in a scratch row for a number of columns: half of them, and a neighbor at either end.
  package static func roomCount(columns: Int) -> Int { max(columns, columns / 2 + 3) }

  /// Reads columns of a row on the luma grid. Subsampled chroma is interpolated: first between the two nearest rows, then
  /// along the columns.
  ///
  /// - Parameters:
  ///   - columns: Within the frame, not empty.
  ///   - target: Memory for one value per column.
  ///   - room: Two rows of ``roomCount(columns:)`` values each, for chroma before it is enlarged.
  package func read(
    _ planes: Planes, component: Int, row y: Int, columns: Range<Int>, into target: UnsafeMutablePointer<Float>,
    room: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
  ) {
    guard layout.components[component].isSubsampled else {
      return load(planes, component, row: y, columns: columns, into: target)
    }
    let plane = planes[layout.components[component].plane]
    let first = max(columns.lowerBound / 2 - 1, 0)
    let span = first..<min((columns.upperBound - 1) / 2 + 2, plane.width)
    let rows = layout.chroma.rows(for: y, height: plane.height)
    load(planes, component, row: rows.upper, columns: span, into: room.0)
    if rows.weight > 0, rows.lower != rows.upper {
      load(planes, component, row: rows.lower, columns: span, into: room.1)
      cpk_convert_mix(room.0, room.1, rows.weight, room.0, span.count)
    }
    cpk_convert_upsample(
      room.0, span.count, layout.chroma.isCenteredHorizontally, columns.lowerBound - 2 * first, target, columns.count)
  }

  /// Reads columns of a row of the component's own plane, without interpolation.
  package func load(
    _ planes: Planes, _ index: Int, row y: Int, columns: Range<Int>, into target: UnsafeMutablePointer<Float>
  ) {
    let component = layout.components[index]
    let plane = planes[component.plane]
    let (step, count) = (component.step, columns.count)
    let bytesPerSample = layout.format.bytesPerSample
    let start = plane.base + y * plane.stride + (columns.lowerBound * step + component.sampleOffset) * bytesPerSample
    // The next row is prefetched while this one is processed.
    let ahead = y + 1 < plane.height ? plane.stride : 0
    let terms = terms[index]
    switch layout.storage {
    case .bytes:
      cpk_convert_load_u8(
        start.assumingMemoryBound(to: UInt8.self), step, target, count, terms.zero, terms.scale, terms.offset, ahead)
    case .words:
      cpk_convert_load_u16(
        start.assumingMemoryBound(to: UInt16.self), step, Int32(layout.format.lowPadding), target, count, terms.zero,
        terms.scale, terms.offset, ahead)
    case .halves:
      cpk_convert_prefetch(start + ahead, count * step * bytesPerSample)
      cpk_convert_load_f16(start.assumingMemoryBound(to: UInt16.self), step, target, count)
    case .floats:
      cpk_convert_prefetch(start + ahead, count * step * bytesPerSample)
      cpk_convert_load_f32(start.assumingMemoryBound(to: Float.self), step, target, count)
    }
  }
}
