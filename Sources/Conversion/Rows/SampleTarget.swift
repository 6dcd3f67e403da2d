import CCompositorKernels
package import CompositorAPI

/// The samples of one component in a frame's planes, to be written or blended in place. Valid only inside the closure that
/// borrows the planes.
///
/// Codes to blend and their weights are fractions of 65536 in every format; a weight of 65535 is full coverage.
package struct SampleTarget {
  package let component: SampleLayout.Component
  /// Columns and rows of the plane.
  package let width, height: Int
  private let base: UnsafeMutableRawPointer
  private let stride, bytesPerPosition: Int
  private let storage: SampleLayout.Storage
  private let padding, shift: Int32

  package init(_ planes: MutablePlanes, _ layout: SampleLayout, component index: Int) {
    component = layout.components[index]
    let plane = planes[component.plane]
    (width, height, stride) = (plane.width, plane.height, plane.stride)
    base = plane.base + component.sampleOffset * layout.format.bytesPerSample
    bytesPerPosition = component.step * layout.format.bytesPerSample
    storage = layout.storage
    (padding, shift) = (Int32(layout.format.lowPadding), layout.blendShift)
  }

  private func samples<T>(_ type: T.Type, x: Int, y: Int) -> UnsafeMutablePointer<T> {
    (base + y * stride + x * bytesPerPosition).assumingMemoryBound(to: type)
  }
}

// MARK: - Nominal values

extension SampleTarget {
  /// Writes nominal values, rounded half up and clamped to the range of a sample.
  package func write(_ values: UnsafePointer<Float>, x: Int = 0, y: Int, count: Int) {
    let codes = component.quantization
    write(values, scale: Float(codes.scale), offset: Float(codes.offset), x: x, y: y, count: count)
  }

  /// Adds the ordered dither pattern for the codes of a row.
  package func dither(_ values: UnsafeMutablePointer<Float>, y: Int) {
    cpk_convert_dither(values, width, y, 1 / Float(component.quantization.scale))
  }

  /// Writes codes in fractions of 65536 (float samples: values), rounded half up and clamped to the range of a sample.
  package func write(codes: UnsafePointer<Float>, x: Int, y: Int, count: Int) {
    write(codes, scale: 1 / Float(1 << (shift + padding)), offset: 0, x: x, y: y, count: count)
  }

  private func write(_ row: UnsafePointer<Float>, scale: Float, offset: Float, x: Int, y: Int, count: Int) {
    let step = component.step
    switch storage {
    case .bytes: cpk_convert_store_u8(row, samples(UInt8.self, x: x, y: y), step, count, scale, offset)
    case .words:
      cpk_convert_store_u16(
        row, samples(UInt16.self, x: x, y: y), step, padding, count, scale, offset,
        Float(component.quantization.maximumCode))
    case .halves: cpk_convert_store_f16(row, samples(UInt16.self, x: x, y: y), step, count)
    case .floats: cpk_convert_store_f32(row, samples(Float.self, x: x, y: y), step, count)
    }
  }
}

extension SampleTarget {
  /// Composites premultiplied nominal values over a row of integer samples, rounded half up and clamped to the range of a
  /// sample. Codes under an alpha of 0 are unchanged.
  package func compose(_ values: UnsafePointer<Float>, alpha: UnsafePointer<Float>, x: Int, y: Int, count: Int) {
    let codes = component.quantization
    compose(values, alpha: alpha, scale: Float(codes.scale), offset: Float(codes.offset), x: x, y: y, count: count)
  }

  /// Composites values whose code is `value · scale + offset`.
  package func compose(
    _ values: UnsafePointer<Float>, alpha: UnsafePointer<Float>, scale: Float, offset: Float, x: Int, y: Int, count: Int
  ) {
    let codes = component.quantization
    switch storage {
    case .bytes: cpk_general_lay_8(samples(UInt8.self, x: x, y: y), component.step, values, alpha, scale, offset, count)
    case .words:
      cpk_general_lay_16(
        samples(UInt16.self, x: x, y: y), component.step, padding, values, alpha, scale, offset, Float(codes.maximumCode), count
      )
    case .halves, .floats: preconditionFailure("values are laid over integer samples")
    }
  }

  /// Composites 8-bit codes (16-bit if `isWide`) over a row of a planar format's samples, by straight alpha of the same depth
  /// times `weight`. The new code of a sample is `code · scale + offset + noise`.
  package func compose(
    straight codes: UnsafeRawPointer, alpha: UnsafeRawPointer, isWide: Bool, noise: UnsafePointer<Float>, scale: Float,
    offset: Float, weight: Float, x: Int, y: Int, count: Int
  ) {
    precondition(component.step == 1 && padding == 0, "straight codes are laid over planes")
    if storage == .bytes {
      cpk_general_straight_8(samples(UInt8.self, x: x, y: y), codes, alpha, isWide, noise, scale, offset, weight, count)
    } else {
      cpk_general_straight_16(
        samples(UInt16.self, x: x, y: y), codes, alpha, isWide, noise, scale, offset, weight,
        Float(component.quantization.maximumCode), count)
    }
  }
}

