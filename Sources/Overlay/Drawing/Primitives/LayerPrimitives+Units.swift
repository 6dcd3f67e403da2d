import CompositorAPI

/// A primitive with its own position in the layer.
struct PlacedPrimitive {
  var primitive: Primitive
  var placement: MaskPlacement
  var opacity: Double
}

extension LayerPrimitives {
  /// The units of an animated text, back to front: first the outlines of all of them, then their fills, paint after paint as in a
  /// still text, then colored glyphs.
  ///
  /// - Parameter placement: The placement of the layer.
  func units(of node: PresentationNode, _ placement: MaskPlacement) throws(CompositorError) -> [PlacedPrimitive] {
    guard case .text(let text) = node.layer.content else { return [] }
    let styled = StyledText(text, size: node.layer.bounds.size)
    let origin = text.origin(in: node.layer.bounds, try extents(styled))
    var painter = UnitPainter(text, in: node.layer.bounds, origin: origin, encoding)
    var rasters: [Int: PlacedUnits] = [:]
    var (outlines, pictures): ([PlacedPrimitive], [PlacedPrimitive]) = ([], [])
    var fills: [Int: [PlacedPrimitive]] = [:]
    for (index, unit) in node.units.enumerated() where unit.opacity > 0 && !unit.isReplaced {
      // A unit that grows has masks of its own: twice, four or eight times as fine.
      let level = unit.magnification
      if rasters[level] == nil { rasters[level] = try placed(styled, node.units, placement.finer(level), origin) }
      guard let raster = rasters[level], let place = raster.placement.moving(unit.transform(about: origin)) else { continue }
      let piece = try raster.units.pieces[index].blurred(unit.blurRadius, on: raster.grid, in: memory)
      if let outline = piece.outline {
        let paint = Paint.solid(try painter.premultiplied(unit.outlineColor ?? text.outlineColor))
        outlines.append(PlacedPrimitive(primitive: raster.primitive(outline, paint), placement: place, opacity: unit.opacity))
      }
      let isJoined = unit.isOpaqueInPlace && index + 1 < node.units.count && node.units[index + 1].isOpaqueInPlace
      for (paint, mask) in piece.fills {
        for made in try painter.paints(paint, of: unit) {
          // What lies below a translucent letter shines through.
          let isHidden = isJoined && made.solid.map { $0.w >= 1 } ?? true
          let shown = isHidden ? piece.joined[paint] ?? mask : mask
          fills[paint, default: []].append(
            PlacedPrimitive(primitive: raster.primitive(shown, made), placement: place, opacity: unit.opacity))
        }
      }
      if let picture = piece.picture {
        let key = unit.blurRadius > 0 ? nil : OverlayCache.Key.unitEmoji(styled, raster.grid, index, unit.clusters)
        let primitive = try emoji(picture, key: key, raster.whole, x: raster.x, y: raster.y)
        pictures.append(PlacedPrimitive(primitive: primitive, placement: place, opacity: unit.opacity))
      }
    }
    let painted = styled.paintsInUse.flatMap { fills[$0] ?? [] }
    return try backgrounds(of: text, styled, units: node.units, placement, origin: origin) + outlines + painted + pictures
  }

  private func placed(
    _ styled: StyledText, _ units: [TextUnit], _ placement: MaskPlacement, _ origin: Point
  ) throws(CompositorError) -> PlacedUnits {
    let (phase, x, y) = placement.grid.phase(at: origin)
    let made = try cache.value(.units(styled, phase, units.map(\.clusters))) { () throws(CompositorError) in
      .units(try engine.raster(styled, units, on: phase))
    }
    guard case .units(let raster) = made else { throw LayerPrimitives.wrongKind }
    return PlacedUnits(units: raster, placement: placement, grid: phase, whole: placement.grid, x: x, y: y)
  }
}

