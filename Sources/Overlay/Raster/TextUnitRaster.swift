import CCompositorPangoCairo
import CompositorAPI

/// Coverage of the units of a text on a grid.
package struct TextUnitRaster: Sendable {
  /// One unit.
  struct Piece: Sendable {
    /// Its outline; `nil` without outline.
    var outline: Mask?
    /// Coverage of each paint.
    var fills: [(paint: Int, mask: Mask)] = []
    /// By paint, the part of a fill to draw below the next unit if both touch, so that no seam shows between them.
    var joined: [Int: Mask] = [:]
    /// Colored glyphs.
    var picture: Picture?
  }

  var pieces: [Piece] = []

  var byteCount: Int {
    pieces.reduce(0) { sum, piece in
      sum + 256 + (piece.outline?.bytes.count ?? 0) + (piece.picture?.pixels.count ?? 0) * 2
        + piece.joined.values.reduce(0) { $0 + $1.bytes.count } + piece.fills.reduce(0) { $0 + $1.mask.bytes.count }
    }
  }

  init(_ layout: OpaquePointer, _ text: StyledText, _ units: [TextUnit], _ grid: RasterGrid) throws(CompositorError) {
    var count = 0
    let first = cpc_layout_get_clusters(layout, &count)
    let clusters = UnsafeBufferPointer(start: first, count: count)
    for unit in units {
      pieces.append(try Piece(layout, text, unit, clusters[unit.clusters], grid))
    }
    for index in pieces.indices.dropLast() {
      let pair = units[index].clusters.lowerBound..<units[index + 1].clusters.upperBound
      for paint in pieces[index].fills.map(\.paint) {
        pieces[index].joined[paint] = try pieces[index].joined(to: pieces[index + 1], paint) { mask throws(CompositorError) in
          try TextRaster.draw(&mask, grid) {
            cpc_layout_cover_clusters(layout, &$0, pair.lowerBound, pair.count, Int32(paint), false, 0)
          }
        }
      }
    }
  }
}

extension TextUnitRaster.Piece {
  fileprivate init(
    _ layout: OpaquePointer, _ text: StyledText, _ unit: TextUnit, _ clusters: Slice<UnsafeBufferPointer<cpc_cluster>>,
    _ grid: RasterGrid
  ) throws(CompositorError) {
    guard unit.ink.size.width > 0, unit.ink.size.height > 0 else { return }
    let (start, count) = (unit.clusters.lowerBound, unit.clusters.count)
    let frame = try grid.pixels(around: unit.ink, margin: text.outlineWidth + 1)
    let letters = Set(clusters.filter { !$0.is_color }.map { Int($0.paint) })
    let lines = Set(clusters.flatMap { [Int($0.underline), Int($0.strikethrough)] })
    for paint in text.paintsInUse where letters.contains(paint) || lines.contains(paint) {
      var mask = frame
      try TextRaster.draw(&mask, grid) { cpc_layout_cover_clusters(layout, &$0, start, count, Int32(paint), false, 0) }
      fills.append((paint, mask))
    }
    if text.outlineWidth > 0 {
      var mask = frame
      try TextRaster.draw(&mask, grid) { cpc_layout_cover_clusters(layout, &$0, start, count, 0, true, text.outlineWidth) }
      outline = mask
    }
    guard clusters.contains(where: { $0.is_color && $0.paint >= 0 }) else { return }
    let picture = try TextRaster.picture(frame, grid) { cpc_layout_draw_color_clusters(layout, &$0, start, count) }
    if text.outlineWidth > 0 { outline = TextRaster.outline(of: picture, text.outlineWidth, grid).union(outline) }
    self.picture = picture
  }

  /// The part of a paint of the unit that remains visible below the next one. With the next one drawn over it, both have the
  /// coverage of their glyphs drawn as one.
  fileprivate func joined(
    to next: TextUnitRaster.Piece, _ paint: Int, drawPair: (inout Mask) throws(CompositorError) -> Void
  ) throws(CompositorError) -> Mask? {
    guard picture == nil, next.picture == nil, let own = fills.first(where: { $0.paint == paint })?.mask,
      let other = next.fills.first(where: { $0.paint == paint })?.mask
    else { return nil }
    let (left, right) = (max(own.x, other.x), min(own.x + own.width, other.x + other.width))
    let (top, bottom) = (max(own.y, other.y), min(own.y + own.height, other.y + other.height))
    guard left < right, top < bottom else { return nil }
    var pair: Mask?
    var (result, isExtended) = (own, false)
    for y in top..<bottom {
      for x in left..<right {
        let (at, there) = ((y - own.y) * own.stride + x - own.x, (y - other.y) * other.stride + x - other.x)
        if own.bytes[at] == 0, other.bytes[there] == 255, own.isSolid(beside: x, y) {
          // Below what hides it, so that a sample of chroma that both share is covered as a whole.
          (result.bytes[at], isExtended) = (255, true)
        }
        guard own.bytes[at] > 0, other.bytes[there] > 0 else { continue }
        if pair == nil {
          var both = Mask(x: own.x, y: own.y, width: own.width, height: own.height)
          try drawPair(&both)
          pair = both
        }
        let (whole, over) = (Int(pair?.bytes[at] ?? 0), Int(other.bytes[there]))
        result.bytes[at] = over >= 255 ? 255 : UInt8(min(max((whole - over) * 255 + (255 - over) / 2, 0) / (255 - over), 255))
      }
    }
    return pair == nil && !isExtended ? nil : result
  }
}

extension Mask {
  /// Whether a pixel beside a place of the grid is covered as a whole.
  fileprivate func isSolid(beside x: Int, _ y: Int) -> Bool {
    [(-1, 0), (1, 0), (0, -1), (0, 1)].contains { right, down in
      let (column, row) = (x + right - self.x, y + down - self.y)
      return (0..<width).contains(column) && (0..<height).contains(row) && bytes[row * stride + column] == 255
    }
  }
}
