package import CompositorAPI

extension LayerPrimitives {
  /// Outline, glyphs and colored glyphs of a text.
  func text(_ text: TextContent, in bounds: Rect, on grid: RasterGrid) throws(CompositorError) -> [Primitive] {
    let styled = StyledText(text, size: bounds.size)
    guard !styled.string.isEmpty else { return [] }
    let extents = try self.extents(styled)
    let origin = text.origin(in: bounds, extents)
    let (phase, x, y) = grid.phase(at: origin)
    let made = try cache.value(.text(styled, phase)) { () throws(CompositorError) in .text(try engine.raster(styled, on: phase))
    }
    guard case .text(let raster) = made else { throw LayerPrimitives.wrongKind }
    func moved(_ mask: Mask) -> Mask {
      var copy = mask
      (copy.x, copy.y) = (mask.x + x, mask.y + y)
      return copy
    }
    var primitives: [Primitive] = []
    if let background = text.background {
      let boxes = try backgrounds(of: text, styled, origin: origin)
      if !boxes.isEmpty { primitives.append(try primitive(boxes, background, on: grid)) }
    }
    if let outline = raster.outline {
      primitives.append(Primitive(mask: moved(outline), paint: .solid(try encoding.premultiplied(text.outlineColor))))
    }
    let paints = TextPaints(text)
    for (paint, mask) in raster.fills {
      guard let color = paints[paint] else { continue }
      let gradient = paints.isOfLine(paint) ? nil : try text.gradient?.paint(over: bounds, encoding)
      let fill = if let gradient { gradient } else { Paint.solid(try encoding.premultiplied(color)) }
      primitives.append(Primitive(mask: moved(mask), paint: fill))
    }
    if let picture = raster.picture {
      primitives.append(try emoji(picture, key: .emoji(styled, phase), grid, x: x, y: y))
    }
    return primitives
  }

  /// Colored glyphs: an image on the grid itself, in sRGB until it is converted to the output's signal.
  func emoji(
    _ picture: Picture, key: OverlayCache.Key?, _ grid: RasterGrid, x: Int, y: Int
  ) throws(CompositorError) -> Primitive {
    func encode() throws(CompositorError) -> OverlayCache.Value {
      .picture(try picture.encoded(from: .sRGB, in: encoding.attributes.color, policy: encoding.policy))
    }
    let made = if let key { try cache.value(key, make: encode) } else { try encode() }
    guard case .picture(let encoded) = made else { throw LayerPrimitives.wrongKind }
    var mask = Mask(x: picture.x + x, y: picture.y + y, width: picture.width, height: picture.height)
    for row in 1..<max(mask.height - 1, 1) {
      for column in 1..<max(mask.width - 1, 1) { mask.bytes[row * mask.stride + column] = 255 }
    }
    let toPixels = grid.matrix.concatenating(.translation(x: -Double(mask.x), y: -Double(mask.y)))
    let limits = Rect(x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
    return Primitive(mask: mask, paint: .picture(encoded, toPixels: Projection(toPixels), limits: limits))
  }

  /// The sizes of a text, after checking that its fonts and glyphs exist.
  package func extents(_ styled: StyledText) throws(CompositorError) -> TextExtents {
    var shown = styled
    shown.outlineWidth = 0
    let made = try cache.value(.extents(shown)) { () throws(CompositorError) in
      .extents(try engine.checkedExtents(of: styled))
    }
    guard case .extents(let extents) = made else { throw LayerPrimitives.wrongKind }
    return extents
  }

  /// The size of a text without bounds.
  package func measure(_ text: TextContent) throws(CompositorError) -> Size {
    let styled = StyledText(text, size: nil)
    return styled.string.isEmpty ? .zero : try extents(styled).size
  }
}

extension TextContent {
  /// The top-left corner of the lines in the bounds.
  func origin(in whole: Rect, _ extents: TextExtents) -> Point {
    let bounds = whole.grown(by: -padding)
    let (spareX, spareY) = (bounds.size.width - extents.size.width, bounds.size.height - extents.size.height)
    let (spareAlong, spareAcross) = isVertical ? (spareY, spareX) : (spareX, spareY)
    var across =
      switch verticalAlignment {
      case .top: 0.0
      case .middle: spareAcross / 2
      case .bottom: spareAcross
      }
    // The first column is on the right.
    if writingMode == .verticalRL { across = spareAcross - across }
    var along = 0.0
    if !wraps, truncation == .none {
      switch alignment {
      case .left: break
      case .natural, .justified: if extents.isRightToLeft { along = spareAlong }
      case .center: along = spareAlong / 2
      case .right: along = spareAlong
      }
    }
    let origin = bounds.origin
    return isVertical ? Point(x: origin.x + across, y: origin.y + along) : Point(x: origin.x + along, y: origin.y + across)
  }
}
