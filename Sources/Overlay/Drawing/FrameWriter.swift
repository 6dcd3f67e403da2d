import CPixelKernels
package import CompositorAPI

/// Blends patches and masks into the planes of a frame. Lives only inside the closure that lends the planes.
package struct FrameWriter {
  let planes: MutablePlanes
  let encoding: OutputEncoding
  package let canvas: PixelBox
  /// Where the components of full size, and those of subsampled chroma, stand.
  let full, coarse: [Target]

  /// A component in memory.
  struct Target {
    let index: Int
    let base: UnsafeMutableRawPointer
    let stride, step, width, height: Int
    let isWide: Bool
    let shift: Int32
  }

  package init(_ planes: MutablePlanes, _ encoding: OutputEncoding, size: PixelSize) {
    self.planes = planes
    self.encoding = encoding
    canvas = PixelBox(size)
    let targets = encoding.components.enumerated().map { index, component in
      let plane = planes[component.plane]
      return Target(
        index: index, base: plane.base + component.sampleOffset * encoding.format.bytesPerSample, stride: plane.stride,
        step: component.step, width: plane.width, height: plane.height, isWide: encoding.format.bytesPerSample > 1,
        shift: encoding.shift)
    }
    full = targets.filter { !encoding.isSubsampled(encoding.components[$0.index]) }
    coarse = targets.filter { encoding.isSubsampled(encoding.components[$0.index]) }
  }

  /// How far a patch is moved: whole pixels, and 256ths of one.
  package struct Shift {
    package var x, y: Int
    package var fx: UInt32 = 0
    package var fy: UInt32 = 0

    package init(x: Int, y: Int, fx: UInt32 = 0, fy: UInt32 = 0) {
      (self.x, self.y, self.fx, self.fy) = (x, y, fx, fy)
    }

    /// The same distance in samples of a grid that is coarser by powers of 2.
    func coarser(columns: Int, rows: Int) -> Shift {
      func part(_ whole: Int, _ fraction: UInt32, _ shift: Int) -> (Int, UInt32) {
        let all = whole << 8 + Int(fraction)
        return (all >> (8 + shift), UInt32(all >> shift & 255))
      }
      let (x, fx) = part(x, fx, columns)
      let (y, fy) = part(y, fy, rows)
      return Shift(x: x, y: y, fx: fx, fy: fy)
    }
  }

  /// Blends a patch, moved and faded.
  package func blend(_ patch: Patch, _ shift: Shift, opacity: Double) {
    let strength = UInt16((min(max(opacity, 0), 1) * 65535).rounded())
    guard strength > 0 else { return }
    if let surface = patch.surface {
      blendFloat(surface, shift, opacity: Float(opacity))
      return
    }
    blend(patch.full, full, shift, strength)
    guard let chroma = patch.chroma else { return }
    let subsampling = encoding.format.subsampling
    blend(chroma, coarse, shift.coarser(columns: subsampling.horizontalShift, rows: subsampling.verticalShift), strength)
  }

  private func blend(_ grid: Patch.Grid, _ targets: [Target], _ shift: Shift, _ opacity: UInt16) {
    guard let plane = targets.first else { return }
    let between = shift.fx > 0 || shift.fy > 0
    let rows = max(grid.box.y0 + shift.y, 0)..<max(min(grid.box.y1 + shift.y, plane.height), max(grid.box.y0 + shift.y, 0))
    for y in rows {
      let row = y - shift.y - grid.box.y0
      guard row > 0 || !between else { continue }
      let span = between ? grid.movedSpan(row) : grid.spans[row]
      let left = grid.box.x0 + shift.x
      let visible = max(span.lowerBound, -left)..<max(max(span.lowerBound, -left), min(span.upperBound, plane.width - left))
      guard !visible.isEmpty else { continue }
      blendRow(grid, targets, row, visible, between ? shift : nil, y: y, x: left, opacity)
    }
  }

  private func blendRow(
    _ grid: Patch.Grid, _ targets: [Target], _ row: Int, _ span: Range<Int>, _ shift: Shift?, y: Int, x: Int, _ opacity: UInt16
  ) {
    samples(grid.weights, row, span, grid.box.width, shift) { weights in
      for (slot, target) in targets.enumerated() {
        samples(grid.codes[slot], row, span, grid.box.width, shift) { codes in
          store(target, codes, weights, y: y, x: x + span.lowerBound, count: span.count, opacity)
        }
      }
    }
  }

  /// Lends a part of a row of a patch, moved between samples where there is a shift.
  private func samples(
    _ plane: [UInt16], _ row: Int, _ span: Range<Int>, _ width: Int, _ shift: Shift?, _ use: (UnsafePointer<UInt16>) -> Void
  ) {
    plane.withUnsafeBufferPointer { plane in
      guard let base = plane.baseAddress else { return }
      let here = base + row * width + span.lowerBound
      guard let shift else {
        use(here)
        return
      }
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: span.count) { room in
        guard let room = room.baseAddress else { return }
        overlay_codes_shifted(here - width, here, shift.fx, shift.fy, room, span.count)
        use(room)
      }
    }
  }

  private func store(
    _ target: Target, _ codes: UnsafePointer<UInt16>, _ weights: UnsafePointer<UInt16>, y: Int, x: Int, count: Int,
    _ opacity: UInt16
  ) {
    let row = target.base + y * target.stride
    if target.isWide {
      let first = row.assumingMemoryBound(to: UInt16.self) + x * target.step
      overlay_codes_16(first, target.step, target.shift, codes, weights, opacity, count)
    } else {
      let first = row.assumingMemoryBound(to: UInt8.self) + x * target.step
      overlay_codes_8(first, target.step, codes, weights, opacity, count)
    }
  }

  /// Blends one mask in one colour (premultiplied, in the output's signal), without any surface between.
  package func fill(_ mask: Mask, _ color: SIMD4<Float>, _ placement: Placement, opacity: Double) {
    let area = placement.box(of: mask).intersection(canvas)
    let strength = UInt16((min(max(opacity * Double(color.w), 0), 1) * 65535).rounded())
    guard !area.isEmpty, strength > 0 else { return }
    let pure = SIMD3(color.x, color.y, color.z) / color.w
    let codes = encoding.components.map { component in
      let code = (component.matrix * pure).sum() * component.scale + component.offset
      return UInt16(min(max(code, 0), 65535).rounded())
    }
    let filler = MaskFiller(writer: self, mask: mask, placement: placement, area: area, opacity: strength, codes: codes)
    mask.bytes.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { filler.run(base) }
    }
  }

  func solid(_ target: Target, _ code: UInt16, _ weights: UnsafePointer<UInt16>, y: Int, x: Int, count: Int) {
    let row = target.base + y * target.stride
    if target.isWide {
      let first = row.assumingMemoryBound(to: UInt16.self) + x * target.step
      overlay_solid_16(first, target.step, target.shift, weights, code, count)
    } else {
      overlay_solid_8(row.assumingMemoryBound(to: UInt8.self) + x * target.step, target.step, weights, code, count)
    }
  }
}

extension Patch.Grid {
  /// What a row covers that is moved between samples: with the row above, and a sample more to the right.
  fileprivate func movedSpan(_ row: Int) -> Range<Int> {
    let spans = [spans[row - 1], spans[row]].filter { !$0.isEmpty }
    guard let left = spans.map(\.lowerBound).min(), let right = spans.map(\.upperBound).max() else { return 0..<0 }
    return max(left, 1)..<min(right + 1, box.width)
  }
}
