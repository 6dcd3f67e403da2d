import CCompositorKernels
import CompositorAPI
import CompositorConversion

/// A painted box in the output's own components: codes premultiplied by coverage, and coverage, per grid. Blending it takes
/// one pass over the box; a fractional displacement adds one bilinear interpolation.
package struct CachedSprite: Sendable {
  /// One grid of samples: full size, or that of subsampled chroma.
  package struct Grid: Sendable {
    /// In samples of this grid. The outermost samples are empty.
    package var box: PixelBox
    /// Codes by component, in the order of `components`.
    package var codes: [[UInt16]]
    package var weights: [UInt16]
    /// Components of the encoding.
    package var components: [Int]
    /// Runs of covered samples in each row, without displacement.
    package var runs = RowRuns()
    /// Runs for a sprite displaced by a fraction of a sample: including the row above, and one more sample to the right.
    package var movedRuns = RowRuns()

    /// Borrows the weights, and the codes by component.
    func withPlanes(_ body: (UnsafePointer<UInt16>, UnsafeBufferPointer<UnsafePointer<UInt16>>) -> Void) {
      withUnsafeTemporaryAllocation(of: UnsafePointer<UInt16>.self, capacity: max(codes.count, 1)) { planes in
        func lend(_ index: Int) {
          guard index < codes.count else {
            weights.withUnsafeBufferPointer { weights in
              if let weights = weights.baseAddress { body(weights, UnsafeBufferPointer(rebasing: planes[..<index])) }
            }
            return
          }
          codes[index].withUnsafeBufferPointer { plane in
            guard let base = plane.baseAddress else { return }
            planes.initializeElement(at: index, to: base)
            lend(index + 1)
          }
        }
        lend(0)
      }
    }
  }

  package var full: Grid
  package var chroma: Grid?
  /// The surface itself, for floating-point outputs.
  package var surface: Surface?

  package var byteCount: Int {
    func count(_ grid: Grid) -> Int { 2 * grid.weights.count * (grid.codes.count + 1) + 16 * grid.runs.count }
    return count(full) + (chroma.map(count) ?? 0) + (surface.map(\.pixels.byteCapacity) ?? 0)
  }

  /// Encodes a surface whose box starts at even pixels and has an empty margin of two pixels.
  ///
  /// - Parameter chromaTaps: The filter from the full grid to the subsampled one; `nil` uses the filter for the chroma
  ///   siting.
  package init(_ surface: Surface, _ encoding: OutputEncoding, chromaTaps: [Int32]? = nil) {
    let box = surface.box
    full = Grid(box: box, codes: [], weights: [], components: [])
    guard !encoding.isFloat else {
      self.surface = surface
      return
    }
    let isCoarse = encoding.components.indices.map { encoding.layout.components[$0].isSubsampled }
    full.components = encoding.components.indices.filter { !isCoarse[$0] }
    let memory = surface.memory
    var coverage = CachedSprite.coverage(surface)
    defer { memory.giveBack(&coverage) }
    for index in full.components {
      var plane = CachedSprite.codes(of: surface, encoding.components[index])
      full.codes.append(CachedSprite.pack(plane))
      memory.giveBack(&plane)
    }
    full.weights = CachedSprite.pack(coverage)
    full.findRuns()
    guard isCoarse.contains(true) else { return }
    let shift = encoding.layout.chroma.verticalShift
    var coarse = Grid(
      box: PixelBox(x0: box.x0 >> 1, y0: box.y0 >> shift, x1: box.x1 >> 1, y1: box.y1 >> shift), codes: [], weights: [],
      components: encoding.components.indices.filter { isCoarse[$0] })
    let taps = chromaTaps ?? encoding.layout.chroma.taps
    func reduced(_ plane: [Float]) -> [UInt16] {
      var result = CachedSprite.reduce(plane, box, coarse.box, taps, rowShift: shift, in: memory)
      defer { memory.giveBack(&result) }
      return CachedSprite.pack(result)
    }
    for index in coarse.components {
      var plane = CachedSprite.codes(of: surface, encoding.components[index])
      coarse.codes.append(reduced(plane))
      memory.giveBack(&plane)
    }
    coarse.weights = reduced(coverage)
    coarse.findRuns()
    chroma = coarse
  }

  private static func codes(of surface: Surface, _ component: OutputEncoding.Component) -> [Float] {
    let count = surface.box.width * surface.box.height
    var plane = surface.memory.values(count)
    let matrix = [component.matrix.x, component.matrix.y, component.matrix.z]
    surface.pixels.withUnsafeBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      cpk_overlay_surface_codes(pixels, matrix, component.scale, component.offset, &plane, count)
    }
    return plane
  }

  private static func coverage(_ surface: Surface) -> [Float] {
    codes(of: surface, OutputEncoding.Component(matrix: .zero, scale: 0, offset: 65535))
  }

  private static func pack(_ plane: [Float]) -> [UInt16] {
    var packed = [UInt16](repeating: 0, count: plane.count)
    cpk_overlay_pack(plane, &packed, plane.count)
    return packed
  }

  /// Samples of the subsampled grid from those of the full one; the outermost samples stay empty.
  private static func reduce(
    _ plane: [Float], _ box: PixelBox, _ coarse: PixelBox, _ taps: [Int32], rowShift: Int,
    in memory: SurfaceMemory
  ) -> [Float] {
    var result = memory.zeros(coarse.width * coarse.height)
    let (vertical, horizontal) = (taps.prefix(3).map(Float.init), taps.suffix(3).map(Float.init))
    plane.withUnsafeBufferPointer { plane in
      result.withUnsafeMutableBufferPointer { result in
        guard let plane = plane.baseAddress, let result = result.baseAddress, coarse.width > 2 else { return }
        for row in 1..<max(coarse.height - 1, 1) {
          let first = plane + (row << rowShift) * box.width + 2
          // A row with weight 0 is not used; it must only exist.
          let rows: [UnsafePointer<Float>?] = [first - box.width, first, rowShift == 1 ? first + box.width : first]
          cpk_overlay_chroma_codes(rows, vertical, horizontal, result + row * coarse.width + 1, coarse.width - 2)
        }
      }
    }
    return result
  }
}
