package import CompositorAPI

/// The placement of a canvas in frames of a given size: scaled, and centered between bars if the aspect ratios differ.
package struct CanvasPlacement: Sendable, Hashable {
  /// The size of the frames in pixels.
  package let frame: PixelSize
  /// The size of the composed image in pixels.
  package let picture: PixelSize
  /// Pixels per unit of the canvas.
  package let scale: Double
  /// The number of columns to the left of the image, and of rows above it.
  package let left: Int
  package let top: Int

  /// A smaller difference between image and frame, in pixels, is a rounding error rather than an intended bar.
  private static let smallestBar = 2.0

  /// Scales a canvas, rounded to pixels.
  init(canvas: PixelSize, scale: Double) {
    frame = PixelSize(
      width: Int(max(1, (Double(canvas.width) * scale).rounded())),
      height: Int(max(1, (Double(canvas.height) * scale).rounded())))
    (picture, self.scale, left, top) = (frame, scale, 0, 0)
  }

  /// Scales a canvas to fit into frames of a size.
  ///
  /// - Parameter subsampling: The chroma subsampling of the frames, on whose grid the image is placed.
  package init(canvas: PixelSize, frame: PixelSize, subsampling: ChromaSubsampling) {
    self.frame = frame
    let ratios = (
      x: Double(frame.width) / Double(canvas.width), y: Double(frame.height) / Double(canvas.height)
    )
    let (smaller, larger) = (min(ratios.x, ratios.y), max(ratios.x, ratios.y))
    let bars = (
      x: Double(frame.width) - Double(canvas.width) * smaller, y: Double(frame.height) - Double(canvas.height) * smaller
    )
    guard max(bars.x, bars.y) >= Self.smallestBar else {
      (picture, scale, left, top) = (frame, larger, 0, 0)
      return
    }
    // Chroma samples must belong entirely to the image or to a bar.
    let (columns, rows) = (1 << subsampling.horizontalShift, 1 << subsampling.verticalShift)
    let width = bars.x > 0 ? max(columns, Int(frame.width - Int(bars.x.rounded())) & -columns) : frame.width
    let height = bars.y > 0 ? max(rows, Int(frame.height - Int(bars.y.rounded())) & -rows) : frame.height
    picture = PixelSize(width: width, height: height)
    scale = max(Double(width) / Double(canvas.width), Double(height) / Double(canvas.height))
    left = (frame.width - width) / 2 & -columns
    top = (frame.height - height) / 2 & -rows
  }

  /// Whether there are bars around the image.
  package var hasBars: Bool { picture != frame }

  /// The largest size of the canvas's aspect ratio that fits a box in either orientation, with even sides as encoders of
  /// subsampled chroma require; `nil` if the canvas fits already.
  package static func size(of canvas: PixelSize, within box: PixelSize) -> PixelSize? {
    let (long, short) = (max(canvas.width, canvas.height), min(canvas.width, canvas.height))
    let limits = (long: max(box.width, box.height), short: min(box.width, box.height))
    let scale = min(Double(limits.long) / Double(long), Double(limits.short) / Double(short))
    guard scale < 1 else { return nil }
    func even(_ side: Int) -> Int { max(2, Int((Double(side) * scale / 2).rounded()) * 2) }
    return PixelSize(width: even(canvas.width), height: even(canvas.height))
  }
}
