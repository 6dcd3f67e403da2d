import CompositorAPI

/// A rectangle with straight or round corners as it lies on the canvas, rotated or not. It is convex, so it contains a box if it contains
/// its four corners.
struct OpaqueArea {
  private let bounds: Rect
  private let radii: CornerRadii
  private let toBounds: AffineMatrix
  /// How far inside of its edges every pixel is opaque, in pixels of the canvas.
  private let margin: Double

  /// - Parameters:
  ///   - bounds: The rectangle, in the layer's coordinates.
  ///   - radii: The radii of its corners, which are fitted into it.
  ///   - isPicture: Whether its pixels are resampled, so that its edges are soft. Edges that aren't upright always are.
  /// - Returns: `nil` for an empty rectangle, and for one in perspective.
  init?(_ bounds: Rect, radii: CornerRadii = CornerRadii(), _ matrix: Projection, isPicture: Bool = false) {
    guard !bounds.isEmpty, let affine = matrix.affine, let inverse = affine.inverted else { return nil }
    (self.bounds, self.radii, toBounds) = (bounds, radii.fitting(bounds.size), inverse)
    let isUpright = affine.b == 0 && affine.c == 0
    margin = isPicture || !isUpright || radii.list.contains { $0 > 0 } ? 1 : 0
  }

  /// Whether all of a box of the canvas lies in it.
  func contains(_ box: Rect) -> Bool {
    let box = box.grown(by: margin)
    let corners = [
      box.origin, Point(x: box.maxX, y: box.minY), Point(x: box.maxX, y: box.maxY), Point(x: box.minX, y: box.maxY),
    ]
    return corners.allSatisfy { contains(toBounds.apply(to: $0)) }
  }

  private func contains(_ point: Point) -> Bool {
    let (left, top) = (point.x - bounds.minX, point.y - bounds.minY)
    let (right, bottom) = (bounds.maxX - point.x, bounds.maxY - point.y)
    guard min(left, top, right, bottom) >= 0 else { return false }
    let corners = [
      (left, top, radii.topLeft), (right, top, radii.topRight), (right, bottom, radii.bottomRight),
      (left, bottom, radii.bottomLeft),
    ]
    return corners.allSatisfy { horizontal, vertical, radius in
      let (x, y) = (radius - horizontal, radius - vertical)
      return x <= 0 || y <= 0 || x * x + y * y <= radius * radius
    }
  }
}

/// Which contents of layers are known to have no transparent pixel, beside colors.
package struct OpaqueContents: Sendable {
  /// The names of images without alpha.
  package var images: Set<String>
  /// Whether the frame itself has no transparent pixel, which layers can show.
  package var isFrameOpaque: Bool

  /// By default, nothing is known.
  package init(images: Set<String> = [], isFrameOpaque: Bool = false) {
    (self.images, self.isFrameOpaque) = (images, isFrameOpaque)
  }

  /// Whether a layer, without its sublayers, may paint an opaque area.
  func mayCover(_ layer: Layer) -> Bool {
    if (layer.backgroundColor?.alpha ?? 0) >= 1 { return true }
    switch layer.content {
    case .gradient(let gradient): return gradient.isOpaque
    // Animations may replace an image.
    case .image: return !images.isEmpty
    case .video: return isFrameOpaque
    case .none, .text, .shape, .movie, .replicator, .emitter: return false
    }
  }

  /// The areas that a layer paints opaquely, without its sublayers.
  func areas(of layer: Layer, _ matrix: Projection) -> [OpaqueArea] {
    var areas: [OpaqueArea?] = []
    if (layer.backgroundColor?.alpha ?? 0) >= 1 { areas.append(OpaqueArea(layer.bounds, radii: layer.shownRadii, matrix)) }
    switch layer.content {
    case .gradient(let gradient) where gradient.isOpaque:
      areas.append(OpaqueArea(layer.bounds, radii: layer.shownRadii, matrix))
    case .image(let image) where images.contains(image.image) && image.fillsBounds:
      areas.append(OpaqueArea(layer.bounds, matrix, isPicture: true))
    case .video where isFrameOpaque: areas.append(OpaqueArea(layer.bounds, matrix, isPicture: true))
    default: break
    }
    return areas.compactMap { $0 }
  }
}

extension GradientContent {
  /// Whether none of its colors is transparent; beyond its ends the last ones go on.
  fileprivate var isOpaque: Bool { !colors.isEmpty && colors.allSatisfy { $0.alpha >= 1 } }
}

extension ImageContent {
  /// Whether the image covers all of its layer's bounds.
  fileprivate var fillsBounds: Bool {
    let part = contentsRect
    let isInside = part.minX >= 0 && part.minY >= 0 && part.maxX <= 1 && part.maxY <= 1 && !part.isEmpty
    return isInside && (gravity == .resize || gravity == .resizeAspectFill)
  }
}
