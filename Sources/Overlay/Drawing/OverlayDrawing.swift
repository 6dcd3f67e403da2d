import CompositorAPI

/// The drawing of one tree at one time over one frame.
struct OverlayDrawing {
  let encoding: OutputEncoding
  var painter: LayerPainter
  var node: PresentationNode
  let toCanvas: Projection

  /// Whether any pixel of a frame can change.
  func isVisible(on size: PixelSize) throws(CompositorError) -> Bool {
    let box = try painter.box(of: node, node.matrix.concatenating(toCanvas))
    let reach = max(node.layer.hasShadow ? 4000 : 1, node.layer.reach(node.matrix.concatenating(toCanvas)))
    return !box.isEmpty && !box.grown(by: reach).intersection(PixelBox(size)).isEmpty
  }

  func draw(into writer: FrameWriter) throws(CompositorError) {
    let matrix = node.matrix.concatenating(toCanvas)
    if let light = encoding.light {
      try drawInLight(light, matrix, into: writer)
    } else if encoding.needsStraightAlpha {
      try drawStraight(matrix, into: writer)
    } else {
      try draw(node, matrix, node.motion, into: writer)
    }
  }

  /// Draws the tree on a surface and writes its changes back.
  private func drawStraight(_ matrix: Projection, into writer: FrameWriter) throws(CompositorError) {
    guard var drawn = try drawnOverBackdrop(matrix, writer, { _ in }) else { return }
    writer.replace(by: drawn.result, where: drawn.cover)
    drawn.result.giveBack()
    drawn.cover.giveBack()
  }

  /// The tree over the part of the frame below it, as converted by `prepare`, and the tree's coverage; `nil` if it covers
  /// nothing.
  func drawnOverBackdrop(
    _ matrix: Projection, _ writer: FrameWriter, _ prepare: (inout Surface) throws(CompositorError) -> Void
  ) throws(CompositorError) -> (result: Surface, cover: Surface)? {
    guard let box = try boxOverBackdrop(of: node, matrix, within: writer.canvas) else { return nil }
    let size = PixelSize(width: writer.canvas.width, height: writer.canvas.height)
    let memory = painter.primitives.memory
    var result = try FrameReader(writer.planes.readOnly, encoding, size: size).surface(box, in: memory)
    try prepare(&result)
    var cover = try Surface(box, in: memory)
    var marking = painter
    marking.marksBackdrops = true
    try marking.paint(node, matrix, node.motion, onto: &cover)
    if node.blendsWithBackdrop {
      try painter.paint(node, matrix, node.motion, onto: &result)
    } else {
      result.over(cover, opacity: 1, mode: .normal)
    }
    return (result, cover)
  }

  /// The part of the canvas that a layer can change or looks at, from even pixels on; `nil` if there is none.
  func boxOverBackdrop(
    of node: PresentationNode, _ matrix: Projection, within canvas: PixelBox
  ) throws(CompositorError) -> PixelBox? {
    let reach = max(node.layer.reach(matrix), 1) + node.backdropReach(matrix)
    let box = try painter.box(of: node, matrix).grown(by: reach + 2).even.intersection(canvas)
    return box.isEmpty ? nil : box
  }

  /// Draws a layer by the cheapest method that gives the same result at every time.
  func draw(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, into writer: FrameWriter
  ) throws(CompositorError) {
    if node.fadesOverBackdrop {
      try drawFading(node, matrix, motion, in: writer)
    } else if node.layer.filtersBackdrop, let filters = node.layer.backdropFilters {
      try filterBackdrop(filters, of: node, matrix, motion, in: writer)
      var above = node
      above.layer.backdropFilters = nil
      try draw(above, matrix, motion, into: writer)
    } else if node.layer.blendMode != .normal {
      try blend(node, matrix, motion, into: writer)
    } else if try drawPlate(node, matrix, motion, into: writer) {
      return
    } else if !node.hasAnimatedDescendants, motion < .transforms, matrix.affine != nil,
      node.needsIsolation || node.children.isEmpty, try painter.isKeepable(node, matrix)
    {
      try drawPatch(node, matrix, motion, into: writer)
    } else if try isOfSeparateParts(node, matrix, writer) {
      try drawSeparately(node, matrix, motion, fade: 1, into: writer)
    } else if node.needsIsolation {
      let room = writer.canvas.grown(by: 4)
      guard var surface = try painter.isolated(node, matrix, motion, within: room) else { return }
      try drawOnce(&surface, opacity: node.layer.opacity, into: writer)
    } else {
      try drawParts(node, matrix, motion, into: writer)
    }
  }

