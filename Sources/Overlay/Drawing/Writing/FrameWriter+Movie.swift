import CompositorAPI
import CompositorConversion
import CompositorKernels

extension FrameWriter {
  /// Blends a plate with the frames of its windows.
  func blend(_ plate: MoviePlate, _ frames: [MovieFrame], _ converter: any MovieConverter) throws(CompositorError) {
    recorder?.giveUp()
    blend(plate.under, Shift(x: 0, y: 0), opacity: 1)
    for (window, frame) in zip(plate.windows, frames) where !window.box.isEmpty {
      let toBox = AffineMatrix.translation(x: -Double(window.box.x0), y: -Double(window.box.y0))
      let size = PixelSize(width: window.box.width, height: window.box.height)
      let placed = try converter.placed(frame, on: size, window.matrix.concatenating(toBox))
      guard placed.format == encoding.format, placed.size == size else {
        throw CompositorError(
          .internalFault, "A movie of \(placed.size) \(placed.format) came to a window of \(size) \(encoding.format).")
      }
      placed.withUnsafePlanes { source in
        mix(source, window.weights.full, x: window.box.x0, y: window.box.y0)
        guard let chroma = window.weights.chroma else { return }
        let siting = encoding.layout.chroma
        mix(source, chroma, x: window.box.x0 >> siting.horizontalShift, y: window.box.y0 >> siting.verticalShift)
      }
    }
  }

  /// Mixes planes into those of the frame, by the weights of a grid.
  ///
  /// - Parameters:
  ///   - x: The grid column of the source's first column. Filtered weights reach one sample beyond the source, whose edge
  ///     repeats there.
  ///   - y: The grid row of the source's first row.
  private func mix(_ source: Planes, _ grid: CachedSprite.Grid, x: Int, y: Int) {
    let bytes = encoding.format.bytesPerSample
    grid.weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      for component in grid.components {
        let index = encoding.layout.components[component].plane
        let (target, source) = (planes[index], source[index])
        grid.runs.forEach(in: 0..<grid.box.height) { row, run in
          let line = grid.box.y0 + row
          guard (0..<target.height).contains(line) else { return }
          let from = source.base + min(max(line - y, 0), source.height - 1) * source.stride
          let to = target.base + line * target.stride
          let columns = max(run.lowerBound + grid.box.x0, 0)..<max(min(run.upperBound + grid.box.x0, target.width), 0)
          var column = columns.lowerBound
          while column < columns.upperBound {
            let inner = column - x
            // Repeated edge samples one at a time; all others at once.
            let isInside = inner >= 0 && inner < source.width
            let count = isInside ? min(columns.upperBound - column, source.width - inner) : 1
            FrameWriter.mix(
              to + column * bytes, from + min(max(inner, 0), source.width - 1) * bytes,
              weights + row * grid.box.width + column - grid.box.x0, bytes, count)
            column += count
          }
        }
      }
    }
  }

  private static func mix(
    _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ weights: UnsafePointer<UInt16>, _ bytes: Int, _ count: Int
  ) {
    if bytes == 1 {
      let to = target.assumingMemoryBound(to: UInt8.self)
      PlaneKernels.fastest.mix(to, to, source.assumingMemoryBound(to: UInt8.self), weights: weights, count: count)
    } else {
      let to = target.assumingMemoryBound(to: UInt16.self)
      PlaneKernels.fastest.mix(to, to, source.assumingMemoryBound(to: UInt16.self), weights: weights, count: count)
    }
  }
}
