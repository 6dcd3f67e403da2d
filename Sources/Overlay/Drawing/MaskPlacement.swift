import CCompositorKernels
package import CompositorAPI

/// The position of a layer's masks on the canvas, and the grid on which they are rastered.
///
/// A static layer is rastered exactly at its position. A moving layer is rastered once and displaced between pixels by
/// bilinear weights, which preserve its centroid exactly. A layer that scales or rotates is rastered slightly finer than
/// needed, and sampled. The choice depends on the layer's animations, not on the time, so that all times agree.
package struct MaskPlacement: Sendable {
  package enum Way: Hashable, Sendable {
    case whole(x: Int, y: Int)
    /// Displaced by integer pixels and 256ths of a pixel.
    case shifted(x: Int, y: Int, fx: UInt32, fy: UInt32)
    /// Sampled through a map from canvas to grid.
    case mapped(Projection)

    /// From grid to canvas, if masks are mapped.
    fileprivate var mappedBack: Projection? { if case .mapped(let toGrid) = self { toGrid.inverted } else { nil } }
  }

  package let grid: RasterGrid
  package let way: Way
  /// From layer to canvas.
  package let matrix: Projection

  package init(grid: RasterGrid, way: Way, matrix: Projection) {
    (self.grid, self.way, self.matrix) = (grid, way, matrix)
  }

  /// Returns `nil` if the layer is seen edge-on, or not at all.
  package init?(_ matrix: Projection, motion: PresentationNode.Motion, bounds: Rect) {
    self.matrix = matrix
    if let affine = matrix.affine, motion < .transforms {
      guard abs(affine.determinant) > 1e-9, abs(affine.tx) < 1e8, abs(affine.ty) < 1e8 else { return nil }
      // Coordinates in 64ths (static) and 256ths (moving) of a pixel, so that equal positions stay equal.
      let unit = motion == .still ? 64.0 : 256.0
      let (tx, ty) = ((affine.tx * unit).rounded() / unit, (affine.ty * unit).rounded() / unit)
      let (x, y) = (tx.rounded(.down), ty.rounded(.down))
      if motion == .still {
        grid = RasterGrid(a: affine.a, b: affine.b, c: affine.c, d: affine.d, tx: tx - x, ty: ty - y)
        way = .whole(x: Int(x), y: Int(y))
      } else {
        grid = RasterGrid(a: affine.a, b: affine.b, c: affine.c, d: affine.d)
        way = .shifted(x: Int(x), y: Int(y), fx: UInt32((tx - x) * 256), fy: UInt32((ty - y) * 256))
      }
      return
    }
    let center = Point(x: bounds.minX + bounds.size.width / 2, y: bounds.minY + bounds.size.height / 2)
    guard var scale = matrix.scale(at: center) else { return nil }
    if matrix.affine == nil {
      // In perspective, nearer parts are larger; up to twice the size deserves finer masks.
      let most = (across: 2 * scale.across, down: 2 * scale.down)
      for (x, y) in [
        (bounds.minX, bounds.minY), (bounds.maxX, bounds.minY), (bounds.minX, bounds.maxY), (bounds.maxX, bounds.maxY),
      ] {
        guard let corner = matrix.scale(at: Point(x: x, y: y)) else { continue }
        scale.across = min(max(scale.across, corner.across), most.across)
        scale.down = min(max(scale.down, corner.down), most.down)
      }
    }
    grid = RasterGrid.scale(across: scale.across, down: scale.down)
    guard let back = MaskPlacement.toCanvas(grid, matrix).inverted else { return nil }
    way = .mapped(back)
  }

  private static func toCanvas(_ grid: RasterGrid, _ matrix: Projection) -> Projection {
    Projection(.scale(x: 1 / grid.a, y: 1 / grid.d)).concatenating(matrix)
  }

  /// The box of the canvas that a mask of the grid can cover.
  package func box(of mask: Mask) -> PixelBox {
    switch way {
    case .whole(let x, let y):
      return PixelBox(x0: mask.x + x, y0: mask.y + y, x1: mask.x + mask.width + x, y1: mask.y + mask.height + y)
    case .shifted(let x, let y, _, _):
      return PixelBox(x0: mask.x + x + 1, y0: mask.y + y + 1, x1: mask.x + mask.width + x, y1: mask.y + mask.height + y)
    case .mapped:
      let rect = Rect(x: Double(mask.x), y: Double(mask.y), width: Double(mask.width), height: Double(mask.height))
      guard let box = way.mappedBack?.boundingBox(of: rect) else {
        return PixelBox(x0: -1 << 20, y0: -1 << 20, x1: 1 << 20, y1: 1 << 20)
      }
      return PixelBox(around: box).grown(by: 1)
    }
  }

  /// Writes weights of the pixels of a row inside ``box(of:)``.
  func weights(
    of mask: Mask, _ bytes: UnsafePointer<UInt8>, x: Int, y: Int, count: Int, opacity: UInt16,
    into out: UnsafeMutablePointer<UInt16>
  ) {
    switch way {
    case .whole(let dx, let dy):
      cpk_overlay_mask_row(bytes + (y - dy - mask.y) * mask.stride + x - dx - mask.x, opacity, out, count)
    case .shifted(let dx, let dy, let fx, let fy):
      let row = bytes + (y - dy - mask.y) * mask.stride + x - dx - mask.x
      cpk_overlay_mask_row_shifted(row - mask.stride, row, fx, fy, opacity, out, count)
    case .mapped(let toGrid):
      var line = toGrid.line(x: x, y: y)
      line.u -= Double(mask.x) * line.w
      line.v -= Double(mask.y) * line.w
      line.du -= Double(mask.x) * line.dw
      line.dv -= Double(mask.y) * line.dw
      var source = cpk_overlay_mask(
        bytes: bytes, stride: mask.stride, width: Int32(mask.width), height: Int32(mask.height))
      cpk_overlay_mask_row_mapped(&source, &line, opacity, out, count)
    }
  }
}
