import CompositorAPI
import CompositorConversion

/// What a frame shows in a box before a layer is drawn over it, so that the layer can fade together with what it does to the frame.
///
/// It keeps integer samples that are opaque or premultiplied.
struct PlanarFade {
  private let box: PixelBox
  private let layout: SampleLayout
  /// A frame of which only the samples of the box are used.
  private let saved: Frame

  /// Copies the samples of a box, which begins at even pixels.
  ///
  /// - Throws: `.framePoolExhausted`.
  init(_ box: PixelBox, of writer: FrameWriter, pool: FramePool) throws(CompositorError) {
    (self.box, layout) = (box, writer.encoding.layout)
    let (format, size) = (layout.format, PixelSize(width: writer.canvas.width, height: writer.canvas.height))
    var copy = try pool.makeFrame(format: format, size: size)
    let planes = writer.planes.readOnly
    copy.withUnsafeMutablePlanes { copy in
      for index in 0..<copy.count {
        let (from, to) = (planes[index], copy[index])
        let (columns, rows) = PlanarFade.samples(of: box, writer.encoding.layout, plane: index, from.width, from.height)
        let bytes = format.samplesPerPosition(plane: index) * format.bytesPerSample
        for y in rows {
          (to.base + y * to.stride + columns.lowerBound * bytes).copyMemory(
            from: from.base + y * from.stride + columns.lowerBound * bytes, byteCount: columns.count * bytes)
        }
      }
    }
    saved = copy.freeze()
  }

  private static func samples(
    of box: PixelBox, _ layout: SampleLayout, plane: Int, _ width: Int, _ height: Int
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    let isCoarse = layout.components.contains { $0.plane == plane && $0.isSubsampled }
    let (h, v) = isCoarse ? (layout.chroma.horizontalShift, layout.chroma.verticalShift) : (0, 0)
    return (box.x0 >> h..<min((box.x1 + h) >> h, width), box.y0 >> v..<min((box.y1 + v) >> v, height))
  }

  /// Mixes the samples back into the frame.
  ///
  /// - Parameter opacity: Of what was drawn since.
  func mix(into writer: FrameWriter, opacity: Double) {
    let weight = UInt16(((1 - min(max(opacity, 0), 1)) * 65535).rounded())
    let reader = SampleReader(layout, arithmetic: .offsetFirst)
    saved.withUnsafePlanes { saved in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: box.width) { weights in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: box.width) { values in
          weights.initialize(repeating: weight)
          guard let weights = weights.baseAddress, let values = values.baseAddress else { return }
          for target in writer.full + writer.coarse {
            let component = target.component
            let (columns, rows) = PlanarFade.samples(of: box, layout, plane: component.plane, target.width, target.height)
            let codes = component.quantization
            for y in rows {
              reader.load(saved, component.index, row: y, columns: columns, into: values)
              target.replace(
                by: values, scale: Float(codes.scale), offset: Float(codes.offset), weights, x: columns.lowerBound, y: y,
                count: columns.count)
            }
          }
        }
      }
    }
  }
}

extension OverlayDrawing {
  /// Fades a layer together with what it does to the frame below it.
  func drawFading(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, in writer: FrameWriter
  ) throws(CompositorError) {
    writer.recorder?.giveUp()
    guard let pool = writer.pool, !encoding.isFloat else { return try drawFadingOnSurface(node, matrix, motion, in: writer) }
    guard node.layer.opacity > 0, let box = try boxOverBackdrop(of: node, matrix, within: writer.canvas) else { return }
    let before = try PlanarFade(box, of: writer, pool: pool)
    var opaque = node
    opaque.layer.opacity = 1
    try draw(opaque, matrix, motion, into: writer)
    before.mix(into: writer, opacity: node.layer.opacity)
  }
}