/// The masks of a text's units, and their positions in a layer.
private struct PlacedUnits {
  let units: TextUnitRaster
  let placement: MaskPlacement
  /// The grid of the masks, and that of the layer, an integer number of pixels away.
  let grid, whole: RasterGrid
  let x, y: Int

  func primitive(_ mask: Mask, _ paint: Paint) -> Primitive {
    var moved = mask
    (moved.x, moved.y) = (mask.x + x, mask.y + y)
    return Primitive(mask: moved, paint: paint)
  }
}

/// Finds the paints of units; shared paints are made once.
private struct UnitPainter {
  private let text: TextContent
  private let bounds: Rect
  private let origin: Point
  private let encoding: OutputEncoding
  private let colors: TextPaints
  private var gradient: Paint?
  private var last: (color: Color, premultiplied: SIMD4<Float>)?

  init(_ text: TextContent, in bounds: Rect, origin: Point, _ encoding: OutputEncoding) {
    (self.text, self.bounds, self.origin, self.encoding) = (text, bounds, origin, encoding)
    colors = TextPaints(text)
  }

  mutating func premultiplied(_ color: Color) throws(CompositorError) -> SIMD4<Float> {
    if let last, last.color == color { return last.premultiplied }
    let made = try encoding.premultiplied(color)
    last = (color, made)
    return made
  }

  /// The fills of a unit, back to front.
  mutating func paints(_ paint: Int, of unit: TextUnit) throws(CompositorError) -> [Paint] {
    // A line of another color than the letters keeps it.
    if colors.isOfLine(paint) { return [.solid(try premultiplied(colors[paint] ?? text.color))] }
    let own = unit.color ?? colors[paint] ?? text.color
    let shared = unit.color == nil ? try sharedGradient() : nil
    guard let highlight = unit.highlightColor, unit.highlight > 0 else {
      if let shared { return [shared] }
      return [.solid(try premultiplied(own))]
    }
    if unit.highlight >= 1 { return [.solid(try premultiplied(highlight))] }
    // A gradient is visible beyond the highlight's edge. Two solid colors make one paint, which has no fringes.
    guard let shared else { return [try halves(highlight, own, of: unit)] }
    return [shared, try halves(highlight, highlight.withAlpha(0), of: unit)]
  }

  private mutating func sharedGradient() throws(CompositorError) -> Paint? {
    if gradient == nil, let colors = text.gradient { gradient = try colors.paint(over: bounds, encoding) }
    return gradient
  }

  /// One color up to the highlight's edge, another behind it; the edge is one pixel of the layer wide.
  private func halves(_ first: Color, _ second: Color, of unit: TextUnit) throws(CompositorError) -> Paint {
    func point(_ place: Double) -> Point { unit.isVertical ? Point(x: 0, y: place) : Point(x: place, y: 0) }
    let half = unit.isRightToLeft ? -0.5 : 0.5
    var content = GradientContent([first, second])
    content.startPoint = point(unit.highlightEdge - half)
    content.endPoint = point(unit.highlightEdge + half)
    // Fractions of a rectangle of one pixel are pixels.
    return try content.paint(over: Rect(x: origin.x, y: origin.y, width: 1, height: 1), encoding) ?? .solid(.zero)
  }
}

extension PresentationNode {
  /// The layer without the contents shown by its ``units``.
  var withoutUnits: Layer {
    guard !units.isEmpty else { return layer }
    var rest = layer
    rest.content = .none
    return rest
  }
}

extension TextUnit {
  /// A rectangle of the layer that contains the visible part; `nil` if nothing is visible.
  func rectangle(margin: Double, origin: Point) -> Rect? {
    guard opacity > 0, ink.size.width > 0 else { return nil }
    let rect = ink.grown(by: margin + 3 * blurRadius)
    let placed = Rect(x: rect.minX + origin.x, y: rect.minY + origin.y, width: rect.size.width, height: rect.size.height)
    guard let transform = transform(about: origin) else { return placed }
    // What reaches behind the viewer may be seen anywhere.
    return transform.boundingBox(of: placed) ?? Rect(x: -1e5, y: -1e5, width: 2e5, height: 2e5)
  }

