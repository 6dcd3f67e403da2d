import CompositorAPI
import CompositorConversion

/// A layer with movies, divided so that their frames reach the output in its own samples: everything below, beside and above
/// them, painted once for all frames, and a window for each movie, through which its frame shows like a clip of a track.
///
/// With coverage and premultiplied colors a layer is `A + Σ wᵢ·Fᵢ`, where Fᵢ is the frame of movie i: normal blending is
/// linear in Fᵢ. Painting the layer with black movies gives A, with white movie i it gives A + wᵢ. Blending first the
/// normalized A and then each frame gives the same sum.
package struct MoviePlate: Sendable {
  /// The window of one movie.
  package struct Window: Sendable {
    /// Weights of 32767, per sample grid.
    let weights: CachedSprite
    /// The pixels that it reaches, aligned to even pixels.
    let box: PixelBox
    /// From the upright frame to the canvas.
    let matrix: AffineMatrix
  }

  let under: CachedSprite
  let windows: [Window]

  package var byteCount: Int { windows.reduce(under.byteCount) { $0 + $1.weights.byteCount } }
}

extension OutputEncoding {
  /// Whether frames of movies can be blended sample by sample: integer planes without alpha.
  var takesPlates: Bool {
    !isFloat && components.count == 3 && layout.components.prefix(3).allSatisfy { $0.step == 1 }
  }
}

extension LayerPainter {
  /// The largest number of movies in a plate.
  private static let maximumWindows = 8

  /// A layer as a plate, with the frames of its windows; `nil` if its movies cannot be shown through windows: if they move or
  /// rotate, are not aligned to pixels, have alpha, or use another blend mode.
  func plate(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, within canvas: PixelBox
  ) throws(CompositorError) -> (plate: MoviePlate, frames: [MovieFrame])? {
    // If something else changes, the plate would be painted for every frame, which costs more than sampling the movies.
    guard primitives.encoding.takesPlates, !node.showsVideo, !node.changesNow else { return nil }
    var slots: [MovieSlot] = []
    guard node.collect(&slots, matrix, motion), !slots.isEmpty, slots.count <= Self.maximumWindows else { return nil }
    var key = node
    (key.matrix, key.layer.name) = (.identity, "")
    key.forgetMovies()
    let made = try primitives.plates.value(.plate(key, matrix, canvas)) { () throws(CompositorError) in
      var numbered = node
      var count = 0
      numbered.numberMovies(&count)
      return try makePlate(numbered, matrix, motion, slots, within: canvas).map { .plate($0) } ?? .nothing
    }
    guard case .plate(let plate) = made else { return nil }
    return (plate, slots.map(\.frame))
  }

  private func makePlate(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, _ slots: [MovieSlot],
    within canvas: PixelBox
  ) throws(CompositorError) -> MoviePlate? {
    func painted(white: Int?) throws(CompositorError) -> Surface? {
      var painter = self
      painter.moving.converter = FlatMovies(white: white)
      return try painter.isolated(node, matrix, motion, within: canvas.grown(by: 4))?.withRoom()
    }
    guard var under = try painted(white: nil) else { return nil }
    let opacity = Float(min(max(node.layer.opacity, 0), 1))
    var windows: [MoviePlate.Window] = []
    /// The share that all windows in front leave for those behind.
    var rest = [Float](repeating: 1, count: under.box.width * under.box.height)
    for (index, slot) in slots.enumerated().reversed() {
      guard var cover = try painted(white: index), cover.box == under.box else { return nil }
      for pixel in rest.indices {
        let weight = max(cover.pixels[4 * pixel] - under.pixels[4 * pixel], 0) * opacity
        let share = weight < 1e-5 ? 0 : rest[pixel] > 1e-5 ? min(weight / rest[pixel], 1) : 0
        rest[pixel] *= 1 - share
        for part in 0..<3 { cover.pixels[4 * pixel + part] = 0 }
        cover.pixels[4 * pixel + 3] = share
      }
      let box = cover.coveredBox.intersection(canvas).even
      guard slot.covers(box) else { return nil }
      windows.append(
        MoviePlate.Window(
          weights: CachedSprite(windowOf: cover, primitives.encoding), box: box, matrix: slot.matrix))
    }
    for pixel in rest.indices {
      // The rest of the layer beside its movies, as it contributes to the sum.
      for part in 0..<3 { under.pixels[4 * pixel + part] *= opacity }
      under.pixels[4 * pixel + 3] = max(under.pixels[4 * pixel + 3] * opacity - (1 - rest[pixel]), 0)
    }
    return MoviePlate(
      under: try CachedSprite(under, beside: rest, primitives.encoding), windows: windows.reversed())
  }
}

/// A movie of a layer, and the target of its frame.
private struct MovieSlot {
  let frame: MovieFrame
  /// From the upright frame to the canvas.
  let matrix: AffineMatrix
  /// The pixels that the frame covers.
  let target: Rect

  func covers(_ box: PixelBox) -> Bool {
    let slack = 1e-3
    return box.isEmpty
      || Double(box.x0) >= target.minX - slack && Double(box.x1) <= target.maxX + slack
        && Double(box.y0) >= target.minY - slack && Double(box.y1) <= target.maxY + slack
  }
}

/// Movies of one color: white for one number, black for all others.
private struct FlatMovies: MovieConverter {
  let white: Int?

