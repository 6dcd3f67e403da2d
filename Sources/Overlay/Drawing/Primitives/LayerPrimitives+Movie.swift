import CompositorAPI

extension LayerPrimitives {
  /// A movie's frame in a rectangle of its layer; `nil` if nothing of it shows.
  ///
  /// - Parameter motion: If the layer scales or rotates over time, its frames are reduced by powers of two like images, so
  ///   that the sampling does not change over time; otherwise they are scaled to their exact size.
  func movie(
    _ content: MovieContent, _ movie: MovieFrame, in bounds: Rect, on grid: RasterGrid, _ motion: PresentationNode.Motion,
    converter: any MovieConverter
  ) throws(CompositorError) -> Primitive? {
    guard let place = MovieGeometry(content, movie, in: bounds) else { return nil }
    let across = (grid.a * grid.a + grid.b * grid.b).squareRoot() * place.target.size.width / place.shown.width
    let down = (grid.c * grid.c + grid.d * grid.d).squareRoot() * place.target.size.height / place.shown.height
    let size = MovieGeometry.pictureSize(of: place.whole, across: across, down: down, exactly: motion < .transforms)
    let frame = try converter.picture(movie, size: size, color: encoding.attributes.color)
    let (width, height) = (Double(frame.size.width), Double(frame.size.height))
    let limits = Rect(
      x: place.part.minX * width, y: place.part.minY * height, width: place.part.size.width * width,
      height: place.part.size.height * height)
    let toPixels = AffineMatrix.translation(x: -place.target.minX, y: -place.target.minY)
      .concatenating(.scale(x: limits.size.width / place.target.size.width, y: limits.size.height / place.target.size.height))
      .concatenating(.translation(x: limits.minX, y: limits.minY))
    return Primitive(
      mask: try mask(.rectangle(place.target), on: grid),
      paint: .frame(frame, toPixels: Projection(toPixels), limits: limits))
  }
}

/// The position of a movie's frame in its layer.
struct MovieGeometry {
  /// The upright frame's size, in display pixels.
  let whole: Size
  /// The visible part, in fractions.
  let part: Rect
  /// The size of the visible part, in display pixels.
  let shown: Size
  /// The target rectangle, in the layer's own coordinates.
  let target: Rect

  /// Returns `nil` if nothing of it shows.
  init?(_ content: MovieContent, _ movie: MovieFrame, in bounds: Rect) {
    whole = movie.shape.uprightSize
    part = content.contentsRect.intersection(Rect(x: 0, y: 0, width: 1, height: 1))
    guard !part.isEmpty, !bounds.isEmpty, whole.width > 0, whole.height > 0 else { return nil }
    shown = Size(width: whole.width * part.size.width, height: whole.height * part.size.height)
    target = content.gravity.rectangle(for: shown, in: bounds)
    guard !target.isEmpty else { return nil }
  }

  /// From the upright frame, in display pixels, to the layer.
  var toLayer: AffineMatrix {
    let (x, y) = (target.size.width / shown.width, target.size.height / shown.height)
    return AffineMatrix.translation(x: -part.minX * whole.width, y: -part.minY * whole.height)
      .concatenating(.scale(x: x, y: y)).concatenating(.translation(x: target.minX, y: target.minY))
  }

  /// The largest image in pixels: a frame of 8K.
  private static let maximumPixels = 1 << 25

  /// The size of an image of the whole frame.
  static func pictureSize(of whole: Size, across: Double, down: Double, exactly: Bool) -> PixelSize {
    var (x, y) = (across, down)
    if !exactly {
      var scale = 1.0
      while max(across, down) * 2 <= scale * 1.001, scale > 1.0 / 1024 { scale /= 2 }
      (x, y) = (scale, scale)
    }
    func side(_ length: Double) -> Int { Int(min(max(length.rounded(), 1), Double(PixelSize.renderableSides.upperBound))) }
    let size = PixelSize(width: side(whole.width * x), height: side(whole.height * y))
    guard size.width * size.height > maximumPixels else { return size }
    let fit = (Double(maximumPixels) / Double(size.width * size.height)).squareRoot()
    return PixelSize(width: side(Double(size.width) * fit), height: side(Double(size.height) * fit))
  }
}
