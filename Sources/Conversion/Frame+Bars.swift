package import CompositorAPI

extension Frame {
  /// Places the frame inside a larger one, with bars of a color around it. Takes time proportional to the size of the larger
  /// frame.
  ///
  /// - Parameters:
  ///   - left: The number of columns to the left of the frame; a multiple of the chroma subsampling, like the frame's width.
  ///   - top: The number of rows above the frame; a multiple of the chroma subsampling.
  /// - Throws: `.framePoolExhausted`; `.conversionNotPossible` if the color can't be converted to the frame's; `.deviceFailed`.
  package func placed(
    in size: PixelSize, left: Int, top: Int, on color: Color, policy: ColorConversionPolicy, pool: FramePool
  ) throws(CompositorError) -> Frame {
    var tags = attributes
    tags.color = tags.color.resolved(for: size)
    let codes = try color.codes(format: format, attributes: tags, policy: policy)
    var larger = try pool.makeFrame(format: format, size: size, attributes: attributes)
    larger.fill(codes: codes)
    try downloaded(for: "bars", pool: pool).withUnsafePlanes { planes in
      larger.withUnsafeMutablePlanes { targets in
        for index in 0..<planes.count {
          let offset = format.planeSize(index, of: PixelSize(width: left, height: top))
          planes[index].copy(to: targets[index], column: offset.width, row: offset.height, format: format, plane: index)
        }
      }
    }
    return larger.freeze()
  }
}

extension Plane {
  /// Copies all rows to a position in a larger plane.
  fileprivate func copy(to target: MutablePlane, column: Int, row: Int, format: PixelFormat, plane: Int) {
    let position = format.samplesPerPosition(plane: plane) * format.bytesPerSample
    for y in 0..<height {
      (target.base + (row + y) * target.stride + column * position)
        .copyMemory(from: base + y * stride, byteCount: width * position)
    }
  }
}
