import CCompositorKernels
package import CompositorAPI
import CompositorConversion

/// Blends sprites and masks into the planes of a frame. Valid only inside the closure that borrows the planes.
package struct FrameWriter {
  let planes: MutablePlanes
  let encoding: OutputEncoding
  package let canvas: PixelBox
  /// The components at full resolution, and the subsampled ones.
  let full, coarse: [SampleTarget]
  /// Records the steps; `nil` disables recording.
  var recorder: BlendRecorder?
  /// Lends scratch memory; `nil` if there is none.
  var pool: FramePool?

  package init(_ planes: MutablePlanes, _ encoding: OutputEncoding, size: PixelSize) {
    self.planes = planes
    self.encoding = encoding
    canvas = PixelBox(size)
    let targets = encoding.components.indices.map { SampleTarget(planes, encoding.layout, component: $0) }
    full = targets.filter { !$0.component.isSubsampled }
    coarse = targets.filter(\.component.isSubsampled)
  }

  /// The displacement of a sprite: integer pixels, and 256ths of a pixel.
  package struct Shift: Sendable {
    package var x, y: Int
    package var fx: UInt32 = 0
    package var fy: UInt32 = 0

    package init(x: Int, y: Int, fx: UInt32 = 0, fy: UInt32 = 0) {
      (self.x, self.y, self.fx, self.fy) = (x, y, fx, fy)
    }

    /// The same displacement in samples of a grid that is coarser by powers of 2.
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

  /// Blends a sprite, displaced, with an opacity.
  package func blend(_ patch: CachedSprite, _ shift: Shift, opacity: Double) {
    recorder?.add(.patch(patch, shift, opacity: opacity))
    let strength = UInt16((min(max(opacity, 0), 1) * 65535).rounded())
    guard strength > 0 else { return }
    if let surface = patch.surface {
      blendFloat(surface, shift, opacity: Float(opacity))
      return
    }
    blend(patch.full, full, shift, strength)
    guard let chroma = patch.chroma else { return }
    let siting = encoding.layout.chroma
    blend(chroma, coarse, shift.coarser(columns: siting.horizontalShift, rows: siting.verticalShift), strength)
  }

  private func blend(_ grid: CachedSprite.Grid, _ targets: [SampleTarget], _ shift: Shift, _ opacity: UInt16) {
    guard let plane = targets.first else { return }
    let isBetween = shift.fx > 0 || shift.fy > 0
    let runs = isBetween ? grid.movedRuns : grid.runs
    let (left, top) = (grid.box.x0 + shift.x, grid.box.y0 + shift.y)
    let first = max(top, isBetween ? top + 1 : top, 0)
    let last = min(grid.box.y1 + shift.y, plane.height)
    guard first < last else { return }
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: isBetween ? 2 * grid.box.width : 1) { room in
      guard let room = room.baseAddress else { return }
      grid.withPlanes { weights, codes in
        let blender = RunBlender(
          weights: weights, codes: codes, width: grid.box.width, shift: isBetween ? shift : nil, opacity: opacity, room: room)
        runs.forEach(in: first - top..<last - top) { row, run in
          let start = max(run.lowerBound, -left)
          let end = min(run.upperBound, plane.width - left)
          if start < end { blender.blend(start..<end, ofRow: row, targets, x: left + start, y: top + row) }
        }
      }
    }
  }

  /// Blends runs of rows of one grid of a sprite.
  private struct RunBlender {
    let weights: UnsafePointer<UInt16>
    let codes: UnsafeBufferPointer<UnsafePointer<UInt16>>
    let width: Int
    let shift: Shift?
    let opacity: UInt16
    /// Two rows: interpolated weights, interpolated codes.
    let room: UnsafeMutablePointer<UInt16>

    func blend(_ run: Range<Int>, ofRow row: Int, _ targets: [SampleTarget], x: Int, y: Int) {
      let weights = samples(weights, row, run, into: room)
      for slot in codes.indices {
        let codes = samples(codes[slot], row, run, into: room + width)
        targets[slot].blend(codes: codes, weights, opacity: opacity, x: x, y: y, count: run.count)
      }
    }

    /// A run of a row, interpolated if the displacement is fractional.
    private func samples(
      _ plane: UnsafePointer<UInt16>, _ row: Int, _ run: Range<Int>, into room: UnsafeMutablePointer<UInt16>
    ) -> UnsafePointer<UInt16> {
      let here = plane + row * width + run.lowerBound
      guard let shift else { return here }
      cpk_overlay_codes_shifted(here - width, here, shift.fx, shift.fy, room, run.count)
      return UnsafePointer(room)
    }
  }

  /// Blends one mask in one color (premultiplied, in the output's signal), without an intermediate surface.
  package func fill(_ mask: Mask, _ color: SIMD4<Float>, _ placement: MaskPlacement, opacity: Double) {
    recorder?.add(.fill(mask, color, placement, opacity: opacity))
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
}
