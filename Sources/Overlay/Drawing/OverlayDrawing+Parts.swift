import CompositorAPI

/// Layers that are drawn part by part onto the frame, without a surface for all of them.
extension OverlayDrawing {
  /// Whether the layer has an opacity of its own, but no overlapping parts, so that every part can fade separately.
  func isOfSeparateParts(
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

  func drawSeparately(
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

  func drawParts(
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
}
