import CCompositorKernels
package import CompositorAPI
import CompositorConversion

/// Reads boxes of a frame as R, G, B, A, for blend modes and video layers. Chroma is interpolated according to its siting.
package struct FrameReader {
  private let planes: Planes
  private let encoding: OutputEncoding
  private let size: PixelSize
  private let samples: SampleReader
  /// From components to R, G, B, row-major.
  private let matrix: [Float]

  /// - Throws: `.conversionNotPossible` if the matrix is unknown.
  package init(_ planes: Planes, _ encoding: OutputEncoding, size: PixelSize) throws(CompositorError) {
    self.planes = planes
    self.encoding = encoding
    self.size = size
    matrix = try FrameReader.matrix(encoding)
    samples = SampleReader(encoding.layout, arithmetic: .offsetFirst)
  }

  /// From components to R, G, B, row-major.
  ///
  /// - Throws: `.conversionNotPossible` if the matrix is unknown.
  static func matrix(_ encoding: OutputEncoding) throws(CompositorError) -> [Float] {
    let color = encoding.attributes.color
    guard let toRGB = encoding.format.isRGB ? Matrix3.identity : color.matrix.yCbCrToRGB else {
      throw CompositorError(
        .conversionNotPossible, "A frame with matrix \(color.matrix.rawValue) (H.273) cannot be read as R, G, B.",
        recoverySuggestion: "Name the source's color.")
    }
    let rows = [toRGB.rows.0, toRGB.rows.1, toRGB.rows.2]
    return rows.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
  }

  /// The box as a surface, opaque unless the format has alpha.
  ///
  /// - Parameter memory: Provides the surface's memory.
  package func surface(_ box: PixelBox, in memory: SurfaceMemory = .unkept) throws(CompositorError) -> Surface {
    var surface = try Surface(undefined: box.intersection(PixelBox(size)), in: memory)
    let area = surface.box
    surface.pixels.withUnsafeMutableBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      forEachRow(of: area) { y, row in (pixels + (y - area.y0) * area.width * 4).update(from: row, count: area.width * 4) }
    }
    return surface
  }

  /// The frame as a 16-bit image; values outside 0 … 1 are clipped.
  package func picture() -> Picture {
    var pixels = [UInt16](repeating: 0, count: size.width * size.height * 4)
    pixels.withUnsafeMutableBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      forEachRow(of: PixelBox(size)) { y, row in
        cpk_overlay_pack_signal(row, pixels + y * size.width * 4, size.width * 4)
      }
    }
    return Picture(x: 0, y: 0, width: size.width, height: size.height, pixels: pixels)
  }

  /// Passes each row of a box inside the frame to `body`.
  package func forEachRow(of area: PixelBox, _ body: (Int, UnsafePointer<Float>) -> Void) {
    guard !area.isEmpty else { return }
    // Four components, two rows of chroma, and a row of the surface.
    let length = SampleReader.roomCount(columns: area.width)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 10 * length) { room in
      guard let room = room.baseAddress else { return }
      room.initialize(repeating: 1, count: 10 * length)
      let rows = (0..<6).map { room + $0 * length }
      let parts: [UnsafePointer<Float>?] = (0..<4).map { UnsafePointer(rows[$0]) }
      let row = room + 6 * length
      for y in area.y0..<area.y1 {
        for index in encoding.components.indices {
          samples.read(
            planes, component: index, row: y, columns: area.x0..<area.x1, into: rows[index], room: (rows[4], rows[5]))
        }
        cpk_overlay_surface_from_components(parts, matrix, encoding.attributes.alphaMode == .straight, row, area.width)
        body(y, row)
      }
    }
  }
}
