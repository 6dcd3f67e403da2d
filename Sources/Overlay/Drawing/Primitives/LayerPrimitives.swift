package import CompositorAPI

/// Layer content that changes from frame to frame.
package struct MovingContent: Sendable {
  /// The composed frame, for video layers: in the output's signal, as a pyramid of halved images.
  package var video: [Picture] = []
  /// Converts frames of movies; `nil` if movies cannot be shown.
  package var converter: (any MovieConverter)?
  /// The movie of the layer in question.
  var movie: MovieFrame?
  /// How that layer's position changes over time.
  var motion = PresentationNode.Motion.still

  package init() {}

  /// Whether a tree may contain such content.
  var isPossible: Bool { converter != nil || !video.isEmpty }

  /// The moving content of one layer.
  func of(_ node: PresentationNode, _ motion: PresentationNode.Motion) -> MovingContent {
    guard let frame = node.movie.frame else { return self }
    var result = self
    (result.movie, result.motion) = (frame, motion)
    return result
  }
}

/// Makes masks and paints for a layer's own contents: background, content, border.
package struct LayerPrimitives: Sendable {
  package let encoding: OutputEncoding
  /// Converts surfaces to the signal of filters and luminance masks; `nil` if they hold it.
  let titleSignal: TitleSignal?
  package let cache: OverlayCache
  /// Plates of layers with movies. Cached separately, because the plate of a layer that also changes otherwise serves only
  /// one frame.
  let plates = OverlayCache(byteLimit: 64 << 20)
  /// The memory of surfaces that serve only one frame.
  package let memory: SurfaceMemory
  package let engine: TextEngine
  /// Images by name, in the output's signal, as pyramids of halved images.
  package let images: [String: [Picture]]

  /// Background and content of a layer on a grid, back to front.
  package func ground(of layer: Layer, on grid: RasterGrid, _ moving: MovingContent) throws(CompositorError) -> [Primitive] {
    var primitives: [Primitive] = []
    if let color = layer.backgroundColor, color.alpha > 0, !layer.bounds.isEmpty {
      primitives.append(try solid(ground(of: layer), color, on: grid))
    }
    switch layer.content {
    case .none, .replicator, .emitter: break
    case .text(let text): primitives += try self.text(text, in: layer.bounds, on: grid)
    case .shape(let shape): primitives += try self.shape(shape, on: grid)
    case .gradient(let gradient):
      guard !layer.bounds.isEmpty, let paint = try gradient.paint(over: layer.bounds, encoding) else { break }
      primitives.append(Primitive(mask: try mask(ground(of: layer), on: grid), paint: paint))
    case .image(let image):
      guard let levels = images[image.image] else { throw missing(image.image) }
      if let primitive = try picture(image, levels, in: layer.bounds, on: grid) { primitives.append(primitive) }
    case .movie(let content):
      guard let movie = moving.movie, let converter = moving.converter else { break }
      let primitive = try self.movie(content, movie, in: layer.bounds, on: grid, moving.motion, converter: converter)
      if let primitive { primitives.append(primitive) }
    case .video:
      if let primitive = try picture(ImageContent("", gravity: .resize), moving.video, in: layer.bounds, on: grid) {
        primitives.append(primitive)
      }
    }
    return primitives
  }

  /// The line inside the edge, drawn over the sublayers.
  package func border(of layer: Layer, on grid: RasterGrid) throws(CompositorError) -> Primitive? {
    let width = layer.borderWidth
    guard width > 0, layer.borderColor.alpha > 0, !layer.bounds.isEmpty else { return nil }
    var path = outline(of: layer)
    let bounds = layer.bounds
    let inner = Rect(
      x: bounds.minX + width, y: bounds.minY + width, width: bounds.size.width - 2 * width,
      height: bounds.size.height - 2 * width)
    if !inner.isEmpty { path.append(.roundedRectangle(inner, radii: layer.shownRadii.inset(by: width, from: bounds.size))) }
    let mask = try self.mask(path, rule: .evenOdd, on: grid)
    return Primitive(mask: mask, paint: .solid(try encoding.premultiplied(layer.borderColor)))
  }

  /// The bounds with rounded corners.
  package func outline(of layer: Layer) -> ShapePath { .roundedRectangle(layer.bounds, radii: layer.shownRadii) }

  /// The shape that the background fills and that clipping leaves: the bounds, or up to the middle of an opaque border, so
  /// that nothing shows through along the border's outer edge.
  package func ground(of layer: Layer) -> ShapePath {
    let inset = layer.hasOpaqueBorder ? layer.borderWidth / 2 : 0
    let inner = layer.bounds.grown(by: -inset)
    guard inset > 0, inner.size.width > 0, inner.size.height > 0 else { return outline(of: layer) }
    return .roundedRectangle(inner, radii: layer.shownRadii.inset(by: inset, from: layer.bounds.size))
  }

  package func mask(_ path: ShapePath, rule: FillRule = .nonZero, on grid: RasterGrid) throws(CompositorError) -> Mask {
    let (phase, x, y) = grid.phase(at: .zero)
    let made = try cache.value(.fill(path, rule, phase)) { () throws(CompositorError) in
      .mask(try path.fillMask(rule, on: phase))
    }
    guard case .mask(var mask) = made else { throw LayerPrimitives.wrongKind }
    (mask.x, mask.y) = (mask.x + x, mask.y + y)
    return mask
  }

  static let wrongKind = CompositorError(.internalFault, "The overlay cache holds a value of another type than its key.")

  func missing(_ name: String) -> CompositorError {
    let distances = images.keys.map { (name: $0, edits: editDistance($0.lowercased(), name.lowercased())) }
    let near = distances.sorted { $0.edits < $1.edits }.prefix(3).map(\.name)
    return CompositorError(
      .fileNotFound, "There is no image \"\(name)\".",
      recoverySuggestion: near.isEmpty ? "Give the renderer the image." : "Similar names: \(near.joined(separator: ", ")).")
  }

  private func solid(_ path: ShapePath, _ color: Color, on grid: RasterGrid) throws(CompositorError) -> Primitive {
    Primitive(mask: try mask(path, on: grid), paint: .solid(try encoding.premultiplied(color)))
  }

  private func shape(_ shape: ShapeContent, on grid: RasterGrid) throws(CompositorError) -> [Primitive] {
    var primitives: [Primitive] = []
    guard !shape.path.isEmpty else { return [] }
    if let color = shape.fillColor, color.alpha > 0 {
      let mask = try self.mask(shape.path, rule: shape.fillRule, on: grid)
      primitives.append(Primitive(mask: mask, paint: .solid(try encoding.premultiplied(color))))
    }
    if let color = shape.strokeColor, color.alpha > 0, shape.lineWidth > 0, shape.strokeEnd > shape.strokeStart {
      let style = StrokeStyle(shape)
      let (phase, x, y) = grid.phase(at: .zero)
      let made = try cache.value(.stroke(style, phase)) { () throws(CompositorError) in .mask(try style.mask(on: phase)) }
      guard case .mask(var mask) = made else { throw LayerPrimitives.wrongKind }
      (mask.x, mask.y) = (mask.x + x, mask.y + y)
      primitives.append(Primitive(mask: mask, paint: .solid(try encoding.premultiplied(color))))
    }
    return primitives
  }
}

