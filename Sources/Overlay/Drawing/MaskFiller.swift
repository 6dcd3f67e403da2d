import CompositorConversion

/// Fills a mask straight into a frame.
struct MaskFiller {
  let writer: FrameWriter
  let mask: Mask
  let placement: MaskPlacement
  let area: PixelBox
  let opacity: UInt16
  let codes: [UInt16]

  func run(_ bytes: UnsafePointer<UInt8>) {
    WeightRows(area, writer).forEach(
      weigh: { y, row in
        placement.weights(of: mask, bytes, x: area.x0, y: y, count: area.width, opacity: opacity, into: row)
      },
      full: { weights, x, y, count in fill(writer.full, weights, x, y, count) },
      coarse: { weights, x, y, count in fill(writer.coarse, weights, x, y, count) })
  }

  private func fill(_ targets: [SampleTarget], _ weights: UnsafePointer<UInt16>, _ x: Int, _ y: Int, _ count: Int) {
    for target in targets { target.blend(code: codes[target.component.index], weights, x: x, y: y, count: count) }
  }
}