  /// Whether it is drawn sharp at its position in the text, fully opaque.
  fileprivate var isOpaqueInPlace: Bool { !isReplaced && opacity >= 1 && transform == nil && blurRadius <= 0 }

  /// Its transform in the layer; `nil` for none.
  ///
  /// - Parameter origin: The origin of the layout in the layer.
  func transform(about origin: Point) -> Projection? { spatialTransform(about: origin)?.projection }

  /// The same with depth.
  func spatialTransform(about origin: Point) -> Matrix4? {
    transform.map { transform in
      let placed = transform.about(origin)
      return perspective.map(placed.concatenating) ?? placed
    }
  }

  /// How much finer its masks must be than the layer's: 1, 2, 4 or 8.
  var magnification: Int {
    guard let transform else { return 1 }
    let scale = max(
      (transform.x.x * transform.x.x + transform.x.y * transform.x.y).squareRoot(),
      (transform.y.x * transform.y.x + transform.y.y * transform.y.y).squareRoot())
    return scale <= 1.05 ? 1 : scale <= 2 ? 2 : scale <= 4 ? 4 : 8
  }
}

extension MaskPlacement {
  /// The same placement with masks that are `factor` times as fine.
  func finer(_ factor: Int) -> MaskPlacement {
    guard factor > 1 else { return self }
    let scale = AffineMatrix.scale(x: Double(factor), y: Double(factor))
    return MaskPlacement(
      grid: RasterGrid(grid.matrix.concatenating(scale)), way: .mapped(toGrid.concatenating(Projection(scale))), matrix: matrix)
  }

  /// The placement of a part that is moved within the layer; `nil` if it is not visible.
  func moving(_ transform: Projection?) -> MaskPlacement? {
    guard let transform, let fromCanvas = matrix.inverted else { return transform == nil ? self : nil }
    let moved = transform.concatenating(matrix)
    let onCanvas = fromCanvas.concatenating(moved)
    if let shift = onCanvas.translation, let start = shiftOnCanvas {
      let (x, y) = (((start.x + shift.x) * 256).rounded() / 256, ((start.y + shift.y) * 256).rounded() / 256)
      guard abs(x) < 1e8, abs(y) < 1e8 else { return nil }
      let (left, top) = (x.rounded(.down), y.rounded(.down))
      let (fx, fy) = (UInt32((x - left) * 256), UInt32((y - top) * 256))
      let way: Way =
        fx == 0 && fy == 0 ? .whole(x: Int(left), y: Int(top)) : .shifted(x: Int(left), y: Int(top), fx: fx, fy: fy)
      return MaskPlacement(grid: grid, way: way, matrix: moved)
    }
    guard let back = onCanvas.inverted else { return nil }
    return MaskPlacement(grid: grid, way: .mapped(back.concatenating(toGrid)), matrix: moved)
  }

  /// From the grid to the canvas if that is a translation, otherwise `nil`.
  private var shiftOnCanvas: Point? {
    switch way {
    case .whole(let x, let y): Point(x: Double(x), y: Double(y))
    case .shifted(let x, let y, let fx, let fy): Point(x: Double(x) + Double(fx) / 256, y: Double(y) + Double(fy) / 256)
    case .mapped: nil
    }
  }

  /// From the canvas to the grid.
  private var toGrid: Projection {
    if case .mapped(let back) = way { return back }
    let shift = shiftOnCanvas ?? .zero
    return Projection(.translation(x: -shift.x, y: -shift.y))
  }
}

extension Projection {
  /// The translation, if this map is nothing else.
  fileprivate var translation: Point? {
    guard let affine, abs(affine.a - 1) < 1e-9, abs(affine.d - 1) < 1e-9, abs(affine.b) < 1e-9, abs(affine.c) < 1e-9 else {
      return nil
    }
    return Point(x: affine.tx, y: affine.ty)
  }
}
