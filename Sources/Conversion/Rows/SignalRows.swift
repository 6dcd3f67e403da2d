package import CompositorAPI

/// Three rows of components.
package typealias ComponentRows = (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)

/// Working rows of the mixing signal: one frame of the pool, divided into rows of floats.
package struct SignalRows {
  /// Rows by use; for a use with several rows, the index of the first.
  package enum Use: Int {
    /// The frame's row so far: three components and alpha.
    case picture = 0
    /// A layer's row: three components and alpha.
    case layer = 4
    /// Weights per column.
    case weights = 8
    /// 1 in every column.
    case ones = 9
    /// Source chroma before it is enlarged.
    case sourceChroma = 10
    /// Sums of rows during a reduction: three components and alpha.
    case sums = 12
    /// Output chroma at half the columns, waiting for the next rows: three of each component, and one to mix in.
    case outputChroma = 16
    /// Alpha at half the columns for compositing: three rows, and one to mix in.
    case outputAlpha = 23
    /// Dither noise of a row, before it is added.
    case noise = 27
  }
  package static let count = 28

  private let base: UnsafeMutablePointer<Float>
  /// Floats from row to row.
  package let stride: Int

  /// Divides the planes of a frame of ``frameSize(columns:)`` into rows.
  package init(_ planes: MutablePlanes) {
    let plane = planes[0]
    base = plane.base.assumingMemoryBound(to: Float.self)
    stride = plane.stride / MemoryLayout<Float>.stride
  }

  /// The size of an `rgbaFloat` frame that holds the rows.
  package static func frameSize(columns: Int) -> PixelSize {
    PixelSize(width: (columns + 15) / 16 * 4 + 4, height: count)
  }

  /// A row; `offset` is relative to the use's first.
  package func row(_ use: Use, _ offset: Int = 0) -> UnsafeMutablePointer<Float> {
    base + (use.rawValue + offset) * stride
  }

  /// The three component rows of a use.
  package func components(_ use: Use) -> ComponentRows { (row(use), row(use, 1), row(use, 2)) }
  /// The alpha row of a use.
  package func alpha(_ use: Use) -> UnsafeMutablePointer<Float> { row(use, 3) }
}
