import CCompositorLibass
package import CompositorAPI

/// The pixels that a script draws well visibly at one time.
package struct ScriptMarks: Sendable {
  /// A mask of one color.
  struct Piece: Sendable {
    /// The column and row of its first pixel.
    let x, y: Int
    let width: Int
    /// Row by row, whether a pixel is well visible.
    let isMarked: [Bool]

    /// - Parameter opacity: The least opacity of pixels that count, 0 … 1.
    /// - Returns: `nil` if none is that opaque.
    init?(_ mask: cass_mask, opacity: Double) {
      let least = opacity * 255 * 255
      guard Double(mask.alpha) * 255 >= least else { return nil }
      (x, y, width) = (Int(mask.x), Int(mask.y), Int(mask.width))
      var marked: [Bool] = []
      marked.reserveCapacity(width * Int(mask.height))
      for row in 0..<Int(mask.height) {
        for column in 0..<width {
          marked.append(Double(mask.coverage[row * mask.stride + column]) * Double(mask.alpha) >= least)
        }
      }
      isMarked = marked
    }
  }

  let pieces: [Piece]

  /// The bounds of the pixels that are marked in a box of the canvas; `nil` if there are none.
  package func bounds(in box: Rect) -> Rect? {
    var found: Rect?
    for piece in pieces where piece.width > 0 {
      let height = piece.isMarked.count / piece.width
      let whole = Rect(x: Double(piece.x), y: Double(piece.y), width: Double(piece.width), height: Double(height))
      let common = whole.intersection(box)
      guard !common.isEmpty else { continue }
      let columns = Int(common.minX.rounded(.up)) - piece.x..<max(Int(common.maxX), Int(common.minX.rounded(.up))) - piece.x
      for row in Int(common.minY.rounded(.up)) - piece.y..<max(Int(common.maxY), Int(common.minY.rounded(.up))) - piece.y {
        for column in columns where piece.isMarked[row * piece.width + column] {
          let pixel = Rect(x: Double(piece.x + column), y: Double(piece.y + row), width: 1, height: 1)
          found = found?.hull(with: pixel) ?? pixel
        }
      }
    }
    return found
  }
}