// MARK: - Codes, blended in place

extension SampleTarget {
  /// Blends one code over a row.
  package func blend(code: UInt16, _ weights: UnsafePointer<UInt16>, x: Int, y: Int, count: Int) {
    switch storage {
    case .bytes: cpk_overlay_solid_8(samples(UInt8.self, x: x, y: y), component.step, weights, code, count)
    case .words: cpk_overlay_solid_16(samples(UInt16.self, x: x, y: y), component.step, shift, weights, code, count)
    case .halves, .floats:
      let value = part(code)
      change(x: x, y: y, count: count) { $0 + (value - $0) * part(weights[$1]) }
    }
  }

  /// Blends codes that are already premultiplied by their weights; `opacity` multiplies both.
  package func blend(
    codes: UnsafePointer<UInt16>, _ weights: UnsafePointer<UInt16>, opacity: UInt16, x: Int, y: Int, count: Int
  ) {
    switch storage {
    case .bytes: cpk_overlay_codes_8(samples(UInt8.self, x: x, y: y), component.step, codes, weights, opacity, count)
    case .words:
      cpk_overlay_codes_16(samples(UInt16.self, x: x, y: y), component.step, shift, codes, weights, opacity, count)
    case .halves, .floats:
      let opacity = part(opacity)
      change(x: x, y: y, count: count) { $0 * (1 - part(weights[$1]) * opacity) + part(codes[$1]) * opacity }
    }
  }

  /// Blends codes in single precision, with weights of 0 … 1; codes of float samples are values.
  package func blend(codes: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, x: Int, y: Int, count: Int) {
    change(x: x, y: y, count: count) { $0 * (1 - weights[$1]) + codes[$1] }
  }

  /// Replaces integer samples by codes in single precision, `value · scale + offset`, as far as weights say; rounded half up and clamped
  /// to the range of a sample.
  package func replace(
    by values: UnsafePointer<Float>, scale: Float, offset: Float, _ weights: UnsafePointer<UInt16>, x: Int, y: Int, count: Int
  ) {
    switch storage {
    case .bytes:
      cpk_overlay_replace_8(samples(UInt8.self, x: x, y: y), component.step, values, scale, offset, weights, count)
    case .words:
      cpk_overlay_replace_16(
        samples(UInt16.self, x: x, y: y), component.step, padding, values, scale, offset,
        Float(component.quantization.maximumCode), weights, count)
    case .halves, .floats: preconditionFailure("weights replace integer samples")
    }
  }

  /// Adds changes of codes in single precision, rounded and clamped to the range of a sample; float samples take changes of
  /// values.
  package func add(_ changes: UnsafePointer<Float>, x: Int, y: Int, count: Int) {
    switch storage {
    case .bytes: cpk_overlay_add_8(samples(UInt8.self, x: x, y: y), component.step, changes, count)
    case .words: cpk_overlay_add_16(samples(UInt16.self, x: x, y: y), component.step, shift, changes, count)
    case .halves, .floats: change(x: x, y: y, count: count) { $0 + changes[$1] }
    }
  }

  private func part(_ code: UInt16) -> Float { Float(code) * (1 / 65535) }

  /// Replaces each code of a row (in fractions of 65536), or each value.
  @inline(__always)
  private func change(x: Int, y: Int, count: Int, _ body: (Float, Int) -> Float) {
    func changed(_ sample: Float, _ index: Int, unit: Float, limit: Float) -> Float {
      min(max((body(sample * unit, index) / unit).rounded(), 0), limit)
    }
    let step = component.step
    switch storage {
    case .bytes:
      let row = samples(UInt8.self, x: x, y: y)
      for index in 0..<count { row[index * step] = UInt8(changed(Float(row[index * step]), index, unit: 256, limit: 255)) }
    case .words:
      let row = samples(UInt16.self, x: x, y: y)
      let (unit, limit) = (Float(1 << shift), Float(65536 >> shift) - 1)
      for index in 0..<count {
        row[index * step] = UInt16(changed(Float(row[index * step]), index, unit: unit, limit: limit))
      }
    case .halves:
      let row = samples(Float16.self, x: x, y: y)
      for index in 0..<count { row[index * step] = Float16(body(Float(row[index * step]), index)) }
    case .floats:
      let row = samples(Float.self, x: x, y: y)
      for index in 0..<count { row[index * step] = body(row[index * step], index) }
    }
  }
}

extension MutablePlanes {
  /// Sets every sample to 0.
  package func clear(_ format: PixelFormat) {
    for index in 0..<count {
      let plane = self[index]
      let bytes = plane.width * format.samplesPerPosition(plane: index) * format.bytesPerSample
      for y in 0..<plane.height { (plane.base + y * plane.stride).initializeMemory(as: UInt8.self, repeating: 0, count: bytes) }
    }
  }
}