  /// Draws a layer whose movies are blended with the rest of it, through windows; returns false for other layers.
  private func drawPlate(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, into writer: FrameWriter
  ) throws(CompositorError) -> Bool {
    guard let converter = painter.moving.converter, node.movie.frame != nil || node.needsIsolation, node.showsMovie,
      let (plate, frames) = try painter.plate(node, matrix, motion, within: writer.canvas)
    else { return false }
    try writer.blend(plate, frames, converter)
    return true
  }

  /// Blends a surface that serves only this frame, and gives its memory back.
  func drawOnce(_ surface: inout Surface, opacity: Double, into writer: FrameWriter) throws(CompositorError) {
    writer.blend(try sprite(&surface), FrameWriter.Shift(x: 0, y: 0), opacity: opacity)
  }

  /// The sprite of a surface, whose memory is given back if the sprite doesn't need it.
  private func sprite(_ surface: inout Surface) throws(CompositorError) -> CachedSprite {
    if !surface.hasRoom {
      var room = try surface.withRoom()
      swap(&surface, &room)
      room.giveBack()
    }
    let sprite = CachedSprite(surface, encoding)
    if sprite.surface == nil { surface.giveBack() }
    return sprite
  }

  /// Draws a layer that looks the same at every position: painted once, in the output's own components.
  private func drawPatch(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, into writer: FrameWriter
  ) throws(CompositorError) {
    guard let placement = MaskPlacement(matrix, motion: motion, bounds: node.layer.bounds), try isVisible(node, matrix, writer)
    else { return }
    var shift = FrameWriter.Shift(x: 0, y: 0)
    var grid = placement.grid
    switch placement.way {
    case .whole(let x, let y):
      // An odd column or row is another phase on the chroma grid: part of the sprite, not of the displacement.
      shift = FrameWriter.Shift(x: x & ~1, y: y & ~1)
      (grid.tx, grid.ty) = (grid.tx + Double(x & 1), grid.ty + Double(y & 1))
    case .shifted(let x, let y, let fx, let fy): shift = FrameWriter.Shift(x: x, y: y, fx: fx, fy: fy)
    case .mapped: return
    }
    var key = node
    (key.matrix, key.layer.opacity, key.layer.position, key.layer.name) = (.identity, 1, .zero, "")
    (key.layer.transform, key.layer.zPosition, key.motion) = (.identity, 0, .still)
    let made = try painter.primitives.cache.value(.patch(key, grid)) { () throws(CompositorError) in
      guard let patch = try makePatch(node, grid) else { return .nothing }
      return .patch(patch)
    }
    if case .patch(let patch) = made { writer.blend(patch, shift, opacity: node.layer.opacity) }
  }

  private func isVisible(
    _ node: PresentationNode, _ matrix: Projection, _ writer: FrameWriter
  ) throws(CompositorError) -> Bool {
    let reach = node.layer.reach(matrix)
    return try !painter.box(of: node, matrix).grown(by: reach + 2).intersection(writer.canvas).isEmpty
  }

  private func makePatch(_ node: PresentationNode, _ grid: RasterGrid) throws(CompositorError) -> CachedSprite? {
    // A moving layer may show any of its parts, so all of it is painted.
    let room = PixelBox(x0: -1 << 20, y0: -1 << 20, x1: 1 << 20, y1: 1 << 20)
    guard var surface = try painter.isolated(node, Projection(grid.matrix), .still, within: room) else { return nil }
    return try sprite(&surface)
  }

  /// Blends a layer with the backdrop.
  private func blend(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, into writer: FrameWriter
  ) throws(CompositorError) {
    guard var surface = try painter.isolated(node, matrix, motion, within: writer.canvas) else { return }
    try writer.mix(surface, opacity: node.layer.opacity, mode: node.layer.blendMode)
    surface.giveBack()
  }
}

extension PresentationNode {
  /// Whether a layer blends with the backdrop of the whole tree by a blend mode; layers inside an isolated group blend only
  /// with the group.
  var blendsWithBackdrop: Bool {
    layer.blendMode != .normal || layer.filtersBackdrop || fadesOverBackdrop
      || (!needsIsolation && children.contains(where: \.blendsWithBackdrop))
  }
}
