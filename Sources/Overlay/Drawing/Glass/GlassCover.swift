import CCompositorKernels
import CompositorAPI

/// How much of each pixel is replaced by the filtered backdrop.
enum GlassCover {
  /// The layer's bounds with their corners, as opaque as the layer.
  case mask(Mask, MaskPlacement, opacity: UInt16)
  /// The alpha of a surface.
  case surface(Surface)

  /// A box that contains every pixel that is replaced.
  var box: PixelBox {
    switch self {
    case .mask(let mask, let placement, _): placement.box(of: mask)
    case .surface(let surface): surface.box
    }
  }

  /// Writes the weights of a part of a row within the box.
  ///
  /// - Parameter room: Memory for one value per weight.
  func weigh(x: Int, y: Int, count: Int, into out: UnsafeMutablePointer<UInt16>, room: UnsafeMutablePointer<Float>) {
    switch self {
    case .mask(let mask, let placement, let opacity):
      mask.bytes.withUnsafeBufferPointer { bytes in
        guard let bytes = bytes.baseAddress else { return }
        placement.weights(of: mask, bytes, x: x, y: y, count: count, opacity: opacity, into: out)
      }
    case .surface(let surface):
      surface.pixels.withUnsafeBufferPointer { pixels in
        guard let pixels = pixels.baseAddress else { return }
        let none = SIMD3<Float>.zero
        withUnsafeBytes(of: none) { none in
          guard let none = none.assumingMemoryBound(to: Float.self).baseAddress else { return }
          cpk_overlay_surface_codes(pixels + surface.index(x: x, y: y), none, 0, 65535, room, count)
        }
        cpk_overlay_pack(room, out, count)
      }
    }
  }
}

extension LayerPainter {
  /// The cover of a layer that filters what is below it, and the part of the canvas that it may change; `nil` if that is nothing.
  func glassCover(
    of node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, within canvas: PixelBox
  ) throws(CompositorError) -> (cover: GlassCover, area: PixelBox)? {
    guard node.layer.opacity > 0, !node.layer.bounds.isEmpty, let bounds = matrix.boundingBox(of: node.layer.bounds) else {
      return nil
    }
    let cover: GlassCover
    if node.mask == nil {
      guard let placement = MaskPlacement(matrix, motion: motion, bounds: node.layer.bounds) else { return nil }
      let mask = try primitives.mask(primitives.ground(of: node.layer), on: placement.grid)
      cover = .mask(mask, placement, opacity: UInt16((min(node.layer.opacity, 1) * 65535).rounded()))
    } else {
      guard let surface = try glassSurface(of: node, matrix, motion, within: canvas) else { return nil }
      cover = .surface(surface)
    }
    let area = cover.box.intersection(PixelBox(around: bounds).grown(by: 2)).intersection(canvas)
    return area.isEmpty ? nil : (cover, area)
  }
}
