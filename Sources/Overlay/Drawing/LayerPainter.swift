package import CompositorAPI

/// Paints layers on surfaces: a layer's own contents, its sublayers, and what applies to all of it (opacity, mask, clipping,
/// shadow, blend mode).
package struct LayerPainter: Sendable {
  package let primitives: LayerPrimitives
  /// Content that changes from frame to frame.
  package var moving = MovingContent()
  /// Whether the places where backdrops are filtered are painted white instead, to find what changes.
  var marksBackdrops = false

  package init(primitives: LayerPrimitives) { self.primitives = primitives }

  /// Paints a layer and its sublayers.
  ///
  /// - Parameter matrix: From the layer to the canvas.
  package func paint(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, onto surface: inout Surface
  ) throws(CompositorError) {
    if node.fadesOverBackdrop {
      try fade(node, matrix, motion, onto: &surface)
      return
    }
    if node.layer.filtersBackdrop, let filters = node.layer.backdropFilters {
      try filterBackdrop(filters, of: node, matrix, motion, on: &surface)
    }
    guard node.needsIsolation else {
      try paintParts(of: node, matrix, motion, opacity: node.layer.opacity, onto: &surface)
      return
    }
    guard var kept = try kept(node, matrix, motion, within: surface.box) else { return }
    surface.over(kept.group, opacity: node.layer.opacity, mode: node.layer.blendMode)
    if !kept.isKept { kept.group.giveBack() }
  }

  /// Like ``isolated(_:_:_:within:)``, but a layer that neither moves nor changes is painted once for all frames.
  private func kept(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, within canvas: PixelBox
  ) throws(CompositorError) -> (group: Surface, isKept: Bool)? {
    guard motion == .still, !node.hasAnimatedDescendants, let affine = matrix.affine, try isKeepable(node, matrix) else {
      return try isolated(node, matrix, motion, within: canvas).map { ($0, false) }
    }
    var key = node
    (key.matrix, key.layer.opacity, key.layer.blendMode) = (.identity, 1, .normal)
    key.layer.backdropFilters = nil
    let made = try primitives.cache.value(.surface(key, RasterGrid(affine))) { () throws(CompositorError) in
      let room = PixelBox(x0: -1 << 14, y0: -1 << 14, x1: 1 << 14, y1: 1 << 14)
      return try isolated(node, matrix, motion, within: room).map { .surface($0) } ?? .nothing
    }
    if case .surface(let surface) = made { return (surface, true) }
    return nil
  }

  /// Whether a layer can be painted once for all frames: it shows neither the frame nor a movie, and all of it, visible or
  /// not, is no larger than four frames of 4K.
  package func isKeepable(_ node: PresentationNode, _ matrix: Projection) throws(CompositorError) -> Bool {
    if moving.isPossible, node.showsVideo || node.showsMovie { return false }
    let box = try box(of: node, matrix)
    return box.width * box.height <= 1 << 25
  }

  /// A layer with its sublayers, mask, clipping and shadow, but without its opacity and blend mode, on a surface of its own;
  /// `nil` if nothing is visible.
  package func isolated(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, within canvas: PixelBox
  ) throws(CompositorError) -> Surface? {
    let shadows = node.layer.hasShadow ? node.layer.shownShadows.map { CastShadow($0, matrix) } : []
    let blur = node.layer.filters.blur(matrix)
    let room = canvas.grown(by: (shadows.map(\.reach).max() ?? 0) + blur.reach)
    let whole = try self.box(of: node, matrix).grown(by: 4 + blur.reach).even
    let box = whole.intersection(room)
    guard !box.isEmpty else { return nil }
    func drawn(_ node: PresentationNode) throws(CompositorError) -> Surface {
      try self.drawn(node, matrix, motion, box, hasRoom: box == whole)
    }
    var surface = try drawn(node)
    guard !shadows.isEmpty else { return surface }
    try shade(&surface, by: shadows, within: room) { () throws(CompositorError) in try node.withOpaqueGround.map(drawn) }
    return surface
  }

  /// What a layer and its sublayers draw within a box: clipped, filtered and masked.
  ///
  /// - Parameter hasRoom: Whether the box is all of the layer.
  private func drawn(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, _ box: PixelBox, hasRoom: Bool
  ) throws(CompositorError) -> Surface {
    var surface = try Surface(box, in: primitives.memory)
    // The box includes a margin of two pixels, so the surface can be made into a sprite as it is.
    surface.hasRoom = hasRoom
    // The border is drawn last to cover the edge of the clipped content.
    let bordersLast = node.layer.masksToBounds && node.layer.hasOpaqueBorder
    try paintParts(of: node, matrix, motion, opacity: 1, withBorder: !bordersLast, onto: &surface)
    try clip(&surface, to: node, matrix, motion)
    if bordersLast { try paintBorder(of: node.layer, matrix, motion, opacity: 1, onto: &surface) }
    if !node.layer.filters.isIdentity {
      let blur = node.layer.filters.blur(matrix)
      try surface.apply(node.layer.filters, blur, signal: primitives.titleSignal)
      // The frame has no transparent edge that could blur into it.
      if blur.sigma > 0, node.layer.content == .video, node.children.isEmpty {
        surface.solidify()
        try limit(&surface, to: node, matrix, motion)
      }
    }
    try mask(&surface, by: node, matrix, motion)
    return surface
  }

  /// Clips a surface to the layer's bounds.
  private func clip(
    _ surface: inout Surface, to node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion
  ) throws(CompositorError) {
    if node.layer.masksToBounds { try limit(&surface, to: node, matrix, motion) }
  }

  /// Multiplies a surface by the coverage of a layer's bounds.
  private func limit(
    _ surface: inout Surface, to node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion
  ) throws(CompositorError) {
    var cover = try cover(surface.box, of: node, matrix, motion)
    surface.mask(by: cover)
    cover.giveBack()
  }

  /// The coverage of the layer's bounds with their corners.
  func cover(
    _ box: PixelBox, of node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion
  ) throws(CompositorError) -> Surface {
    var cover = try Surface(box, in: primitives.memory)
    if !node.layer.bounds.isEmpty, let placement = MaskPlacement(matrix, motion: motion, bounds: node.layer.bounds) {
      let mask = try primitives.mask(primitives.ground(of: node.layer), on: placement.grid)
      cover.draw(Primitive(mask: mask, paint: .solid(.one)), placement, opacity: 1)
    }
    return cover
  }

  /// Applies the layer's mask to a surface.
  func mask(
    _ surface: inout Surface, by node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion
  ) throws(CompositorError) {
    guard let mask = node.mask else { return }
    var cover = try Surface(surface.box, in: primitives.memory)
    try paint(mask, mask.matrix.concatenating(matrix), max(motion, mask.motion), onto: &cover)
    if node.layer.maskMode != .alpha { cover.matte(node.layer.maskMode.weights, signal: primitives.titleSignal) }
    surface.mask(by: cover)
    cover.giveBack()
  }

  /// The layer's own contents, its sublayers and its border.
  package func paintParts(
    of node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, opacity: Double,
    withBorder: Bool = true, onto surface: inout Surface
  ) throws(CompositorError) {
    if node.momentCount > 0 { return try paintMean(of: node, matrix, motion, onto: &surface) }
    let placement = node.hasOwnPaint ? MaskPlacement(matrix, motion: motion, bounds: node.layer.bounds) : nil
    if let placement {
      for primitive in try primitives.ground(of: node.withoutUnits, on: placement.grid, moving.of(node, motion)) {
        surface.draw(primitive, placement, opacity: opacity, output: primitives.encoding)
      }
      if !node.units.isEmpty {
        for unit in try primitives.units(of: node, placement) {
          surface.draw(unit.primitive, unit.placement, opacity: opacity * unit.opacity, output: primitives.encoding)
        }
      }
    }
    for child in node.children {
      try paint(child, child.matrix.concatenating(matrix), max(motion, child.motion), onto: &surface)
    }
    if withBorder { try paintBorder(of: node.layer, matrix, motion, opacity: opacity, onto: &surface) }
  }

  /// The mean of a layer's moments, on an empty surface.
  private func paintMean(
    of node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, onto surface: inout Surface
  ) throws(CompositorError) {
    for moment in node.children {
      let inner = moment.matrix.concatenating(matrix)
      let box = try self.box(of: moment, inner).grown(by: moment.layer.reach(inner) + 4).even.intersection(surface.box)
      guard !box.isEmpty else { continue }
      var picture = try Surface(box, in: primitives.memory)
      try paint(moment, inner, max(motion, moment.motion), onto: &picture)
      surface.add(picture, weight: 1 / Float(node.momentCount))
      picture.giveBack()
    }
  }

  private func paintBorder(
    of layer: Layer, _ matrix: Projection, _ motion: PresentationNode.Motion, opacity: Double, onto surface: inout Surface
  ) throws(CompositorError) {
    guard layer.borderWidth > 0, let placement = MaskPlacement(matrix, motion: motion, bounds: layer.bounds),
      let border = try primitives.border(of: layer, on: placement.grid)
    else { return }
    surface.draw(border, placement, opacity: opacity, output: primitives.encoding)
  }

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

extension PresentationNode {
  /// Whether the layer must be painted on a surface of its own first.
  package var needsIsolation: Bool {
    blendsApart || momentCount > 0 || mask != nil || layer.masksToBounds || layer.hasShadow || layer.blendMode != .normal
      || !layer.filters.isIdentity || layer.opacity < 1 && !isOnePrimitive
  }

  /// Whether opacity is the only property that applies to the layer as a whole.
  private var hasOpacityOnly: Bool {
    layer.opacity < 1 && !blendsApart && momentCount == 0 && mask == nil && !layer.masksToBounds && !layer.hasShadow
      && layer.blendMode == .normal && layer.filters.isIdentity
  }

  /// Whether the layer only fades others, which don't look at what is below them.
  package var fadesOnly: Bool { hasOpacityOnly && !hasOwnPaint && !children.isEmpty && !filtersBackdrop }

  /// Whether the layer fades others together with what they do to the picture below them. A group would hide that picture from them as
  /// long as it fades.
  package var fadesOverBackdrop: Bool { hasOpacityOnly && children.contains(where: \.filtersBackdrop) }

  /// Whether the layer is a single mask with a single paint, so that its opacity can be applied to the paint.
  package var isOnePrimitive: Bool {
    guard children.isEmpty else { return false }
    var count = layer.backgroundColor != nil ? 1 : 0
    if layer.borderWidth > 0 { count += 1 }
    switch layer.content {
    case .none, .replicator, .emitter: break
    case .text: count += 2
    case .shape(let shape): count += (shape.fillColor != nil ? 1 : 0) + (shape.strokeColor != nil ? 1 : 0)
    case .gradient, .image, .movie, .video: count += 1
    }
    return count <= 1
  }
}