  func picture(_ movie: MovieFrame, size: PixelSize, color: ColorTags) throws(CompositorError) -> Frame {
    var frame = MutableFrame(format: .rgba16, size: PixelSize(width: 1, height: 1))
    let code = movie.number == white ? 65535.0 : 0
    frame.fill(codes: [code, code, code, 65535])
    return frame.freeze()
  }

  func placed(_ movie: MovieFrame, on canvas: PixelSize, _ matrix: AffineMatrix) throws(CompositorError) -> Frame {
    throw CompositorError(.internalFault, "A plate was made from a movie's own frames.")
  }
}

extension PresentationNode {
  /// Collects the movies of the layer and its sublayers; returns false if one of them does not fit a plate.
  fileprivate func collect(_ slots: inout [MovieSlot], _ matrix: Projection, _ motion: Motion) -> Bool {
    if case .movie(let content) = layer.content, let frame = movie.frame {
      guard motion == .still, frame.isOpaque, let affine = matrix.affine, abs(affine.b) < 1e-9, abs(affine.c) < 1e-9,
        affine.a > 0, affine.d > 0
      else { return false }
      if let place = MovieGeometry(content, frame, in: layer.bounds) {
        slots.append(
          MovieSlot(
            frame: frame, matrix: place.toLayer.concatenating(affine), target: affine.boundingBox(of: place.target)))
      }
    }
    // Of a filtered movie, no window shows the frame as it is.
    guard mask?.showsMovie != true, !blendsApart, momentCount == 0, layer.filters.isIdentity, !layer.filtersBackdrop else {
      return false
    }
    return children.allSatisfy { child in
      child.layer.blendMode == .normal
        && child.collect(&slots, child.matrix.concatenating(matrix), max(motion, child.motion))
    }
  }

  /// Reduces movies to the properties that the plate depends on.
  fileprivate mutating func forgetMovies() {
    if let frame = movie.frame { movie = .shape(frame.shape) }
    for index in children.indices { children[index].forgetMovies() }
  }

  /// Numbers movies in the order of ``collect(_:_:_:)``.
  fileprivate mutating func numberMovies(_ count: inout Int) {
    if case .movie(let content) = layer.content, var frame = movie.frame, MovieGeometry(content, frame, in: layer.bounds) != nil
    {
      frame.number = count
      movie = .frame(frame)
      count += 1
    }
    for index in children.indices { children[index].numberMovies(&count) }
  }
}

extension MovieFrame {
  fileprivate var isOpaque: Bool { !frame.format.hasAlpha || frame.attributes.alphaMode == .opaque }
}

extension Surface {
  /// The bounding box of everything with coverage.
  fileprivate var coveredBox: PixelBox {
    var (x0, y0, x1, y1) = (Int.max, Int.max, Int.min, Int.min)
    for y in 0..<box.height {
      for x in 0..<box.width where pixels[4 * (y * box.width + x) + 3] > 0 {
        (x0, x1) = (min(x0, x), max(x1, x + 1))
        (y0, y1) = (min(y0, y), max(y1, y + 1))
      }
    }
    guard x0 < x1 else { return PixelBox(x0: box.x0, y0: box.y0, x1: box.x0, y1: box.y0) }
    return PixelBox(x0: box.x0 + x0, y0: box.y0 + y0, x1: box.x0 + x1, y1: box.y0 + y1)
  }
}

extension CachedSprite {
  /// A sprite to be blended below windows, which leave the shares in `rest`: divided by these, on each grid separately, so
  /// that nothing from a fully covered pixel of a window reaches the samples beside it.
  fileprivate init(_ surface: Surface, beside rest: [Float], _ encoding: OutputEncoding) throws(CompositorError) {
    var shares = try Surface(surface.box)
    for pixel in rest.indices { shares.pixels[4 * pixel + 3] = rest[pixel] }
    let left = CachedSprite(shares, encoding)
    self.init(surface, encoding)
    full.divide(by: left.full)
    if var coarse = chroma, let left = left.chroma {
      coarse.divide(by: left)
      chroma = coarse
    }
  }

  /// Only weights of 32767, from a surface's coverage. Chroma samples take the mean of their pixels: through a window aligned
  /// to them, the frame's chroma is unchanged.
  fileprivate init(windowOf surface: Surface, _ encoding: OutputEncoding) {
    let rows: [Int32] = encoding.layout.chroma.verticalShift == 1 ? [0, 2, 2] : [0, 4, 0]
    self.init(surface, encoding, chromaTaps: rows + [0, 2, 2])
    for index in full.weights.indices { full.weights[index] >>= 1 }
    full.codes = []
    guard var coarse = chroma else { return }
    for index in coarse.weights.indices { coarse.weights[index] >>= 1 }
    coarse.codes = []
    chroma = coarse
  }
}

extension CachedSprite.Grid {
  /// Divides codes and weights by the shares of another grid's weights; samples without a share are empty.
  fileprivate mutating func divide(by left: CachedSprite.Grid) {
    func divided(_ plane: [UInt16]) -> [UInt16] {
      zip(plane, left.weights).map { value, share in
        share < 32 ? 0 : UInt16(min((UInt32(value) * 65535 + UInt32(share) / 2) / UInt32(share), 65535))
      }
    }
    for slot in codes.indices { codes[slot] = divided(codes[slot]) }
    weights = divided(weights)
    runs = RowRuns()
    movedRuns = RowRuns()
    findRuns()
  }
}
