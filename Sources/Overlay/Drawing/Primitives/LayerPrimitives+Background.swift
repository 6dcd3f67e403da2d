import CompositorAPI

extension LayerPrimitives {
  /// The background of each line or word that is shown.
  ///
  /// - Parameter origin: The origin of the layout in the layer.
  func backgrounds(of text: TextContent, _ styled: StyledText, origin: Point) throws(CompositorError) -> [BackgroundBox] {
    guard let background = text.background, background.color.alpha > 0, text.path == nil else { return [] }
    var plain = styled
    plain.outlineWidth = 0
    let made = try cache.value(.layout(plain)) { () throws(CompositorError) in .layout(try engine.layout(plain)) }
    guard case .layout(let layout) = made else { throw LayerPrimitives.wrongKind }
    return background.boxes(in: layout, origin: origin)
  }

  /// One shape of several backgrounds.
  ///
  /// - Parameter background: What the boxes are of.
  func primitive(
    _ boxes: [BackgroundBox], _ background: TextBackground, on grid: RasterGrid
  ) throws(CompositorError) -> Primitive {
    var path = ShapePath()
    for box in boxes { path.append(.roundedRectangle(box.rect, radius: background.cornerRadius)) }
    return Primitive(mask: try mask(path, on: grid), paint: .solid(try encoding.premultiplied(background.color)))
  }

  /// The backgrounds of an animated text, back to front. The background of a single unit moves and fades with it; that of several
  /// stays, and is as opaque as the most opaque of them.
  func backgrounds(
    of text: TextContent, _ styled: StyledText, units: [TextUnit], _ placement: MaskPlacement, origin: Point
  ) throws(CompositorError) -> [PlacedPrimitive] {
    guard let background = text.background else { return [] }
    var placed: [PlacedPrimitive] = []
    var still: [Double: [BackgroundBox]] = [:]
    for box in try backgrounds(of: text, styled, origin: origin) {
      let own = units.filter { $0.clusters.overlaps(box.clusters) }
      let opacity = own.map(\.opacity).max() ?? 0
      guard opacity > 0 else { continue }
      guard own.count == 1, own[0].transform != nil else {
        still[opacity, default: []].append(box)
        continue
      }
      let finer = placement.finer(own[0].magnification)
      guard let place = finer.moving(own[0].transform(about: origin)) else { continue }
      let primitive = try primitive([box], background, on: finer.grid)
      placed.append(PlacedPrimitive(primitive: primitive, placement: place, opacity: opacity))
    }
    for (opacity, boxes) in still.sorted(by: { $0.key < $1.key }) {
      let primitive = try primitive(boxes, background, on: placement.grid)
      placed.append(PlacedPrimitive(primitive: primitive, placement: placement, opacity: opacity))
    }
    return placed
  }
}

/// The background of a line or word, in pixels of the layer.
struct BackgroundBox {
  /// Its characters in the text's layout.
  let clusters: Range<Int>
  let rect: Rect

  /// Rectangles of the layer that contain it at its own place and at those of its units.
  func rectangles(units: [TextUnit], origin: Point) -> [Rect] {
    [rect] + units.filter { $0.clusters.overlaps(clusters) }.compactMap { $0.transform(about: origin)?.boundingBox(of: rect) }
  }
}

extension TextBackground {
  fileprivate func boxes(in layout: TextLayout, origin: Point) -> [BackgroundBox] {
    let units = layout.units(by: per == .line ? .line : .word)
    return units.flatMap { layout.lines(of: $0) }.compactMap { range in
      guard let box = layout.shownBox(of: range) else { return nil }
      let moved = Rect(x: box.minX + origin.x, y: box.minY + origin.y, width: box.size.width, height: box.size.height)
      return BackgroundBox(clusters: range, rect: moved.grown(by: padding))
    }
  }
}

extension TextLayout {
  /// The parts of a range in each of its lines.
  fileprivate func lines(of range: Range<Int>) -> [Range<Int>] {
    var (parts, start): ([Range<Int>], Int) = ([], range.lowerBound)
    for index in range.dropFirst() where clusters[index].line != clusters[index - 1].line {
      parts.append(start..<index)
      start = index
    }
    return parts + [start..<range.upperBound]
  }

  /// The box around the shown characters of a range, without spaces at its end; `nil` if none is shown.
  fileprivate func shownBox(of range: Range<Int>) -> Rect? {
    let shown = clusters[range].filter { $0.paint >= 0 }
    guard let last = shown.lastIndex(where: { $0.ink.size.width > 0 }) else { return nil }
    let boxes = shown[...last].map(\.box).filter { $0.size.width > 0 && $0.size.height > 0 }
    guard let left = boxes.map(\.minX).min(), let right = boxes.map(\.maxX).max(), let top = boxes.map(\.minY).min(),
      let bottom = boxes.map(\.maxY).max()
    else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
