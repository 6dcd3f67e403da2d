package import CompositorAPI

extension Frame {
  /// Whether every pixel has an alpha of 0. `false` for frames without alpha.
  ///
  /// O(pixels), but ends at the first pixel that is visible; allocates nothing.
  package var isFullyTransparent: Bool {
    guard format.hasAlpha, attributes.alphaMode != .opaque else { return false }
    return withUnsafePlanes { planes in
      let isPlanar = planes.count > 3
      let plane = planes[isPlanar ? 3 : 0]
      let rowBytes = format.rowBytes(plane: isPlanar ? 3 : 0, of: size)
      let pixelBytes = max(1, rowBytes / max(1, plane.width))
      // Alpha is the last of four components of a packed pixel.
      let alphaBytes = isPlanar ? pixelBytes : pixelBytes / 4
      for y in 0..<plane.height {
        let row = (plane.base + y * plane.stride).assumingMemoryBound(to: UInt8.self)
        for x in 0..<plane.width {
          let end = (x + 1) * pixelBytes
          for byte in (end - alphaBytes)..<end where row[byte] != 0 { return false }
        }
      }
      return true
    }
  }
}
