import CCompositorKernels
import CompositorAPI
import CompositorConversion

extension OverlayDrawing {
  /// Draws the tree in linear light: the part of the frame below it is decoded to light, the tree is blended, and changed
  /// samples are encoded again. Samples without coverage keep their codes bit-exactly.
  func drawInLight(_ light: LightCoding, _ matrix: Projection, into writer: FrameWriter) throws(CompositorError) {
    writer.recorder?.giveUp()
    var codes: Surface?
    guard
      var drawn = try drawnOverBackdrop(
        matrix, writer,
        { (backdrop) throws(CompositorError) in
          codes = try backdrop.copied()
          backdrop.convertRows { light.decode($0, count: $1, room: $2) }
        }), var backdrop = codes
    else { return }
    drawn.result.convertRows { light.encode($0, count: $1, room: $2) }
    if encoding.needsStraightAlpha {
      writer.replace(by: drawn.result, where: drawn.cover)
    } else {
      try writer.add(drawn.result, less: backdrop, where: drawn.cover)
    }
    backdrop.giveBack()
    drawn.result.giveBack()
    drawn.cover.giveBack()
  }
}

extension Surface {
  /// Converts row by row; `body` gets a row, its pixels and scratch memory.
  fileprivate mutating func convertRows(
    _ body: (UnsafeMutablePointer<Float>, Int, UnsafeMutablePointer<Float>) -> Void
  ) {
    let (width, height) = (box.width, box.height)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: LightCoding.roomCount(columns: width)) { room in
      pixels.withUnsafeMutableBufferPointer { pixels in
        guard let room = room.baseAddress, let pixels = pixels.baseAddress else { return }
        for y in 0..<height { body(pixels + y * width * 4, width, room) }
      }
    }
  }
}

extension FrameWriter {
  /// Adds the difference between a surface and its backdrop everywhere that `cover` has coverage.
  func add(_ result: Surface, less backdrop: Surface, where cover: Surface) throws(CompositorError) {
    let area = result.box
    var change = try Surface(area.grown(by: 2).even, in: result.memory)
    let (first, stride) = (change.index(x: area.x0, y: area.y0), change.box.width * 4)
    change.pixels.withUnsafeMutableBufferPointer { change in
      result.pixels.withUnsafeBufferPointer { result in
        backdrop.pixels.withUnsafeBufferPointer { backdrop in
          cover.pixels.withUnsafeBufferPointer { cover in
            guard let change = change.baseAddress, let result = result.baseAddress, let backdrop = backdrop.baseAddress,
              let cover = cover.baseAddress
            else { return }
            let count = area.width * 4
            for y in 0..<area.height {
              let row = change + first + y * stride
              row.update(from: result + y * count, count: count)
              cpk_overlay_subtract_covered(row, backdrop + y * count, cover + y * count, area.width)
            }
          }
        }
      }
    }
    add(change, area)
    change.giveBack()
  }
}
