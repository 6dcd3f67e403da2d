import CCompositorKernels
import CompositorAPI
import CompositorConversion

/// Fills a mask straight into a frame: three rows of weights at a time, from which chroma weights are made.
struct MaskFiller {
  let writer: FrameWriter
  let mask: Mask
  let placement: MaskPlacement
  let area: PixelBox
  let opacity: UInt16
  let codes: [UInt16]

  /// A row of weights starts two before the area, for the chroma filters.
  private var room: Int { area.width + 6 }
  /// The area from an even column on, and the index of its first pixel's weight in a row of weights.
  private var evenX: Int { area.x0 & ~1 }
  private var lead: Int { 2 + area.x0 - evenX }

  func run(_ bytes: UnsafePointer<UInt8>) {
    guard !writer.coarse.isEmpty else {
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: room) { weights in
        guard let row = weights.baseAddress else { return }
        for y in area.y0..<area.y1 {
          weigh(bytes, y, row)
          storeFull(row, y)
        }
      }
      return
    }
    let rowShift = writer.encoding.layout.chroma.verticalShift
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 4 * room) { weights in
      weights.initialize(repeating: 0)
      guard let base = weights.baseAddress else { return }
      for chromaRow in (area.y0 >> rowShift)...((area.y1 - 1) >> rowShift) { runChromaRow(bytes, chromaRow, rowShift, base) }
    }
  }

  /// `rows` are three rows of luma weights and one of chroma weights.
  private func runChromaRow(
    _ bytes: UnsafePointer<UInt8>, _ chromaRow: Int, _ rowShift: Int, _ rows: UnsafeMutablePointer<UInt16>
  ) {
    let taps = writer.encoding.layout.chroma.taps
    for index in 0..<3 where taps[index] > 0 {
      let (y, row) = ((chromaRow << rowShift) + index - 1, rows + index * room)
      guard y >= area.y0, y < area.y1 else {
        (row + lead).update(repeating: 0, count: area.width)
        continue
      }
      weigh(bytes, y, row)
      if y >> rowShift == chromaRow { storeFull(row, y) }
    }
    let filtered = rows + 3 * room
    let count = (area.x1 + 1) / 2 - evenX / 2
    cpk_overlay_chroma_weights(rows + 2, rows + room + 2, rows + 2 * room + 2, taps, filtered, count)
    for target in writer.coarse {
      target.blend(code: codes[target.component.index], filtered, x: evenX / 2, y: chromaRow, count: count)
    }
  }

  private func weigh(_ bytes: UnsafePointer<UInt8>, _ y: Int, _ row: UnsafeMutablePointer<UInt16>) {
    placement.weights(of: mask, bytes, x: area.x0, y: y, count: area.width, opacity: opacity, into: row + lead)
    (row + lead + area.width).update(repeating: 0, count: 2)
  }

  private func storeFull(_ row: UnsafeMutablePointer<UInt16>, _ y: Int) {
    for target in writer.full {
      target.blend(code: codes[target.component.index], row + lead, x: area.x0, y: y, count: area.width)
    }
  }
}