extension Layer {
  /// Whether an opaque border covers the edge of the bounds.
  var hasOpaqueBorder: Bool { borderWidth > 0 && borderColor.alpha >= 1 }
}

extension RasterGrid {
  /// The same grid with a point of the layer as its origin, reduced to a fraction of a pixel, and the remaining integer
  /// pixels.
  func phase(at origin: Point) -> (grid: RasterGrid, x: Int, y: Int) {
    let start = matrix.apply(to: origin)
    let (x, y) = ((start.x * 64).rounded() / 64, (start.y * 64).rounded() / 64)
    let (wholeX, wholeY) = (x.rounded(.down), y.rounded(.down))
    guard abs(wholeX) < 1e8, abs(wholeY) < 1e8 else { return (self, 0, 0) }
    return (RasterGrid(a: a, b: b, c: c, d: d, tx: x - wholeX, ty: y - wholeY), Int(wholeX), Int(wholeY))
  }
}

extension ShapePath {
  /// Appends the elements of another path.
  package mutating func append(_ other: ShapePath) {
    var index = 0
    for step in other.steps {
      let points = (0..<step.pointCount).map {
        Point(x: other.coordinates[index + 2 * $0], y: other.coordinates[index + 2 * $0 + 1])
      }
      index += 2 * step.pointCount
      switch step {
      case .move: move(to: points[0])
      case .line: line(to: points[0])
      case .curve: curve(to: points[2], control1: points[0], control2: points[1])
      case .close: close()
      }
    }
  }
}
