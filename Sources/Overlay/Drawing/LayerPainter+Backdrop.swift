import CCompositorKernels
import CompositorAPI

/// What lies below a layer, filtered within its bounds: frosted glass.
extension LayerPainter {
  /// Filters what a surface shows within the bounds of a layer, as far as its corners, its mask and its opacity say.
  func filterBackdrop(
    _ filters: LayerFilters, of node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion,
    on surface: inout Surface
  ) throws(CompositorError) {
    guard var glass = try glass(filters, of: node, matrix, motion, within: surface.box) else { return }
    if marksBackdrops {
      surface.over(glass.cover, opacity: 1, mode: .normal)
    } else {
      try glass.replace(on: &surface, from: surface, within: surface.box, signal: primitives.titleSignal)
    }
    glass.cover.giveBack()
  }

  /// Mixes a surface with itself as it looks with a layer on it, by the layer's opacity.
  func fade(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, onto surface: inout Surface
  ) throws(CompositorError) {
    var opaque = node
    opaque.layer.opacity = 1
    var whole = try surface.copied()
    try paint(opaque, matrix, motion, onto: &whole)
    whole.subtract(surface)
    surface.add(whole, weight: Float(max(node.layer.opacity, 0)))
    whole.giveBack()
  }

  /// The place of a layer that filters what is below it; `nil` if nothing of it is in a box.
  func glass(
    _ filters: LayerFilters, of node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion,
    within canvas: PixelBox
  ) throws(CompositorError) -> Glass? {
    guard let cover = try glassSurface(of: node, matrix, motion, within: canvas) else { return nil }
    return Glass(filters: filters, blur: filters.blur(matrix), cover: cover)
  }

  /// How much of each pixel a layer's filters of what is below it replace; `nil` if nothing of it is in a box.
  func glassSurface(
    of node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, within canvas: PixelBox
  ) throws(CompositorError) -> Surface? {
    guard node.layer.opacity > 0, let bounds = matrix.boundingBox(of: node.layer.bounds) else { return nil }
    let box = PixelBox(around: bounds).grown(by: 2).even.intersection(canvas)
    guard !box.isEmpty else { return nil }
    var cover = try cover(box, of: node, matrix, motion)
    try mask(&cover, by: node, matrix, motion)
    let opacity = Float(min(node.layer.opacity, 1))
    if opacity < 1 { cover.matte([0, 0, 0, opacity, 0], signal: nil) }
    return cover
  }
}

/// Where a layer filters what is below it, and how.
struct Glass {
  let filters: LayerFilters
  let blur: FilterBlur
  /// How much of each pixel is replaced, in its alpha.
  var cover: Surface

  /// The pixels that the filters read.
  var source: PixelBox { cover.box.grown(by: blur.reach) }

  /// Replaces the pixels of the cover by filtered ones.
  ///
  /// - Parameters:
  ///   - from: The pixels to filter, at least those of ``source`` within the canvas.
  ///   - canvas: Beyond it, the pixels of its edges are repeated, as in CSS.
  func replace(
    on surface: inout Surface, from below: Surface, within canvas: PixelBox, signal: TitleSignal?
  ) throws(CompositorError) {
    let memory = surface.memory
    var filtered = try Surface(source, in: memory)
    filtered.copy(below, repeatingEdgesOf: canvas.intersection(below.box))
    try filtered.apply(filters, blur, signal: signal)
    var glass = try Surface(cover.box, in: memory)
    glass.over(filtered, opacity: 1, mode: .normal)
    glass.mask(by: cover)
    filtered.giveBack()
    var rest = try cover.copied()
    rest.matte([0, 0, 0, -1, 1], signal: nil)
    surface.mix(glass, where: rest)
    glass.giveBack()
    rest.giveBack()
  }
}

