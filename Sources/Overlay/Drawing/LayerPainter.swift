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
}
