package import CompositorAPI

/// How much of the canvas a layer can change.
extension LayerPainter {
  /// A box of the canvas that contains everything that a layer can show.
  package func box(of node: PresentationNode, _ matrix: Projection) throws(CompositorError) -> PixelBox {
    var box: PixelBox?
    func add(_ other: PixelBox) {
      guard !other.isEmpty else { return }
      box =
        box.map {
          PixelBox(x0: min($0.x0, other.x0), y0: min($0.y0, other.y0), x1: max($0.x1, other.x1), y1: max($0.y1, other.y1))
        } ?? other
    }
    let everything = PixelBox(x0: -1 << 20, y0: -1 << 20, x1: 1 << 20, y1: 1 << 20)
    for rect in try ownRectangles(of: node) {
      add(matrix.boundingBox(of: rect).map(PixelBox.init(around:)) ?? everything)
    }
    for child in node.children {
      let inner = child.matrix.concatenating(matrix)
      add(try self.box(of: child, inner).grown(by: child.layer.reach(inner)))
    }
    guard let found = box else { return PixelBox(x0: 0, y0: 0, x1: 0, y1: 0) }
    guard node.layer.masksToBounds, let bounds = matrix.boundingBox(of: node.layer.bounds) else { return found }
    return found.intersection(PixelBox(around: bounds))
  }

  private func ownRectangles(of node: PresentationNode) throws(CompositorError) -> [Rect] {
    let layer = node.layer
    let hasBox = layer.backgroundColor != nil || layer.borderWidth > 0 || layer.filtersBackdrop
    var rects = hasBox ? [layer.bounds] : []
    switch layer.content {
    case .none, .replicator, .emitter: break
    case .gradient, .video: rects.append(layer.bounds)
    case .image(let image):
      guard let full = primitives.images[image.image]?.first else { throw primitives.missing(image.image) }
      let size = Size(
        width: Double(full.width) * image.contentsRect.size.width, height: Double(full.height) * image.contentsRect.size.height)
      rects.append(image.gravity.rectangle(for: size, in: layer.bounds))
    case .movie(let content):
      let place = node.movie.frame.flatMap { MovieGeometry(content, $0, in: layer.bounds) }
      if let place { rects.append(place.target) }
    case .shape(let shape):
      let reach =
        shape.strokeColor == nil ? 0 : shape.lineWidth * (shape.lineJoin == .miter ? min(shape.miterLimit, 20) : 1.5) / 2
      rects.append(shape.path.controlBounds.grown(by: reach))
    case .text(let text):
      let styled = StyledText(text, size: layer.bounds.size)
      guard !styled.string.isEmpty else { break }
      let extents = try primitives.extents(styled)
      let origin = text.origin(in: layer.bounds, extents)
      for box in try primitives.backgrounds(of: text, styled, origin: origin) {
        rects += box.rectangles(units: node.units, origin: origin)
      }
      guard node.units.isEmpty else {
        rects += node.units.compactMap { $0.rectangle(margin: text.outlineWidth + 2, origin: origin) }
        break
      }
      let ink = Rect(
        x: origin.x + extents.ink.minX, y: origin.y + extents.ink.minY, width: extents.ink.size.width,
        height: extents.ink.size.height)
      rects.append(ink.grown(by: text.outlineWidth + 2))
    }
    return rects
  }
}