extension Surface {
  /// Fills the surface with another one, of which the pixels at the edges of a box are repeated beyond it.
  fileprivate mutating func copy(_ source: Surface, repeatingEdgesOf edges: PixelBox) {
    let common = box.intersection(edges)
    guard !common.isEmpty else { return }
    let (box, step) = (box, box.width * 4)
    pixels.withUnsafeMutableBufferPointer { target in
      source.pixels.withUnsafeBufferPointer { pixels in
        guard let target = target.baseAddress, let pixels = pixels.baseAddress else { return }
        for y in box.y0..<box.y1 {
          let row = target + (y - box.y0) * step
          let from = pixels + source.index(x: common.x0, y: min(max(y, common.y0), common.y1 - 1))
          (row + (common.x0 - box.x0) * 4).update(from: from, count: common.width * 4)
          let last = from + (common.width - 1) * 4
          for x in box.x0..<common.x0 { (row + (x - box.x0) * 4).update(from: from, count: 4) }
          for x in common.x1..<box.x1 { (row + (x - box.x0) * 4).update(from: last, count: 4) }
        }
      }
    }
  }

  /// Subtracts another surface of the same box.
  fileprivate mutating func subtract(_ other: Surface) {
    let count = box.width * box.height * 4
    pixels.withUnsafeMutableBufferPointer { target in
      other.pixels.withUnsafeBufferPointer { other in
        guard let target = target.baseAddress, let other = other.baseAddress else { return }
        cpk_overlay_subtract(target, other, count)
      }
    }
  }

  /// Multiplies the pixels of a box by an alpha, and adds others.
  fileprivate mutating func mix(_ source: Surface, where rest: Surface) {
    let common = box.intersection(source.box)
    let (first, step) = (index(x: common.x0, y: common.y0), box.width * 4)
    let (from, fromStep) = (source.index(x: common.x0, y: common.y0), source.box.width * 4)
    pixels.withUnsafeMutableBufferPointer { target in
      source.pixels.withUnsafeBufferPointer { source in
        rest.pixels.withUnsafeBufferPointer { rest in
          guard let target = target.baseAddress, let source = source.baseAddress, let rest = rest.baseAddress else { return }
          for row in 0..<common.height {
            let (to, offset) = (target + first + row * step, from + row * fromStep)
            cpk_overlay_surface_mask(to, rest + offset, common.width)
            cpk_general_accumulate(to, source + offset, 1, common.width * 4)
          }
        }
      }
    }
  }
}

extension OverlayDrawing {
  /// Fades a layer together with what it does to the frame below it, in colors of single precision.
  func drawFadingOnSurface(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion, in writer: FrameWriter
  ) throws(CompositorError) {
    var fading = self
    fading.node = node
    fading.node.motion = motion
    var before: Surface?
    guard
      var drawn = try fading.drawnOverBackdrop(
        matrix, writer, { (backdrop) throws(CompositorError) in before = try backdrop.copied() }), var before
    else { return }
    try writer.add(drawn.result, less: before, where: drawn.cover)
    before.giveBack()
    drawn.result.giveBack()
    drawn.cover.giveBack()
  }

  /// Filters what the frame shows within the bounds of a layer, in colors of single precision.
  func filterBackdropOnSurface(
    _ filters: LayerFilters, of node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion,
    in writer: FrameWriter
  ) throws(CompositorError) {
    guard var glass = try painter.glass(filters, of: node, matrix, motion, within: writer.canvas) else { return }
    let memory = painter.primitives.memory
    let size = PixelSize(width: writer.canvas.width, height: writer.canvas.height)
    var below = try FrameReader(writer.planes.readOnly, encoding, size: size)
      .surface(glass.source.intersection(writer.canvas), in: memory)
    var before = try Surface(glass.cover.box, in: memory)
    before.over(below, opacity: 1, mode: .normal)
    var result = try before.copied()
    try glass.replace(on: &result, from: below, within: writer.canvas, signal: painter.primitives.titleSignal)
    below.giveBack()
    try writer.add(result, less: before, where: glass.cover)
    before.giveBack()
    result.giveBack()
    glass.cover.giveBack()
  }
}

extension Layer {
  /// Whether it filters what is below it.
  var filtersBackdrop: Bool { backdropFilters?.isIdentity == false }
}

extension PresentationNode {
  /// Whether it or a layer in it filters what is below it.
  var filtersBackdrop: Bool { layer.filtersBackdrop || children.contains(where: \.filtersBackdrop) }

  /// How far its layers look at what is below them, beyond their bounds, in pixels.
  func backdropReach(_ matrix: Projection) -> Int {
    let own = layer.filtersBackdrop ? layer.backdropFilters?.blur(matrix).reach ?? 0 : 0
    return children.reduce(own) { max($0, $1.backdropReach($1.matrix.concatenating(matrix))) }
  }
}
