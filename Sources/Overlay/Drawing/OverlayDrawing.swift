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

  /// Whether the layer has an opacity of its own, but no overlapping parts, so that every part can fade separately.
  private func isOfSeparateParts(
    _ node: PresentationNode, _ matrix: Projection, _ writer: FrameWriter
  ) throws(CompositorError) -> Bool {
    guard node.fadesOnly else { return false }
    var boxes: [PixelBox] = []
    return try collect(node, matrix, writer, &boxes)
  }

  /// Adds the boxes of a layer's parts; returns false if two overlap, or if there are too many to compare.
  private func collect(
    _ node: PresentationNode, _ matrix: Projection, _ writer: FrameWriter, _ boxes: inout [PixelBox]
  ) throws(CompositorError) -> Bool {
    if node.fadesOnly || !node.needsIsolation && !node.hasOwnPaint && !node.children.isEmpty {
      for child in node.children {
        guard try collect(child, child.matrix.concatenating(matrix), writer, &boxes) else { return false }
      }
      return true
    }
    let reach = node.layer.reach(matrix)
    // Chroma reaches one sample further than luma.
    let box = try painter.box(of: node, matrix).grown(by: reach + 4).intersection(writer.canvas)
    guard !box.isEmpty else { return true }
    guard boxes.count < 64, boxes.allSatisfy({ $0.intersection(box).isEmpty }) else { return false }
    boxes.append(box)
    return true
  }

  private func drawSeparately(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, fade: Double, into writer: FrameWriter
  ) throws(CompositorError) {
    guard node.fadesOnly || !node.needsIsolation && !node.hasOwnPaint && !node.children.isEmpty else {
      var part = node
      part.layer.opacity *= fade
      try draw(part, matrix, motion, into: writer)
      return
    }
    for child in node.children {
      try drawSeparately(
        child, child.matrix.concatenating(matrix), max(motion, child.motion), fade: fade * node.layer.opacity, into: writer)
    }
  }

  private func drawParts(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, into writer: FrameWriter
  ) throws(CompositorError) {
    let placement = node.hasOwnPaint ? MaskPlacement(matrix, motion: motion, bounds: node.layer.bounds) : nil
    if let placement {
      for primitive in try painter.primitives.ground(of: node.withoutUnits, on: placement.grid, painter.moving.of(node, motion))
      {
        try draw(primitive, placement, opacity: node.layer.opacity, into: writer)
      }
      if !node.units.isEmpty {
        for unit in try painter.primitives.units(of: node, placement) {
          try draw(unit.primitive, unit.placement, opacity: node.layer.opacity * unit.opacity, into: writer)
        }
      }
    }
    for child in node.children {
      try draw(child, child.matrix.concatenating(matrix), max(motion, child.motion), into: writer)
    }
    if let placement, let border = try painter.primitives.border(of: node.layer, on: placement.grid) {
      try draw(border, placement, opacity: node.layer.opacity, into: writer)
    }
  }

  private func draw(
    _ primitive: Primitive, _ placement: MaskPlacement, opacity: Double, into writer: FrameWriter
  ) throws(CompositorError) {
    if let color = primitive.paint.solid, !encoding.isFloat {
      writer.fill(primitive.mask, color, placement, opacity: opacity)
      return
    }
    let area = placement.box(of: primitive.mask).intersection(writer.canvas.grown(by: 4))
    guard !area.isEmpty else { return }
    var surface = try Surface(area, in: painter.primitives.memory)
    surface.draw(primitive, placement, opacity: 1, output: encoding)
    try drawOnce(&surface, opacity: opacity, into: writer)
  }

  /// Blends a surface that serves only this frame, and gives its memory back.
  private func drawOnce(_ surface: inout Surface, opacity: Double, into writer: FrameWriter) throws(CompositorError) {
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

  /// Draws a tree in which the frame itself is a layer.
  func drawAround(_ frame: Frame, pool: FramePool) throws(CompositorError) -> Frame {
    let encoding = encoding
    var around = self
    around.painter.moving.video = try OverlayDrawing.video(frame, encoding)
    var target = try pool.makeFrame(format: frame.format, size: frame.size, attributes: frame.attributes)
    try target.withUnsafeMutablePlanes { (planes) throws(CompositorError) in
      var writer = FrameWriter(planes, encoding, size: frame.size)
      writer.pool = pool
      writer.fillEmpty()
      try around.draw(into: writer)
    }
    return target.freeze()
  }

  /// A frame as a pyramid of images for video layers.
  static func video(_ frame: Frame, _ encoding: OutputEncoding) throws(CompositorError) -> [Picture] {
    try frame.withUnsafePlanes { (planes) throws(CompositorError) in
      try FrameReader(planes, encoding, size: frame.size).picture().pyramid
    }
  }
}

extension PresentationNode {
  /// The tree without its lowest video layer if that covers the frame unchanged: the rest can then be drawn over the frame
  /// itself. `nil` if there is no such layer.
  ///
  /// - Parameter matrix: From the layer to the frame.
  func withoutFullVideo(_ matrix: Projection, _ size: PixelSize) -> PresentationNode? {
    guard layer.opacity == 1, mask == nil, !layer.masksToBounds, !layer.hasShadow, layer.blendMode == .normal,
      layer.filters.isIdentity, !layer.filtersBackdrop
    else { return nil }
    var rest = self
    // The background is covered by the video.
    rest.layer.backgroundColor = nil
    if layer.content == .video, layer.shownRadii == CornerRadii(), matrix.covers(layer.bounds, size) {
      rest.layer.content = .none
      return rest
    }
    guard layer.content == .none else { return nil }
    for (index, child) in children.enumerated().reversed() {
      guard let over = child.withoutFullVideo(child.matrix.concatenating(matrix), size) else { continue }
      rest.children = [over] + children[(index + 1)...]
      return rest
    }
    return nil
  }

  /// Whether it or a layer in it shows the frame.
  var showsVideo: Bool { layer.content == .video || mask?.showsVideo == true || children.contains { $0.showsVideo } }
}

extension Projection {
  /// Whether a rectangle covers a frame exactly, upright.
  fileprivate func covers(_ rect: Rect, _ size: PixelSize) -> Bool {
    guard let affine, abs(affine.b) < 1e-9, abs(affine.c) < 1e-9, affine.a > 0, affine.d > 0 else { return false }
    let (start, end) = (
      affine.apply(to: rect.origin), affine.apply(to: Point(x: rect.maxX, y: rect.maxY))
    )
    return abs(start.x) < 1e-6 && abs(start.y) < 1e-6 && abs(end.x - Double(size.width)) < 1e-6
      && abs(end.y - Double(size.height)) < 1e-6
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
