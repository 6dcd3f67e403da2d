import CCompositorKernels
import CompositorConversion

/// Passes rows of weights to both grids of a frame: weights of pixels, and weights of subsampled chroma, which are made of those of three
/// rows.
struct WeightRows {
  /// Writes the weights of a row of the area, from its first column on.
  typealias Weigh = (_ y: Int, _ row: UnsafeMutablePointer<UInt16>) -> Void
  /// Takes the weights of a row of a grid, from column `x` on.
  typealias Store = (_ weights: UnsafePointer<UInt16>, _ x: Int, _ y: Int, _ count: Int) -> Void

  /// Within the canvas, not empty.
  let area: PixelBox
  /// That of subsampled chroma; `nil` if the frame has none.
  let siting: ChromaSiting?
  private let taps: [Int32]
  /// The pixels at whose edges weights repeat beyond the canvas; `nil` if there are none beyond it.
  let edges: PixelBox?

  /// - Parameter repeatsEdges: Whether chroma at the canvas's edges is as covered as the pixels there. Otherwise the half of it that lies
  ///   beyond them is not.
  init(_ area: PixelBox, _ writer: FrameWriter, repeatsEdges: Bool = false) {
    self.area = area
    edges = repeatsEdges ? writer.canvas : nil
    siting = writer.coarse.isEmpty ? nil : writer.encoding.layout.chroma
    taps = siting?.taps ?? []
  }

  /// A row of weights starts two before the area, for the chroma filters.
  private var room: Int { area.width + 6 }
  /// The area from an even column on, and the index of its first pixel's weight in a row of weights.
  private var evenX: Int { area.x0 & ~1 }
  private var lead: Int { 2 + area.x0 - evenX }

  /// Passes all rows from top to bottom: a row of chroma after the rows of pixels that it lies in.
  func forEach(weigh: Weigh, full: Store, coarse: Store) {
    guard let siting else {
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: room) { weights in
        guard let row = weights.baseAddress else { return }
        for y in area.y0..<area.y1 {
          weighRow(y, row, weigh)
          full(row + lead, area.x0, y, area.width)
        }
      }
      return
    }
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 4 * room) { weights in
      weights.initialize(repeating: 0)
      guard let base = weights.baseAddress else { return }
      for row in (area.y0 >> siting.verticalShift)...((area.y1 - 1) >> siting.verticalShift) {
        passChromaRow(row, siting, base, weigh, full, coarse)
      }
    }
  }

  /// `rows` are three rows of luma weights and one of chroma weights.
  private func passChromaRow(
    _ chromaRow: Int, _ siting: ChromaSiting, _ rows: UnsafeMutablePointer<UInt16>, _ weigh: Weigh, _ full: Store,
    _ coarse: Store
  ) {
    let rowShift = siting.verticalShift
    for index in 0..<3 where taps[index] > 0 {
      let (y, row) = ((chromaRow << rowShift) + index - 1, rows + index * room)
      let inner = edges.map { min(max(y, $0.y0), $0.y1 - 1) } ?? y
      guard inner >= area.y0, inner < area.y1 else {
        (row + lead - 1).update(repeating: 0, count: area.width + 3)
        continue
      }
      weighRow(inner, row, weigh)
      if y >= area.y0, y < area.y1, y >> rowShift == chromaRow { full(row + lead, area.x0, y, area.width) }
    }
    let filtered = rows + 3 * room
    let count = (area.x1 + 1) / 2 - evenX / 2
    cpk_overlay_chroma_weights(rows + 2, rows + room + 2, rows + 2 * room + 2, taps, filtered, count)
    coarse(filtered, evenX / 2, chromaRow, count)
  }

  private func weighRow(_ y: Int, _ row: UnsafeMutablePointer<UInt16>, _ weigh: Weigh) {
    weigh(y, row + lead)
    let (first, next) = (row + lead, row + lead + area.width)
    guard let edges else { return next.update(repeating: 0, count: 2) }
    next.update(repeating: area.x1 == edges.x1 ? next[-1] : 0, count: 2)
    if area.x0 == edges.x0 { first[-1] = first[0] }
  }
}
