import CompositorAPI
import CompositorConversion

/// One component of what lies below a layer, to be blurred on its own grid: only the samples of a box, and those that the blur mixes into
/// them.
struct BackdropComponent {
  private let component: SampleLayout.Component
  /// The samples of the component's plane.
  private let columns, rows: Range<Int>
  private let work: GaussianPlane
  /// Whether the samples are converted to nominal values first. Otherwise the plane's integers are read.
  private let isConverted: Bool
  private let lowPadding: Int

  /// - Parameters:
  ///   - box: The pixels that are read, within the canvas.
  ///   - sigma: In pixels; 0 for no blur.
  ///   - isNominal: Whether nominal values are read; otherwise these or codes, whichever is faster.
  init(_ index: Int, of layout: SampleLayout, canvas: PixelSize, box: PixelBox, sigma: Double, isNominal: Bool) {
    component = layout.components[index]
    lowPadding = layout.format.lowPadding
    let (h, v) = component.isSubsampled ? (layout.chroma.horizontalShift, layout.chroma.verticalShift) : (0, 0)
    let extent = layout.format.planeSize(component.plane, of: canvas)
    // The grid of the blur begins at the canvas's corner, so it does not move with the layer.
    let x = GaussianAxis(sigma: sigma / Double(1 << h), length: extent.width)
    let y = GaussianAxis(sigma: sigma / Double(1 << v), length: extent.height)
    columns = x.samples(from: Double(box.x0), to: Double(box.x1), perPixel: 1 / Double(1 << h))
    rows = y.samples(from: Double(box.y0), to: Double(box.y1), perPixel: 1 / Double(1 << v))
    // Rows of a plane that isn't halved are read while others are already written.
    isConverted = isNominal || component.step > 1 || x.halvings == 0 && y.halvings == 0
    work = GaussianPlane(
      x: x.shortened(to: columns.count), y: y.shortened(to: rows.count),
      bytesPerSample: isConverted ? MemoryLayout<Float>.stride : layout.format.bytesPerSample)
  }

  /// The memory that ``blurred(_:_:scratch:)`` takes from an arena.
  var scratchByteCount: Int {
    work.scratchByteCount + ScratchArena.byteCount(columns.count, of: Float.self)
      + (isConverted ? ScratchArena.byteCount(columns.count * rows.count, of: Float.self) : 0)
  }

  /// Reads the samples, after which they may be overwritten.
  func blurred(_ planes: Planes, _ reader: SampleReader, scratch: inout ScratchArena) -> BlurredComponent {
    let row = scratch.take(columns.count, of: Float.self)
    let source = isConverted ? converted(planes, reader, scratch: &scratch) : part(of: planes[component.plane])
    let codes = component.quantization
    return BlurredComponent(
      rows: work.rows(of: source, scratch: &scratch), row: row, left: columns.lowerBound, top: rows.lowerBound,
      scale: isConverted ? Float(codes.scale) : 1 / Float(1 << lowPadding), offset: isConverted ? Float(codes.offset) : 0)
  }

  private func part(of plane: Plane) -> Plane {
    Plane(
      base: plane.base + rows.lowerBound * plane.stride + columns.lowerBound * work.bytesPerSample, stride: plane.stride,
      width: columns.count, height: rows.count)
  }

  private func converted(_ planes: Planes, _ reader: SampleReader, scratch: inout ScratchArena) -> Plane {
    let values = scratch.take(columns.count * rows.count, of: Float.self)
    for (index, row) in rows.enumerated() {
      reader.load(planes, component.index, row: row, columns: columns, into: values + index * columns.count)
    }
    return Plane(
      base: UnsafeRawPointer(values), stride: columns.count * MemoryLayout<Float>.stride, width: columns.count,
      height: rows.count)
  }
}

/// The blurred samples of one component, read row by row from top to bottom.
struct BlurredComponent {
  fileprivate var rows: GaussianRows
  fileprivate let row: UnsafeMutablePointer<Float>
  fileprivate let left, top: Int
  /// A code is `value · scale + offset`.
  let scale, offset: Float

  fileprivate init(
    rows: GaussianRows, row: UnsafeMutablePointer<Float>, left: Int, top: Int, scale: Float, offset: Float
  ) {
    (self.rows, self.row, self.left, self.top, self.scale, self.offset) = (rows, row, left, top, scale, offset)
  }

  /// The samples of a row of the component's plane from a column on; valid until the next call.
  mutating func samples(ofRow y: Int, from x: Int) -> UnsafePointer<Float> {
    rows.read(y - top, into: row)
    return UnsafePointer(row + x - left)
  }
}
