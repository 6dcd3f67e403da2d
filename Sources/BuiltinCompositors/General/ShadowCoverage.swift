import CompositorAPI
import CompositorConversion

/// The coverage of a layer's shadow on the output: its silhouette, displaced and blurred by a Gaussian.
struct ShadowCoverage {
  /// The offset of the shadow and the deviation of its blur, in output pixels.
  struct Geometry {
    let offset: Point
    let sigma: Double

    /// - Parameter toOutput: From the source's display space to the output.
    init(_ look: LayerDecoration, _ toOutput: AffineMatrix) {
      let scale = abs(toOutput.determinant).squareRoot()
      sigma = min(look.shadowRadius * scale, 100)
      func limited(_ value: Double) -> Double { value.isFinite ? min(max(value, -4000), 4000) : 0 }
      offset = Point(
        x: limited(look.shadowOffset.x * toOutput.a + look.shadowOffset.y * toOutput.c),
        y: limited(look.shadowOffset.x * toOutput.b + look.shadowOffset.y * toOutput.d))
    }

    /// Pixels that the blur reaches beyond the silhouette.
    var reach: Double { (4 * sigma).rounded(.up) + 1 }

    /// The bounding box of a shape's shadow.
    func box(of shape: Rect) -> Rect {
      Rect(
        x: shape.minX + offset.x - reach, y: shape.minY + offset.y - reach, width: shape.size.width + 2 * reach,
        height: shape.size.height + 2 * reach)
    }
  }

  private let columns, rows: Range<Int>
  /// Rows of floats, stored consecutively in a frame of the pool.
  private let plane: Frame

  /// Returns `nil` if the shadow falls outside the output.
  ///
  /// - Parameters:
  ///   - shape: The bounds of the silhouette, in output pixels.
  ///   - silhouette: Writes the coverage of the displaced silhouette for columns of a row.
  /// - Throws: `.framePoolExhausted`.
  init?(
    _ geometry: Geometry, of shape: Rect, context: RenderContext,
    silhouette: (_ row: Int, _ columns: Range<Int>, _ out: UnsafeMutablePointer<Float>) -> Void
  ) throws(CompositorError) {
    let box = geometry.box(of: shape)
    // Pixels beyond the output's edge are blurred into it.
    func range(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
      let start = min(max(low, -geometry.reach), Double(limit) + geometry.reach).rounded(.down)
      let end = min(max(high, -geometry.reach), Double(limit) + geometry.reach).rounded(.up)
      return Int(start)..<max(Int(start), Int(end))
    }
    columns = range(box.minX, box.maxX, context.size.width)
    rows = range(box.minY, box.maxY, context.size.height)
    guard !columns.isEmpty, !rows.isEmpty, columns.upperBound > 0, rows.upperBound > 0,
      columns.lowerBound < context.size.width, rows.lowerBound < context.size.height
    else { return nil }
    let size = PixelSize(width: (columns.count + 3) / 4, height: rows.count)
    let (columns, rows) = (columns, rows)
    var sharp = try context.pool.makeFrame(format: .rgbaFloat, size: size)
    sharp.withUnsafeMutablePlanes { planes in
      for row in rows {
        let line = planes[0].base + (row - rows.lowerBound) * planes[0].stride
        silhouette(row, columns, line.assumingMemoryBound(to: Float.self))
      }
    }
    guard geometry.sigma >= 0.05 else {
      plane = sharp.freeze()
      return
    }
    plane = try Self.blurred(sharp, geometry.sigma, columns: columns.count, rows: rows.count, pool: context.pool)
  }

  /// Rows of floats, blurred.
  private static func blurred(
    _ sharp: consuming MutableFrame, _ sigma: Double, columns: Int, rows: Int, pool: FramePool
  ) throws(CompositorError) -> Frame {
    let work = GaussianPlane(
      x: GaussianAxis(sigma: sigma, length: columns), y: GaussianAxis(sigma: sigma, length: rows), bytesPerSample: 4)
    var scratch = try ScratchArena.frame(byteCount: work.scratchByteCount, pool: pool)
    var soft = try pool.makeFrame(format: .rgbaFloat, size: sharp.size)
    sharp.withUnsafeMutablePlanes { sharp in
      soft.withUnsafeMutablePlanes { soft in
        scratch.withUnsafeMutablePlanes { scratch in
          work.blur(
            Plane(base: UnsafeRawPointer(sharp[0].base), stride: sharp[0].stride, width: columns, height: rows),
            to: MutablePlane(base: soft[0].base, stride: soft[0].stride, width: columns, height: rows),
            scratch: ScratchArena(scratch[0]))
        }
      }
    }
    return soft.freeze()
  }

  /// Writes the coverage for columns of a row; returns false if there is none.
  func read(row: Int, columns wanted: Range<Int>, into out: UnsafeMutablePointer<Float>) -> Bool {
    guard rows.contains(row) else { return false }
    let known = wanted.clamped(to: columns)
    guard !known.isEmpty else { return false }
    out.update(repeating: 0, count: wanted.count)
    plane.withUnsafePlanes { planes in
      let line = (planes[0].base + (row - rows.lowerBound) * planes[0].stride).assumingMemoryBound(to: Float.self)
      (out + (known.lowerBound - wanted.lowerBound)).update(
        from: line + (known.lowerBound - columns.lowerBound), count: known.count)
    }
    return true
  }
}
